import { and, asc, desc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import Stripe from 'stripe'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { tooMany } from '#platform/limits.ts'
import { Refusal } from '#platform/refusal.ts'
import type { User } from '#store/identity/contract.ts'
import type { OrderState } from '#store/orders/contract.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orderHistory, orders, payments, refunds } from '#store/orders/table.ts'
import { ask, type CardProvider, isKept, isMissing, isUnanswered } from './card-provider.ts'

/** After so many declined cards within the window an order, or all orders of a buyer, can be paid no more until it has passed. */
const declines = { ofOrder: 5, ofBuyer: 10, windowSeconds: 3600 }

type Payment = typeof payments.$inferSelect
type Order = orderBooks.OrderRow

/** What an order that can no longer be paid is, to whoever wants to pay it. */
const whyNotOpen: Record<OrderState, string> = {
  open: 'This order is still open',
  paid: 'This order is paid already',
  packed: 'This order is paid already',
  shipped: 'This order is paid already',
  expired: 'This order has expired: it was not paid in time, and its pieces are back in stock',
  cancelled: 'This order is cancelled',
  refunded: 'The money of this order has gone back',
}
export const refuseEnded = (state: OrderState) => new Refusal(409, whyNotOpen[state])

const isBeingChecked = (cause?: unknown) =>
  new Refusal(503, 'Your payment is being checked. You need not pay again: look here in a minute', undefined, {
    cause,
    retryAfterSeconds: 10,
  })

/**
 * Opens the payment of an order at the card provider, or finds the one that is open. Saved first, asked then: however often this is
 * called, and wherever it breaks off, an order has one open payment, and its id is the provider's idempotency key.
 * @param wish `productCost` in whole dollars is only compared; without `orderId` the buyer's newest unpaid order of that cost is meant
 * @returns the intent's client secret, for the browser's card form
 * @throws {Refusal} 404 not the buyer's order; 409 it is not open, or has another cost; 429 too many cards were declined; 503 the
 *   provider does not answer
 */
export async function open(
  db: Database,
  cards: CardProvider,
  buyer: User,
  wish: { orderId?: string | undefined; productCost: number },
): Promise<string> {
  const orderId = wish.orderId ?? (await newestUnpaid(db, buyer, wish.productCost))
  const payment = await db.transaction(async (tx) => {
    const order = await orderBooks.lock(tx, orderId)
    if (order.buyerId !== buyer.id) throw new Refusal(404, 'There is no such order')
    if (order.productCost !== wish.productCost) throw new Refusal(409, `This order costs $${order.productCost}`)
    if (order.state !== 'open') throw refuseEnded(order.state)
    if (Date.parse(order.holdUntil) <= Date.now()) throw refuseEnded('expired')
    await refuseAfterDeclines(tx, order)

    const [opened] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)) : []
    return opened && opened.state !== 'canceled' ? opened : begin(tx, order)
  })

  const intent = payment.intentId ? await find(cards, payment.intentId) : await createIntent(db, cards, payment, orderId)
  if (!intent) {
    await forget(db, payment)
    return open(db, cards, buyer, { ...wish, orderId })
  }
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
    const standing = await settle(db, cards, intent.id)
    if (standing === 'checking') throw isBeingChecked()
    if (standing === 'canceled') return open(db, cards, buyer, { ...wish, orderId })
    throw refuseEnded('paid')
  }
  if (!intent.client_secret) throw new Error(`The card provider gave no client secret for ${intent.id}`)
  return intent.client_secret
}

/** The intent as it stands; undefined when the provider knows none of that id, as when it was made with other keys: nobody can pay it here. */
const find = (cards: CardProvider, intentId: string): Promise<Stripe.PaymentIntent | undefined> =>
  ask(cards.stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })).catch((error) => {
    if (!isMissing(error)) throw error
    return undefined
  })

const forget = (db: Database, { _id }: Payment) =>
  db
    .update(payments)
    .set({ state: 'canceled', checkingSince: null })
    .where(and(eq(payments._id, _id), eq(payments.state, 'open')))

