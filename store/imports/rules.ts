import { and, desc, eq, inArray, lt, ne, notInArray, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { Import, StockUpdateMode } from './contract.ts'
import { importedFiles, importRows, imports } from './table.ts'
import { alreadyImportedMessage } from './write-import.ts'

const isoTimestampSql = (timestamp: SQLWrapper) => sql`to_char(${timestamp} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const importColumnsWithoutReport = {
  ...{ _id: imports._id, fileName: imports.fileName, state: imports.state, bytes: imports.bytes, bytesRead: imports.bytesRead },
  ...{
    rowsRead: imports.rowsRead,
    trouble: imports.trouble,
    stock: imports.stock,
    stockMovedAt: sql<string | null>`case when ${imports.state} = 'checked' and (${imports.report} ->> 'movesStock')::integer > 0
      then (select ${isoTimestampSql(importedFiles.at)} from ${importedFiles} where imported_files.hash = imports.hash) end`,
    at: sql<string>`${isoTimestampSql(imports.at)}`,
  },
}

/** What an answer tells of an import. */
export const importColumns = { ...importColumnsWithoutReport, report: imports.report }

/** @throws {HttpError} 404 */
export async function findImport(db: Database, id: string): Promise<Import> {
  const [found] = await db
    .select(importColumns)
    .from(imports)
    .where(and(eq(imports._id, id), ne(imports.state, 'uploading')))
  if (!found) throw new HttpError(404, 'There is no such import')
  return found
}

/** The ten most recent imports, newest first, without reports. */
export const listRecentImports = (db: Database): Promise<Omit<Import, 'report'>[]> =>
  db.select(importColumnsWithoutReport).from(imports).where(ne(imports.state, 'uploading')).orderBy(desc(imports.at)).limit(10)

/**
 * Starts the import of a checked file.
 * @param stock what to do with stock values without `available_quantity_seen`; required if there are any
 * @throws {HttpError} 404; 409 if it is not ready, has invalid rows without `skipWrong`, would set stock without a choice, or changed stock
 * before without `again`
 */
export async function runCheckedImport(
  db: Database,
  id: string,
  { skipWrong, again, stock, by }: { skipWrong: boolean; again: boolean; stock?: StockUpdateMode | undefined; by: string },
): Promise<Import> {
  const { state, report, stockMovedAt } = await findImport(db, id)
  if (state !== 'checked' || !report)
    throw new HttpError(409, state === 'done' ? 'It is imported already' : 'It is not ready to be imported', undefined, {
      code: 'import_not_ready',
    })
  if (report.wrong > 0 && !skipWrong)
    throw new HttpError(409, `${report.wrong} rows are wrong: mend them and send the file again, or leave them out`, undefined, {
      code: 'wrong_rows',
    })
  if (report.setsStock > 0 && !stock)
    throw new HttpError(409, stockChoiceRequiredMessage(report.setsStock), undefined, { code: 'stock_choice_required' })
  if (stockMovedAt && !again)
    throw new HttpError(409, alreadyImportedMessage(new Date(stockMovedAt)), undefined, { code: 'file_already_imported' })
  const [started] = await db
    .update(imports)
    .set({ state: 'importing', skipWrong, again, stock: stock ?? null, userId: by, bytesRead: 0, rowsRead: 0, tries: 0, neverEnded: 0 })
    .where(and(eq(imports._id, id), eq(imports.state, 'checked')))
    .returning(importColumns)
  if (!started) throw new HttpError(409, 'It is not ready to be imported', undefined, { code: 'import_not_ready' })
  return started
}

const stockChoiceRequiredMessage = (products: number) =>
  `The file would set the stock of ${products} ${products === 1 ? 'product' : 'products'}, whatever was sold since it was made: say whether to set it or to keep it as it is`

/**
 * Deletes unfinished imports after one day, and finished or failed ones after 30 days. Also deletes the staged rows of failed imports, and
 * any left over for more than a day, except those of imports that are being written.
 */
export async function deleteOldImports(db: Database): Promise<void> {
  const unfinished = inArray(imports.state, ['uploading', 'checking', 'checked'])
  await db.delete(imports).where(and(unfinished, lt(imports.at, sql`now() - interval '1 day'`)))
  await db.delete(imports).where(and(inArray(imports.state, ['done', 'failed']), lt(imports.at, sql`now() - interval '30 days'`)))
  const failed = db.select({ id: imports._id }).from(imports).where(eq(imports.state, 'failed'))
  await db.delete(importRows).where(inArray(importRows.importId, failed))
  const importing = db.select({ id: imports._id }).from(imports).where(eq(imports.state, 'importing'))
  await db.delete(importRows).where(and(lt(importRows.stagedAt, sql`now() - interval '1 day'`), notInArray(importRows.importId, importing)))
}
