import { and, asc, desc, eq, gt, inArray, lt, ne, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { type Import, importLimits, type StockChoice } from '../contract.ts'
import { importedFiles, importPieces, importRows, imports } from '../table.ts'
import { movedBefore } from './write.ts'

const pieceBytes = 256 * 1024
const mostBytes = importLimits.sentMegabytes * 1024 * 1024
const tooLarge = () => new Refusal(400, `The file is larger than ${importLimits.sentMegabytes} MB: pack it with gzip, or send it in parts`)

const asText = (moment: SQLWrapper) => sql`to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const withoutReport = {
  ...{ _id: imports._id, fileName: imports.fileName, state: imports.state, bytes: imports.bytes, bytesRead: imports.bytesRead },
  ...{
    rowsRead: imports.rowsRead,
    trouble: imports.trouble,
    stockMovedAt: sql<string | null>`case when ${imports.state} = 'checked' and (${imports.report} ->> 'movesStock')::integer > 0
      then (select ${asText(importedFiles.at)} from ${importedFiles} where imported_files.hash = imports.hash) end`,
    at: sql<string>`${asText(imports.at)}`,
  },
}
const asImport = { ...withoutReport, report: imports.report }

type SentFile = {
  name: string
  by: string
  bytes: AsyncIterable<Uint8Array>
  /** how many bytes are to come; without it as many as a file may have */
  announcedBytes?: number
}

/**
 * Keeps a file in pieces as it arrives, to be checked.
 * @throws {Refusal} 400 it is empty, too large, or broke off on the way; 429 as many as may be kept are being worked on
 */
export async function keepFile(db: Database, file: SentFile): Promise<Import> {
  const begun = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('files of imports', 0))`)
    const announcedBytes = file.announcedBytes || mostBytes
    await dropOldest(tx, { by: file.by, bytes: announcedBytes })
    const row = { fileName: file.name || 'without a name', userId: file.by, bytes: announcedBytes }
    const [added] = await tx.insert(imports).values(row).returning({ id: imports._id })
    return added
  })
  if (!begun) throw new Error('The new import was not returned')
  try {
    const bytes = await keepPieces(db, begun.id, file.bytes)
    if (bytes === 0) throw new Refusal(400, 'The file is empty')
    const [kept] = await db.update(imports).set({ bytes, state: 'checking' }).where(eq(imports._id, begun.id)).returning(asImport)
    if (!kept) throw new Error('The new import was not returned')
    return kept
  } catch (error) {
    await db.delete(imports).where(eq(imports._id, begun.id))
    throw error
  }
}

/**
 * Drops files that are checked and wait for an admin, those of the sender before those of others and the oldest first: whoever wants one sends
 * it again.
 */
async function dropOldest(tx: Database, { by, bytes }: { by: string; bytes: number }): Promise<void> {
  const arrives = and(eq(imports.state, 'uploading'), gt(imports.at, sql`now() - interval '10 minutes'`)) // longer ones a crash has left
  const kept = await tx
    .select({ id: imports._id, state: imports.state, bytes: imports.bytes })
    .from(imports)
    .where(or(arrives, inArray(imports.state, ['checking', 'checked', 'importing'])))
    .orderBy(desc(eq(imports.userId, by)), asc(imports.at))
  const isFull = () =>
    kept.length >= importLimits.keptFiles || kept.reduce((sum, file) => sum + file.bytes, bytes) > importLimits.keptMegabytes * 1024 * 1024
  while (isFull()) {
    const nth = kept.findIndex(({ state }) => state === 'checked')
    const [oldest] = nth < 0 ? [] : kept.splice(nth, 1)
    if (!oldest) throw new Refusal(429, tooManyWait, undefined, { retryAfterSeconds: 60 })
    const dropped = await tx
      .update(imports)
      .set({
        state: 'failed',
        trouble: 'Other files were sent since, and this one was dropped for them: send it again',
        report: null,
        endedAt: sql`now()`,
      })
      .where(and(eq(imports._id, oldest.id), eq(imports.state, 'checked')))
    if (!dropped.rowCount) {
      kept.push({ ...oldest, state: 'importing' }) // by now
      continue
    }
    await tx.delete(importPieces).where(eq(importPieces.importId, oldest.id)) // its rows may be many: `forgetOldImports` deletes them
  }
}

const tooManyWait = `The store works on as many files as it takes at a time (${importLimits.keptFiles}, or ${importLimits.keptMegabytes} MB): wait until one is done, then send this one`

