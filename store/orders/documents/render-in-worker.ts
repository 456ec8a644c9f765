import { once } from 'node:events'
import { setTimeout as startTimer } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type StoreCurrency, storeCurrency } from '#shared/currency.ts'
import type { DocumentData } from './document-data.ts'

/** `xml`: null where EN 16931 cannot say the document, see `hasXml`. */
export type RenderedDocument = { pdf: Uint8Array; xml: string | null }
export type RendererResult = { rendered: RenderedDocument } | { fault: string }
export type RendererData = { currency: StoreCurrency }

// In the production build both files are in one folder; otherwise Node runs the TypeScript sources.
const rendererUrl = new URL(import.meta.url.endsWith('.ts') ? './renderer.ts' : './document-renderer.js', import.meta.url)
const heapMegabytes = 256
const idleTimeoutMs = 30_000
/** Many times what the longest document takes. */
const maxRenderMs = 60_000

let running: { worker: Worker; idle: NodeJS.Timeout | undefined } | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * Renders a document in a worker thread, so that none blocks the event loop that serves customers: one takes as long as hundreds of their
 * requests. One after the other. The worker, with its fonts, is kept for a while.
 */
export function renderInWorker(data: DocumentData): Promise<RenderedDocument> {
  const rendered = queue.then(() => render(data))
  queue = rendered.catch(() => {})
  return rendered
}

async function render(data: DocumentData): Promise<RenderedDocument> {
  const { worker } = takeWorker()
  const ended = new AbortController()
  const { signal } = ended
  try {
    const exit = once(worker, 'exit', { signal }).then(() => ({ fault: 'The thread that renders has ended by itself' }))
    const tooLong = setTimeout(maxRenderMs, { fault: `Rendering takes more than ${maxRenderMs / 1000} s` }, { signal })
    const message = once(worker, 'message', { signal }).then(([result]: RendererResult[]) => result)
    for (const waiting of [exit, tooLong, message]) waiting.catch(() => {}) // those that lose are ended
    worker.postMessage(data)
    const result = await Promise.race([message, exit, tooLong])
    if (!result || 'fault' in result) throw new Error(result?.fault)
    return result.rendered
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    ended.abort()
    if (running) running.idle = startTimer(endIdleWorker, idleTimeoutMs).unref()
  }
}

function takeWorker() {
  running ??= { worker: startWorker(), idle: undefined }
  clearTimeout(running.idle)
  return running
}

function startWorker(): Worker {
  const worker = new Worker(rendererUrl, {
    workerData: { currency: storeCurrency() } satisfies RendererData,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  worker.unref()
  worker.on('exit', () => {
    if (running?.worker === worker) running = undefined
  })
  return worker.on('error', () => {}) // it ends then, which is reported; without this listener the process would end
}

async function endIdleWorker() {
  const idle = running
  running = undefined
  await idle?.worker.terminate()
}
