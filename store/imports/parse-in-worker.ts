import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type StoreCurrency, storeCurrency } from '#shared/currency.ts'
import type { Definitions } from '#store/catalogue/definitions/contract.ts'
import type { KnownSpellings } from '#store/catalogue/definitions/known-spellings.ts'
import type { FindingsSnapshot } from './findings.ts'
import { ImportFileError } from './import-file-error.ts'

/**
 * `productsJson`: valid rows as a JSON array for `stageRows`; `productCount`: how many; `rows`: rows read so far, including invalid ones.
 */
type Batch = { type: 'batch'; productsJson: string; productCount: number; rows: number }
type End = { type: 'end'; findings: FindingsSnapshot; ignoredColumns: string[] }
export type ReaderResult = End | { type: 'fault'; message: string; row: number | undefined }
export type ReaderMessage = { type: 'more' } | Batch | (ReaderResult & { isReusable: boolean })
/** What the worker is started with. */
export type ReaderData = { currency: StoreCurrency }
/**
 * Reply to a message. `bytes`: the next chunk of the file, in reply to `more`; absent at the end of the file, and in the reply to a batch.
 */
export type ReaderRequest = { bytes?: Uint8Array<ArrayBuffer> }
/** Starts a file. `known`: how the catalogue spells makers and values. */
export type ReaderStart = { definitions: Definitions; known: KnownSpellings }

/** Many times what any file needs, because rows are parsed one at a time. */
const defaultHeapMegabytes = 256

/** The worker thread crashed. The process is not affected. */
export class ReaderCrashedError extends Error {}

// In the production build both files are in one folder; otherwise Node runs the TypeScript sources.
const readerUrl = new URL(import.meta.url.endsWith('.ts') ? './reader.ts' : './import-reader.js', import.meta.url)

/** An idle worker for the next file: starting a worker takes longer than parsing most files. */
let idleWorker: Worker | undefined
const idleTimeoutMs = 30_000

/**
 * Parses a product file in a worker thread, so that no import blocks the event loop that serves customers. The next batch is parsed while
 * the caller processes the current one.
 * @param start by what the values of the file are read and mended
 * @param heapMegabytes heap limit of the worker; beyond it, only the worker is terminated
 * @throws {ImportFileError} if the file cannot be parsed
 * @throws {ReaderCrashedError} if the worker crashed
 */
export async function* parseInWorker(
  bytes: AsyncIterable<Uint8Array>,
  start: ReaderStart,
  { heapMegabytes = defaultHeapMegabytes }: { heapMegabytes?: number | undefined } = {},
): AsyncGenerator<Batch | End, void> {
  const worker = takeIdleWorker(heapMegabytes) ?? startWorker(heapMegabytes)
  let isReusable = false
  const chunks = bytes[Symbol.asyncIterator]()
  const reply = (message: ReaderRequest) => worker.postMessage(message, message.bytes ? [message.bytes.buffer] : [])
  try {
    const messages = on(worker, 'message', { close: ['exit'] })
    worker.postMessage(start)
    for await (const message of readMessages(messages)) {
      if (message.type === 'more') {
        const { value, done } = await chunks.next()
        reply(done ? {} : { bytes: new Uint8Array(value) }) // copied before the transfer, because it may be a view of a shared buffer
      } else if (message.type === 'batch') {
        reply({})
        yield message
      } else {
        isReusable = message.isReusable && heapMegabytes === defaultHeapMegabytes
        if (message.type === 'fault') throw new ImportFileError(message.message, message.row)
        yield message
        return
      }
    }
    throw new ReaderCrashedError('The thread that reads has ended by itself')
  } finally {
    await chunks.return?.()
    if (isReusable && !idleWorker) keepIdleWorker(worker)
    else await worker.terminate()
  }
}

function startWorker(heapMegabytes: number): Worker {
  const worker = new Worker(readerUrl, {
    workerData: { currency: storeCurrency() } satisfies ReaderData,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  return worker.on('error', () => {}) // `readMessages` reports it; without this listener, a late error would end the process
}

function takeIdleWorker(heapMegabytes: number): Worker | undefined {
  if (heapMegabytes !== defaultHeapMegabytes) return undefined
  const worker = idleWorker
  idleWorker = undefined
  worker?.off('error', clearIdleWorker).off('exit', clearIdleWorker)
  worker?.ref()
  return worker
}

/** Keeps the worker for `idleTimeoutMs`, without keeping the process alive. */
function keepIdleWorker(worker: Worker): void {
  idleWorker = worker
  worker.on('error', clearIdleWorker).on('exit', clearIdleWorker)
  worker.unref()
  setTimeout(() => {
    if (idleWorker === worker) takeIdleWorker(defaultHeapMegabytes)?.terminate()
  }, idleTimeoutMs).unref()
}

function clearIdleWorker(): void {
  idleWorker = undefined
}

/** The messages of the worker. Any uncaught error in the worker ends it. */
async function* readMessages(messages: AsyncIterable<ReaderMessage[]>): AsyncGenerator<ReaderMessage> {
  try {
    for await (const batch of messages) yield* batch
  } catch (error) {
    throw new ReaderCrashedError('The thread that reads has died', { cause: error })
  }
}
