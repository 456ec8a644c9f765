import { createHash } from 'node:crypto'
import type { Database } from '#platform/database.ts'
import { isUniqueViolation, retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { withWrongCodeLimit } from '#store/catalogue/pricing/discount-codes.ts'
import type { Buyer } from './buyer.ts'
import { type BuyerLimits, hashBuyerNetwork } from './buyer-limits.ts'
import { insertOrder } from './insert-order.ts'
import type { Order } from './order-contract.ts'
import { type DistinctLine, findOrderCost, findRequestedProducts, type RequestedLine } from './order-cost.ts'
import {
  explainRefusal,
  orderRefusalWording,
  type RefusalWording,
  type RequestedOrder,
  refuseShortOrder,
  stockChangedError,
} from './order-refusals.ts'
import { findOrderByRequest } from './placed-order.ts'

/** `requestKey`: the `Idempotency-Key` of an account, if it sent one; `network`: the widest network that the client may have all of. */
export type PlacementContext = { requestKey?: string | undefined; network: string }
/** How long an order holds its pieces, `newBuyerHoldMinutes` for a buyer who has never paid, and the buyer limits. */
export type OrderPolicy = { holdMinutes: number; newBuyerHoldMinutes: number; buyerLimits: BuyerLimits | undefined }

/** How often an order without a promised total is placed at the catalogue's total, which may change in between. */
const maxTries = 3

/**
 * Places an order: checks its total against the catalogue, takes the pieces of all its lines from stock and holds them, or takes none.
 * The same idempotency key from the same buyer returns the same order, however often it is sent and wherever the first response was lost:
 * the key is in the order's row.
 * A guest's order is limited with all others of guests in the network, and has no such key. Its link is `createOrderLink`.
 * @param hashedBody what the key stands for: the body, as it was validated
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such product; 400 below a minimum, the total is too small for the card provider, or the discount code cannot be
 *   used; 409 the total or the stock has changed, a buyer limit is exceeded, or the shop charges delivery or tax and the request names neither; 422 the key was used for another order; 429 too many orders, or
 *   too many wrong codes, of the account or of its network within an hour or a day
 */
export async function placeOrder(
  db: Database,
  buyer: Buyer,
  request: RequestedOrder,
  terms: OrderPolicy,
  { requestKey, network }: PlacementContext,
  { hashedBody = request, refusals = orderRefusalWording }: { hashedBody?: object; refusals?: RefusalWording } = {},
): Promise<{ order: Order; isNew: boolean }> {
  const hash = createHash('sha256').update(JSON.stringify(hashedBody)).digest('base64url')
  const idempotency = requestKey === undefined || buyer.id === null ? undefined : { buyerId: buyer.id, key: requestKey, hash }
  const context = { idempotency, network: hashBuyerNetwork(network) }
  const codeUser = { id: buyer.id, network: context.network }
  const lines = addUpRepeated(request.lines)
  const { discountCode } = request
  // A repetition uses no code again, and so is no guess.
  const placedWithCode = discountCode !== undefined && idempotency && (await findOrderByRequest(db, idempotency))
  if (placedWithCode) return { order: placedWithCode, isNew: false }
  const place = async (isLastTry: boolean): Promise<Order | 'total changed'> => {
    const short = await refuseShortOrder(db, buyer, { lines, discountCode }, refusals)
    if (short) throw short
    const totalCents =
      request.expectedTotalCents ?? (await findOrderCost(db, codeUser, await findRequestedProducts(db, buyer.id, lines), discountCode))
    const sized = { ...request, lines, totalCents }
    const order = await retryAfterDeadlock(() => insertOrder(db, buyer, sized, terms, context))
    if (order) return order
    const refusal = await explainRefusal(db, buyer, sized, terms.buyerLimits, context.network, refusals)
    if (refusal === 'total changed' && !isLastTry) return refusal // between the two statements, and no total was promised
    throw refusal === 'total changed' ? stockChangedError() : refusal
  }
  for (let tries = 1; ; tries++)
    try {
      const placing = () => place(tries === maxTries)
      const placed = await (discountCode === undefined ? placing() : withWrongCodeLimit(db, codeUser, placing))
      if (placed !== 'total changed') return { order: placed, isNew: true }
    } catch (error) {
      // Whatever the error: if an earlier request with this key placed an order, that order is the response.
      const placedBefore = idempotency && (await findOrderByRequest(db, idempotency))
      // After any other error, such as a lost connection, it may be the order of this very call.
      const isRefused = error instanceof HttpError || isUniqueViolation(error)
      if (placedBefore) return { order: placedBefore, isNew: !isRefused }
      throw error
    }
}

/**
 * One line for each product, in the order in which they come first. Ids are compared as PostgreSQL does, which takes upper and lower case for
 * the same.
 */
function addUpRepeated(lines: RequestedLine[]): DistinctLine[] {
  const summed = new Map<string, DistinctLine>()
  for (const [index, { productId: written, quantity }] of lines.entries()) {
    const productId = written.toLowerCase()
    const first = summed.get(productId)
    summed.set(productId, { productId, quantity: (first?.quantity ?? 0) + quantity, index: first?.index ?? index })
  }
  return [...summed.values()]
}
