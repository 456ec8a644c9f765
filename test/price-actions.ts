import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'

/** So much time passes for prices: their changes and reductions become older. Triggers keep others from it. */
export async function letPricesAge(db: Database, hours: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`alter table tools disable trigger keep_price_change`)
    await tx.execute(sql`update product_history set at = at - make_interval(hours => ${hours})`)
    await tx.execute(sql`update tools set lowered_at = lowered_at - make_interval(hours => ${hours}) where lowered_at is not null`)
    await tx.execute(sql`alter table tools enable trigger keep_price_change`)
  })
}
