import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { tooManyRequestsError } from '#platform/rate-limits.ts'
import { users } from '#store/identity/table.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { orderNotFoundError } from '#store/orders/order-queries.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import { orderHistory, orders, payments } from '#store/orders/table.ts'
import { type CardProvider, callProviderForEach } from './card-provider.ts'
import type { ShownDeclineWait } from './contract.ts'
import { cancelIntent } from './end-order.ts'
import { findPayment } from './settle.ts'

/**
 * After this many declined cards within the window, the order, every order of the buyer, or every order from the network cannot be paid
 * until the window has passed. The limits of a network are for buyers who have never paid: new accounts cost nothing, and would otherwise
 * bring ten more cards each. `perUnverifiedNetwork` counts and stops those whose e-mail is not verified, `perNetwork` verified ones too,
 * since whoever has a domain can verify any number of accounts. A guest is a buyer without a verified e-mail who has never paid.
 */
const declineLimits = { perOrder: 5, perBuyer: 10, perUnverifiedNetwork: 20, perNetwork: 60, windowSeconds: 3600 }

type OrderNetworks = Pick<OrderRow, 'network' | 'placedFromNetwork' | 'buyerId'>
/** What of an order is looked at. */
type PaidOrder = OrderNetworks & Pick<OrderRow, '_id'>

/** Whose declines an order waits for, and the seconds until a card may be tried again. */
type DeclineWait = { of: keyof typeof declineRefusals; seconds: number }

const networkRefusal = 'Too many cards were declined in your network'
const declineRefusals = {
  order: { what: 'Too many cards were declined for this order', nextSteps: '' },
  buyer: { what: 'Too many cards were declined for your orders, so none of them can be paid now', nextSteps: '' },
  network: { what: networkRefusal, nextSteps: '. Or order from another network, or write to us.' },
  'unverified network': { what: networkRefusal, nextSteps: ', or verify your e-mail' },
  'network of guests': { what: networkRefusal, nextSteps: ', or order with an account whose e-mail is verified' },
}

/**
 * Many declines suggest card testing with stolen cards: after too many of them the order, the buyer or the network has to wait.
 * @throws {HttpError} 429, with the time to wait
 */
export async function assertDeclineLimit(tx: Database, order: PaidOrder): Promise<void> {
  const wait = await findDeclineWait(tx, order)
  if (!wait) return
  const { what, nextSteps } = declineRefusals[wait.of]
  const { message, status, retryAfterSeconds } = tooManyRequestsError(what, wait.seconds)
  throw new HttpError(status, `${message}${nextSteps}`, undefined, { ...(retryAfterSeconds && { retryAfterSeconds }) })
}

/** The wait of an order after declined cards, by the first limit that is reached; undefined when a card may be tried now. */
async function findDeclineWait(db: Database, order: PaidOrder): Promise<DeclineWait | undefined> {
  const own = await ownDeclineWait(db, order)
  if (own.seconds > 0) return own
  const network = await networkWaitSeconds(db, order)
  if (network > 0) return { of: 'network', seconds: network }
  const unverified = await unverifiedNetworkWaitSeconds(db, order)
  if (unverified === 0) return undefined
  return { of: order.buyerId === null ? 'network of guests' : 'unverified network', seconds: unverified }
}

/**
 * Until when no card can be tried for an order, for an admin.
 * @throws {HttpError} 404 there is no such order
 */
export async function showDeclineWait(db: Database, orderId: string): Promise<z.output<typeof ShownDeclineWait>> {
  const [order] = await db.select().from(orders).where(eq(orders._id, orderId))
  if (!order) throw orderNotFoundError()
  const wait = order.orderStatus === 'open' ? await findDeclineWait(db, order) : undefined
  if (!wait) return { of: null, seconds: 0 }
  return { of: wait.of === 'order' || wait.of === 'buyer' ? wait.of : 'network', seconds: wait.seconds }
}

