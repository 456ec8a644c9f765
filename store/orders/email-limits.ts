import { and, eq, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { maxMailTries } from '#platform/mail-queue.ts'
import { isWithinRateLimit } from '#platform/rate-limits.ts'
import { orderDetails } from './details/table.ts'
import { isReplacement, replacedMailDelayMinutes } from './order-history.ts'
import { orderHistory, orders, payments } from './table.ts'
import { withdrawals } from './withdrawals/table.ts'

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
  /** the account that has paid it, where that is known */
  payerId: string | null
  /** whether the buyer's address is verified */
  verified: boolean
  /** who has done it, where that was an account */
  doerName: string | null
  /** where to, where that was an account with a verified address that is of the order's company still */
  memberEmail: string | null
  /** of the address that the email goes to, whatever its spelling */
  mailbox: string
  /** where the receipt of a withdrawal goes; null: it is another email */
  receiptEmail: string | null
}

/**
 * Counts an email to an unverified address once, at its first attempt and in the transaction that sends it, so that a crash counts nothing.
 * A buyer who has paid gets every email about the order.
 */
export async function isSendingAllowed(db: Database, due: DueEmail): Promise<boolean> {
  const { line, order, payment, verified, mailbox, memberEmail, receiptEmail } = due
  if (line.event === 'receipt to payer') return memberEmail !== null
  if (isReplacement(line) && (await findMailOfNextOrder(db, order)) === 'sent') return false
  const isVerified = verified && (receiptEmail === null || receiptEmail === order.buyerEmail)
  if (isVerified || payment?.state === 'succeeded') return true
  const isGuest = order.buyerId === null
  const network = isGuest && order.placedFromNetwork
  const isWithinLimits = async () =>
    line.mailTries > 0 ||
    ((!network || (await isWithinRateLimit(db, `order mail to guests from ${network}`, unverifiedAddressLimit))) &&
      (await isWithinRateLimit(db, `order mail to ${mailbox}`, unverifiedAddressLimit)))
  if (receiptEmail !== null) return !(await isRefusedAddress(db, receiptEmail)) && isWithinLimits()
  if (isGuest && order.emailConfirmedAt !== null) return true // they have opened the link of an earlier one
  if (isGuest && line.event !== 'placed') return false
  if (await isRefusedAddress(db, order.buyerEmail)) return false
  if (!isGuest && line.event === 'placed' && (await hasConfirmedOrder(db, order.buyerEmail))) return false
  return isWithinLimits()
}

/**
 * Drops an email that must not be sent, and with it the confirmations of the account's other unpaid orders that are due: what stops one stops
 * each of them. An account that places hundreds of orders would otherwise keep the mails of others waiting, a transaction for each.
 */
export async function dropEmail(db: Database, { line, order }: DueEmail): Promise<void> {
  const isLikeThis = and(
    eq(orderHistory.event, 'placed'),
    eq(orderHistory.mailTries, 0),
    lte(orderHistory.mailDueAt, sql`now()`),
    eq(orders.buyerId, sql`${order.buyerId}`), // a guest's is dropped alone
    eq(orders.buyerEmail, order.buyerEmail),
    sql`${payments.state} is distinct from 'succeeded'`,
  )
  const dropped = db
    .select({ id: orderHistory._id })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .where(line.event === 'placed' ? or(eq(orderHistory._id, line._id), isLikeThis) : eq(orderHistory._id, line._id))
    .for('update', { of: orderHistory, skipLocked: true })
  await db.update(orderHistory).set({ mailDueAt: null, mailTries: 0 }).where(inArray(orderHistory._id, dropped))
}

/** What has become of the mail about the order that has replaced this one, which says so; undefined: none is sent, or it was given up. */
async function findMailOfNextOrder(db: Database, { _id }: DueEmail['order']): Promise<'sent' | 'due' | undefined> {
  const [mail] = await db
    .select({ mailedAt: orderHistory.mailedAt })
    .from(orderDetails)
    .innerJoin(orderHistory, and(eq(orderHistory.orderId, orderDetails.replacedBy), eq(orderHistory.event, 'placed')))
    .where(and(eq(orderDetails.orderId, _id), or(isNotNull(orderHistory.mailedAt), isNotNull(orderHistory.mailDueAt))))
  return mail && (mail.mailedAt === null ? 'due' : 'sent')
}

/** Has the mail about a replaced order wait on while that about the new one, which says the same, is due. @returns whether it does */
export async function waitForMailOfNextOrder(db: Database, { line, order }: DueEmail): Promise<boolean> {
  if (!isReplacement(line) || (await findMailOfNextOrder(db, order)) !== 'due') return false
  const mailDueAt = sql`now() + make_interval(mins => ${replacedMailDelayMinutes})`
  await db.update(orderHistory).set({ mailDueAt }).where(eq(orderHistory._id, line._id))
  return true
}

/** Whether an email about an order was refused for good: it was given up before its last try. */
async function isRefusedAddress(db: Database, buyerEmail: string): Promise<boolean> {
  const isGivenUp = and(
    isNull(orderHistory.mailDueAt),
    isNull(orderHistory.mailedAt),
    sql`${orderHistory.mailTries} > 0`, // not a parameter, with which it would not match the partial index `order_history_of_refused_mails`
    lt(orderHistory.mailTries, maxMailTries),
    ne(orderHistory.event, 'receipt to payer'), // which went to another address, as have receipts of withdrawals
    sql`not exists (select from ${withdrawals} where ${withdrawals.eventId} = ${orderHistory._id} and ${withdrawals.email} <> ${buyerEmail})`,
  )
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