async function begin(tx: Database, order: Order): Promise<Payment> {
  const [begun] = await tx
    .insert(payments)
    .values({ amountCents: order.productCost * 100 })
    .returning()
  if (!begun) throw new Error('The new payment was not returned')
  await tx.update(orders).set({ paymentId: begun._id }).where(eq(orders._id, order._id))
  return begun
}

async function createIntent(db: Database, cards: CardProvider, payment: Payment, orderId: string) {
  const wish: Stripe.PaymentIntentCreateParams = {
    amount: payment.amountCents,
    currency: payment.currency,
    allowed_payment_method_types: ['card'],
    metadata: { payment_id: payment._id, order_id: orderId },
  }
  const intent = await ask(cards.stripe.paymentIntents.create(wish, { idempotencyKey: payment._id })).catch(async (error) => {
    if (isKept(error)) await forget(db, payment) // the next try begins another payment, which has another key
    throw error
  })
  const noted = await db
    .update(payments)
    .set({ intentId: intent.id })
    .where(and(eq(payments._id, payment._id), eq(payments.state, 'open'), or(isNull(payments.intentId), eq(payments.intentId, intent.id))))
  if (noted.rowCount === 1) return intent
  // The order ended while we asked. Nobody has this intent's secret, so nobody can pay it; it ends as well.
  await ask(cards.stripe.paymentIntents.cancel(intent.id))
  throw new Refusal(409, 'This order has ended meanwhile')
}

/** A card that is tried again and again is somebody else's: after so many declines the order, or the buyer, has to wait. */
async function refuseAfterDeclines(tx: Database, order: Order): Promise<void> {
  const seconds = await secondsToWait(tx, order)
  if (seconds > 0) throw tooMany('Too many cards were declined', seconds)
}

/** How long nobody may try a card for this order; 0 when somebody may. */
async function secondsToWait(db: Database, { _id, buyerId }: Order): Promise<number> {
  const { windowSeconds } = declines
  const ofBuyer = await db
    .select({
      orderId: orderHistory.orderId,
      left: sql<number>`ceil(extract(epoch from ${orderHistory.at} + make_interval(secs => ${windowSeconds}) - now()))::integer`,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .where(
      and(
        eq(orderHistory.event, 'card declined'),
        eq(orders.buyerId, buyerId),
        sql`${orderHistory.at} > now() - make_interval(secs => ${windowSeconds})`,
      ),
    )
    .orderBy(desc(orderHistory.at))
  const ofOrder = ofBuyer.filter(({ orderId }) => orderId === _id)
  return Math.max(0, ofOrder[declines.ofOrder - 1]?.left ?? 0, ofBuyer[declines.ofBuyer - 1]?.left ?? 0)
}

/** How a payment stands: paid, still to be paid, its intent ended, the provider not sure yet, or none of ours. */
export type Standing = 'succeeded' | 'open' | 'canceled' | 'checking' | 'unknown'

/**
 * The only way to paid: asks the provider how this intent stands and brings the books in line. Safe to call any number of times, from the
 * browser's hint, from the provider's events and from the reconciler.
 * Money for an order that is no longer open goes back by itself: the refund is written in the same transaction.
 * @throws {Refusal} 503 the provider does not answer
 */
export async function settle(db: Database, cards: CardProvider, intentId: string): Promise<Standing> {
  const intent = await find(cards, intentId)
  return intent ? db.transaction((tx) => enter(tx, intent)) : 'unknown'
}

const uuid = z.uuid()

async function enter(tx: Database, intent: Stripe.PaymentIntent): Promise<Standing> {
  const payment = await findPayment(tx, intent)
  if (!payment) return 'unknown'
  const meant = uuid.safeParse(intent.metadata.order_id).data // which may have another payment by now
  const concerned = await tx
    .select()
    .from(orders)
    .where(or(eq(orders.paymentId, payment._id), meant ? eq(orders._id, meant) : undefined))
    .orderBy(asc(orders._id))
    .for('update')
  const [held] = await tx.select().from(payments).where(eq(payments._id, payment._id)).for('update')
  if (held?.state === 'succeeded') return 'succeeded'
  const change = (set: Partial<typeof payments.$inferInsert>) => tx.update(payments).set(set).where(eq(payments._id, payment._id))

  if (intent.status === 'canceled') {
    await change({ state: 'canceled', checkingSince: null })
    return 'canceled'
  }
  if (intent.status === 'processing' || intent.status === 'requires_capture') {
    await change({ checkingSince: new Date() })
    return 'checking'
  }
  if (intent.status !== 'succeeded') {
    if (held?.checkingSince) await change({ checkingSince: null })
    return 'open'
  }

  const isAsAsked =
    intent.amount_received === payment.amountCents && intent.currency === payment.currency && intent.metadata.payment_id === payment._id
  if (!isAsAsked) {
    const said = `The card provider took ${intent.amount_received} cents (${intent.currency}) by ${intent.id}, not ${payment.amountCents} cents (${payment.currency}) for the payment ${payment._id}: look at it there`
    for (const order of concerned) await noteOnce(tx, order, said)
    return 'open'
  }

  await change({ state: 'succeeded', intentId: intent.id, settledAt: new Date(), checkingSince: null, card: cardOf(intent) })
  for (const order of concerned) {
    if (order.paymentId === payment._id && order.state === 'open')
      await orderBooks.step(tx, order, 'paid', 0, { event: 'paid', doer: { actor: 'card provider' }, note: intent.id, mail: true })
    else await sendBack(tx, order, payment)
  }
  return 'succeeded'
}

/** By the intent's id, or, where the answer that told it got lost, by the payment that the intent was made for. */
async function findPayment(tx: Database, intent: Pick<Stripe.PaymentIntent, 'id' | 'metadata'>): Promise<Payment | undefined> {
  const [payment] = await tx.select().from(payments).where(eq(payments.intentId, intent.id))
  if (payment) return payment
  const meant = uuid.safeParse(intent.metadata.payment_id).data
  if (!meant) return undefined
  const [unanswered] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments._id, meant), isNull(payments.intentId)))
  return unanswered
}

