import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import { centsToAmountSql } from '#store/catalogue/table.ts'
import { columnRules } from './column-rules.ts'
import { importLimits, type StockUpdateMode } from './contract.ts'
import { productColumnOf, storedColumns } from './product-columns.ts'
import { importRows } from './table.ts'

/**
 * Writes products to the staging table.
 * @param importId id of an import, or of a run of `npm run import`
 * @param productsJson JSON array of `ParsedProduct`, with prices such as 12.35
 */
export async function stageRows(db: Database, importId: string, productsJson: string): Promise<void> {
  // One parameter for any number of rows, and one statement for each batch: no transaction stays open between batches.
  await db.execute(sql`
    insert into import_rows (import_id, ${joinSql(stagedColumns.map(({ column }) => column))})
    select ${importId}::uuid, ${joinSql(stagedColumns.map(({ value }) => value))}
    from json_to_recordset(${productsJson}::json) as r (${joinSql(stagedColumns.map(({ field }) => field))})`)
}

const joinSql = (parts: SQL[]) => sql.join(parts, sql`, `)

/** The columns that a row of a file fills: its field in the JSON with its type, and the value of the column. The price is in cents in the table alone. */
const stagedColumns = getTableConfig(importRows)
  .columns.filter(({ name }) => name !== 'import_id' && name !== 'staged_at')
  .map((column) => {
    const name = sql`${sql.identifier(column.name)}`
    return column.name === 'price_cents'
      ? { column: name, field: sql`price numeric`, value: sql`price * 100` }
      : { column: name, field: sql`${name} ${sql.raw(column.getSQLType())}`, value: name }
  })

/** Updates the planner statistics, which may be those of another file. */
export async function refreshStagedRowStatistics(db: Database): Promise<void> {
  await db.execute(sql`analyze import_rows`)
}

/** Deletes the staged rows of an import. */
export async function deleteStagedRows(db: Database, importId: string): Promise<void> {
  await db.delete(importRows).where(sql`${importRows.importId} = ${importId}`)
}

/**
 * New value of a column, from a staged row `s` and its product `t`, if there is one. Fields that the file leaves out are unchanged. What
 * clears a field is stored as null, or as it is where the column must be filled.
 */
function mergedFieldSql(column: MergedColumn): SQL {
  const { name, notNull } = productColumnOf(column)
  const { cleared } = columnRules[column]
  const values = ['s', 't'].map((row) => sql.raw(`${row}.${name}`))
  if (cleared === undefined) return sql`coalesce(${joinSql(values)})`
  const clearedSql = sql.raw(
    typeof cleared === 'number' ? `${cleared}` : `'${typeof cleared === 'string' ? cleared : JSON.stringify(cleared)}'`,
  )
  return notNull ? sql`coalesce(${joinSql([...values, clearedSql])})` : sql`nullif(coalesce(${joinSql(values)}), ${clearedSql})`
}

type MergedColumn = Exclude<(typeof storedColumns)[number], 'sku' | 'specs'>
const isMerged = (column: (typeof storedColumns)[number]): column is MergedColumn => column !== 'sku' && column !== 'specs'
const mergedFields: Record<string, SQL> = Object.fromEntries(
  storedColumns.filter(isMerged).map((column) => [productColumnOf(column).name, mergedFieldSql(column)]),
)

/**
 * New value of each column, as `mergedFieldSql` says, and of those that follow other rules. If the file contains the stock that it saw, the
 * difference is added to the current stock, so that units sold meanwhile stay deducted.
 */
export const mergedFieldsSql = (stock: StockUpdateMode) => ({
  ...mergedFields,
  minimum_order_quantity: mergedFieldSql('minimum_order_quantity'),
  order_multiple: mergedFieldSql('order_multiple'),
  description: sql`case when s.description <> '' then s.description when s.description is null and t.description <> t.name then t.description
    else coalesce(s.name, t.name) end`,
  available_quantity: sql`case when t.id is null then s.available_quantity when s.available_quantity is null then t.available_quantity
    when s.available_quantity_seen is not null
      then least(greatest(t.available_quantity + s.available_quantity - s.available_quantity_seen, 0), ${sql.raw(String(productLimits.maxQuantity))})
    else ${stock === 'set' ? sql`s.available_quantity` : sql`t.available_quantity`} end`,
  specs: sql`(coalesce(s.specs, t.specs, '{}') - coalesce(s.specs_unknown, '{}')) || coalesce(s.specs_known, '{}')`,
})

