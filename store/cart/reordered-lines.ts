import type { Database } from '#platform/database.ts'
import type { User } from '#store/identity/contract.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import type { PastedLine } from './contract.ts'
import { type LockedCart, putAllIntoCart } from './put-into-cart.ts'

/**
 * Puts what an order has had into a locked cart, at today's prices, as far as it can be: without the pieces that were cancelled of it, unless
 * all were.
 * @param id of the order or of one of its lines
 * @throws {HttpError} 404 not an order of this buyer
 */
export async function putOrderIntoCart(
  tx: Database,
  cart: LockedCart,
  buyer: User,
  id: string,
): Promise<{ added: number; notAdded: PastedLine[] }> {
  const { lines, orderStatus } = await findOrder(tx, buyer, id)
  const left = lines.map((line) => ({ ...line, quantity: line.quantity - line.cancelled })).filter(({ quantity }) => quantity > 0)
  const wanted = orderStatus === 'cancelled' ? lines : left
  const refusals = await putAllIntoCart(
    tx,
    cart,
    wanted.map(({ productId, quantity }) => ({ productId, quantity, isAdded: true })),
  )
  const notAdded = wanted.flatMap((line, nth): PastedLine[] => {
    const refusal = refusals[nth]
    return refusal ? [{ text: formatItem(line), reason: refusal.reason }] : []
  })
  return { added: wanted.length - notAdded.length, notAdded }
}