const hasNeverPaid = (buyerId: string | null) =>
  sql`not exists (select from orders bought where bought.buyer_id = ${buyerId}::text and bought.is_paid)`

/** Whether this buyer is a guest, or an account that is so. */
const isGuestOr = (buyerId: string | null, condition: SQL) =>
  buyerId === null ? sql`true` : sql`exists (select from ${users} where ${users.id} = ${buyerId} and ${condition})`

/**
 * Seconds until a card may be tried again for an order of a buyer who has never paid, by the declines in the network that it was placed
 * from; 0 when it may be now, or the buyer is not counted: they have paid before, or their limits are lifted (`placedFromNetwork` is null).
 */
async function networkWaitSeconds(db: Database, { placedFromNetwork, buyerId }: OrderNetworks): Promise<number> {
  if (placedFromNetwork === null) return 0
  const isLimited = isGuestOr(buyerId, sql`${users.limitsLiftedAt} is null`)
  // Declines before the buyer's first payment stay counted: a card tester has a card accepted now and then.
  const hadNotPaid = sql`not exists (select from orders bought join payments p on p.id = bought.payment_id
    where bought.buyer_id = ${orders.buyerId} and bought.is_paid and p.settled_at < ${orderHistory.at})`
  return secondsAfterDeclines(
    db,
    declineLimits.perNetwork,
    and(eq(orders.placedFromNetwork, placedFromNetwork), hadNotPaid, isLimited, hasNeverPaid(buyerId)),
  )
}

/**
 * Seconds until a card may be tried again for an order of a buyer without a verified e-mail, by the declines of such buyers in the network;
 * 0 when it may be now, or the buyer is not counted: they have paid before, their limits are lifted, or their e-mail is verified, by now or
 * when they ordered (`network` is null).
 */
async function unverifiedNetworkWaitSeconds(db: Database, { network, buyerId }: OrderNetworks): Promise<number> {
  if (network === null) return 0
  const isUnverified = isGuestOr(buyerId, sql`not ${users.emailVerified} and ${users.limitsLiftedAt} is null`)
  return secondsAfterDeclines(db, declineLimits.perUnverifiedNetwork, and(eq(orders.network, network), isUnverified, hasNeverPaid(buyerId)))
}

/** Seconds until fewer than `limit` of these declines lie in the window; 0 when there are fewer. */
async function secondsAfterDeclines(db: Database, limit: number, isCounted: SQL | undefined): Promise<number> {
  const [last] = await db
    .select({ left: secondsLeft(declineLimits.windowSeconds) })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .where(and(isRecentDecline(orderHistory), isCounted))
    .orderBy(desc(orderHistory.at))
    .offset(limit - 1)
    .limit(1)
  return Math.max(0, last?.left ?? 0)
}

const secondsLeft = (windowSeconds: number) =>
  sql<number>`ceil(extract(epoch from ${orderHistory.at} + make_interval(secs => ${windowSeconds}) - now()))::integer`

const isRecentDecline = ({ event, at }: { event: PgColumn; at: PgColumn }) =>
  and(eq(event, 'card declined'), sql`${at} > now() - make_interval(secs => ${declineLimits.windowSeconds})`)

/** Whether any card was declined lately: without one no order waits. */
export const hasRecentDeclinesSql = sql<boolean>`exists (select from ${orderHistory} where ${isRecentDecline(orderHistory)})`

