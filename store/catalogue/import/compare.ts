import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { ImportReport, WrongField } from '../contract.ts'
import { importLimits } from '../contract.ts'
import { neededToCreate, neededWords } from './columns.ts'
import { shown, type Warning } from './parts-read.ts'
import type { Counted, Group } from './report.ts'
import { differs, meant, movesStock, setsStock, shortPieces } from './staging.ts'

/** What the staged rows of an import would do to the catalogue as it stands now, where it sets the stock that the file says. */
export async function count(db: Database, importId: string): Promise<Counted> {
  const { rows } = await db.execute<Counted>(sql`
    select count(*) filter (where t.id is null)::int as create, count(*) filter (where t.id is not null and ${differs('set')})::int as update,
      count(*) filter (where t.id is not null and not ${differs('set')})::int as unchanged,
      count(*) filter (where ${setsStock})::int as "setsStock",
      count(*) filter (where case when ${setsStock} then not ${differs('keep')} else false end)::int as "setsStockOnly",
      count(*) filter (where ${movesStock})::int as "movesStock",
      coalesce(sum(${shortPieces}), 0)::int as "shortPieces"
    from import_rows s left join tools t using (sku) where s.import_id = ${importId}`)
  return rows[0] ?? { create: 0, update: 0, unchanged: 0, setsStock: 0, setsStockOnly: 0, movesStock: 0, shortPieces: 0 }
}

/** Rows that were taken out: how many, the first of their fields, and all of these by what is wrong. A file may be wrong in every row. */
type TakenOut = { wrongRows: number; shown: WrongField[]; groups: Group[] }

/** Takes out the rows whose sku an earlier row of the file has. */
export async function takeOutRepeated(db: Database, importId: string): Promise<TakenOut> {
  // By an array: whatever the planner believes of the table, each row is looked up and none compared with all others.
  const { rows } = await db.execute<{ row: number; sku: string; first: number; many: number }>(sql`
    with ranked as (select row, sku, min(row) over (partition by sku) as first from import_rows where import_id = ${importId}),
      repeated as materialized (select * from ranked where row > first),
      gone as (delete from import_rows where import_id = ${importId} and row = any(array(select row from repeated)))
    select row, sku, first, count(*) over ()::int as many from repeated order by row limit ${importLimits.shownWrong}`)
  const words = 'each sku once in a file'
  const taken = rows.map(({ row, sku, first }) => ({ row, column: 'sku', found: `${sku}, as in row ${first}`, expected: words }))
  const [first] = taken
  const count = rows[0]?.many ?? 0
  return {
    wrongRows: count,
    shown: taken,
    groups: first ? [{ column: 'sku', words, count, example: { row: first.row, found: first.found } }] : [],
  }
}

type Lacking = { row: number; sku: string; nth: number }

/** Takes out the rows of new products that lack what a product needs. */
export async function takeOutIncomplete(db: Database, importId: string): Promise<TakenOut> {
  const lacking = neededToCreate.map((column) => sql`s.${sql.identifier(column)} is null`)
  const { rows } = await db.execute<{ many: number; shown: Lacking[]; firsts: (Lacking & { count: number })[] }>(sql`
    with gone as (
      delete from import_rows s where s.import_id = ${importId} and (${sql.join(lacking, sql` or `)})
        and not exists (select from tools t where t.sku = s.sku)
      returning s.row, s.sku, array[${sql.join(lacking, sql`, `)}] as lacks
    ), lacking as (select row, sku, nth - 1 as nth from gone, unnest(lacks) with ordinality as each (lacks, nth) where each.lacks),
      shown as (select * from lacking order by row, nth limit ${importLimits.shownWrong}),
      firsts as (select distinct on (nth) *, count(*) over (partition by nth) from lacking order by nth, row)
    select (select count(*)::int from gone) as many, (select coalesce(json_agg(shown), '[]') from shown) as shown,
      (select coalesce(json_agg(firsts), '[]') from firsts) as firsts`)
  const { many = 0, shown = [], firsts = [] } = rows[0] ?? {}
  const fields = ({ row, sku, nth }: Lacking) =>
    neededToCreate.slice(nth, nth + 1).map((column) => ({ row, column, found: `nothing, for ${sku}`, expected: neededWords(column) }))
  return {
    wrongRows: many,
    shown: shown.flatMap(fields),
    groups: firsts.flatMap((first) =>
      fields(first).map(({ column, expected, ...example }) => ({ column, words: expected, count: first.count, example })),
    ),
  }
}

/** Part numbers that would lose the zeros they begin with: that is what a spreadsheet does to them. */
export async function lostZeros(db: Database, importId: string): Promise<Warning[]> {
  const { rows } = await db.execute<{ row: number; mpn: string; before: string }>(sql`
    select s.row, s.mpn, t.mpn as before from import_rows s join tools t using (sku)
    where s.import_id = ${importId} and t.mpn like '0%' and s.mpn <> t.mpn and s.mpn = ltrim(t.mpn, '0')
    order by s.row limit ${importLimits.shownWrong}`)
  const words = 'has lost the zeros it began with: format the column as text in the spreadsheet'
  return rows.map(({ row, mpn, before }) => ({ row, column: 'mpn', found: `${mpn}, was ${before}`, words }))
}

type Fields = Record<keyof ReturnType<typeof meant>, unknown>

/** A few of the fields that would change, as they are and as they would be. */
export async function someChanges(db: Database, importId: string): Promise<ImportReport['changes']> {
  const fields = Object.entries(meant('set'))
  const asJson = (ofFields: [field: string, value: SQL][]) =>
    sql`jsonb_build_object(${sql.join(
      ofFields.flatMap(([field, value]) => [sql`${field}::text`, value]),
      sql`, `,
    )})`
  const before = fields.map(([field]): [string, SQL] => [field, sql`t.${sql.identifier(field)}`])
  const { rows } = await db.execute<{ sku: string; before: Fields; after: Fields; back: boolean }>(sql`
    select s.sku, t.removed_at is not null as back, ${asJson(before)} as before, ${asJson(fields)} as after
    from import_rows s join tools t using (sku) where s.import_id = ${importId} and ${differs('set')}
    order by s.row limit ${importLimits.shownChanges}`)
  const changes = rows.flatMap(({ sku, before, after, back }) => [
    ...(back ? [{ sku, field: 'for sale', before: 'no', after: 'yes' }] : []),
    ...differences(flat(before), flat(after)).map((change) => ({ sku, ...change })),
  ])
  return changes.slice(0, importLimits.shownChanges)
}

/** Each attribute as a field of its own. */
const flat = ({ specs, ...fields }: Fields): Map<string, string> =>
  new Map(
    [...Object.entries(fields), ...Object.entries(specs ?? {}).map(([key, value]) => [`specs.${key}`, value] as const)].map(
      ([field, value]) => [field, value === null ? '' : shown(value)],
    ),
  )

function differences(before: Map<string, string>, after: Map<string, string>) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const change = { field, before: before.get(field) ?? '', after: after.get(field) ?? '' }
    return change.before === change.after ? [] : [change]
  })
}