async function keepPieces(db: Database, importId: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let [total, nth, waiting] = [0, 0, 0]
  let piece: Uint8Array[] = []
  const put = async () => {
    if (waiting > 0) await db.insert(importPieces).values({ importId, nth: nth++, bytes: Buffer.concat(piece) })
    piece = []
    waiting = 0
  }
  for await (const chunk of whole(bytes)) {
    total += chunk.length
    if (total > mostBytes) throw tooLarge()
    piece.push(chunk)
    waiting += chunk.length
    if (waiting >= pieceBytes) await put()
  }
  await put()
  return total
}

/** What breaks while it arrives was broken off by the sender. */
async function* whole(bytes: AsyncIterable<Uint8Array>) {
  try {
    yield* bytes
  } catch {
    throw new Refusal(400, 'The file could not be uploaded: try again')
  }
}

/** @throws {Refusal} 400 by the length that is announced, before anything is read */
export function refuseTooLarge(announcedBytes: number): void {
  if (announcedBytes > mostBytes) throw tooLarge()
}

/** A kept file, one piece after the other. */
export async function* fileOf(db: Database, importId: string): AsyncGenerator<Buffer> {
  for (let after = -1; ; after++) {
    const [piece] = await db
      .select({ bytes: importPieces.bytes })
      .from(importPieces)
      .where(and(eq(importPieces.importId, importId), gt(importPieces.nth, after)))
      .orderBy(asc(importPieces.nth))
      .limit(1)
    if (!piece) return
    yield piece.bytes
  }
}

/** @throws {Refusal} 404 */
export async function findImport(db: Database, id: string): Promise<Import> {
  const [found] = await db
    .select(asImport)
    .from(imports)
    .where(and(eq(imports._id, id), ne(imports.state, 'uploading')))
  if (!found) throw new Refusal(404, 'There is no such import')
  return found
}

/** The last ten, newest first. */
export const lastImports = (db: Database): Promise<Omit<Import, 'report'>[]> =>
  db.select(withoutReport).from(imports).where(ne(imports.state, 'uploading')).orderBy(desc(imports.at)).limit(10)

/**
 * Lets a checked file be imported.
 * @param stock what becomes of the stock that the file would set; needed when there is any
 * @throws {Refusal} 404, or 409 it is not waiting for that, has wrong rows that nobody has said to leave out, would set stock unasked, or has moved stock before
 */
export async function letRun(
  db: Database,
  id: string,
  { skipWrong, again, stock, by }: { skipWrong: boolean; again: boolean; stock?: StockChoice | undefined; by: string },
): Promise<Import> {
  const { state, report, stockMovedAt } = await findImport(db, id)
  if (state !== 'checked' || !report) throw new Refusal(409, state === 'done' ? 'It is imported already' : 'It is not ready to be imported')
  if (report.wrong > 0 && !skipWrong)
    throw new Refusal(409, `${report.wrong} rows are wrong: mend them and send the file again, or leave them out`)
  if (report.setsStock > 0 && !stock) throw new Refusal(409, stockQuestion(report.setsStock))
  if (stockMovedAt && !again) throw new Refusal(409, movedBefore(new Date(stockMovedAt)))
  const [started] = await db
    .update(imports)
    .set({ state: 'importing', skipWrong, again, stock: stock ?? null, userId: by, bytesRead: 0, rowsRead: 0, tries: 0, neverEnded: 0 })
    .where(and(eq(imports._id, id), eq(imports.state, 'checked')))
    .returning(asImport)
  if (!started) throw new Refusal(409, 'It is not ready to be imported')
  return started
}

const stockQuestion = (products: number) =>
  `The file would set the stock of ${products} ${products === 1 ? 'product' : 'products'}, whatever was sold since it was made: say whether to set it or to keep it as it is`

/** Forgets files that nobody has imported within a day, what a crash has left of one, and after a month that there was an import. */
export async function forgetOldImports(db: Database): Promise<void> {
  const unfinished = inArray(imports.state, ['uploading', 'checking', 'checked'])
  await db.delete(imports).where(and(unfinished, lt(imports.at, sql`now() - interval '1 day'`)))
  await db.delete(imports).where(and(inArray(imports.state, ['done', 'failed']), lt(imports.at, sql`now() - interval '30 days'`)))
  const failed = db.select({ id: imports._id }).from(imports).where(eq(imports.state, 'failed'))
  await db.delete(importRows).where(inArray(importRows.importId, failed))
  await db.delete(importRows).where(lt(importRows.stagedAt, sql`now() - interval '1 day'`))
}
