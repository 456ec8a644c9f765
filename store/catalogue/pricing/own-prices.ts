import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { type Cents, centsToDollars } from '#shared/money.ts'

type OfProduct = { productId: SQL; listCents: SQL }
const ofTools: OfProduct = { productId: sql`tools.id`, listCents: sql`tools.price_cents` }

/**
 * For `lateral`: the price that a buyer has for a product, in the columns `own_cents` and `own_reason` of one row or none. It is the customer's
 * own price, else that of their group, else the list price less what the group has off, rounded half up.
 * @param of where the product stands. Not a row that the same query locks: a price that changes while it waits for the lock would be missed
 */
export const ownPriceSql = (buyerId: string, { productId, listCents }: OfProduct = ofTools): SQL => sql`(
  select own_cents, own_reason from (
    select price_cents as own_cents, 'customer' as own_reason from buyer_prices where buyer_prices.product_id = ${productId} and user_id = ${buyerId}
    union all
    select coalesce(of_group.price_cents, greatest(round(${listCents} * (100 - percent_off) / 100.0), 1)::integer), 'group'
    from customer_group_members join customer_groups on customer_groups.id = group_id
      left join buyer_prices of_group on of_group.group_id = customer_groups.id and of_group.product_id = ${productId}
    where customer_group_members.user_id = ${buyerId}
  ) of_buyer order by own_reason limit 1)`

/** What a buyer pays for a piece of these products, where it is less than the list price. */
export async function listOwnPrices(db: Database, buyerId: string, productIds: string[]): Promise<{ productId: string; price: number }[]> {
  const { rows } = await db.execute<{ productId: string; cents: Cents }>(sql`
    select tools.id as "productId", own_cents as cents from tools, lateral ${ownPriceSql(buyerId)} own
    where tools.id = any(${sql.param(productIds)}::uuid[]) and removed_at is null and own_cents < price_cents`)
  return rows.map(({ productId, cents }) => ({ productId, price: centsToDollars(cents) }))
}
