import { type SQL, sql } from 'drizzle-orm'
import { lineRefundedCents, unsentOfLine } from '#store/orders/line-refunds.ts'
import { orderLines, orders, refundLines, refunds } from '#store/orders/table.ts'

/**
 * The pieces of a line of a paid order that are still to be sent: neither sent, nor cancelled, nor back in stock, and no refund of them is on its
 * way. Of a line whose money has all gone back nothing is. Stays correct until the transaction ends if the caller has locked the order.
 */
export const leftToSend: SQL<number> = sql<number>`case
  when ${orders.orderStatus} <> 'placed' or not ${orders.isPaid} or ${orderLines.isReleased} then 0
  when ${orderLines.chargedCents} > 0 and ${lineRefundedCents} = ${orderLines.chargedCents} then 0
  else greatest(0, ${orderLines.quantity} - ${orderLines.sent} - unsent_for_good(
    ${orderLines.cancelled} + ${unsentOfLine(sql`${refundLines.pieces} - ${refundLines.returned}`)}::integer,
    ${orderLines.restocked} + ${unsentOfLine(sql`${refundLines.restock}`)}::integer, ${orderLines.returnedRestocked})) end::integer`

/**
 * Whether something of an order is left to send. Its lines are looked at where there was a refund, without which no paid piece is cancelled or
 * back in stock: a list of thousands of orders reads no line of the others.
 */
export const hasLeftToSend: SQL = sql`(${orders.orderStatus} = 'placed' and ${orders.isPaid}
  and ${orders.fulfilmentStatus} in ('to_send', 'partly_sent')
  and (not exists (select from ${refunds} where ${refunds.orderId} = ${orders._id})
    or exists (select from ${orderLines} where ${orderLines.orderId} = ${orders._id} and ${leftToSend} > 0)))`
