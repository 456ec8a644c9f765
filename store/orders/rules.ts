import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import { lockBuyerForPlacing } from './buyer-limits.ts'
import { appendEvent, type EventActor, type NewEvent } from './order-history.ts'
import { orderNotFoundError } from './order-queries.ts'
import { hasLeft, type OrderStatus } from './statuses.ts'
import { orderLines, orders } from './table.ts'

export type OrderRow = typeof orders.$inferSelect
export type LineRow = typeof orderLines.$inferSelect

/** Locks the order's row until the transaction ends. To avoid deadlocks, orders are always locked before their payments. */
export async function lockOrder(tx: Database, id: string): Promise<OrderRow> {
  const [order] = await tx.select().from(orders).where(eq(orders._id, id)).for('update')
  if (!order) throw orderNotFoundError()
  return order
}

/** The lines of an order, by position. Whoever changes lines has locked their order. */
export const findOrderLines = (tx: Database, orderId: string): Promise<LineRow[]> =>
  tx.select().from(orderLines).where(eq(orderLines.orderId, orderId)).orderBy(asc(orderLines.position))

/**
 * Changes the status of an order that the caller has locked, and appends the event.
 * @throws when the step is not in `allowedStatusChanges`: a database trigger rejects it
 */
export async function changeOrderStatus(tx: Database, order: OrderRow, to: OrderStatus, newEvent: NewEvent): Promise<OrderRow> {
  const [updated] = await tx.update(orders).set({ orderStatus: to }).where(eq(orders._id, order._id)).returning()
  if (!updated) throw new Error(`Order ${order.number} went away while it was locked`)
  await appendEvent(tx, updated, newEvent)
  return updated
}

/**
 * Appends an event to an order after its lines have changed, as to which its fulfilment status has followed them. A paid order of which nothing is
 * left to send, though something was sent, is completed by it.
 */
export async function appendEventOrComplete(tx: Database, orderId: string, newEvent: NewEvent): Promise<void> {
  const order = await lockOrder(tx, orderId)
  const isPaidUp = order.paymentStatus !== 'partly_paid' || order.paymentMethod === 'on_account'
  const isDone = order.orderStatus === 'placed' && hasLeft(order.fulfilmentStatus) && isPaidUp
  if (isDone) await changeOrderStatus(tx, order, 'completed', newEvent)
  else await appendEvent(tx, order, newEvent)
}

/** Pieces of one line that go back into stock. */
type LineRestock = { line: LineRow; pieces: number }

/**
 * Restocks pieces of lines of a locked order.
 * @param reason `release`: the order was not paid
 */
export async function restockLines(
  tx: Database,
  restocks: LineRestock[],
  reason: 'release' | 'restock',
  { userId }: EventActor,
): Promise<void> {
  // By product, as orders lock products when they are placed.
  for (const { line, pieces } of restocks.toSorted((a, b) => (a.line.toolId < b.line.toolId ? -1 : 1))) {
    if (pieces === 0) continue
    await tx
      .update(orderLines)
      .set({ restocked: sql`${orderLines.restocked} + ${pieces}` })
      .where(eq(orderLines._id, line._id))
    await catalogue.restockProduct(tx, { toolId: line.toolId, pieces, reason, orderLineId: line._id, userId })
  }
}

/** Restocks what lines of an order still have, and changes its status. */
export async function endOrderInBooks(tx: Database, order: OrderRow, to: 'expired' | 'cancelled', newEvent: NewEvent): Promise<OrderRow> {
  const lines = await findOrderLines(tx, order._id)
  await restockLines(
    tx,
    lines.map((line) => ({ line, pieces: line.quantity - line.restocked })),
    'release',
    newEvent.doer,
  )
  return changeOrderStatus(tx, order, to, newEvent)
}

/**
 * Ends the holds of the open orders of a buyer whose account is removed. `endOverdueOrders` then cancels the orders and restocks their
 * pieces. An order that is being placed concurrently is included, and no order can be placed after it.
 * @param tx the transaction that removes the account
 */
export async function endBuyerHolds(tx: Database, buyerId: string): Promise<void> {
  await lockBuyerForPlacing(tx, buyerId)
  const open = tx
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.buyerId, buyerId), eq(orders.orderStatus, 'open')))
    .orderBy(asc(orders._id))
    .for('update')
  await tx.update(orders).set({ holdUntil: sql`now()` }).where(inArray(orders._id, open))
}
