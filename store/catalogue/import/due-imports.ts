import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { ImportReport } from '../contract.ts'
import { importPieces, importRows, imports } from '../table.ts'
import { check, type ReaderWish, type Watch } from './check.ts'
import { count, takeOutIncomplete } from './compare.ts'
import { FileFault } from './fault.ts'
import { ReaderDied } from './reading.ts'
import { fileOf } from './sent-files.ts'
import { unstage } from './staging.ts'
import { write } from './write.ts'

/** The worker that checks sent files and writes those that were let run. */
export const dueImports = 'imports'

type Due = typeof imports.$inferSelect
const triesAtMost = 5
/** A file of which the process, or the thread that reads it, has died so often is not tried again: the next start would die of it, too. */
const neverEndedAtMost = 2
const stoppedWords = ({ state }: Due) =>
  state === 'checking'
    ? 'The reading of this file stopped the store twice, so it is not tried again: look for what is odd in it, or send it in parts'
    : 'The store was stopped twice while it imported this file, so it is not tried again: send it in parts'
const toldEveryMs = 300

/**
 * Works on the import that waits longest. Whoever works on it holds a lock with its connection, so a crash frees it and another takes it up;
 * a row that is locked would not do, as its transaction would keep whoever follows the changes of the catalogue waiting.
 * @param told when the catalogue has changed
 * @param heapMegabytes of the thread that reads
 * @returns false when nothing is due
 */
export function workOffImport(db: Database, told: () => void, { heapMegabytes }: ReaderWish = {}): Promise<boolean> {
  return db.transaction(async (holding) => {
    const due = await takeDue(holding)
    if (!due) return false
    if (due.neverEnded >= neverEndedAtMost) {
      await fail(db, due, stoppedWords(due))
      return true
    }
    if (due.tries >= triesAtMost) {
      await fail(db, due, `The store tried ${triesAtMost} times to work on this file and failed each time: send it again`)
      return true
    }
    // Counted before it begins and by itself, so that the count outlives the process; taken back below when the try has come to an end.
    await db
      .update(imports)
      .set({ tries: sql`${imports.tries} + 1`, neverEnded: sql`${imports.neverEnded} + 1` })
      .where(eq(imports._id, due._id))
    let toldAt = 0
    const watch: Watch = async ({ rows, bytes }) => {
      if (Date.now() - toldAt < toldEveryMs) return
      toldAt = Date.now()
      await db.update(imports).set({ rowsRead: rows, bytesRead: bytes }).where(eq(imports._id, due._id))
      await holding.execute(sql`select 1`) // a transaction that is silent for long is ended by the database
    }
    try {
      await workOn(db, due, { watch, heapMegabytes })
    } catch (error) {
      const toTakeBack = db.update(imports).set({ neverEnded: due.neverEnded }).where(eq(imports._id, due._id))
      if (!(error instanceof ReaderDied)) await toTakeBack.catch(() => {}) // a database that is away is told by the error itself
      if (!(error instanceof FileFault)) throw error
      await fail(db, due, error.sentence)
    }
    if (due.state === 'importing') told()
    return true
  })
}

async function takeDue(holding: Database): Promise<Due | undefined> {
  const isDue = inArray(imports.state, ['checking', 'importing'])
  const waiting = await holding.select({ id: imports._id }).from(imports).where(isDue).orderBy(asc(imports.at))
  for (const { id } of waiting) {
    const { rows } = await holding.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('import ' || ${id}::text, 0)) as mine`,
    )
    if (!rows[0]?.mine) continue
    const [due] = await holding
      .select()
      .from(imports)
      .where(and(eq(imports._id, id), isDue)) // whoever had it may just have finished
    if (due) return due
  }
  return undefined
}

async function workOn(db: Database, due: Due, { watch, heapMegabytes }: { watch: Watch } & ReaderWish): Promise<void> {
  const { report, hash } = (await stillStaged(db, due)) ?? (await check(db, due._id, fileOf(db, due._id), watch, { heapMegabytes }))
  const read = { report, hash, rowsRead: report.rows, bytesRead: due.bytes }
  if (due.state === 'checking') {
    await db
      .update(imports)
      .set({ ...read, state: 'checked', neverEnded: 0 })
      .where(and(eq(imports._id, due._id), eq(imports.state, 'checking')))
    return
  }
  if (report.wrong > 0 && !due.skipWrong) {
    await fail(db, due, 'The catalogue has changed since the file was checked, and rows are wrong now. Nothing was imported', report)
    return
  }
  await write(db, due._id, {
    by: due.userId,
    // Nobody was asked when the check found no stock to set: what differs by now was sold meanwhile.
    stock: due.stock ?? 'keep',
    hash,
    again: due.again,
    finish: async (tx, { created, updated, shortPieces }) => {
      const unchanged = report.create + report.update + report.unchanged - created - updated
      const stock = due.stock === 'set' ? {} : { setsStock: 0, setsStockOnly: 0 }
      const written = { ...report, ...stock, create: created, update: updated, unchanged, shortPieces }
      // In the transaction of what it says: an import that was taken up a second time is written once.
      const done = await tx
        .update(imports)
        .set({ ...read, report: written, state: 'done', endedAt: sql`now()` })
        .where(and(eq(imports._id, due._id), eq(imports.state, 'importing')))
      if (!done.rowCount) throw new Error('This import has been written by somebody else')
      await tx.delete(importPieces).where(eq(importPieces.importId, due._id))
    },
  })
  await unstage(db, due._id)
}

/**
 * What the check has found, if the rows that it has staged are all there: then the file need not be read again. A database that has crashed
 * has forgotten them.
 */
async function stillStaged(db: Database, { _id, state, report, hash }: Due): Promise<{ report: ImportReport; hash: string } | undefined> {
  if (state !== 'importing' || !report || !hash) return undefined
  const staged = await db.$count(importRows, eq(importRows.importId, _id))
  if (staged !== report.create + report.update + report.unchanged) return undefined
  return (await takeOutIncomplete(db, _id)).wrongRows === 0 ? { report: { ...report, ...(await count(db, _id)) }, hash } : undefined
}

async function fail(db: Database, due: Due, trouble: string, report?: ImportReport): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(imports)
      .set({ state: 'failed', trouble, endedAt: sql`now()`, ...(report && { report }) })
      .where(and(eq(imports._id, due._id), eq(imports.state, due.state)))
    await tx.delete(importPieces).where(eq(importPieces.importId, due._id))
  })
  await unstage(db, due._id)
}
