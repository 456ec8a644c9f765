import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { findOddities, productsForSaleSql } from '#store/catalogue/find-oddities.ts'
import { abbreviateCellValue } from './cell-text.ts'
import { missingFieldMessage, requiredToCreate } from './column-rules.ts'
import type { ImportReport, InvalidField } from './contract.ts'
import { importLimits } from './contract.ts'
import { type ChangeCounts, type IssueGroup, maxIssueGroups } from './findings.ts'
import {
  adjustsStockSql,
  differsBesidesStockSql,
  exceedsSpecLimitsSql,
  isChangedByStagedRowSql,
  mergedFieldsSql,
  mergedSpecsSizeSql,
  replacesStockSql,
  stockShortageSql,
  toImportColumnName,
} from './staging.ts'

/** Counts what the staged rows of an import would do to the current catalogue, with stock mode `set`. */
export async function countStagedChanges(db: Database, importId: string): Promise<ChangeCounts> {
  const { rows } = await db.execute<ChangeCounts>(sql`
    select count(*) filter (where t.id is null)::int as create, count(*) filter (where t.id is not null and ${isChangedByStagedRowSql('set')})::int as update,
      count(*) filter (where t.id is not null and not ${isChangedByStagedRowSql('set')})::int as unchanged,
      count(*) filter (where ${replacesStockSql})::int as "setsStock",
      count(*) filter (where case when ${replacesStockSql} then not ${isChangedByStagedRowSql('keep')} else false end)::int as "setsStockOnly",
      count(*) filter (where ${adjustsStockSql})::int as "movesStock",
      coalesce(sum(${stockShortageSql}), 0)::int as "shortPieces"
    from import_rows s left join tools t using (sku) where s.import_id = ${importId}`)
  return rows[0] ?? { create: 0, update: 0, unchanged: 0, setsStock: 0, setsStockOnly: 0, movesStock: 0, shortPieces: 0 }
}

/**
 * Deleted invalid rows: their number, the fields of the first ones, and all of them grouped by error. A file may be invalid in every row.
 */
type DeletedRows = { wrongRows: number; shown: InvalidField[]; groups: IssueGroup[] }

/** Deletes the rows whose SKU occurs in an earlier row of the file. */
export async function deleteDuplicateRows(db: Database, importId: string): Promise<DeletedRows> {
  // Deleting by an array forces a lookup for each row, whatever the table statistics are. A join could compare all rows with all others.
  const { rows } = await db.execute<{ row: number; sku: string; first: number; many: number }>(sql`
    with ranked as (select row, sku, min(row) over (partition by sku) as first from import_rows where import_id = ${importId}),
      repeated as materialized (select * from ranked where row > first),
      gone as (delete from import_rows where import_id = ${importId} and row = any(array(select row from repeated)))
    select row, sku, first, count(*) over ()::int as many from repeated order by row limit ${importLimits.reportedInvalidFields}`)
  const examples = rows.map(({ row, sku, first }) => ({ row, sku, found: `${sku}, as in row ${first}` }))
  return toDeletedRows(examples, { count: rows[0]?.many ?? 0, column: 'sku', words: 'each sku once in a file' })
}

/** Deletes the rows that would give a product more attributes, or longer ones, than it may have, together with those that it has. */
export async function deleteRowsWithTooManySpecs(db: Database, importId: string): Promise<DeletedRows> {
  const { rows } = await db.execute<{ row: number; sku: string; attributes: number; characters: number; many: number }>(sql`
    with overfull as materialized (
        select s.row, s.sku, ${mergedSpecsSizeSql.attributes} as attributes, ${mergedSpecsSizeSql.characters} as characters
        from import_rows s left join tools t using (sku) where s.import_id = ${importId} and ${exceedsSpecLimitsSql}
      ), gone as (delete from import_rows where import_id = ${importId} and row = any(array(select row from overfull)))
    select *, count(*) over ()::int as many from overfull order by row limit ${importLimits.reportedInvalidFields}`)
  const examples = rows.map(({ row, sku, attributes, characters }) => ({
    row,
    sku,
    found: `${attributes} attributes, ${Math.ceil(characters / 1024)} kB`,
  }))
  const { attributes, cellKilobytes } = importLimits
  const words = `at most ${attributes} attributes and ${cellKilobytes} kB, together with what the product has already`
  return toDeletedRows(examples, { count: rows[0]?.many ?? 0, column: 'specs', words })
}

