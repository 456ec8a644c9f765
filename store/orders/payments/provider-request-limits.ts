import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import { type BuyerLimits, buyerLimitFactor } from '#store/orders/buyer-limits.ts'
import { orders } from '#store/orders/table.ts'

/** How often per hour a customer can make the store call the card provider. `perAccount` is multiplied by `buyerLimitFactor`. */
const hourlyLimits = { perOrder: 20, perAccount: 60, seconds: 3600 }

/** Actions that call the provider. Each is counted separately: after opening too many payments a buyer can still cancel and record one. */
const requestKinds = {
  open: { key: 'payment opened', words: 'Payments were opened too often' },
  record: {
    key: 'payment asked about',
    words: 'The card provider was asked too often how this stands. If you have paid, the order soon says so',
  },
  cancel: { key: 'order cancelled', words: 'Orders were cancelled too often' },
} as const

/**
 * Counts a request to the card provider before it is sent, for the order and for its buyer's account. All guests of a network count together as
 * one account that has never paid.
 * @param known the order, where it was read already
 * @throws {HttpError} 429, with the time to wait
 */
export async function limitProviderRequests(
  db: Database,
  limits: BuyerLimits | undefined,
  kind: keyof typeof requestKinds,
  orderId: string,
  known?: CountedOrder,
): Promise<void> {
  if (!limits) return
  const { key, words } = requestKinds[kind]
  const { perOrder, perAccount, seconds } = hourlyLimits
  await enforceRateLimit(db, `${key}, order ${orderId}`, { max: perOrder, seconds }, words)
  const order = known ?? (await findCountedOrder(db, orderId))
  if (!order) return
  const { buyerId, placedFromNetwork: network } = order
  if (buyerId === null) {
    if (network !== null) await enforceRateLimit(db, `${key}, guests from ${network}`, { max: perAccount, seconds }, words)
    return
  }
  const factor = await buyerLimitFactor(db, limits, buyerId)
  if (factor !== null) await enforceRateLimit(db, `${key}, account ${buyerId}`, { max: perAccount * factor, seconds }, words)
}

/** Whose requests they are. */
type CountedOrder = { buyerId: string | null; placedFromNetwork: string | null }

async function findCountedOrder(db: Database, orderId: string): Promise<CountedOrder | undefined> {
  const { buyerId, placedFromNetwork } = orders
  const [order] = await db.select({ buyerId, placedFromNetwork }).from(orders).where(eq(orders._id, orderId))
  return order
}
