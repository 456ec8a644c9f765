import { and, between, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { maxMailTries } from '#platform/mail-queue.ts'
import { isWithinRateLimit } from '#platform/rate-limits.ts'
import { orderHistory, orders, type payments } from './table.ts'

/**
 * Emails about unpaid orders to an unverified address: one order confirmation ever, and this many emails of any kind to its mailbox, including it. More
 * would let a stranger flood somebody's mailbox with text that they type into orders. Of a guest's unpaid order one email is sent, with its link
 * alone, and all guests of a network have as many of them as one mailbox: they can make up any number of addresses.
 */
const unverifiedAddressLimit = { max: 3, seconds: 24 * 3600 }

/** After the mail server has refused an unverified address for good, no email about an unpaid order is sent to it for this long. */
const refusedAddressDays = 30

export type DueEmail = {
  line: typeof orderHistory.$inferSelect
  order: typeof orders.$inferSelect
  payment: typeof payments.$inferSelect | null
  /** whether the buyer's address is verified */
  verified: boolean
  /** of the buyer's address, whatever its spelling */
  mailbox: string
}

/**
 * Counts an email to an unverified address once, at its first attempt and in the transaction that sends it, so that a crash counts nothing.
 * A buyer who has paid gets every email about the order.
 */
export async function isSendingAllowed(db: Database, { line, order, payment, verified, mailbox }: DueEmail): Promise<boolean> {
  if (verified || payment?.state === 'succeeded') return true
  const isGuest = order.buyerId === null
  if (isGuest && line.event !== 'placed') return false
  if (await isRefusedAddress(db, order.buyerEmail)) return false
  if (!isGuest && line.event === 'placed' && (await hasConfirmedOrder(db, order.buyerEmail))) return false
  if (line.mailTries > 0) return true
  const network = isGuest && order.placedFromNetwork
  if (network && !(await isWithinRateLimit(db, `order mail to guests from ${network}`, unverifiedAddressLimit))) return false
  return isWithinRateLimit(db, `order mail to ${mailbox}`, unverifiedAddressLimit)
}

/** Whether an email about an order was refused for good: it was given up before its last try. */
async function isRefusedAddress(db: Database, buyerEmail: string): Promise<boolean> {
  const isGivenUp = and(isNull(orderHistory.mailDueAt), isNull(orderHistory.mailedAt), between(orderHistory.mailTries, 1, maxMailTries - 1))
  const [found] = await db
    .select({ number: orders.number })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .where(
      and(eq(orders.buyerEmail, buyerEmail), isGivenUp, sql`${orderHistory.at} > now() - make_interval(days => ${refusedAddressDays})`),
    )
    .limit(1)
    .prepare('refused_address')
    .execute()
  return found !== undefined
}

/** Whether an order of an account with this e-mail was confirmed: those of guests may be of anybody who has typed it. */
async function hasConfirmedOrder(db: Database, buyerEmail: string): Promise<boolean> {
  const confirmed = and(
    eq(orders.buyerEmail, buyerEmail),
    isNotNull(orders.buyerId),
    eq(orderHistory.event, 'placed'),
    isNotNull(orderHistory.mailedAt),
  )
  const [found] = await db
    .select({ number: orders.number })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .where(confirmed)
    .limit(1)
    .prepare('confirmed_order')
    .execute()
  return found !== undefined
}