/** Deletes the rows that would make the minimum of a product something else than whole packs. */
export async function deleteRowsWithSplitPacks(db: Database, importId: string): Promise<DeletedRows> {
  const { minimum_order_quantity: minimum, order_multiple: multiple } = mergedFieldsSql('keep')
  const { rows } = await db.execute<{ row: number; sku: string; minimum: number; multiple: number; many: number }>(sql`
    with broken as materialized (
        select s.row, s.sku, ${minimum} as minimum, ${multiple} as multiple
        from import_rows s left join tools t using (sku) where s.import_id = ${importId} and ${minimum} % ${multiple} <> 0
      ), gone as (delete from import_rows where import_id = ${importId} and row = any(array(select row from broken)))
    select *, count(*) over ()::int as many from broken order by row limit ${importLimits.reportedInvalidFields}`)
  const examples = rows.map(({ row, sku, minimum, multiple }) => ({ row, sku, found: `${minimum} pieces in packs of ${multiple}` }))
  const words = 'a multiple of order_multiple, as only whole packs are sold'
  return toDeletedRows(examples, { count: rows[0]?.many ?? 0, column: 'minimum_order_quantity', words })
}

/** @param examples the first ones of `count` rows that are wrong in the same way */
function toDeletedRows(
  examples: IssueGroup['example'][],
  { count, column, words }: Pick<IssueGroup, 'count' | 'column' | 'words'>,
): DeletedRows {
  const [example] = examples
  return {
    wrongRows: count,
    shown: examples.map((each) => ({ ...each, column, expected: words })),
    groups: example ? [{ column, words, count, example }] : [],
  }
}

type MissingField = { row: number; sku: string; nth: number }

/** Deletes the rows of new products that lack required fields. */
export async function deleteIncompleteRows(db: Database, importId: string): Promise<DeletedRows> {
  const lacking = requiredToCreate.map((column) => sql`s.${sql.identifier(column === 'price' ? 'price_cents' : column)} is null`)
  const { rows } = await db.execute<{ many: number; shown: MissingField[]; firsts: (MissingField & { count: number })[] }>(sql`
    with gone as (
      delete from import_rows s where s.import_id = ${importId} and (${sql.join(lacking, sql` or `)})
        and not exists (select from tools t where t.sku = s.sku)
      returning s.row, s.sku, array[${sql.join(lacking, sql`, `)}] as lacks
    ), lacking as (select row, sku, nth - 1 as nth from gone, unnest(lacks) with ordinality as each (lacks, nth) where each.lacks),
      shown as (select * from lacking order by row, nth limit ${importLimits.reportedInvalidFields}),
      firsts as (select distinct on (nth) *, count(*) over (partition by nth) from lacking order by nth, row)
    select (select count(*)::int from gone) as many, (select coalesce(json_agg(shown), '[]') from shown) as shown,
      (select coalesce(json_agg(firsts), '[]') from firsts) as firsts`)
  const { many = 0, shown = [], firsts = [] } = rows[0] ?? {}
  const fields = ({ row, sku, nth }: MissingField) =>
    requiredToCreate.slice(nth, nth + 1).map((column) => ({ row, sku, column, found: '', expected: missingFieldMessage(column) }))
  return {
    wrongRows: many,
    shown: shown.flatMap(fields),
    groups: firsts.flatMap((first) =>
      fields(first).map(({ column, expected, ...example }) => ({ column, words: expected, count: first.count, example })),
    ),
  }
}

const lostZerosMessage = 'has lost the zeros it began with: format the column as text in the spreadsheet'

/**
 * The warnings and mends of the rows that are left, grouped by column and message, the most frequent first: those found when a row was parsed,
 * and part numbers that would lose leading zeros, which is typical of spreadsheets.
 */
export async function findWarnings(db: Database, importId: string): Promise<{ warnings: IssueGroup[]; mends: IssueGroup[] }> {
  const { rows } = await db.execute<IssueGroup & { isMend: boolean }>(sql`
    with found as (
        select s.row, s.sku, w."column", w.message, w.found, coalesce(w."isMend", false) as "isMend"
        from import_rows s, jsonb_to_recordset(s.warnings) as w ("column" text, message text, found text, "isMend" boolean)
        where s.import_id = ${importId}
      union all
        select s.row, s.sku, 'mpn', ${lostZerosMessage}, s.mpn || ', was ' || t.mpn, false from import_rows s join tools t using (sku)
        where s.import_id = ${importId} and t.mpn like '0%' and s.mpn <> t.mpn and s.mpn = ltrim(t.mpn, '0')
      ),
      firsts as (
        select distinct on ("column", message) *, count(*) over (partition by "column", message)::int
        from found order by "column", message, row
      )
    select "column", message as words, count, json_build_object('row', row, 'sku', sku, 'found', found) as example, "isMend"
    from firsts order by count desc, row limit ${maxIssueGroups}`)
  const groups = (isWanted: boolean) => rows.filter(({ isMend }) => isMend === isWanted).map(({ isMend: _, ...group }) => group)
  return { warnings: groups(false), mends: groups(true) }
}

/** A price that becomes so many times as high, or as low, is rather a slipped decimal point. */
const farFromPriceSoFar = 5

