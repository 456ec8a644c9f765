import { z } from 'zod'
import type { Db } from './ledger.ts'
import { invalidRequestError } from './wire.ts'

/** The table of the object that a property references by id. */
const TABLES_BY_PROPERTY: { [property: string]: string } = {
  charge: 'charges',
  latest_charge: 'charges',
  payment_intent: 'intents',
  payment_method: 'payment_methods',
}

/** Arrays are parsed from form parameters as { 0: ..., 1: ... }. */
export function arrayParam<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (typeof value === 'object' && value !== null ? Object.values(value) : value), z.array(item).max(20))
}

/** The `expand` parameter, which every endpoint accepts. */
export const expand = arrayParam(z.string()).optional()

/**
 * Replaces ids in the object by the objects that `expand` names: `latest_charge`, nested `charge.payment_intent`, or `data.charge` in a
 * list. 400 for a property that is not an id. https://docs.stripe.com/api/expanding_objects
 */
export async function expandObject(db: Db, object: object, paths: string[] = [], inside = ''): Promise<Record<string, unknown>> {
  const copy: Record<string, unknown> = { ...object }
  for (const path of paths) {
    const [property = '', ...deeper] = path.startsWith(inside) ? path.slice(inside.length).split('.') : ['']
    const value = copy[property]
    // Stripe does not expand the payment method of a charge.
    const table = property === 'payment_method' && copy.object === 'charge' ? undefined : TABLES_BY_PROPERTY[property]
    const refunds = property === 'refunds' && copy.object === 'charge'
    if ((!table || value === undefined) && !refunds)
      throw invalidRequestError(`This property cannot be expanded (${path}).`, { param: 'expand' })
    const expanded = refunds ? await refundsOf(db, String(copy.id)) : await findExpandedObject(db, table, value)
    copy[property] = expanded && deeper.length > 0 ? await expandObject(db, expanded, [deeper.join('.')]) : expanded
  }
  return copy
}

/** Returns already expanded objects and null unchanged. */
async function findExpandedObject(db: Db, table: string | undefined, value: unknown): Promise<object | null> {
  if (typeof value !== 'string') return typeof value === 'object' ? value : null
  const { rows } = await db.query<{ object: object }>(`select object from sandbox.${table} where id = $1`, [value])
  return rows[0]?.object ?? null
}

/** The refunds of a charge as Stripe expands them: the ten newest. */
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