/** A column of `tools` as a table of products and the history of a product name and spell it: a price is 12.35, not 1235. */
export function toImportColumnName(column: string, value: SQLWrapper): { field: string; value: SQLWrapper } {
  if (column === 'price_cents') return { field: 'price', value: centsToAmountSql(value) }
  if (column === 'price_breaks') return { field: column, value: sql`price_breaks_text(${value})` }
  if (column === 'incoming') return { field: column, value: sql`(${value} ->> 'quantity') || ' on ' || (${value} ->> 'date')` }
  return { field: column, value }
}

/** Whether the stock of product `t` would be replaced, because its row `s` does not contain the stock that the file saw. */
export const replacesStockSql: SQL = sql`(t.id is not null and s.available_quantity_seen is null and s.available_quantity <> t.available_quantity)`

/** Whether the stock of product `t` would change by the difference between the quantity of its row `s` and the stock that the file saw. */
export const adjustsStockSql: SQL = sql`(t.id is not null and s.available_quantity_seen is not null
  and ${mergedFieldsSql('keep').available_quantity} <> t.available_quantity)`

/**
 * Units that row `s` deducts but product `t` no longer has. 0 for a new product, and if the row does not contain the stock that the file
 * saw.
 */
export const stockShortageSql: SQL = sql`greatest(coalesce(s.available_quantity_seen - s.available_quantity - t.available_quantity, 0), 0)`

const existingFieldSql = (field: string): SQL => (field === 'specs' ? sql`coalesce(t.specs, '{}')` : sql`t.${sql.identifier(field)}`)

/** Whether row `s` changes more of product `t` than its stock. */
export const differsBesidesStockSql: SQL = sql`(t.removed_at is not null or ${sql.join(
  Object.entries(mergedFieldsSql('keep'))
    .filter(([field]) => field !== 'available_quantity')
    .map(([field, value]) => sql`${value} is distinct from ${existingFieldSql(field)}`),
  sql` or `,
)})`

const { specs: mergedSpecs } = mergedFieldsSql('keep')
const existingSpecs = sql`coalesce(t.specs, '{}')`
const countKeysSql = (specs: SQL) => sql`(select count(*)::int from jsonb_object_keys(${specs}))`
const countCharactersSql = (specs: SQL) => sql`length((${specs})::text)`
/** Number and length of the attributes that product `t` would have after row `s`. */
export const mergedSpecsSizeSql = { attributes: countKeysSql(mergedSpecs), characters: countCharactersSql(mergedSpecs) }

/** No attributes as small as this, in bytes of jsonb, exceed a limit, and most are: measuring them again costs too much for each row of a file. */
const withinLimitsBytes = 1000
const exceedsSql = (sizeOf: (specs: SQL) => SQL, limit: number) =>
  sql`${sizeOf(mergedSpecs)} > ${sql.raw(`${limit}`)} and ${sizeOf(mergedSpecs)} > ${sizeOf(existingSpecs)}`

/**
 * Whether the attributes that row `s` merges into those of product `t` make them more or longer than those of one product may be. What
 * exceeds that already may shrink. A row that replaces all attributes was checked when it was parsed.
 */
export const exceedsSpecLimitsSql: SQL = sql`(s.specs_known is not null
  and pg_column_size(${mergedSpecs}) > ${sql.raw(`${withinLimitsBytes}`)}
  and (${exceedsSql(countKeysSql, importLimits.attributes)} or ${exceedsSql(countCharactersSql, importLimits.cellKilobytes * 1024)}))`

/** Whether row `s` changes product `t`. A product that was removed from the catalogue becomes available again. */
export const isChangedByStagedRowSql = (
  stock: StockUpdateMode,
): SQL => sql`(t.removed_at is not null or (${sql.join(Object.values(mergedFieldsSql(stock)), sql`, `)})
  is distinct from (${sql.join(Object.keys(mergedFieldsSql(stock)).map(existingFieldSql), sql`, `)}))`
