import { createHash } from 'node:crypto'
import type { Database } from '#platform/database.ts'
import type { ImportReport } from '../contract.ts'
import { count, lostZeros, someChanges, takeOutIncomplete, takeOutRepeated } from './compare.ts'
import { readInThread } from './reading.ts'
import { Findings } from './report.ts'
import { stage, takeStockOfStaged, unstage } from './staging.ts'

/** Told after each batch how far the reading is, in rows and in bytes of the file as it lies there. */
export type Watch = (progress: { rows: number; bytes: number }) => void | Promise<void>

/** @param heapMegabytes of the thread that reads; more than enough without it */
export type ReaderWish = { heapMegabytes?: number | undefined }

/**
 * Reads a file, says what importing it would do, and leaves its right rows staged for `write`. Changes nothing of the catalogue.
 * @param importId under which the rows are staged; whoever checks a file calls `unstage` in the end
 * @returns what it would do, and the SHA-256 of the file
 * @throws {FileFault} the file cannot be read
 * @throws {ReaderDied} the thread that read it has died
 */
export async function check(
  db: Database,
  importId: string,
  bytes: AsyncIterable<Uint8Array>,
  watch: Watch,
  wish: ReaderWish = {},
): Promise<{ report: ImportReport; hash: string }> {
  await unstage(db, importId)
  let bytesRead = 0
  const hash = createHash('sha256')
  async function* counted() {
    for await (const chunk of bytes) {
      bytesRead += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  let findings = new Findings()
  let ignored: string[] = []
  let staging: Promise<unknown> = Promise.resolve()
  try {
    for await (const read of readInThread(counted(), wish)) {
      await staging // while the database takes one batch the next is read
      if (read.says === 'end') {
        findings = new Findings(read.found)
        ignored = read.ignored
        continue
      }
      await watch({ rows: read.rows, bytes: bytesRead })
      staging = read.many > 0 ? stage(db, importId, read.parts) : Promise.resolve()
      staging.catch(() => {}) // told by whoever waits for it
    }
  } finally {
    await staging.catch(() => {}) // of a file that is refused, too, nothing arrives after the end
  }

  await takeStockOfStaged(db)
  findings.counted(await takeOutRepeated(db, importId))
  findings.counted(await takeOutIncomplete(db, importId))
  findings.warn(await lostZeros(db, importId))
  const compared = { ...(await count(db, importId)), changes: await someChanges(db, importId) }
  return { report: findings.report(compared, ignored), hash: hash.digest('hex') }
}
