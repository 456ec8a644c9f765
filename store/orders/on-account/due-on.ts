import { type SQL, sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'

/** The day on which the invoice of a parcel is due that is sent today; null of an order that is not on account. */
export const dueOnSql = (orderId: string): SQL =>
  sql`(select ${shopDay(new Date())}::date + due_days from account_orders where order_id = ${orderId})`
