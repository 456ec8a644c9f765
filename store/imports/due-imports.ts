import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { countProductChanges } from '#store/catalogue/many-product-changes.ts'
import { countNewProducts } from '#store/catalogue/new-product-limit.ts'
import { checkImportFile, type ImportProgressListener, type ReaderOptions } from './check-import-file.ts'
import { countStagedChanges, deleteIncompleteRows, deleteRowsWithSplitPacks, deleteRowsWithTooManySpecs } from './compare-staged-rows.ts'
import { countValidRows, type ImportReport } from './contract.ts'
import { ImportFileError } from './import-file-error.ts'
import { ReaderCrashedError } from './parse-in-worker.ts'
import { deleteStagedRows } from './staging.ts'
import { importFileChunks, importRows, imports } from './table.ts'
import { readUpload } from './uploads.ts'
import { writeImport } from './write-import.ts'

type DueImport = typeof imports.$inferSelect
const maxTries = 5
/** After this many crashes of the process or the worker thread, the file is not retried, since it would probably crash the next one too. */
const maxCrashes = 2
const crashedMessage = ({ state }: DueImport) =>
  state === 'checking'
    ? 'The reading of this file stopped the store twice, so it is not tried again: look for what is odd in it, or send it in parts'
    : 'The store was stopped twice while it imported this file, so it is not tried again: send it in parts'
const progressIntervalMs = 300
const keepAliveIntervalMs = 10_000

/**
 * Processes the oldest due import. A transaction-level advisory lock is held meanwhile: a crash releases it, and another process can take
 * over. A row lock would not do, because its transaction would hold back everyone who follows the product change log.
 * @param onImported called when an import has ended, whatever it has changed
 * @param heapMegabytes heap limit of the worker thread
 * @returns false if nothing is due
 */
export function processDueImport(db: Database, onImported: () => void, { heapMegabytes }: ReaderOptions = {}): Promise<boolean> {
  return db.transaction(async (lockTx) => {
    const due = await lockDueImport(lockTx)
    if (!due) return false
    if (due.neverEnded >= maxCrashes) {
      await markFailed(db, due, crashedMessage(due))
      return true
    }
    if (due.tries >= maxTries) {
      await markFailed(db, due, `The store tried ${maxTries} times to work on this file and failed each time: send it again`)
      return true
    }
    // The try is counted in its own transaction before it starts, so that the count survives a crash. `neverEnded` is reset below when the
    // try ends without one.
    await db
      .update(imports)
      .set({ tries: sql`${imports.tries} + 1`, neverEnded: sql`${imports.neverEnded} + 1` })
      .where(eq(imports._id, due._id))
    let reportedAt = 0
    const onProgress: ImportProgressListener = async ({ rows, bytes }) => {
      if (Date.now() - reportedAt < progressIntervalMs) return
      reportedAt = Date.now()
      await db.update(imports).set({ rowsRead: rows, bytesRead: bytes }).where(eq(imports._id, due._id))
    }
    // Keeps `idle_in_transaction_session_timeout` from ending the transaction, and with it the lock, however long reading and writing take.
    const keepAlive = setInterval(() => void lockTx.execute(sql`select 1`).catch(() => {}), keepAliveIntervalMs)
    try {
      await checkOrWriteImport(db, due, { onProgress, heapMegabytes })
    } catch (error) {
      const resetCrashCount = db.update(imports).set({ neverEnded: due.neverEnded }).where(eq(imports._id, due._id))
      if (!(error instanceof ReaderCrashedError)) await resetCrashCount.catch(() => {}) // if this fails too, `error` tells why
      if (!(error instanceof ImportFileError)) throw error
      await markFailed(db, due, error.messageWithRow)
    } finally {
      clearInterval(keepAlive)
    }
    if (due.state === 'importing') onImported()
    return true
  })
}

