import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { type Cents, centsToAmount } from '#shared/money.ts'

const ofTools = { productId: sql`tools.id`, listCents: sql`tools.price_cents` }

/**
 * The price that a buyer has for a product, in the columns `own_cents` and `own_reason` of one row or none: see `own_price_of` in the database.
 * @param buyerId null: of a guest, who has none
 * @param product where it stands. Not a row that the same query locks: a list price that changes while it waits for the lock would be missed
 */
export const ownPriceSql = (buyerId: string | null, { productId, listCents } = ofTools): SQL =>
  sql`own_price_of(${buyerId}, ${productId}, ${listCents})`

/** What a buyer pays for a piece of these products, where it is less than the list price. */
export async function listOwnPrices(db: Database, buyerId: string, productIds: string[]): Promise<{ productId: string; price: number }[]> {
  const { rows } = await db.execute<{ productId: string; cents: Cents }>(sql`
    select tools.id as "productId", own_cents as cents from tools, lateral ${ownPriceSql(buyerId)} own
    where tools.id = any(${sql.param(productIds)}::uuid[]) and removed_at is null and own_cents < price_cents`)
  return rows.map(({ productId, cents }) => ({ productId, price: centsToAmount(cents) }))
}
