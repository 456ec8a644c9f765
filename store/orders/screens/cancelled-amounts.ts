import type { Purchase } from '#store/orders/contract.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { costOfFirstPieces } from '#store/orders/order-totals.ts'
import { endsDelivery } from '#store/orders/statuses.ts'
import type { DisplayedOrder } from './displayed-order.ts'

/* What an admin cancels of a line, as the form says it before. */

/** Whether something of a line can be cancelled: it is not paid, or something of it is left to send. */
export const canCancelLine = (order: Purchase, line: OrderLine): boolean =>
  order.state === 'open' || line.toSend > 0 || (order.refundable.cents > 0 && line.sent === 0)

/** The pieces of a paid line that are cancelled: all of it or, where some were sent, those that are left to send. */
export const cancelledPieces = (order: Purchase, line: OrderLine | undefined): number =>
  Math.min(order.refundable.pieces, line && line.sent > 0 ? line.toSend : order.refundable.pieces)

/** What goes back to the buyer's card in cents when a paid line is cancelled, and how much of it for the delivery. */
export function cancelledCents(order: Purchase, whole: DisplayedOrder): { back: number; delivery: number } {
  const line = whole.lines.find(({ _id }) => _id === order._id)
  if (line && line.sent > 0) {
    const cost = costOfFirstPieces(line, line.refundedPieces + line.toSend) - line.refundedCents
    return { back: Math.min(order.refundable.cents, Math.max(0, cost)), delivery: 0 }
  }
  const delivery = endsDelivery(whole, order._id) ? whole.refundableDeliveryCents : 0
  return { back: Math.min(order.refundable.cents + delivery, whole.refundable.cents), delivery }
}

/** Of what was sent in part, the rest is cancelled. */
export function cancelWords(order: Purchase, whole: DisplayedOrder, isPart: boolean) {
  const isRest = (lineOf(order, whole)?.sent ?? 0) > 0
  if (isRest)
    return {
      heading: isPart ? 'Cancel the rest of this line' : 'Cancel the rest',
      button: 'Cancel the rest',
      question: `Cancel the rest of ${isPart ? 'this line of ' : ''}order ${order.number}?`,
    }
  return isPart
    ? { heading: 'Cancel this line', button: 'Cancel this line', question: `Cancel this line of order ${order.number}?` }
    : { heading: 'Cancel', button: 'Cancel order', question: `Cancel order ${order.number}?` }
}

export const lineOf = ({ _id }: Purchase, { lines }: DisplayedOrder) => lines.find((line) => line._id === _id)