async function sendBack(tx: Database, order: Order, payment: Payment): Promise<void> {
  const doer = { actor: 'store' } as const
  const { amountCents } = payment
  await orderBooks.note(tx, order, { event: 'late payment', doer, amountCents, note: 'It came after the order had ended and goes back' })
  await tx.insert(refunds).values({ paymentId: payment._id, orderId: order._id, amountCents, restock: 0, endsAs: 'refunded', ...doer })
}

async function noteOnce(tx: Database, order: Order, said: string): Promise<void> {
  const [known] = await tx
    .select({ _id: orderHistory._id })
    .from(orderHistory)
    .where(and(eq(orderHistory.orderId, order._id), eq(orderHistory.note, said)))
  if (!known) await orderBooks.note(tx, order, { event: 'trouble', doer: { actor: 'card provider' }, note: said })
}

function cardOf({ latest_charge: charge }: Stripe.PaymentIntent): string | null {
  const card = charge && typeof charge !== 'string' ? charge.payment_method_details?.card : undefined
  return card ? `${card.brand} ${card.last4}` : null
}

/**
 * The browser's hint that an order was paid with this intent. A hint only: the provider is asked.
 * @throws {Refusal} 404 not the buyer's order; 409 the intent is not this order's, or the order had ended and the money goes back; 402
 *   the provider has not taken the money; 503 it does not say yet: the payment is being checked
 */
