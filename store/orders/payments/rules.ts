import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { isWithinRateLimit } from '#platform/rate-limits.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import { isBuyerOf, isOfBuyerSql, isPlacedBySql, type Viewer } from '#store/orders/buyer.ts'
import type { BuyerLimits } from '#store/orders/buyer-limits.ts'
import { findOrderIdOfLine, orderNotFoundError } from '#store/orders/order-queries.ts'
import { assertMethodIsOn } from '#store/orders/payment-methods/rules.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { type PurchaseState, purchaseState } from '#store/orders/statuses.ts'
import { orderLines, orders, payments } from '#store/orders/table.ts'
import { type CardProvider, callProvider, callProviderForEach, isIdempotencyCachedError } from './card-provider.ts'
import { assertDeclineLimit, cancelIntentsAfterDeclines } from './declines.ts'
import { cancelIntent } from './end-order.ts'
import { mailReceiptToPayer } from './payer-receipt.ts'
import { limitProviderRequests } from './provider-request-limits.ts'
import { type IntentOutcome, type Payment, paymentBeingCheckedError, retrieveIntent, settlePayment } from './settle.ts'

/** Error messages for a payment of an order that is not open. */
const notOpenMessages: Record<PurchaseState, string> = {
  open: 'This order is still open',
  paid: 'This order is paid already',
  packed: 'This order is paid already',
  shipped: 'This order is paid already',
  expired: 'This order has expired: it was not paid in time, and its pieces are back in stock',
  cancelled: 'This order is cancelled',
  refunded: 'The money of this order has gone back',
}
/** The error for an action that only an open order allows. */
export const orderNotOpenError = (state: PurchaseState) => new HttpError(409, notOpenMessages[state], undefined, { code: 'order_not_open' })

/**
 * Opens the payment of an order at the card provider, or finds the open one. The payment is committed before the provider is called, and
 * its id is the idempotency key there. So an order has one open payment, however often this is called and wherever it is interrupted.
 * @param request `productCost` must equal the order's total or, where it has one line, what that costs; without `orderId` the
 *   buyer's newest unpaid order of that cost is paid
 * @param onSettled called once the payment was found to be made already, and that is committed
 * @returns the intent's client secret, for the browser's card form
 * @throws {HttpError} 404 not the buyer's order; 409 it is not open, or has another cost, or no cards are taken; 429 too many cards were declined, or the
 *   provider was called too often; 503 it does not answer
 */
export async function openPayment(
  db: Database,
  cards: CardProvider,
  buyer: Viewer,
  request: { orderId?: string | undefined; productCost: number },
  limits: BuyerLimits | undefined,
  onSettled: () => void,
): Promise<string> {
  const cents = amountToCents(request.productCost)
  const orderId = request.orderId ? await findOrderIdOfLine(db, request.orderId) : await findNewestUnpaidOrder(db, buyer, cents)
  const payment = await db.transaction(async (tx) => {
    const order = await orderBooks.lockOrder(tx, orderId)
    if (!(await isBuyerOf(tx, buyer, orderId))) throw orderNotFoundError()
    if (!(await isCostOf(tx, order, cents)))
      throw new HttpError(409, `This order costs ${formatCents(order.totalCents)}`, undefined, { code: 'amount_mismatch' })
    if (order.orderStatus !== 'open') throw orderNotOpenError(purchaseState(order))
    if (Date.parse(order.holdUntil) <= Date.now()) throw orderNotOpenError('expired')
    await assertMethodIsOn(tx, 'card')
    await assertDeclineLimit(tx, order)

    const [existing] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)) : []
    if (existing?.method === 'bank_transfer')
      throw new HttpError(409, 'A part of this order was paid by transfer: transfer the rest, too', undefined, {
        code: 'payment_method_off',
      })
    if (!existing || existing.state === 'canceled') return insertPayment(tx, order, buyer)
    await addOpener(tx, existing, buyer)
    return existing
  })

  await limitProviderRequests(db, limits, 'open', orderId)
  const intent = payment.intentId ? await retrieveIntent(cards, payment.intentId) : await createIntent(db, cards, payment, orderId)
  if (!intent) {
    await discardPayment(db, payment)
    return openPayment(db, cards, buyer, { ...request, orderId }, limits, onSettled)
  }
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
    const status = await settlePayment(db, cards, intent.id)
    if (status === 'canceled') return openPayment(db, cards, buyer, { ...request, orderId }, limits, onSettled)
    if (status !== 'succeeded') throw paymentBeingCheckedError()
    onSettled()
    throw orderNotOpenError('paid')
  }
  if (!intent.client_secret) throw new Error(`The card provider gave no client secret for ${intent.id}`)
  return intent.client_secret
}

