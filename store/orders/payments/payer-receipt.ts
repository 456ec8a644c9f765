import { and, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { payerIdSql } from '#store/orders/order-queries.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import { orderHistory, orders, payments } from '#store/orders/table.ts'

/**
 * Sends the receipt of a paid order to the member of the buyer's company who has paid it, too, once: where it becomes known who that was.
 * @param order locked by the caller
 * @returns whether it is due
 */
export async function mailReceiptToPayer(tx: Database, order: OrderRow): Promise<boolean> {
  if (order.companyId === null) return false
  const isTold = sql`exists (select from ${orderHistory} where ${orderHistory.orderId} = ${orders._id} and ${orderHistory.event} = 'receipt to payer')`
  const [payment] = await tx
    .select({ payerId: payerIdSql })
    .from(orders)
    .innerJoin(payments, eq(payments._id, orders.paymentId))
    .where(and(eq(orders._id, order._id), eq(orders.isPaid, true), ne(payerIdSql, orders.buyerId), sql`not ${isTold}`))
  if (!payment) return false
  await appendEvent(tx, order, { event: 'receipt to payer', doer: { actor: 'buyer', userId: payment.payerId }, mail: true })
  return true
}
