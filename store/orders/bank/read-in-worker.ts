import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '#shared/error-codes.ts'
import type { ColumnNames } from './contract.ts'
import { type Statement, StatementError } from './statement.ts'

export type ReaderData = { bytes: Uint8Array; columns: ColumnNames }
export type ReaderResult = { statement: Statement } | { refusal: { message: string; code: ErrorCode } }

// In the production build both files are in one folder; otherwise Node runs the TypeScript sources.
const readerUrl = new URL(import.meta.url.endsWith('.ts') ? './statement-reader.ts' : './statement-reader.js', import.meta.url)
const heapMegabytes = 512
/** Many times what the largest file takes. */
const maxReadMs = 60_000

const tooHardError = () => new StatementError('The file cannot be read: load it from the bank in smaller parts')

/**
 * Reads a statement in a worker thread, so that no file blocks the event loop that serves customers, nor takes its memory.
 * @throws {StatementError} it is no statement
 */
export async function readStatementInWorker(data: ReaderData): Promise<Statement> {
  const worker = new Worker(readerUrl, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } })
  const ended = new AbortController()
  const { signal } = ended
  try {
    let result: ReaderResult | undefined
    worker.on('message', (said: ReaderResult) => {
      result = said
    })
    worker.on('error', () => {}) // the thread ends then
    // What a thread says and that it has ended can come at one moment, in this order: the end is waited for.
    const waits = [once(worker, 'exit', { signal }), setTimeout(maxReadMs, undefined, { signal })]
    for (const waiting of waits) waiting.catch(() => {}) // the one that loses is ended
    await Promise.race(waits)
    if (!result) throw tooHardError()
    if ('refusal' in result) throw new StatementError(result.refusal.message, result.refusal.code)
    return result.statement
  } finally {
    ended.abort()
    await worker.terminate()
  }
}
