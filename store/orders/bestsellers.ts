import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { isInStock, type ProductDetails } from '#store/catalogue/contract.ts'
import { findProductsByIds } from '#store/catalogue/product-pages.ts'
import { bestsellerDays } from './bestsellers-contract.ts'
import { orderLines, orders } from './table.ts'

const maxBestsellers = 12
/** More than are listed, since some are out of stock or removed. */
const maxRanked = 48
/** A ranking is kept a thousand times as long as it took: at most a thousandth of a connection's time goes into it, however many orders there are. */
const keepFactor = 1000

/**
 * The products that sell, as they are now. All orders of three months are read for their ranking, so it is kept for a while, and the one
 * before answers while it is renewed.
 */
export function createBestsellerList(db: Database): () => Promise<ProductDetails[]> {
  let ranking: Promise<string[]> | undefined
  let renewAtMs = 0
  const currentRanking = () => {
    const startedAtMs = Date.now()
    if (ranking && startedAtMs < renewAtMs) return ranking
    renewAtMs = Number.POSITIVE_INFINITY // one at a time
    const next = rankBySales(db)
    next.then(
      () => {
        ranking = next
        renewAtMs = Date.now() + keepFactor * (Date.now() - startedAtMs)
      },
      () => {
        if (ranking === next) ranking = undefined
        renewAtMs = 0 // the next request tries again
      },
    )
    ranking ??= next
    return ranking
  }
  return async () => {
    const ranked = await findProductsByIds(db, await currentRanking())
    return ranked.filter(isInStock).slice(0, maxBestsellers)
  }
}

/**
 * Buyers count, not pieces or orders: one who orders often or much makes no bestseller alone. Orders that are not paid, and pieces that were
 * cancelled or came back, do not count.
 */
async function rankBySales(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${orderLines.toolId} as id from ${orderLines} join ${orders} on ${orders._id} = ${orderLines.orderId}
    where ${orders.isPaid} and ${orders.placedAt} > now() - make_interval(days => ${bestsellerDays})
      and ${orderLines.quantity} > ${orderLines.cancelled} + ${orderLines.returned}
    group by ${orderLines.toolId}
    order by count(distinct ${orders.buyerEmail}) desc, sum(${orderLines.quantity}) desc, ${orderLines.toolId}
    limit ${maxRanked}`)
  return rows.map(({ id }) => id)
}
