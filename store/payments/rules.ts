import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import type { User } from '#store/identity/contract.ts'
import type { BuyerLimits } from '#store/orders/buyer-limits.ts'
import type { OrderState } from '#store/orders/contract.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import { ask, askForEach, type CardProvider, isKept } from './card-provider.ts'
import { closeSpoiled, refuseAfterDeclines } from './declines.ts'
import { countQuestion } from './question-limits.ts'
import { find, isBeingChecked, type Payment, type Standing, settle } from './settle.ts'

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
/** The refusal of what only an open order allows. */
export const refuseEnded = (state: OrderState) => new Refusal(409, whyNotOpen[state])

/**
 * Opens the payment of an order at the card provider, or finds the one that is open. Saved first, asked then: however often this is
 * called, and wherever it breaks off, an order has one open payment, and its id is the provider's idempotency key.
 * @param wish `productCost` in whole dollars is only compared; without `orderId` the buyer's newest unpaid order of that cost is meant
 * @returns the intent's client secret, for the browser's card form
 * @throws {Refusal} 404 not the buyer's order; 409 it is not open, or has another cost; 429 too many cards were declined, or the
 *   provider was asked too often; 503 it does not answer
 */
export async function open(
  db: Database,
  cards: CardProvider,
  buyer: User,
  wish: { orderId?: string | undefined; productCost: number },
  limits: BuyerLimits | undefined,
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

  await countQuestion(db, limits, 'open', { buyerId: buyer.id, orderId })
  const intent = payment.intentId ? await find(cards, payment.intentId) : await createIntent(db, cards, payment, orderId)
  if (!intent) {
    await forget(db, payment)
    return open(db, cards, buyer, { ...wish, orderId }, limits)
  }
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
    const standing = await settle(db, cards, intent.id)
    if (standing === 'canceled') return open(db, cards, buyer, { ...wish, orderId }, limits)
    throw standing === 'succeeded' ? refuseEnded('paid') : isBeingChecked()
  }
  if (!intent.client_secret) throw new Error(`The card provider gave no client secret for ${intent.id}`)
  return intent.client_secret
}

const forget = (db: Database, { _id }: Payment) =>
  db
    .update(payments)
    .set({ state: 'canceled', checkingSince: null })
    .where(and(eq(payments._id, _id), eq(payments.state, 'open')))

async function begin(tx: Database, order: orderBooks.OrderRow): Promise<Payment> {
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

/**
 * The browser's hint that an order was paid with this intent. A hint only: the provider is asked, unless it has said so before. Who hints
 * too often is refused and loses nothing, for the reconciler asks instead.
 * @throws {Refusal} 404 not the buyer's order; 409 the intent is not this order's, or the order had ended and the money goes back; 402
 *   the provider has not taken the money; 429 it was asked too often; 503 it does not say yet: the payment is being checked
 */
export async function record(
  db: Database,
  cards: CardProvider,
  buyer: User,
  { orderId, transectionId }: { orderId: string; transectionId: string },
  limits: BuyerLimits | undefined,
): Promise<void> {
  const [order] = await db
    .select({ paymentId: orders.paymentId, intentId: payments.intentId, payment: payments.state })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders._id, orderId), eq(orders.buyerId, buyer.id)))
  if (!order) throw new Refusal(404, 'There is no such order')
  if (!order.paymentId || order.intentId !== transectionId) throw new Refusal(409, 'This transaction does not belong to this order')
  const standing =
    order.payment === 'succeeded'
      ? order.payment
      : await askHow(db, cards, { orderId, buyerId: buyer.id, paymentId: order.paymentId, transectionId }, limits)
  if (standing === 'checking') throw isBeingChecked()
  if (standing !== 'succeeded') throw new Refusal(402, 'The card provider has not taken the money for this order')
  const [now] = await db.select({ state: orders.state }).from(orders).where(eq(orders._id, orderId))
  if (now?.state === 'expired' || now?.state === 'cancelled')
    throw new Refusal(409, 'This order had ended before your payment came. Your money goes back by itself')
}

type Hinted = { orderId: string; buyerId: string; paymentId: string; transectionId: string }

async function askHow(db: Database, cards: CardProvider, hinted: Hinted, limits: BuyerLimits | undefined): Promise<Standing> {
  try {
    await countQuestion(db, limits, 'record', hinted)
    return await settle(db, cards, hinted.transectionId)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await question(db, hinted.paymentId)
    throw error.status === 429 ? error : isBeingChecked(error)
  }
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
  await askForEach(questioned, async ({ intentId }) => void (intentId && (await settle(db, cards, intentId))))
  await closeSpoiled(db, cards)
}
