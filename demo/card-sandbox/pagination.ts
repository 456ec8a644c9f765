import { z } from 'zod'
import type { Db } from './ledger.ts'
import { type ApiResponse, jsonResponse, resourceMissingError } from './wire.ts'

/* Stripe's lists: paginated, newest first. https://docs.stripe.com/api/pagination */

const seconds = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)

/** The parameters of every list endpoint. */
export const paginationParams = {
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

/** A listable table: the name of its objects for errors, and the URL of the list. */
export type ListResource = {
  table: 'intents' | 'charges' | 'refunds' | 'disputes' | 'events'
  kind: string
  url: string
  /** SQL expression for the object as JSON */
  object: string
}

/**
 * Returns one page of a list.
 * @param filter required value per column, or a list of allowed values; undefined: any value
 * @param finish applied to each object before it is returned
 */
export async function listPage<Thing>(
  db: Db,
  resource: ListResource,
  params: Paging,
  filter: Record<string, string | string[] | undefined>,
  finish: (item: Thing) => object | Promise<object>,
): Promise<ApiResponse> {
  const { starting_after, ending_before, created = {} } = params
  const before = starting_after === undefined ? undefined : await cursorPosition(db, resource, starting_after, 'starting_after')
  const after = ending_before === undefined ? undefined : await cursorPosition(db, resource, ending_before, 'ending_before')

  const conditions: string[] = []
  const values: unknown[] = []
  const addCondition = (condition: string, value: unknown) => {
    if (value !== undefined) conditions.push(`${condition} $${values.push(value)}`)
  }
  addCondition('seq <', before)
  addCondition('seq >', after)
  for (const [column, value] of Object.entries(filter))
    if (Array.isArray(value)) conditions.push(`${column} = any($${values.push(value)})`)
    else addCondition(`${column} =`, value)
  const createdAt = `(${resource.object} ->> 'created')::bigint`
  addCondition(`${createdAt} >`, created.gt)
  addCondition(`${createdAt} >=`, created.gte)
  addCondition(`${createdAt} <`, created.lt)
  addCondition(`${createdAt} <=`, created.lte)

  const { rows } = await db.query<{ object: Thing }>(
    `select ${resource.object} as object from sandbox.${resource.table}
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by seq ${after === undefined ? 'desc' : 'asc'} limit ${params.limit + 1}`,
    values,
  )
  const items = rows.slice(0, params.limit).map(({ object }) => object)
  if (after !== undefined) items.reverse()
  const data: object[] = []
  for (const item of items) data.push(await finish(item))
  return jsonResponse(200, { object: 'list', url: resource.url, has_more: rows.length > params.limit, data })
}

async function cursorPosition(db: Db, { table, kind }: ListResource, id: string, param: string): Promise<string> {
  const { rows } = await db.query<{ seq: string }>(`select seq from sandbox.${table} where id = $1`, [id])
  if (!rows[0]) throw resourceMissingError(kind, id, param, 400)
  return rows[0].seq
}
