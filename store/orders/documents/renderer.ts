import { parentPort, workerData } from 'node:worker_threads'
import { setStoreCurrency } from '#shared/currency.ts'
import type { DocumentData } from './document-data.ts'
import { renderPdf } from './document-pdf.ts'
import { hasXml, renderXml } from './document-xml.ts'
import type { RenderedDocument, RendererData, RendererResult } from './render-in-worker.ts'

/* The worker thread that renders documents: see `renderInWorker`. */

const { currency } = workerData as RendererData
setStoreCurrency(currency)

async function render(data: DocumentData): Promise<RenderedDocument> {
  const xml = hasXml(data) ? renderXml(data) : null
  return { pdf: await renderPdf(data, xml), xml }
}

parentPort?.on('message', async (data: DocumentData) => {
  const result: RendererResult = await render(data).then(
    (rendered) => ({ rendered }),
    (error: unknown) => ({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
  parentPort?.postMessage(result)
})