export async function record(db: Database, cards: CardProvider, buyer: User, orderId: string, transectionId: string): Promise<void> {
  const [order] = await db
    .select({ paymentId: orders.paymentId, intentId: payments.intentId })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders._id, orderId), eq(orders.buyerId, buyer.id)))
  if (!order) throw new Refusal(404, 'There is no such order')
  if (!order.paymentId || order.intentId !== transectionId) throw new Refusal(409, 'This transaction does not belong to this order')
  const standing = await settle(db, cards, transectionId).catch(async (error) => {
    if (!(error instanceof Refusal)) throw error
    await question(db, order.paymentId ?? '')
    throw isBeingChecked(error)
  })
  if (standing === 'checking') throw isBeingChecked()
  if (standing !== 'succeeded') throw new Refusal(402, 'The card provider has not taken the money for this order')
  const [now] = await db.select({ state: orders.state }).from(orders).where(eq(orders._id, orderId))
  if (now?.state === 'expired' || now?.state === 'cancelled')
    throw new Refusal(409, 'This order had ended before your payment came. Your money goes back by itself')
}

/** The buyer says it is paid and the provider could not be asked: from now on the reconciler asks every minute. */
const question = (db: Database, paymentId: string) =>
  db
    .update(payments)
    .set({ checkingSince: new Date() })
    .where(and(eq(payments._id, paymentId), eq(payments.state, 'open'), isNull(payments.checkingSince)))

/** Settles every payment in question, and closes what too many declined cards have spoiled while the provider could not be asked to. */
export async function settleQuestioned(db: Database, cards: CardProvider): Promise<void> {
  const questioned = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(and(eq(payments.state, 'open'), sql`${payments.checkingSince} is not null`))
    .orderBy(asc(payments.checkingSince))
  await forEachOnItsOwn(questioned, async ({ intentId }) => void (intentId && (await settle(db, cards, intentId))))
  await closeSpoiled(db, cards)
}

/** One that goes wrong does not keep the others from their turn. When the provider is away the rest has to wait: each question would be in vain. */
async function forEachOnItsOwn<Each>(all: Each[], work: (each: Each) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const each of all) {
    await work(each).catch((error) => void errors.push(error))
    if (isUnanswered(errors.at(-1))) break
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, `${errors.length} of ${all.length} failed`)
}

type Ending = { to: 'expired' | 'cancelled'; doer: orderBooks.Doer; note?: string | undefined; mail: boolean }

/**
 * Ends an open order: first its intent at the provider, so that no card can pay it any more, then in the books, where its pieces go back
 * into stock. Whoever pays at the same moment is either faster, and the order is paid, or too late, and nothing is taken.
 * @returns what has become of the order
 * @throws {Refusal} 503 the provider does not answer, or is not sure yet whether it took the money: the order stays open
 */
export async function end(db: Database, cards: CardProvider, orderId: string, ending: Ending): Promise<OrderState> {
  for (;;) {
    const [seen] = await db
      .select({ state: orders.state, payment: payments })
      .from(orders)
      .leftJoin(payments, eq(payments._id, orders.paymentId))
      .where(eq(orders._id, orderId))
    if (!seen) throw new Refusal(404, 'There is no such order')
    if (seen.state !== 'open') return seen.state
    const { payment } = seen
    if (payment?.intentId && payment.state === 'open') {
      const standing = await closeIntent(db, cards, payment.intentId, ending.to === 'expired' ? 'abandoned' : 'requested_by_customer')
      if (standing === 'checking' || standing === 'open') throw isBeingChecked()
      if (standing === 'succeeded') continue
    }

    const ended = await db.transaction(async (tx) => {
      const order = await orderBooks.lock(tx, orderId)
      const [now] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)).for('update') : []
      // Somebody was faster: paid it, ended it, or opened another payment.
      if (order.state !== 'open' || now?._id !== payment?._id || now?.intentId !== payment?.intentId) return undefined
      if (now?.state === 'open') await tx.update(payments).set({ state: 'canceled' }).where(eq(payments._id, now._id))
      const { to, doer, note, mail } = ending
      await orderBooks.step(tx, order, to, order.productQuantity, { event: to, doer, note: note ?? null, mail })
      return to
    })
    if (ended) return ended
  }
}

