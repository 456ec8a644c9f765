import { and, eq, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orderHistory, orders, payments } from '#store/orders/table.ts'
import { type CardProvider, callProvider, isResourceMissing } from './card-provider.ts'
import { mailReceiptToPayer } from './payer-receipt.ts'
import { insertRefund, shareOutRefund } from './refund-lines.ts'

export type Payment = typeof payments.$inferSelect
type OrderRow = orderBooks.OrderRow

/**
 * `succeeded`: paid; `open`: not paid yet; `canceled`: its intent is canceled; `checking`: the provider does not know the outcome yet;
 * `unknown`: no such payment in the books, or no such intent at the provider.
 */
export type IntentOutcome = 'succeeded' | 'open' | 'canceled' | 'checking' | 'unknown'

/**
 * Fetches the intent from the provider and updates the books; nothing else marks an order as paid. Idempotent: called on the browser's
 * report, on webhook events, and by the job that settles uncertain payments.
 * A payment of an order that is no longer open is refunded: the refund is inserted in the same transaction.
 * @throws {HttpError} 503 the provider does not answer
 */
export async function settlePayment(db: Database, cards: CardProvider, intentId: string): Promise<IntentOutcome> {
  const intent = await retrieveIntent(cards, intentId)
  return intent ? db.transaction((tx) => applyIntent(tx, intent)) : 'unknown'
}

/** The error while the provider does not know the outcome yet, or does not answer. */
export const paymentBeingCheckedError = (cause?: unknown) =>
  new HttpError(503, 'Your payment is being checked. You need not pay again: look here in a minute', undefined, {
    cause,
    retryAfterSeconds: 10,
    code: 'payment_being_checked',
  })

/**
 * The current intent; undefined when the provider has none with this id, for instance because it was created with other API keys. Nobody
 * can pay such an intent here.
 */
export const retrieveIntent = (cards: CardProvider, intentId: string): Promise<Stripe.PaymentIntent | undefined> =>
  callProvider(cards.stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })).catch((error) => {
    if (!isResourceMissing(error)) throw error
    return undefined
  })

const uuid = z.uuid()

async function applyIntent(tx: Database, intent: Stripe.PaymentIntent): Promise<IntentOutcome> {
  const payment = await findPayment(tx, intent)
  if (!payment) return 'unknown'
  // A payment from before payments knew their order, and which another has replaced since, still has it in the intent.
  const orderId = payment.orderId ?? uuid.safeParse(intent.metadata.order_id).data
  const [order] = orderId ? await tx.select().from(orders).where(eq(orders._id, orderId)).for('update') : []
  const [locked] = await tx.select().from(payments).where(eq(payments._id, payment._id)).for('update')
  if (locked?.state === 'succeeded') return 'succeeded'
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
    if (locked?.checkingSince) await change({ checkingSince: null })
    return 'open'
  }

  const matchesPayment =
    intent.amount_received === payment.amountCents && intent.currency === payment.currency && intent.metadata.payment_id === payment._id
  if (!matchesPayment) {
    const note = `The card provider took ${intent.amount_received} cents (${intent.currency}) by ${intent.id}, not ${payment.amountCents} cents (${payment.currency}) for the payment ${payment._id}: look at it there`
    if (order) await appendTroubleOnce(tx, order, note)
    return 'open'
  }

  const paid = { state: 'succeeded', settledAt: new Date(), checkingSince: null } as const
  const isSurplus = order?.paymentId !== payment._id
  await change({ ...paid, intentId: intent.id, card: cardLabel(intent), orderId: order?._id ?? null, isSurplus })
  if (order?.paymentId === payment._id && order.orderStatus === 'open') {
    if (order.paymentMethod !== 'card') await tx.update(orders).set({ paymentMethod: 'card' }).where(eq(orders._id, order._id))
    const placed = await orderBooks.changeOrderStatus(tx, order, 'placed', {
      event: 'paid',
      doer: { actor: 'card provider' },
      note: intent.id,
      mail: true,
    })
    await mailReceiptToPayer(tx, placed)
  } else if (order) await refundLatePayment(tx, order, payment, refundedAtProvider(intent))
  return 'succeeded'
}

/** Finds the payment by the intent's id or, where the response with that id was lost, by the payment id in the intent's metadata. */
export async function findPayment(tx: Database, intent: Pick<Stripe.PaymentIntent, 'id' | 'metadata'>): Promise<Payment | undefined> {
  const [payment] = await tx.select().from(payments).where(eq(payments.intentId, intent.id))
  if (payment) return payment
  const paymentId = uuid.safeParse(intent.metadata.payment_id).data
  if (!paymentId) return undefined
  const [unanswered] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments._id, paymentId), isNull(payments.intentId)))
  return unanswered
}

/** @param alreadyCents what has gone back from the provider's own site: the provider refuses to give back more than is left */
async function refundLatePayment(tx: Database, order: OrderRow, payment: Payment, alreadyCents: number): Promise<void> {
  const doer = { actor: 'store' } as const
  const { amountCents } = payment
  const isOfOrder = order.paymentId === payment._id
  await appendEvent(tx, order, {
    event: 'late payment',
    doer,
    amountCents,
    note: isOfOrder ? 'It came after the order had ended and goes back' : 'It came by a payment that another had replaced, and goes back',
  })
  const restCents = amountCents - alreadyCents
  if (restCents === 0) return
  const lines = isOfOrder ? await orderBooks.findOrderLines(tx, order._id) : []
  const deliveryCents = isOfOrder ? (await findOrderById(tx, order._id)).chargedDeliveryCents : 0
  await insertRefund(
    tx,
    { paymentId: payment._id, orderId: order._id, amountCents: restCents, endsAs: 'refunded', ...doer },
    shareOutRefund(lines, deliveryCents, restCents),
  )
}

async function appendTroubleOnce(tx: Database, order: OrderRow, note: string): Promise<void> {
  const [known] = await tx
    .select({ _id: orderHistory._id })
    .from(orderHistory)
    .where(and(eq(orderHistory.orderId, order._id), eq(orderHistory.note, note)))
  if (!known) await appendEvent(tx, order, { event: 'trouble', doer: { actor: 'card provider' }, note })
}

const refundedAtProvider = ({ latest_charge: charge }: Stripe.PaymentIntent): number =>
  charge && typeof charge !== 'string' ? charge.amount_refunded : 0

function cardLabel({ latest_charge: charge }: Stripe.PaymentIntent): string | null {
  const card = charge && typeof charge !== 'string' ? charge.payment_method_details?.card : undefined
  return card ? `${card.brand} ${card.last4}` : null
}