/** The wait of an order by its own declines or by its buyer's, whichever is longer; 0 seconds when a card may be tried now. */
async function ownDeclineWait(db: Database, { _id, buyerId }: PaidOrder): Promise<DeclineWait> {
  const { windowSeconds } = declineLimits
  const ofBuyer = await db
    .select({
      orderId: orderHistory.orderId,
      left: secondsLeft(windowSeconds),
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .where(and(isRecentDecline(orderHistory), buyerId === null ? eq(orders._id, _id) : eq(orders.buyerId, buyerId)))
    .orderBy(desc(orderHistory.at))
  const ofOrder = ofBuyer.filter(({ orderId }) => orderId === _id)
  const orderSeconds = Math.max(0, ofOrder[declineLimits.perOrder - 1]?.left ?? 0)
  if (buyerId === null) return { of: 'order', seconds: orderSeconds }
  const buyerSeconds = Math.max(0, ofBuyer[declineLimits.perBuyer - 1]?.left ?? 0)
  return buyerSeconds >= orderSeconds ? { of: 'buyer', seconds: buyerSeconds } : { of: 'order', seconds: orderSeconds }
}

/** The fields of a declined payment intent that the store uses. */
export const DeclinedIntent = z.object({
  id: z.string(),
  metadata: z.record(z.string(), z.string()),
  last_payment_error: z
    .object({ code: z.string().optional(), decline_code: z.string().optional(), message: z.string().optional() })
    .nullish(),
})

/**
 * Records a declined card in the order's history, where declines are counted. After too many, the open intents of the buyer, or of the
 * network, have to be cancelled, since their client secrets may be known to others.
 * @param tx the transaction that marks the webhook event as processed, so that each decline counts once
 * @returns a function to call after the commit, which cancels those intents; undefined below the limit
 */
export async function recordCardDecline(
  tx: Database,
  cards: CardProvider,
  intent: z.output<typeof DeclinedIntent>,
): Promise<((db: Database) => Promise<void>) | undefined> {
  const payment = await findPayment(tx, intent)
  if (!payment) return undefined
  const [order] = payment.orderId ? await tx.select().from(orders).where(eq(orders._id, payment.orderId)).for('update') : []
  if (!order) return undefined
  const { code, decline_code, message } = intent.last_payment_error ?? {}
  const note = [decline_code ?? code, message].filter(Boolean).join(': ')
  await appendEvent(tx, order, { event: 'card declined', doer: { actor: 'card provider' }, note })
  if (!(await findDeclineWait(tx, order))) return undefined
  return (db) => cancelIntentsAfterDeclines(db, cards, order)
}

/**
 * Cancels the open intents of orders, buyers and networks with too many declined cards: all of them, or those of the buyer and network of
 * one order. Otherwise each client secret already handed out would allow further attempts.
 */
export async function cancelIntentsAfterDeclines(
  db: Database,
  cards: CardProvider,
  declinedOrder?: Pick<OrderRow, '_id' | 'buyerId' | 'placedFromNetwork'>,
): Promise<void> {
  const [ofDeclined, declined] = [alias(orders, 'of_declined'), alias(orderHistory, 'declined')]
  const suspects = db
    .select({ orderId: ofDeclined._id, buyerId: ofDeclined.buyerId, network: ofDeclined.placedFromNetwork })
    .from(declined)
    .innerJoin(ofDeclined, eq(ofDeclined._id, declined.orderId))
    .where(isRecentDecline(declined))
    .as('suspects')
  const isSuspect = declinedOrder
    ? or(
        eq(orders._id, declinedOrder._id), // the only one that is known of a guest
        declinedOrder.buyerId === null ? undefined : eq(orders.buyerId, declinedOrder.buyerId),
        declinedOrder.placedFromNetwork === null ? undefined : eq(orders.placedFromNetwork, declinedOrder.placedFromNetwork),
      )
    : or(
        inArray(orders._id, db.select({ orderId: suspects.orderId }).from(suspects)),
        inArray(orders.buyerId, db.select({ buyerId: suspects.buyerId }).from(suspects)),
        inArray(orders.placedFromNetwork, db.select({ network: suspects.network }).from(suspects)),
      )
  const open = await db
    .select({ order: orders, intentId: payments.intentId })
    .from(payments)
    .innerJoin(orders, eq(orders.paymentId, payments._id))
    .where(and(eq(payments.state, 'open'), isSuspect))
  await callProviderForEach(open, async ({ order, intentId }) => {
    if (intentId && (await findDeclineWait(db, order))) await cancelIntent(db, cards, intentId, 'fraudulent')
  })
}
