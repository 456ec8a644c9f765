import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { instantSql } from '#platform/instant-sql.ts'
import { endOfShopDay, shopDay } from '#shared/shop-day.ts'
import type { User } from '#store/identity/contract.ts'
import { type AttentionReason, eventsNeedingAttention, type OrderHistoryEntry } from './contract.ts'
import { appendEvent, listHistory } from './order-history.ts'
import { isBeingCheckedSql } from './purchase-status-sql.ts'
import { lockOrder } from './rules.ts'
import { orderHistory, orders, refunds } from './table.ts'

const isUnpaid = sql`${orders.orderStatus} = 'open' and ${orders.paymentStatus} <> 'checking'`

/** Whether no admin has acknowledged the order's problems since this event. */
const isUnacknowledged = sql`not exists (select from ${orderHistory} later
  where later.order_id = ${orderHistory.orderId} and later.event = 'looked at' and later.id > ${orderHistory._id})`

/** In the shop's time zone. Asked for whenever a statement is built. */
const endOfToday: SQLWrapper = { getSQL: () => instantSql(endOfShopDay(shopDay(new Date()))) }

/** Conditions on `orders`. */
export const attentionConditions: Record<AttentionReason, SQL> = {
  'hold ends today': sql`${isUnpaid} and ${orders.holdUntil} < ${endOfToday}`,
  'card declined': sql`${isUnpaid} and exists (select from ${orderHistory}
    where ${orderHistory.orderId} = ${orders._id} and ${orderHistory.event} = 'card declined')`,
  'to be looked at': sql`exists (select from ${orderHistory} where ${orderHistory.orderId} = ${orders._id}
    and ${orderHistory.event} in (${sql.raw(eventsNeedingAttention.map((event) => `'${event}'`).join())}) and ${isUnacknowledged})`,
  'refund under way': sql`exists (select from ${refunds}
    where ${refunds.orderId} = ${orders._id} and ${refunds.state} in ('asked', 'pending'))`,
}

/** How many orders, and their total cost in the store's currency. */
type OrderCount = { orders: number; cost: number }

/**
 * How many orders have each attention reason, and how many open orders are `unpaid`, or `checking`: the card provider has yet to confirm
 * their payment.
 */
export async function countOrdersNeedingAttention(db: Database): Promise<Record<AttentionReason | 'unpaid' | 'checking', OrderCount>> {
  const count = async (which: SQL): Promise<OrderCount> => {
    const [found] = await db
      .select({
        orders: sql<number>`count(*)::integer`,
        cost: sql`coalesce(sum(${orders.totalCents}), 0)`.mapWith((cents) => Number(cents) / 100),
      })
      .from(orders)
      .where(which)
    return found ?? { orders: 0, cost: 0 }
  }
  return {
    'hold ends today': await count(attentionConditions['hold ends today']),
    'card declined': await count(attentionConditions['card declined']),
    'to be looked at': await count(attentionConditions['to be looked at']),
    'refund under way': await count(attentionConditions['refund under way']),
    unpaid: await count(isUnpaid),
    checking: await count(isBeingCheckedSql),
  }
}

/**
 * Records that an admin has looked at what went wrong with an order.
 * @returns the order's history, with the new event
 * @throws {HttpError} 404 no such order; 409 nothing to acknowledge, or another admin did it first
 */
export function acknowledgeOrderProblems(db: Database, admin: User, orderId: string): Promise<OrderHistoryEntry[]> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const [waiting] = await tx
      .select({ _id: orders._id })
      .from(orders)
      .where(sql`${eq(orders._id, orderId)} and ${attentionConditions['to be looked at']}`)
    if (!waiting) throw new HttpError(409, 'There is nothing to look at any more', undefined, { code: 'nothing_to_acknowledge' })
    await appendEvent(tx, order, { event: 'looked at', doer: { actor: 'admin', userId: admin.id } })
    return listHistory(tx, admin, orderId)
  })
}
