import { z } from 'zod'
import type { Db } from './ledger.ts'
import { type Answer, answer, missing } from './wire.ts'

/* Stripe's lists: the newest first, a page at a time. https://docs.stripe.com/api/pagination */

const seconds = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)

/** What every list takes. */
export const paging = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(10),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
  created: z
    .union([
      seconds.transform((moment) => ({ gte: moment, lte: moment })),
      z.strictObject({ gt: seconds.optional(), gte: seconds.optional(), lt: seconds.optional(), lte: seconds.optional() }),
    ])
    .optional(),
}

type Paging = {
  limit: number
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: { gt?: number | undefined; gte?: number | undefined; lt?: number | undefined; lte?: number | undefined } | undefined
}

/** A table of the ledger that can be listed: how its things are called, and where the list of them is. */
export type Shelf = {
  table: 'intents' | 'charges' | 'refunds' | 'disputes' | 'events'
  kind: string
  url: string
  /** The SQL that gives the thing as JSON. */
  object: string
}

/**
 * One page of a shelf. `only` names columns and the value, or one of the values, that each must have; where that is undefined anything will do.
 * @param finish what is still to be done to each thing before it is shown
 */
export async function page<Thing>(
  db: Db,
  shelf: Shelf,
  asked: Paging,
  only: Record<string, string | string[] | undefined>,
  finish: (thing: Thing) => object | Promise<object>,
): Promise<Answer> {
  const { starting_after, ending_before, created = {} } = asked
  const before = starting_after === undefined ? undefined : await placeOf(db, shelf, starting_after, 'starting_after')
  const after = ending_before === undefined ? undefined : await placeOf(db, shelf, ending_before, 'ending_before')

  const conditions: string[] = []
  const values: unknown[] = []
  const want = (condition: string, value: unknown) => {
    if (value !== undefined) conditions.push(`${condition} $${values.push(value)}`)
  }
  want('seq <', before)
  want('seq >', after)
  for (const [column, value] of Object.entries(only))
    if (Array.isArray(value)) conditions.push(`${column} = any($${values.push(value)})`)
    else want(`${column} =`, value)
  const createdAt = `(${shelf.object} ->> 'created')::bigint`
  want(`${createdAt} >`, created.gt)
  want(`${createdAt} >=`, created.gte)
  want(`${createdAt} <`, created.lt)
  want(`${createdAt} <=`, created.lte)

  const { rows } = await db.query<{ object: Thing }>(
    `select ${shelf.object} as object from sandbox.${shelf.table}
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by seq ${after === undefined ? 'desc' : 'asc'} limit ${asked.limit + 1}`,
    values,
  )
  const things = rows.slice(0, asked.limit).map(({ object }) => object)
  if (after !== undefined) things.reverse()
  const data: object[] = []
  for (const thing of things) data.push(await finish(thing))
  return answer(200, { object: 'list', url: shelf.url, has_more: rows.length > asked.limit, data })
}

async function placeOf(db: Db, { table, kind }: Shelf, id: string, param: string): Promise<string> {
  const { rows } = await db.query<{ seq: string }>(`select seq from sandbox.${table} where id = $1`, [id])
  if (!rows[0]) throw missing(kind, id, param, 400)
  return rows[0].seq
}
