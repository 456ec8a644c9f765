import { z } from 'zod'
import type { Db } from './ledger.ts'
import { invalid } from './wire.ts'

/** Which table holds what a property names by its id. */
const SHELVES: { [property: string]: string } = {
  charge: 'charges',
  latest_charge: 'charges',
  payment_intent: 'intents',
  payment_method: 'payment_methods',
}

/** A list arrives as { 0: ..., 1: ... }. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (typeof value === 'object' && value !== null ? Object.values(value) : value), z.array(item).max(20))
}

/** The parameter that every call takes. */
export const expand = list(z.string()).optional()

/**
 * The object with the things in it that `expand` asks for instead of their ids: `latest_charge`, or deeper `charge.payment_intent`, or
 * in a list `data.charge`. Refuses what is no id (400). https://docs.stripe.com/api/expanding_objects
 */
export async function expanded(db: Db, object: object, paths: string[] = [], inside = ''): Promise<Record<string, unknown>> {
  const copy: Record<string, unknown> = { ...object }
  for (const path of paths) {
    const [property = '', ...deeper] = path.startsWith(inside) ? path.slice(inside.length).split('.') : ['']
    const value = copy[property]
    // A charge names its card by id only.
    const shelf = property === 'payment_method' && copy.object === 'charge' ? undefined : SHELVES[property]
    const refunds = property === 'refunds' && copy.object === 'charge'
    if ((!shelf || value === undefined) && !refunds) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
    const found = refunds ? await refundsOf(db, String(copy.id)) : await thingOf(db, shelf, value)
    copy[property] = found && deeper.length > 0 ? await expanded(db, found, [deeper.join('.')]) : found
  }
  return copy
}

/** What has been expanded already stays as it is, and so does null. */
async function thingOf(db: Db, shelf: string | undefined, value: unknown): Promise<object | null> {
  if (typeof value !== 'string') return typeof value === 'object' ? value : null
  const { rows } = await db.query<{ object: object }>(`select object from sandbox.${shelf} where id = $1`, [value])
  return rows[0]?.object ?? null
}

/** A charge's refunds, as Stripe shows them inside it: the ten newest. */
async function refundsOf(db: Db, charge: string): Promise<object> {
  const { rows } = await db.query<{ object: object }>(
    'select object from sandbox.refunds where charge_id = $1 order by seq desc limit 11',
    [charge],
  )
  return {
    object: 'list',
    data: rows.slice(0, 10).map(({ object }) => object),
    has_more: rows.length > 10,
    url: `/v1/charges/${charge}/refunds`,
  }
}
