import { parentPort, workerData } from 'node:worker_threads'
import type { ReaderData, ReaderResult } from './read-in-worker.ts'
import { readStatement } from './read-statement.ts'
import { StatementError } from './statement.ts'

/* The worker thread that reads statements: see `readStatementInWorker`. */

const { bytes, columns } = workerData as ReaderData

function read(): ReaderResult {
  try {
    return { statement: readStatement(bytes, columns) }
  } catch (error) {
    if (error instanceof StatementError) return { refusal: { message: error.message, code: error.code } }
    throw error
  }
}

parentPort?.postMessage(read())
