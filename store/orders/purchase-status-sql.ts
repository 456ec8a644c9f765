import { sql } from 'drizzle-orm'
import type { PurchaseStatus } from './statuses.ts'
import { orderLines, orders } from './table.ts'

/** Whether the buyer says that an order is paid, and the card provider is still to be asked. A condition on `orders`. */
export const isBeingCheckedSql = sql`${orders.orderStatus} = 'open' and ${orders.paymentStatus} = 'checking'`

/** `purchaseStatusOf` of an order as a whole, of columns of `orders`. */
export const wholeOrderStatusSql = sql<PurchaseStatus>`case
  when ${isBeingCheckedSql} then 'checking'
  when ${orders.orderStatus} in ('open', 'expired', 'cancelled') then ${orders.orderStatus}
  when ${orders.paymentStatus} = 'refunded' then 'refunded'
  else 'paid' end`

/** `purchaseStatusOf` of a line, of columns of `orders` and `order_lines`. */
export const purchaseStatusSql = sql<PurchaseStatus>`case
  when ${orderLines.cancelled} = ${orderLines.quantity} then 'cancelled'
  when ${isBeingCheckedSql} then 'checking'
  when ${orders.orderStatus} in ('open', 'expired', 'cancelled') then ${orders.orderStatus}
  when ${orders.paymentStatus} = 'refunded' or (${orderLines.chargedCents} > 0 and ${orderLines.refundedCents} = ${orderLines.chargedCents}) then 'refunded'
  else 'paid' end`
