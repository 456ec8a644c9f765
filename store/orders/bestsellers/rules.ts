import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { isInStock, type ProductDetails } from '#store/catalogue/contract.ts'
import { findProductsByIds } from '#store/catalogue/product-pages.ts'
import { orderLines, orders } from '#store/orders/table.ts'
import type { BuyersByProduct } from '#store/search/column-store.ts'
import { bestsellerDays } from './contract.ts'

const maxBestsellers = 12
/** More than are listed, since some are out of stock or removed. */
const maxRanked = 48
/**
 * Counting all orders of three months takes long in a large shop: after a count there is a pause of so many times as long as it took, within these
 * limits. After an error it is the least.
 */
const usualPauses = { factor: 100, minMs: 10_000, maxMs: 10 * 60_000 }

type Following = {
  /** is given each count */
  use: (buyers: BuyersByProduct) => void
  onError: (error: unknown) => void
  pauses?: typeof usualPauses
}

/** Counts who buys what, at once and from then on, for this process. */
export function followBuyers(db: Database, { use, onError, pauses = usualPauses }: Following) {
  let ranked: string[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const count = async () => {
    const startedAt = performance.now()
    let pauseMs = pauses.minMs
    try {
      const buyers = await countBuyers(db)
      pauseMs = Math.min(pauses.maxMs, Math.max(pauses.minMs, pauses.factor * (performance.now() - startedAt)))
      ranked = [...buyers.keys()].slice(0, maxRanked)
      if (!isClosed) use(buyers)
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
    /** The products that sell best of those in stock, by the last count, as they are now. */
    async findBestsellers(): Promise<ProductDetails[]> {
      const products = await findProductsByIds(db, ranked)
      return products.filter(isInStock).slice(0, maxBestsellers)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await counting
    },
  }
}

/**
 * How many buyers have paid for each product lately, those of the most buyers first. Buyers count, not pieces or orders: one who orders often or
 * much makes no bestseller alone. Guests of one network are one buyer, whatever e-mails they type, and so are those whose network is forgotten.
 * Orders of which nothing is paid, and pieces that were cancelled or came back, do not count.
 */
async function countBuyers(db: Database): Promise<BuyersByProduct> {
  const { rows } = await db.execute<{ id: string; buyers: number }>(sql`
    select ${orderLines.toolId} as id, count(distinct coalesce(${orders.buyerId}, ${orders.placedFromNetwork}, ''))::integer as buyers
    from ${orderLines} join ${orders} on ${orders._id} = ${orderLines.orderId}
    where ${orders.isPaid} and ${orders.paymentStatus} <> 'unpaid' and ${orders.placedAt} > now() - make_interval(days => ${bestsellerDays})
      and ${orderLines.quantity} > ${orderLines.cancelled} + ${orderLines.returned}
    group by ${orderLines.toolId} order by buyers desc, sum(${orderLines.quantity}) desc, ${orderLines.toolId}`)
  return new Map(rows.map(({ id, buyers }) => [id, buyers]))
}