/** Whether the order costs this in all or, if it has one line, whether that line does. */
async function isCostOf(tx: Database, order: orderBooks.OrderRow, cents: number): Promise<boolean> {
  if (order.totalCents === cents) return true
  const [line, ...others] = await orderBooks.findOrderLines(tx, order._id)
  return others.length === 0 && line?.totalCents === cents
}

type PaymentToOpen = Pick<Payment, '_id' | 'orderId' | 'amountCents' | 'currency'>

const discardPayment = (db: Database, { _id, orderId }: PaymentToOpen) =>
  db.transaction(async (tx) => {
    if (orderId) await orderBooks.lockOrder(tx, orderId)
    await tx
      .update(payments)
      .set({ state: 'canceled', checkingSince: null })
      .where(and(eq(payments._id, _id), eq(payments.state, 'open')))
  })

type OrderPayment = { orderId: string; paymentId: string }

const accountOf = (buyer: Viewer): string | null => (buyer.role === 'guest' ? null : buyer.id)

/** Keeps that this account, too, is given the means to pay. The order is locked. */
async function addOpener(tx: Database, { _id, openedBy, alsoOpenedBy }: Payment, buyer: Viewer): Promise<void> {
  const account = accountOf(buyer)
  if (account === null || account === openedBy || alsoOpenedBy.includes(account)) return
  await tx
    .update(payments)
    .set({ alsoOpenedBy: [...alsoOpenedBy, account] })
    .where(eq(payments._id, _id))
}

async function insertPayment(tx: Database, order: orderBooks.OrderRow, buyer: Viewer): Promise<Payment> {
  const [payment] = await tx
    .insert(payments)
    .values({ orderId: order._id, amountCents: order.totalCents, currency: order.currency, openedBy: accountOf(buyer) })
    .returning()
  if (!payment) throw new Error('The new payment was not returned')
  await tx.update(orders).set({ paymentId: payment._id }).where(eq(orders._id, order._id))
  return payment
}

/** Creates the intent of an open payment at the card provider, or finds the one that was created for it. */
export async function createIntent(db: Database, cards: CardProvider, payment: PaymentToOpen, orderId: string) {
  const params: Stripe.PaymentIntentCreateParams = {
    amount: payment.amountCents,
    currency: payment.currency,
    allowed_payment_method_types: ['card'],
    metadata: { payment_id: payment._id, order_id: orderId },
  }
  const intent = await callProvider(cards.stripe.paymentIntents.create(params, { idempotencyKey: payment._id })).catch(async (error) => {
    if (isIdempotencyCachedError(error)) await discardPayment(db, payment) // the next attempt inserts another payment, with another key
    throw error
  })
  const updated = await db
    .update(payments)
    .set({ intentId: intent.id })
    .where(and(eq(payments._id, payment._id), eq(payments.state, 'open'), or(isNull(payments.intentId), eq(payments.intentId, intent.id))))
  if (updated.rowCount === 1) return intent
  // The order ended during the request. Cancel its intent, too, which another request for the same payment may have done already.
  await cancelIntent(db, cards, intent.id, 'abandoned')
  throw new HttpError(409, 'This order has ended meanwhile', undefined, { code: 'order_not_open' })
}

async function findNewestUnpaidOrder(db: Database, buyer: Viewer, cents: number): Promise<string> {
  const onlyLineCents = sql`(select min(${orderLines.totalCents}) from ${orderLines} where ${orderLines.orderId} = ${orders._id} having count(*) = 1)`
  const [order] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(isPlacedBySql(buyer), eq(orders.orderStatus, 'open'), or(eq(orders.totalCents, cents), eq(onlyLineCents, cents))))
    .orderBy(desc(orders.number))
    .limit(1)
  if (!order) throw new HttpError(409, `You have no unpaid order of ${formatCents(cents)}`, undefined, { code: 'order_not_open' })
  return order._id
}

/**
 * Handles the browser's report that an order was paid with this intent. The report is not trusted: the payment is settled with the
 * provider, unless it was before. Over the rate limit nothing is lost, since `settleUnresolvedPayments` then settles the payment.
 * @param onSettled called once the payment is settled by this report, or a receipt is due by it, and that is committed, also where the order had ended
 * @param onPayerLost called where who has paid could not be kept, which stops nothing else
 * @throws {HttpError} 404 not the buyer's order; 409 the intent is not this order's, or the order had ended and the money is refunded; 402
 *   the provider has not taken the money; 429 the provider was called too often; 503 the outcome is unknown, the payment is being checked
 */
