import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { postgresErrorCode } from '#platform/database-errors.ts'
import { formatDateTime } from '#shared/format-date-time.ts'
import { markProductsToMend } from '#store/catalogue/definitions/mend-products.ts'
import { attributePriceChanges } from '#store/catalogue/product-history.ts'
import type { StockUpdateMode } from './contract.ts'
import { ImportFileError } from './import-file-error.ts'
import {
  adjustsStockSql,
  exceedsSpecLimitsSql,
  isChangedByStagedRowSql,
  mergedFieldsSql,
  stockShortageSql,
  toImportColumnName,
} from './staging.ts'
import { importedFiles, importRows } from './table.ts'

/** `shortPieces`: units that could not be deducted from the stock, because they were sold meanwhile. */
type WriteCounts = { created: number; updated: number; shortPieces: number }

/** Rows per statement, so that each ends well before the statement timeout, whatever the size of the file. */
const rowsPerStatement = 10_000
const importLockId = 727_003
const maxTries = 3

/**
 * Writes the staged rows of an import to the catalogue in one transaction. They are compared again with the current catalogue, and only
 * rows that differ are written. New products are inserted before existing ones are updated, so that orders wait as briefly as possible for
 * row locks. Mending is due afterwards.
 * @param by id of the admin; null for `npm run import`
 * @param stock what to do with a stock value without the stock that the file saw
 * @param rows how many rows the check has staged
 * @param hash SHA-256 of the file
 * @param again apply the stock changes of the file even if they were imported before
 * @param finish runs in the same transaction, at its end
 * @throws {ImportFileError} if the stock changes of the file were imported before and `again` is false
 * @throws {Error} if staged rows have been deleted or have become wrong meanwhile
 */