async function lockDueImport(lockTx: Database): Promise<DueImport | undefined> {
  const isDue = inArray(imports.state, ['checking', 'importing'])
  const candidates = await lockTx.select({ id: imports._id }).from(imports).where(isDue).orderBy(asc(imports.at))
  for (const { id } of candidates) {
    const { rows } = await lockTx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('import ' || ${id}::text, 0)) as mine`,
    )
    if (!rows[0]?.mine) continue
    const [due] = await lockTx
      .select()
      .from(imports)
      .where(and(eq(imports._id, id), isDue)) // another process may just have finished it
    if (due) return due
  }
  return undefined
}

async function checkOrWriteImport(
  db: Database,
  due: DueImport,
  { onProgress, heapMegabytes }: { onProgress: ImportProgressListener } & ReaderOptions,
): Promise<void> {
  const { report, hash } =
    (await reuseStagedRows(db, due)) ?? (await checkImportFile(db, due._id, readUpload(db, due._id), onProgress, { heapMegabytes }))
  if (report.create > 0) await countWithinNewProductLimit(db, due.userId, { added: 0, more: report.create })
  const checked = { report, hash, rowsRead: report.rows, bytesRead: due.bytes }
  if (due.state === 'checking') {
    await db
      .update(imports)
      .set({ ...checked, state: 'checked', neverEnded: 0 })
      .where(and(eq(imports._id, due._id), eq(imports.state, 'checking')))
    return
  }
  if (report.wrong > 0 && !due.skipWrong) {
    return markFailed(db, due, 'The catalogue has changed since the file was checked, and rows are wrong now. Nothing was imported', report)
  }
  await writeImport(db, due._id, {
    by: due.userId,
    // No choice means that the check found no stock to set. Any difference by now is from sales since the check.
    stock: due.stock ?? 'keep',
    rows: countValidRows(report),
    hash,
    again: due.again,
    finish: async (tx, { created, updated, shortPieces }) => {
      const unchanged = countValidRows(report) - created - updated
      const stock = due.stock === 'set' ? {} : { setsStock: 0, setsStockOnly: 0 }
      const written = { ...report, ...stock, create: created, update: updated, unchanged, shortPieces }
      // Updated in the transaction of the import itself, so that an import taken over by another process is written only once.
      const done = await tx
        .update(imports)
        .set({ ...checked, report: written, state: 'done', endedAt: sql`now()` })
        .where(and(eq(imports._id, due._id), eq(imports.state, 'importing')))
      if (!done.rowCount) throw new Error('This import has been written by somebody else')
      await tx.delete(importFileChunks).where(eq(importFileChunks.importId, due._id))
      if (created > 0) await countWithinNewProductLimit(tx, due.userId, { added: created })
      await countProductChanges(tx, due.userId, created + updated)
    },
  })
  await deleteStagedRows(db, due._id)
}

async function countWithinNewProductLimit(tx: Database, userId: string, counted: { added: number; more?: number }): Promise<void> {
  const refusal = await countNewProducts(tx, userId, counted)
  if (refusal) throw new ImportFileError(`${refusal}. Nothing was imported`)
}

/**
 * The report of the check if all its staged rows still exist; the file need not be parsed again then. They are missing after a database
 * crash, because the staging table is unlogged.
 */
async function reuseStagedRows(
  db: Database,
  { _id, state, report, hash }: DueImport,
): Promise<{ report: ImportReport; hash: string } | undefined> {
  if (state !== 'importing' || !report || !hash) return undefined
  const staged = await db.$count(importRows, eq(importRows.importId, _id))
  if (staged !== countValidRows(report)) return undefined
  const deleted = [await deleteIncompleteRows(db, _id), await deleteRowsWithTooManySpecs(db, _id), await deleteRowsWithSplitPacks(db, _id)]
  if (deleted.some(({ wrongRows }) => wrongRows > 0)) return undefined
  return { report: { ...report, ...(await countStagedChanges(db, _id)) }, hash }
}

async function markFailed(db: Database, due: DueImport, trouble: string, report?: ImportReport): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(imports)
      .set({ state: 'failed', trouble, endedAt: sql`now()`, ...(report && { report }) })
      .where(and(eq(imports._id, due._id), eq(imports.state, due.state)))
    await tx.delete(importFileChunks).where(eq(importFileChunks.importId, due._id))
  })
  await deleteStagedRows(db, due._id)
}