async function findPriceJumps(db: Database, importId: string): Promise<IssueGroup[]> {
  const { rows } = await db.execute<IssueGroup>(sql`
    select 'price' as "column", 'far from its price so far' as words, (count(*) over ())::int as count,
      json_build_object('row', s.row, 'sku', s.sku, 'found', trim_scale(s.price_cents / 100.0) || ', was ' || trim_scale(t.price_cents / 100.0)) as example
    from import_rows s join tools t using (sku) where s.import_id = ${importId}
      and greatest(s.price_cents, t.price_cents) >= ${farFromPriceSoFar} * least(s.price_cents, t.price_cents)
    order by s.row limit 1`)
  return rows
}

/**
 * What looks wrong in the products of the rows that are left, as they would be after the import, compared with all products, and in their prices
 * compared with those so far.
 */
export async function findOdditiesOfImport(db: Database, importId: string): Promise<IssueGroup[]> {
  const compared = ['name', 'brand', 'mpn', 'category', 'price_cents', 'price_breaks', 'specs']
  const fields = Object.entries(mergedFieldsSql('keep')).filter(([field]) => compared.includes(field))
  const merged = sql.join(
    fields.map(([field, value]) => sql`${value} as ${sql.identifier(field)}`),
    sql`, `,
  )
  const staged = sql`select s.row, s.sku, ${merged} from import_rows s left join tools t using (sku) where s.import_id = ${importId}`
  const others = sql`
    ${staged} union all
    select * from (${productsForSaleSql}) as for_sale where not exists (select from import_rows s where s.import_id = ${importId} and s.sku = for_sale.sku)`
  const found = await findOddities(db, staged, others)
  const oddities = found.map(({ example, ...oddity }) => ({ ...oddity, example: { ...example, row: example.row ?? 0 } }))
  return [...(await findPriceJumps(db, importId)), ...oddities]
}

/** by field, as in an import file */
type ProductFieldValues = Record<string, unknown>

/** A sample of the fields that would change, with the old and the new value: of the stock, and of everything else. */
export async function findChangeSamples(db: Database, importId: string): Promise<ImportReport['changes']> {
  const firstRows = await sampleChangedRows(db, importId, isChangedByStagedRowSql('set'))
  // So many changes of stock alone could leave nothing to show to an admin who keeps the stock as it is.
  const others = firstRows.length === importLimits.reportedChanges ? await sampleChangedRows(db, importId, differsBesidesStockSql) : []
  const rows = [...new Map([...firstRows, ...others].map((changed) => [changed.row, changed])).values()].sort((a, b) => a.row - b.row)
  const changes = rows.flatMap(({ sku, before, after, back, sets }) => [
    ...(back ? [{ sku, field: 'for sale', before: 'no', after: 'yes' }] : []),
    ...diffFields(flattenSpecs(before), flattenSpecs(after)).map((change) => ({
      ...{ sku, ...change },
      ...(change.field === 'available_quantity' && { stock: sets ? ('set' as const) : ('moved' as const) }),
    })),
  ])
  const [ofStock, besides] = [changes.filter((change) => 'stock' in change), changes.filter((change) => !('stock' in change))]
  const shown = new Set([ofStock, besides].flatMap((each) => each.slice(0, importLimits.reportedChanges)))
  return changes.filter((change) => shown.has(change))
}

type ChangedRow = { row: number; sku: string; before: ProductFieldValues; after: ProductFieldValues; back: boolean; sets: boolean }

/** The first staged rows of existing products for which `differs` holds, with all fields before and after. */
async function sampleChangedRows(db: Database, importId: string, differs: SQL): Promise<ChangedRow[]> {
  const fields = Object.entries(mergedFieldsSql('set'))
  const asJson = (columns: [column: string, value: SQL][]) =>
    sql`jsonb_build_object(${sql.join(
      columns.map(([column, value]) => toImportColumnName(column, value)).flatMap(({ field, value }) => [sql`${field}::text`, value]),
      sql`, `,
    )})`
  const before = fields.map(([column]): [string, SQL] => [column, sql`t.${sql.identifier(column)}`])
  const { rows } = await db.execute<ChangedRow>(sql`
    select s.row, s.sku, t.removed_at is not null as back, ${replacesStockSql} as sets, ${asJson(before)} as before, ${asJson(fields)} as after
    from import_rows s join tools t using (sku) where s.import_id = ${importId} and ${differs}
    order by s.row limit ${importLimits.reportedChanges}`)
  return rows
}

/** Flattens `specs` to one field for each attribute. */
const flattenSpecs = ({ specs, ...fields }: ProductFieldValues): Map<string, string> =>
  new Map(
    [...Object.entries(fields), ...Object.entries(specs ?? {}).map(([key, value]) => [`specs.${key}`, value] as const)].map(
      ([field, value]) => [field, value === null ? '' : abbreviateCellValue(value)],
    ),
  )

function diffFields(before: Map<string, string>, after: Map<string, string>) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const change = { field, before: before.get(field) ?? '', after: after.get(field) ?? '' }
    return change.before === change.after ? [] : [change]
  })
}
