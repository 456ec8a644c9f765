import type { Database } from '#platform/database.ts'
import type { ImportReport } from '../contract.ts'
import { count, lostZeros, someChanges, takeOutIncomplete, takeOutRepeated } from './compare.ts'
import { type ReadPart, readParts } from './parts-read.ts'
import { Findings } from './report.ts'
import { stage, takeStockOfStaged, unstage } from './staging.ts'

/** Told after each batch how far the reading is, in rows and in bytes of the file as it lies there. */
export type Watch = (progress: { rows: number; bytes: number }) => void | Promise<void>

/** Rows at a time: the process that reads also sells, and what takes longer than some milliseconds is felt by others. */
const batchRows = 100

/**
 * Reads a file, says what importing it would do, and leaves its right rows staged for `write`. Changes nothing of the catalogue.
 * @param importId under which the rows are staged; whoever checks a file calls `unstage` in the end
 * @throws {FileFault} the file cannot be read
 */
export async function check(db: Database, importId: string, bytes: AsyncIterable<Uint8Array>, watch: Watch): Promise<ImportReport> {
  await unstage(db, importId)
  const findings = new Findings()
  let bytesRead = 0
  async function* counted() {
    for await (const chunk of bytes) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  const { rows, ignored } = readParts(counted())
  let batch: ReadPart[] = []
  let inBatch = 0
  let staging: Promise<unknown> = Promise.resolve()
  const putAway = async () => {
    await staging // while the database takes one batch the next is read
    await watch({ rows: findings.rows, bytes: bytesRead })
    staging = stage(db, importId, batch)
    staging.catch(() => {}) // told by whoever waits for it
    batch = []
    inBatch = 0
  }
  try {
    for await (const { part, wrong, warnings } of rows) {
      findings.rows++
      findings.wrong(wrong)
      findings.warn(warnings)
      if (part) batch.push(part)
      if (++inBatch === batchRows) await putAway()
    }
    await putAway()
    await staging
  } finally {
    await staging.catch(() => {}) // of a file that is refused, too, nothing arrives after the end
  }

  await takeStockOfStaged(db)
  findings.wrong(await takeOutRepeated(db, importId))
  findings.wrong(await takeOutIncomplete(db, importId))
  findings.warn(await lostZeros(db, importId))
  return findings.report({ ...(await count(db, importId)), changes: await someChanges(db, importId) }, ignored)
}