export async function writeImport(
  db: Database,
  importId: string,
  {
    by,
    stock,
    rows,
    hash,
    again,
    finish = async () => {},
  }: {
    by: string | null
    stock: StockUpdateMode
    rows: number
    hash: string
    again: boolean
    finish?: (tx: Database, written: WriteCounts) => Promise<void>
  },
): Promise<WriteCounts> {
  for (let tries = 1; ; tries++)
    try {
      return await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${importLockId})`) // only one import writes at a time
        await tx.execute(sql`set local work_mem = '64MB'`) // larger sorts and joins would spill to disk while orders wait
        await recordImportedFile(tx, importId, { hash, again })
        await assertSpecsWithinLimits(tx, importId)
        await ignoreSeenStockOfNewProducts(tx, importId)
        const written = { created: 0, updated: 0, shortPieces: 0 }
        for (const slice of await rowRanges(tx, importId)) written.created += await createProducts(tx, slice, by)
        await lockChangingProducts(tx, importId, stock)
        await attributePriceChanges(tx, { userId: by, importId })
        for (const slice of await rowRanges(tx, importId)) {
          const { updated, short } = await updateProducts(tx, slice, { importId, by, stock })
          written.updated += updated
          written.shortPieces += short
        }
        await assertAllStaged(tx, importId, rows)
        await markProductsToMend(tx)
        await finish(tx, written)
        return written
      })
    } catch (error) {
      if (tries === maxTries || !isRetryable(error)) throw error
    }
}

/** Time of the last import of this file's stock changes; undefined if there was none. */
export async function findStockMovedAt(db: Database, hash: string): Promise<Date | undefined> {
  const [found] = await db.select({ at: importedFiles.at }).from(importedFiles).where(eq(importedFiles.hash, hash))
  return found?.at
}

export const alreadyImportedMessage = (at: Date): string =>
  `This file was imported on ${formatDateTime(at)}: its changes of stock are in already. Export anew, or say that they are to be made again`

/**
 * Records that the stock changes of the file are imported. Runs under the advisory lock, so the second of two concurrent imports of one
 * file is refused.
 */
async function recordImportedFile(tx: Database, importId: string, { hash, again }: { hash: string; again: boolean }): Promise<void> {
  const { rows } = await tx.execute<{ says: boolean; moves: boolean }>(sql`
    select coalesce(bool_or(s.available_quantity_seen <> s.available_quantity), false) as says, coalesce(bool_or(${adjustsStockSql}), false) as moves
    from import_rows s left join tools t using (sku) where s.import_id = ${importId}`)
  const [file] = rows
  const before = file?.moves && !again ? await findStockMovedAt(tx, hash) : undefined
  if (before) throw new ImportFileError(alreadyImportedMessage(before))
  if (!file?.says) return
  const now = sql`now()`
  await tx
    .insert(importedFiles)
    .values({ hash, at: now })
    .onConflictDoUpdate({ target: importedFiles.hash, set: { at: now } })
}

/**
 * Locks the products that the file changes by id, as orders of several lines do: locked slice by slice they could wait for such an order while it waits
 * for them.
 */
async function lockChangingProducts(tx: Database, importId: string, stock: StockUpdateMode): Promise<void> {
  await tx.execute(sql`
    select from import_rows s join tools t using (sku)
    where s.import_id = ${importId} and (${isChangedByStagedRowSql(stock)} or ${stockShortageSql} > 0)
    order by t.id for no key update of t`)
}

/** The check has refused such rows, but another import may have added attributes since. */
async function assertSpecsWithinLimits(tx: Database, importId: string): Promise<void> {
  const { rows } = await tx.execute(
    sql`select from import_rows s left join tools t using (sku) where s.import_id = ${importId} and ${exceedsSpecLimitsSql} limit 1`,
  )
  if (rows.length > 0) throw new Error(`Rows of the import ${importId} would give a product more attributes than it may have`)
}

/**
 * Call it after the rows were written. Nothing is staged during the writing, so rows that are all there at its end were there for each of its
 * statements.
 */
async function assertAllStaged(tx: Database, importId: string, rows: number): Promise<void> {
  const staged = await tx.$count(importRows, eq(importRows.importId, importId))
  if (staged !== rows) throw new Error(`Of ${rows} rows of the import ${importId} only ${staged} are staged`)
}

/** A product that is not there yet has no stock to move: without this the update of existing products would move what was just inserted. */
async function ignoreSeenStockOfNewProducts(tx: Database, importId: string): Promise<void> {
  await tx.execute(sql`
    update import_rows s set available_quantity_seen = null
    where s.import_id = ${importId} and s.available_quantity_seen is not null and not exists (select from tools t where t.sku = s.sku)`)
}

/** A deadlock (40P01), or a unique violation by a concurrent insert (23505). */
function isRetryable(error: unknown): boolean {
  return ['40P01', '23505'].includes(postgresErrorCode(error) ?? '')
}

async function rowRanges(tx: Database, importId: string): Promise<SQL[]> {
  const { rows } = await tx.execute<{ last: number }>(
    sql`select coalesce(max(row), 0)::int as last from import_rows where import_id = ${importId}`,
  )
  const last = rows[0]?.last ?? 0
  return Array.from(
    { length: Math.ceil(last / rowsPerStatement) },
    (_, nth) => sql`s.import_id = ${importId} and s.row > ${nth * rowsPerStatement} and s.row <= ${(nth + 1) * rowsPerStatement}`,
  )
}

const mergedColumns = (stock: StockUpdateMode) =>
  Object.entries(mergedFieldsSql(stock)).map(([name, value]) => ({ column: sql.identifier(name), value }))
const joinSql = (parts: SQL[]) => sql.join(parts, sql`, `)

async function createProducts(tx: Database, slice: SQL, by: string | null): Promise<number> {
  const fields = mergedColumns('set') // new products have no stock that `keep` could preserve
  const { rows } = await tx.execute<{ many: number }>(sql`
    with created as (
      insert into tools (id, sku, ${joinSql(fields.map(({ column }) => sql`${column}`))})
      select gen_random_uuid(), s.sku, ${joinSql(fields.map(({ value }) => value))}
      from import_rows s left join tools t using (sku) where ${slice} and t.id is null order by s.row
      returning id, available_quantity
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, user_id)
      select id, available_quantity, 'initial', ${by}::text from created where available_quantity <> 0
    )
    select count(*)::int as many from created`)
  return rows[0]?.many ?? 0
}

/**
 * The columns of a product of which it is recorded what was overwritten, apart from `specs`, whose keys are recorded each, and from prices, which
 * a trigger records.
 */
const recordedColumns = Object.keys(mergedFieldsSql('keep')).filter(
  (column) => !['specs', 'available_quantity', 'price_cents', 'price_breaks'].includes(column),
)

async function updateProducts(
  tx: Database,
  slice: SQL,
  { importId, by, stock }: { importId: string; by: string | null; stock: StockUpdateMode },
) {
  const fields = mergedColumns(stock)
  const before = (column: string) => sql.identifier(`before_${column}`)
  const columnsBefore = joinSql(recordedColumns.map((column) => sql`t.${sql.identifier(column)} as ${before(column)}`))
  const recorded = joinSql(
    recordedColumns.map((column) => {
      const [was, is] = [toImportColumnName(column, before(column)), toImportColumnName(column, sql.identifier(column))]
      return sql`(${is.field}, ${was.value}::text, ${is.value}::text)`
    }),
  )
  // The stock is read under the row lock, after concurrent orders, so the ledger gets the actual difference.
  const { rows } = await tx.execute<{ updated: number; short: number }>(sql`
    with changing as materialized (
      select t.id, t.available_quantity as before, ${isChangedByStagedRowSql(stock)} as differs, ${stockShortageSql} as short,
        t.removed_at is null as before_for_sale, coalesce(t.specs, '{}') as before_specs, ${columnsBefore},
        ${joinSql(fields.map(({ column, value }) => sql`${value} as ${column}`))}
      from import_rows s join tools t using (sku) where ${slice} and (${isChangedByStagedRowSql(stock)} or ${stockShortageSql} > 0)
      order by t.id for no key update of t
    ), changed as (
      update tools set ${joinSql(fields.map(({ column }) => sql`${column} = changing.${column}`))}, removed_at = null
      from changing where tools.id = changing.id and changing.differs
      returning tools.id, tools.available_quantity, changing.before
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, user_id)
      select id, available_quantity - before, 'correction', ${by}::text from changed where available_quantity <> before
    ), recorded as (
      insert into product_history (tool_id, field, before, after, user_id, import_id)
      select id, overwritten.field, overwritten.before, overwritten.after, ${by}::text, ${importId}::uuid
      from changing, lateral (
        select * from (values ${recorded}, ('for_sale', before_for_sale::text, 'true')) as of_column (field, before, after)
        union all
        select 'specs.' || key, before_specs ->> key, specs ->> key from jsonb_object_keys(before_specs || specs) as key
        where before_specs <> specs
      ) as overwritten
      where changing.differs and overwritten.before is distinct from overwritten.after
    )
    select (select count(*)::int from changed) as updated, (select coalesce(sum(short), 0)::int from changing) as short`)
  return rows[0] ?? { updated: 0, short: 0 }
}
