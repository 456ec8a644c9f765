import type { Database } from '#platform/database.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import { costOfFirstPieces } from '#store/orders/order-totals.ts'
import type { NewRefundLine } from '#store/orders/payments/refund-lines.ts'
import { refundOfDelivery } from '#store/orders/payments/refund-plans.ts'
import type { RefundRequest } from '#store/orders/payments/refunds.ts'
import type { OrderRow } from '#store/orders/rules.ts'

type Plan = RefundRequest['plan']

/**
 * What returned pieces of lines have cost, less what went back of their lines before; empty where that is nothing. They cancel nothing, and what of
 * them goes into stock does so at once.
 * @param pieces by the id of the line of the order
 */
export const refundOfReturned =
  (pieces: Map<string, number>, { delivery }: { delivery: boolean }): Plan =>
  (order) => {
    let left = order.refundable.cents
    const planned = order.lines.flatMap((line): NewRefundLine[] => {
      const quantity = Math.min(pieces.get(line._id) ?? 0, line.quantity - line.refundedPieces)
      const due = costOfFirstPieces(line, line.refundedPieces + quantity) - line.refundedCents
      const amountCents = Math.max(0, Math.min(due, line.refundable.cents, left))
      left -= amountCents
      return amountCents > 0 ? [{ orderLineId: line._id, amountCents, pieces: quantity, returned: quantity }] : []
    })
    const ofLines = order.refundable.cents - left
    return [...planned, ...(delivery ? refundOfDelivery(order, ofLines) : [])]
  }

/** What a plan gives back of an order that the caller has locked; nothing of one whose money has all gone back. */
export const findReturnedMoney = async (tx: Database, order: OrderRow, plan: Plan): Promise<NewRefundLine[]> =>
  order.isPaid ? plan(await findOrderById(tx, order._id)) : []