/** Cancels an intent at the provider, unless it has come to another end, or is none of its; the books then know. */
async function closeIntent(
  db: Database,
  cards: CardProvider,
  intentId: string,
  cancellation_reason: Stripe.PaymentIntentCancelParams.CancellationReason,
): Promise<Standing> {
  try {
    await ask(cards.stripe.paymentIntents.cancel(intentId, { cancellation_reason }))
  } catch (error) {
    if (isMissing(error)) return 'unknown'
    const isOver = error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state'
    if (!isOver) throw error
  }
  return settle(db, cards, intentId)
}

/**
 * Ends every order whose hold is over. What the provider cannot say now is left for the next time, and keeps no other from ending.
 * @returns how many have ended
 */
export async function endHolds(db: Database, cards: CardProvider): Promise<number> {
  const over = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.state, 'open'), lte(orders.holdUntil, sql`now()`)))
    .orderBy(asc(orders.holdUntil))
  let count = 0
  await forEachOnItsOwn(over, async ({ _id }) => {
    const state = await end(db, cards, _id, { to: 'expired', doer: { actor: 'store' }, mail: true }).catch((error) => {
      if (isUnanswered(error) || !(error instanceof Refusal)) throw error
      return undefined // the provider is not sure yet
    })
    if (state === 'expired') count++
  }).catch((error) => {
    if (count === 0) throw error // else the next time says so: what has ended must be told
  })
  return count
}

/** What a declined intent says of itself. */
export const Declined = z.object({
  id: z.string(),
  metadata: z.record(z.string(), z.string()),
  last_payment_error: z
    .object({ code: z.string().optional(), decline_code: z.string().optional(), message: z.string().optional() })
    .nullable(),
})

/**
 * A card was declined. Noted in the order's history, which counts; after too many the buyer's intents end, whoever holds their secrets.
 * @param tx the transaction in which the provider's event is marked as worked off, so that each counts once
 * @returns what is to be done once that is committed
 */
export async function noteDecline(
  tx: Database,
  cards: CardProvider,
  intent: z.output<typeof Declined>,
): Promise<((db: Database) => Promise<void>) | undefined> {
  const payment = await findPayment(tx, intent)
  if (!payment) return undefined
  const [order] = await tx.select().from(orders).where(eq(orders.paymentId, payment._id)).for('update')
  if (!order) return undefined
  const { code, decline_code, message } = intent.last_payment_error ?? {}
  const why = [decline_code ?? code, message].filter(Boolean).join(': ')
  await orderBooks.note(tx, order, { event: 'card declined', doer: { actor: 'card provider' }, note: why })
  if ((await secondsToWait(tx, order)) === 0) return undefined
  return (db) => closeSpoiled(db, cards, order.buyerId)
}

/** Ends the open intents of orders and buyers with too many declined cards: who holds many secrets would have a try with each. */
async function closeSpoiled(db: Database, cards: CardProvider, buyerId?: string): Promise<void> {
  const [ofDeclined, declined] = [alias(orders, 'of_declined'), alias(orderHistory, 'declined')]
  const suspects = db
    .select({ buyerId: ofDeclined.buyerId })
    .from(declined)
    .innerJoin(ofDeclined, eq(ofDeclined._id, declined.orderId))
    .where(and(eq(declined.event, 'card declined'), sql`${declined.at} > now() - make_interval(secs => ${declines.windowSeconds})`))
  const open = await db
    .select({ order: orders, intentId: payments.intentId })
    .from(payments)
    .innerJoin(orders, eq(orders.paymentId, payments._id))
    .where(and(eq(payments.state, 'open'), inArray(orders.buyerId, buyerId ? [buyerId] : suspects)))
  await forEachOnItsOwn(open, async ({ order, intentId }) => {
    if (intentId && (await secondsToWait(db, order)) > 0) await closeIntent(db, cards, intentId, 'fraudulent')
  })
}

async function newestUnpaid(db: Database, buyer: User, productCost: number): Promise<string> {
  const [order] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.buyerId, buyer.id), eq(orders.productCost, productCost), eq(orders.state, 'open')))
    .orderBy(desc(orders.number))
    .limit(1)
  if (!order) throw new Refusal(409, `You have no unpaid order of $${productCost}`)
  return order._id
}
