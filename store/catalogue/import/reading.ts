import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { FileFault } from './fault.ts'
import type { Found } from './report.ts'

/** @param parts right rows as `stage` takes them, a JSON array; `many` of them. `rows` counts those that were read so far, wrong ones too */
type Batch = { says: 'batch'; parts: string; many: number; rows: number }
type End = { says: 'end'; found: Found; ignored: string[] }
export type Ending = End | { says: 'fault'; message: string; row: number | undefined }
export type FromReader = { says: 'more' } | Batch | (Ending & { mayReadAnother: boolean })
/** `bytes` of the file after `more`; without them the file is over, or a batch was taken */
export type ToReader = { bytes?: Uint8Array<ArrayBuffer> }

/** Rows are read one at a time, so this is many times what any file needs. */
const mostHeapMegabytes = 256

/** The thread that reads a file has died of it. The process goes on. */
export class ReaderDied extends Error {}

// Built, both lie in one folder; otherwise Node runs the sources as they are.
const reader = new URL(import.meta.url.endsWith('.ts') ? './reader.ts' : './import-reader.js', import.meta.url)

/** A thread that has read a file and waits for the next: to start one takes longer than to read most files. */
let idle: Worker | undefined
const idleMs = 30_000

/**
 * Reads a file of parts in a thread of its own: a colleague's file must not keep customers waiting, whatever stands in it. The next batch is read
 * while the caller works on the one before.
 * @param heapMegabytes that the thread may use; beyond it the thread is ended and not the process
 * @throws {FileFault} the file cannot be read
 * @throws {ReaderDied}
 */
export async function* readInThread(
  bytes: AsyncIterable<Uint8Array>,
  { heapMegabytes = mostHeapMegabytes }: { heapMegabytes?: number | undefined } = {},
): AsyncGenerator<Batch | End, void> {
  const worker = takeIdle(heapMegabytes) ?? startReader(heapMegabytes)
  let mayReadAnother = false
  const rest = bytes[Symbol.asyncIterator]()
  const answer = (message: ToReader) => worker.postMessage(message, message.bytes ? [message.bytes.buffer] : [])
  try {
    const messages = on(worker, 'message', { close: ['exit'] })
    answer({})
    for await (const message of told(messages)) {
      if (message.says === 'more') {
        const { value, done } = await rest.next()
        answer(done ? {} : { bytes: new Uint8Array(value) }) // a copy, as it may be part of a larger buffer that others use
      } else if (message.says === 'batch') {
        answer({})
        yield message
      } else {
        mayReadAnother = message.mayReadAnother && heapMegabytes === mostHeapMegabytes
        if (message.says === 'fault') throw new FileFault(message.message, message.row)
        yield message
        return
      }
    }
    throw new ReaderDied('The thread that reads has ended by itself')
  } finally {
    await rest.return?.()
    if (mayReadAnother && !idle) keepIdle(worker)
    else await worker.terminate()
  }
}

function startReader(heapMegabytes: number): Worker {
  const worker = new Worker(reader, { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } })
  return worker.on('error', () => {}) // told by `told`; what goes wrong when nobody listens any more must not end the process
}

function takeIdle(heapMegabytes: number): Worker | undefined {
  if (heapMegabytes !== mostHeapMegabytes) return undefined
  const taken = idle
  idle = undefined
  taken?.off('error', forgetIdle).off('exit', forgetIdle)
  taken?.ref()
  return taken
}

/** It takes memory for so long as it may be of use, and keeps no process from ending. */
function keepIdle(worker: Worker): void {
  idle = worker
  worker.on('error', forgetIdle).on('exit', forgetIdle)
  worker.unref()
  setTimeout(() => {
    if (idle === worker) takeIdle(mostHeapMegabytes)?.terminate()
  }, idleMs).unref()
}

function forgetIdle(): void {
  idle = undefined
}

/** What a thread says; whatever goes wrong within it ends it. */
async function* told(messages: AsyncIterable<FromReader[]>): AsyncGenerator<FromReader> {
  try {
    for await (const some of messages) yield* some
  } catch (error) {
    throw new ReaderDied('The thread that reads has died', { cause: error })
  }
}
