import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { ImportReport, WrongField } from '../contract.ts'
import { importLimits } from '../contract.ts'
import { neededToCreate, neededWords } from './columns.ts'
import { shown, type Warning } from './parts-read.ts'
import { differs, meant } from './staging.ts'

type Counted = Pick<ImportReport, 'create' | 'update' | 'unchanged'>

/** What the staged rows of an import would do to the catalogue as it stands now. */
export async function count(db: Database, importId: string): Promise<Counted> {
  const { rows } = await db.execute<Counted>(sql`
    select count(*) filter (where t.id is null)::int as create, count(*) filter (where t.id is not null and ${differs})::int as update,
      count(*) filter (where t.id is not null and not ${differs})::int as unchanged
    from import_rows s left join tools t using (sku) where s.import_id = ${importId}`)
  return rows[0] ?? { create: 0, update: 0, unchanged: 0 }
}

/** Takes out the rows whose sku an earlier row of the file has, and says of each what is wrong. */
export async function takeOutRepeated(db: Database, importId: string): Promise<WrongField[]> {
  // By an array: whatever the planner believes of the table, each row is looked up and none compared with all others.
  const { rows } = await db.execute<{ row: number; sku: string; first: number }>(sql`
    with ranked as (select row, sku, min(row) over (partition by sku) as first from import_rows where import_id = ${importId}),
      repeated as materialized (select * from ranked where row > first),
      gone as (delete from import_rows where import_id = ${importId} and row = any(array(select row from repeated)))
    select row, sku, first from repeated order by row`)
  const expected = 'each sku once in a file'
  return rows.map(({ row, sku, first }) => ({ row, column: 'sku', found: `${sku}, as in row ${first}`, expected }))
}

/** Takes out the rows of new products that lack what a product needs. */
export async function takeOutIncomplete(db: Database, importId: string): Promise<WrongField[]> {
  const lacking = neededToCreate.map((column) => sql`s.${sql.identifier(column)} is null`)
  const { rows } = await db.execute<{ row: number; sku: string; lacks: boolean[] }>(sql`
    delete from import_rows s where s.import_id = ${importId} and (${sql.join(lacking, sql` or `)})
      and not exists (select from tools t where t.sku = s.sku)
    returning s.row, s.sku, array[${sql.join(lacking, sql`, `)}] as lacks`)
  return rows.flatMap(({ row, sku, lacks }) =>
    neededToCreate.flatMap((column, nth) =>
      lacks[nth] ? [{ row, column, found: `nothing, for ${sku}`, expected: neededWords(column) }] : [],
    ),
  )
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

type Fields = Record<keyof typeof meant, unknown>

/** A few of the fields that would change, as they are and as they would be. */
export async function someChanges(db: Database, importId: string): Promise<ImportReport['changes']> {
  const asJson = (of: typeof meant | undefined) =>
    sql`jsonb_build_object(${sql.join(
      Object.entries(meant).flatMap(([field, value]) => [sql`${field}::text`, of ? value : sql`t.${sql.identifier(field)}`]),
      sql`, `,
    )})`
  const { rows } = await db.execute<{ sku: string; before: Fields; after: Fields; back: boolean }>(sql`
    select s.sku, t.removed_at is not null as back, ${asJson(undefined)} as before, ${asJson(meant)} as after
    from import_rows s join tools t using (sku) where s.import_id = ${importId} and ${differs}
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
