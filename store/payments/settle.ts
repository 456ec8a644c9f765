import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type Stripe from 'stripe'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orderHistory, orders, payments, refunds } from '#store/orders/table.ts'
import { ask, type CardProvider, isMissing } from './card-provider.ts'

export type Payment = typeof payments.$inferSelect
type Order = orderBooks.OrderRow

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

/** The refusal of whoever asks while the provider is not sure yet, or does not say. */
export const isBeingChecked = (cause?: unknown) =>
  new Refusal(503, 'Your payment is being checked. You need not pay again: look here in a minute', undefined, {
    cause,
    retryAfterSeconds: 10,
  })

/** The intent as it stands; undefined when the provider knows none of that id, as when it was made with other keys: nobody can pay it here. */
export const find = (cards: CardProvider, intentId: string): Promise<Stripe.PaymentIntent | undefined> =>
  ask(cards.stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })).catch((error) => {
    if (!isMissing(error)) throw error
    return undefined
  })

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
export async function findPayment(tx: Database, intent: Pick<Stripe.PaymentIntent, 'id' | 'metadata'>): Promise<Payment | undefined> {
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
