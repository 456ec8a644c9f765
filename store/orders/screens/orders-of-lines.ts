import type { Purchase, PurchaseListItem } from '#store/orders/contract.ts'
import { type PurchaseStatus, purchaseStatusOf } from '#store/orders/statuses.ts'

/** An order as the specification's calls tell of it: by its lines, which stand one after the other in their lists. */
export type OrderOfLines = { number: number; first: PurchaseListItem; lines: PurchaseListItem[] }

/** The orders that these lines are of, in the order of the lines. */
export function ordersOfLines(lines: PurchaseListItem[]): OrderOfLines[] {
  const orders = new Map<number, OrderOfLines>()
  for (const line of lines) {
    const order = orders.get(line.number)
    if (order) order.lines.push(line)
    else orders.set(line.number, { number: line.number, first: line, lines: [line] })
  }
  return [...orders.values()]
}

/** The order is as its lines that go on are; where none does, refunded if the money of one has gone back without being cancelled. */
const byWeight: readonly PurchaseStatus[] = ['open', 'checking', 'paid', 'expired', 'refunded', 'cancelled']

export function statusOfOrder({ lines }: Pick<OrderOfLines, 'lines'>): PurchaseStatus {
  const statuses = new Set(lines.map(purchaseStatusOf))
  return byWeight.find((status) => statuses.has(status)) ?? 'cancelled'
}

/** The order in the form of one of its lines: in the status of the whole, with all its pieces, cost and refunds, without what was cancelled while unpaid. */
export function wholeOf(order: OrderOfLines): PurchaseListItem {
  const status = statusOfOrder(order)
  const shown = order.lines.find((line) => purchaseStatusOf(line) === status) ?? order.first
  const counted = status === 'cancelled' ? order.lines : order.lines.filter(isCounted)
  const sum = (of: (line: Purchase) => number) => counted.reduce((total, line) => total + of(line), 0)
  return {
    ...shown,
    productQuantity: sum(({ productQuantity }) => productQuantity),
    productCost: Math.round(sum(({ productCost }) => productCost * 100)) / 100,
    refundedCents: order.first.orderRefundedCents ?? sum(({ refundedCents }) => refundedCents),
  }
}

/** What was cancelled before its order was paid is no part of it. */
const isCounted = ({ state, transectionId }: Purchase): boolean => state !== 'cancelled' || transectionId !== null
