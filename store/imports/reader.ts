import { parentPort, workerData } from 'node:worker_threads'
import { setStoreCurrency } from '#shared/currency.ts'
import { setDefinitions } from '#store/catalogue/definitions/current-definitions.ts'
import { createMender } from '#store/catalogue/definitions/mend-values.ts'
import { Findings } from './findings.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ReaderData, ReaderMessage, ReaderRequest, ReaderResult, ReaderStart } from './parse-in-worker.ts'
import { parseProducts } from './parse-products.ts'

/*
 * Worker thread of `parse-in-worker.ts`. It parses one file at a time, which a message with the definitions starts. Each request from here gets
 * exactly one reply, in order.
 */

/** Limits of a batch. A batch becomes one parameter of one SQL statement. */
const batchRows = 500
const batchCharacters = 512 * 1024

if (!parentPort) throw new Error('This file is run as a worker thread')
const port = parentPort
setStoreCurrency((workerData as ReaderData).currency) // for the messages about prices

const pendingRequests: ((reply: ReaderRequest) => void)[] = []
port.on('message', (message: ReaderRequest | ReaderStart) => {
  if ('definitions' in message) parseFile(message)
  else pendingRequests.shift()?.(message)
})

function sendMessage(message: ReaderMessage): Promise<ReaderRequest> {
  return new Promise((resolve) => {
    pendingRequests.push(resolve)
    port.postMessage(message satisfies ReaderMessage)
  })
}

async function* receiveFileBytes(file: { isOver: boolean }): AsyncGenerator<Uint8Array> {
  while (!file.isOver) {
    const { bytes } = await sendMessage({ type: 'more' })
    if (!bytes) return
    yield bytes
  }
}

/**
 * Sends the last message of a file. The worker is reusable only if no reply is pending; a late reply would be taken for one to the next
 * file.
 */
const sendResult = (result: ReaderResult) =>
  port.postMessage({ ...result, isReusable: pendingRequests.length === 0 } satisfies ReaderMessage)

async function parseFile({ definitions, known }: ReaderStart): Promise<void> {
  setDefinitions(definitions)
  const findings = new Findings()
  const file = { isOver: false }
  const { rows, ignoredColumns } = parseProducts(receiveFileBytes(file), createMender(definitions, known))
  let batch: string[] = []
  let characters = 0
  let rowsInBatch = 0
  const sendBatch = async () => {
    const productsJson = `[${batch.join(',')}]`
    const productCount = batch.length
    batch = []
    characters = 0
    rowsInBatch = 0
    await sendMessage({ type: 'batch', productsJson, productCount, rows: findings.rows })
  }
  try {
    for await (const { product, errors } of rows) {
      findings.rows++
      findings.addInvalidFields(errors)
      if (product) {
        const json = JSON.stringify(product)
        batch.push(json)
        characters += json.length
      }
      if (++rowsInBatch === batchRows || characters > batchCharacters) await sendBatch()
    }
    await sendBatch()
    file.isOver = true
    sendResult({ type: 'end', findings: findings.snapshot(), ignoredColumns: [...ignoredColumns] })
  } catch (error) {
    file.isOver = true
    if (!(error instanceof ImportFileError)) throw error
    sendResult({ type: 'fault', message: error.message, row: error.row })
  }
}
