import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { isInStock, type ProductDetails } from '#store/catalogue/contract.ts'
import { findProductsByIds } from '#store/catalogue/product-pages.ts'
import { bestsellerDays } from './bestsellers-contract.ts'
import { orderLines, orders } from './table.ts'

/** By id of a product, how many buyers have paid for it lately; those of the most buyers first. */
export type Sales = ReadonlyMap<string, number>

const maxBestsellers = 12
/** More than are listed, since some are out of stock or removed. */
const maxRanked = 48
const minPauseMs = 10_000
/** Counting all orders of three months takes long in a large shop: between two counts it pauses so many times as long as one took. */
const pauseFactor = 100
const maxPauseMs = 10 * 60_000

/**
 * Counts what sells, now and from then on, for this process.
 * @param use is given each count
 */
export function followSales(db: Database, use: (sales: Sales) => void, onError: (error: unknown) => void) {
  let sales: Sales = new Map()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const count = async () => {
    const startedAt = performance.now()
    let pauseMs = minPauseMs
    try {
      sales = await countBuyers(db)
      pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, pauseFactor * (performance.now() - startedAt)))
      if (!isClosed) use(sales)
    } catch (error) {
      if (!isClosed) onError(error)
    }
    if (!isClosed) timer = setTimeout(start, pauseMs).unref()
  }
  const start = () => {
    counting = count()
  }
  let counting = count()
  return {
    current: () => sales,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await counting
    },
  }
}

/**
 * Buyers count, not pieces or orders: one who orders often or much makes no bestseller alone. Guests of one network are one buyer, whatever e-mails
 * they type, and so are those whose network is forgotten. Orders of which nothing is paid, and pieces that were cancelled or came back, do not count.
 */
export async function countBuyers(db: Database): Promise<Sales> {
  const { rows } = await db.execute<{ id: string; buyers: number }>(sql`
    select ${orderLines.toolId} as id, count(distinct coalesce(${orders.buyerId}, ${orders.placedFromNetwork}, ''))::integer as buyers
    from ${orderLines} join ${orders} on ${orders._id} = ${orderLines.orderId}
    where ${orders.isPaid} and ${orders.paymentStatus} <> 'unpaid' and ${orders.placedAt} > now() - make_interval(days => ${bestsellerDays})
      and ${orderLines.quantity} > ${orderLines.cancelled} + ${orderLines.returned}
    group by ${orderLines.toolId} order by buyers desc, sum(${orderLines.quantity}) desc, ${orderLines.toolId}`)
  return new Map(rows.map(({ id, buyers }) => [id, buyers]))
}

/** The products that sell best of those in stock, as they are now. */
export async function findBestsellers(db: Database, sales: Sales): Promise<ProductDetails[]> {
  const ranked = await findProductsByIds(db, [...sales.keys()].slice(0, maxRanked))
  return ranked.filter(isInStock).slice(0, maxBestsellers)
}
