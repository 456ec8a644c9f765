import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'

/** So much time passes for prices: their changes and reductions become older, and they have been asked for longer. Triggers keep others from it. */
export async function letPricesAge(db: Database, hours: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`alter table tools disable trigger keep_price_change`)
    await tx.execute(sql`update product_history set at = at - make_interval(hours => ${hours})`)
    await tx.execute(sql`update tools set lowered_at = lowered_at - make_interval(hours => ${hours}),
      list_price_asked_since = list_price_asked_since - make_interval(hours => ${hours})`)
    await tx.execute(sql`alter table tools enable trigger keep_price_change`)
  })
}

/** Statements after which a product has been for sale at its price for so much longer, and no other of the same store. */
export const priceAskedLongerSql = (productId: string, { days }: { days: number }): string => `
  alter table tools disable trigger keep_price_change;
  update tools set list_price_asked_since = list_price_asked_since - interval '${days} days' where id = '${productId}';
  alter table tools enable trigger keep_price_change`
