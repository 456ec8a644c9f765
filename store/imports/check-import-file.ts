import { createHash } from 'node:crypto'
import type { Database } from '#platform/database.ts'
import { currentDefinitions } from '#store/catalogue/definitions/current-definitions.ts'
import { listKnownSpellings } from '#store/catalogue/definitions/known-spellings.ts'
import {
  countStagedChanges,
  deleteDuplicateRows,
  deleteIncompleteRows,
  deleteRowsWithSplitPacks,
  deleteRowsWithTooManySpecs,
  findChangeSamples,
  findOdditiesOfImport,
  findWarnings,
} from './compare-staged-rows.ts'
import type { ImportReport } from './contract.ts'
import { Findings } from './findings.ts'
import { parseInWorker } from './parse-in-worker.ts'
import { deleteStagedRows, refreshStagedRowStatistics, stageRows } from './staging.ts'

/** Larger files are not compared with the catalogue: `npm run data:check` does so once they are imported. */
const maxRowsToCompare = 100_000

/** Called after each batch with the number of rows and of file bytes read so far. */
export type ImportProgressListener = (progress: { rows: number; bytes: number }) => void | Promise<void>

/** @param heapMegabytes heap limit of the worker thread; the default is more than enough */
export type ReaderOptions = { heapMegabytes?: number | undefined }

/**
 * Parses a file, stages its valid rows for `writeImport`, and reports what importing it would do. Does not change the catalogue.
 * @param importId id of the staged rows; the caller must call `deleteStagedRows` in the end
 * @returns the report, and the SHA-256 of the file
 * @throws {ImportFileError} if the file cannot be parsed
 * @throws {ReaderCrashedError} if the worker thread crashed
 */
export async function checkImportFile(
  db: Database,
  importId: string,
  bytes: AsyncIterable<Uint8Array>,
  onProgress: ImportProgressListener,
  options: ReaderOptions = {},
): Promise<{ report: ImportReport; hash: string }> {
  await deleteStagedRows(db, importId)
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
  const start = { definitions: currentDefinitions(), known: await listKnownSpellings(db) }
  try {
    for await (const message of parseInWorker(counted(), start, options)) {
      await staging // the next batch is parsed while the database stores this one
      if (message.type === 'end') {
        findings = new Findings(message.findings)
        ignored = message.ignoredColumns
        continue
      }
      await onProgress({ rows: message.rows, bytes: bytesRead })
      staging = message.productCount > 0 ? stageRows(db, importId, message.productsJson) : Promise.resolve()
      staging.catch(() => {}) // reported by the `await` above; prevents an unhandled rejection
    }
  } finally {
    await staging.catch(() => {}) // also after an error, so that no rows are staged after the return
  }

  await refreshStagedRowStatistics(db)
  findings.addDeletedRows(await deleteDuplicateRows(db, importId))
  findings.addDeletedRows(await deleteIncompleteRows(db, importId))
  findings.addDeletedRows(await deleteRowsWithTooManySpecs(db, importId))
  findings.addDeletedRows(await deleteRowsWithSplitPacks(db, importId))
  const compared = {
    ...(await countStagedChanges(db, importId)),
    changes: await findChangeSamples(db, importId),
    ...(await findWarnings(db, importId)),
  }
  if (findings.rows <= maxRowsToCompare) compared.warnings.push(...(await findOdditiesOfImport(db, importId)))
  return { report: findings.toReport(compared, ignored), hash: hash.digest('hex') }
}