export async function recordPayment(
  db: Database,
  cards: CardProvider,
  buyer: Viewer,
  { purchaseId, transectionId }: { purchaseId: string; transectionId: string },
  limits: BuyerLimits | undefined,
  { onSettled, onPayerLost }: { onSettled: () => void; onPayerLost: (error: unknown) => void },
): Promise<void> {
  const orderId = await findOrderIdOfLine(db, purchaseId)
  const [order] = await db
    .select({ paymentId: orders.paymentId, intentId: payments.intentId, payment: payments.state })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders._id, orderId), isOfBuyerSql(buyer)))
  if (!order) throw orderNotFoundError()
  if (!order.paymentId || order.intentId !== transectionId)
    throw new HttpError(409, 'This transaction does not belong to this order', undefined, { code: 'payment_mismatch' })
  const wasSettled = order.payment === 'succeeded'
  const status = wasSettled
    ? order.payment
    : await settleHintedPayment(db, cards, { orderId, paymentId: order.paymentId, transectionId }, limits)
  if (status === 'checking') throw paymentBeingCheckedError()
  if (status !== 'succeeded') throw new HttpError(402, 'The card provider has not taken the money for this order')
  // Before the mail is sent, which says it.
  const receiptIsDue = await recordPayer(db, { orderId, paymentId: order.paymentId }, buyer).catch(onPayerLost)
  if (!wasSettled || receiptIsDue) onSettled()
  const [now] = await db.select({ status: orders.orderStatus }).from(orders).where(eq(orders._id, orderId))
  if (now?.status === 'expired' || now?.status === 'cancelled')
    throw new HttpError(409, 'This order had ended before your payment came. Your money goes back by itself', undefined, {
      code: 'late_payment',
    })
}

/**
 * Keeps that the buyer has paid: the first of those who have opened the payment to report it. Whoever has not opened it, or reports it an hour
 * later, has read the transaction somewhere.
 * @returns whether a receipt to them is due by it
 */
async function recordPayer(db: Database, { orderId, paymentId }: OrderPayment, buyer: Viewer): Promise<boolean> {
  if (buyer.role === 'guest') return false
  const payerIs = and(
    eq(payments._id, paymentId),
    isNull(payments.paidBy),
    or(eq(payments.openedBy, buyer.id), sql`${buyer.id} = any(${payments.alsoOpenedBy})`),
    sql`${payments.settledAt} > now() - interval '1 hour'`,
  )
  return db.transaction(async (tx) => {
    const order = await orderBooks.lockOrder(tx, orderId)
    const recorded = await tx.update(payments).set({ paidBy: buyer.id }).where(payerIs)
    return recorded.rowCount === 1 && mailReceiptToPayer(tx, order)
  })
}

/** How often per hour a report over the rate limit makes the store ask by itself, for one order. Events of the provider are read anyway. */
const checksOverLimit = { max: 3, seconds: 3600 }

type PaymentHint = OrderPayment & { transectionId: string }

async function settleHintedPayment(
  db: Database,
  cards: CardProvider,
  hinted: PaymentHint,
  limits: BuyerLimits | undefined,
): Promise<IntentOutcome> {
  try {
    await limitProviderRequests(db, limits, 'record', hinted.orderId)
    return await settlePayment(db, cards, hinted.transectionId)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    if (error.status !== 429) {
      await db.transaction((tx) => markAsBeingChecked(tx, hinted))
      throw paymentBeingCheckedError(error)
    }
    await db.transaction(async (tx) => {
      const marked = await markAsBeingChecked(tx, hinted)
      if (marked.rowCount && !(await isWithinRateLimit(tx, `payment asked about by the store, order ${hinted.orderId}`, checksOverLimit)))
        await tx.update(payments).set({ checkingSince: null }).where(eq(payments._id, hinted.paymentId))
    })
    throw error
  }
}

/** For a payment that the buyer reports as paid while the provider cannot be called: `settleUnresolvedPayments` now settles it every minute. */
async function markAsBeingChecked(tx: Database, { orderId, paymentId }: PaymentHint) {
  await orderBooks.lockOrder(tx, orderId)
  return tx
    .update(payments)
    .set({ checkingSince: new Date() })
    .where(and(eq(payments._id, paymentId), eq(payments.state, 'open'), isNull(payments.checkingSince)))
}

/** Settles every payment that is being checked, and repeats cancellations after too many declines that the provider did not answer. */
export async function settleUnresolvedPayments(db: Database, cards: CardProvider): Promise<void> {
  const uncertain = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(and(eq(payments.state, 'open'), sql`${payments.checkingSince} is not null`))
    .orderBy(asc(payments.checkingSince))
  try {
    await callProviderForEach(uncertain, async ({ intentId }) => void (intentId && (await settlePayment(db, cards, intentId))))
  } finally {
    await cancelIntentsAfterDeclines(db, cards)
  }
}
