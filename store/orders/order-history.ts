import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { users } from '#store/identity/table.ts'
import { isVisibleSql, type Viewer } from './buyer.ts'
import { type Actor, buyerVisibleEvents, eventsWithBuyerReason, type OrderEvent, type OrderHistoryEntry } from './contract.ts'
import { orderDetails } from './details/table.ts'
import { orderNotFoundError, paidBy } from './order-queries.ts'
import { type OrderStatuses, purchaseState } from './statuses.ts'
import { orderHistory, orders, payments } from './table.ts'

export type EventActor = { actor: Actor; userId?: string | null }
export type NewEvent = {
  event: OrderEvent
  doer: EventActor
  note?: string | null
  amountCents?: number
  items?: string
  mail?: boolean
  mailDelayMinutes?: number | undefined
}

/** Writes an event of the order's history. With `mail` the buyer gets an email about it. @param items the part of the order that it is about */
export async function appendEvent(
  tx: Database,
  order: OrderStatuses & { _id: string },
  { event, doer, note, amountCents, items, mail, mailDelayMinutes = 0 }: NewEvent,
): Promise<void> {
  await tx.insert(orderHistory).values({
    orderId: order._id,
    event,
    state: purchaseState(order),
    orderStatus: order.orderStatus,
    actor: doer.actor,
    userId: doer.userId,
    note,
    amountCents,
    items,
    ...(mail && { mailDueAt: sql`now() + make_interval(mins => ${mailDelayMinutes})` }),
  })
}

/** The id of the newest event of an order that the caller has locked. */
export const lastEventOf = (orderId: string) =>
  sql<number>`(select max(id) from ${orderHistory} where ${orderHistory.orderId} = ${orderId})`

/**
 * An order's history, oldest first: all events for an admin, `buyerVisibleEvents` for its buyer.
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function listHistory(db: Database, viewer: Viewer, orderId: string): Promise<OrderHistoryEntry[]> {
  const isAdmin = viewer.role === 'admin'
  const entries = await db
    .select({
      event: orderHistory.event,
      state: orderHistory.state,
      at: orderHistory.at,
      actor: orderHistory.actor,
      by: sql<string | null>`coalesce(${users.email}, case when ${orderHistory.actor} = 'buyer' then ${orders.buyerEmail}
        when ${orderHistory.event} = 'paid' then ${paidBy} ->> 'email' end)`, // a guest has no account
      buyerEmail: orders.buyerEmail,
      note: orderHistory.note,
      amountCents: orderHistory.amountCents,
      items: orderHistory.items,
      mail: sql<OrderHistoryEntry['mail']>`case when ${orderHistory.mailedAt} is not null then 'sent'
        when ${orderHistory.mailDueAt} is not null then 'due' when ${orderHistory.mailTries} > 0 then 'failed' else 'none' end`,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .leftJoin(users, eq(users.id, orderHistory.userId))
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .where(
      and(eq(orderHistory.orderId, orderId), isVisibleSql(viewer), isAdmin ? undefined : inArray(orderHistory.event, buyerVisibleEvents)),
    )
    .orderBy(asc(orderHistory._id))
  if (entries.length === 0) throw orderNotFoundError()
  const replacedBy = entries.some(isReplacement) ? await findReplacement(db, orderId, isVisibleSql(viewer)) : null
  return entries.map(({ buyerEmail, ...entry }) => ({
    ...(isAdmin ? entry : toBuyerHistoryEntry(entry, buyerEmail)),
    ...(isReplacement(entry) && { replacedBy }),
  }))
}

/** The note in the history of an order that its basket has replaced. Such orders are found by this text, so it must not change. */
export const replacedNote = 'You have ordered your basket anew'

/** How long its mail waits for that of the new order, which says it too. */
export const replacedMailDelayMinutes = 5

export const isReplacement = ({ event, actor, note }: Pick<OrderHistoryEntry, 'event' | 'actor' | 'note'>): boolean =>
  event === 'cancelled' && actor === 'buyer' && note === replacedNote

/** The order of the same basket that has taken the place of this one. @param isVisible whether the viewer may see it, who else is told no more than its number */
export async function findReplacement(
  db: Database,
  orderId: string,
  isVisible: SQL,
): Promise<{ _id: string | null; number: number } | null> {
  const [next] = await db
    .select({ _id: sql<string | null>`case when ${isVisible} then ${orders._id} end`, number: orders.number })
    .from(orderDetails)
    .innerJoin(orders, eq(orders._id, orderDetails.replacedBy))
    .where(eq(orderDetails.orderId, orderId))
  return next ?? null
}

/** Removes admins' e-mail addresses and the notes that are for admins. Who has acted as the buyer is the buyer, or of the same company. */
const toBuyerHistoryEntry = (entry: OrderHistoryEntry, email: string): OrderHistoryEntry => ({
  ...entry,
  by: entry.by === email || entry.actor === 'buyer' || entry.event === 'paid' ? entry.by : null,
  note: eventsWithBuyerReason.has(entry.event) ? entry.note : null,
})
