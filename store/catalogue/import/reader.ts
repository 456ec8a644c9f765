import { parentPort } from 'node:worker_threads'
import { FileFault } from './fault.ts'
import { readParts } from './parts-read.ts'
import type { Ending, FromReader, ToReader } from './reading.ts'
import { Findings } from './report.ts'

/*
 * The thread that reads the files of `reading.ts`, one after the other. Every message from here is answered by one, in the same order; the
 * first message that comes begins a file.
 */

/** A batch is one statement for the database, which takes text that is handed over whole. */
const batchRows = 500
const batchCharacters = 512 * 1024

if (!parentPort) throw new Error('This file is run as a worker thread')
const port = parentPort

const answers: ((answer: ToReader) => void)[] = []
port.on('message', (message: ToReader) => {
  const answer = answers.shift()
  if (answer) answer(message)
  else readFile()
})

function say(message: FromReader): Promise<ToReader> {
  return new Promise((resolve) => {
    answers.push(resolve)
    port.postMessage(message satisfies FromReader)
  })
}

async function* fileBytes(file: { over: boolean }): AsyncGenerator<Uint8Array> {
  while (!file.over) {
    const { bytes } = await say({ says: 'more' })
    if (!bytes) return
    yield bytes
  }
}

/** The last message about a file. An answer that is still to come would be taken for one about the next file. */
const end = (ending: Ending) => port.postMessage({ ...ending, mayReadAnother: answers.length === 0 } satisfies FromReader)

async function readFile(): Promise<void> {
  const findings = new Findings()
  const file = { over: false }
  const { rows, ignored } = readParts(fileBytes(file))
  let batch: string[] = []
  let characters = 0
  let inBatch = 0
  const handOver = async () => {
    const parts = `[${batch.join(',')}]`
    const many = batch.length
    batch = []
    characters = 0
    inBatch = 0
    await say({ says: 'batch', parts, many, rows: findings.rows })
  }
  try {
    for await (const { part, wrong, warnings } of rows) {
      findings.rows++
      findings.wrong(wrong)
      findings.warn(warnings)
      if (part) {
        const written = JSON.stringify(part)
        batch.push(written)
        characters += written.length
      }
      if (++inBatch === batchRows || characters > batchCharacters) await handOver()
    }
    await handOver()
    file.over = true
    end({ says: 'end', found: findings.found(), ignored: [...ignored] })
  } catch (error) {
    file.over = true
    if (!(error instanceof FileFault)) throw error
    end({ says: 'fault', message: error.message, row: error.row })
  }
}
