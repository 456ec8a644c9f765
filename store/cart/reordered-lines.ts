import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { User } from '#store/identity/contract.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import type { PastedLine } from './contract.ts'
import { type FoundCart, putIntoCart } from './rules.ts'

/**
 * Puts what an order has had into a locked cart, at the prices of now, as far as it can be: without the pieces that were cancelled of it, unless
 * all were.
 * @param id of the order or of one of its lines
 * @throws {HttpError} 404 not an order of this buyer
 */
export async function putOrderIntoCart(
  tx: Database,
  cart: FoundCart,
  buyer: User,
  id: string,
): Promise<{ added: number; notAdded: PastedLine[] }> {
  const { lines, orderStatus } = await findOrder(tx, buyer, id)
  const notAdded: PastedLine[] = []
  const left = lines.map((line) => ({ ...line, quantity: line.quantity - line.cancelled })).filter(({ quantity }) => quantity > 0)
  const wanted = orderStatus === 'cancelled' ? lines : left
  for (const line of wanted)
    try {
      await putIntoCart(tx, cart, { productId: line.productId, quantity: line.quantity, isAdded: true })
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      notAdded.push({ text: formatItem(line), reason: error.message })
    }
  return { added: wanted.length - notAdded.length, notAdded }
}
