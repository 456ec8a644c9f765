import { and, asc, eq, lte, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { users } from '#store/identity/table.ts'
import type { OrderStatus } from '#store/orders/contract.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import { type CardProvider, callProvider, callProviderForEach, isProviderUnavailable, isResourceMissing } from './card-provider.ts'
import { type PaymentStatus, paymentBeingCheckedError, settle } from './settle.ts'

type EndOrderOptions = { to: 'expired' | 'cancelled'; doer: orderBooks.EventActor; note?: string | undefined }

/**
 * Ends an open order. It first cancels the payment intent at the provider, so that no card can pay it any more, then ends the order in the
 * books, restocks its pieces and sends the buyer an email. A concurrent payment either succeeds before that, and the order is paid, or is
 * rejected by the provider, and nothing is charged.
 * @returns the state of the order afterwards
 * @throws {HttpError} 503 the provider does not answer, or does not know yet whether it took the money: the order stays open
 */
export async function endOrder(db: Database, cards: CardProvider, orderId: string, ending: EndOrderOptions): Promise<OrderStatus> {
  for (;;) {
    const [seen] = await db
      .select({ state: orders.state, payment: payments })
      .from(orders)
      .leftJoin(payments, eq(payments._id, orders.paymentId))
      .where(eq(orders._id, orderId))
    if (!seen) throw new HttpError(404, 'There is no such order')
    if (seen.state !== 'open') return seen.state
    const { payment } = seen
    if (payment?.intentId && payment.state === 'open') {
      const status = await cancelIntent(db, cards, payment.intentId, ending.to === 'expired' ? 'abandoned' : 'requested_by_customer')
      if (status === 'checking' || status === 'open') throw paymentBeingCheckedError()
      if (status === 'succeeded') continue
    }

    const ended = await db.transaction(async (tx) => {
      const order = await orderBooks.lock(tx, orderId)
      const [now] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)).for('update') : []
      // Changed since it was read: paid, ended, or given another payment. Start again.
      if (order.state !== 'open' || now?._id !== payment?._id || now?.intentId !== payment?.intentId) return undefined
      if (now?.state === 'open') await tx.update(payments).set({ state: 'canceled' }).where(eq(payments._id, now._id))
      const { to, doer, note } = ending
      await orderBooks.transition(tx, order, to, order.productQuantity, { event: to, doer, note: note ?? null, mail: true })
      return to
    })
    if (ended) return ended
  }
}

/** Cancels an intent at the provider, if it exists there and has not succeeded or been canceled already, then settles its payment. */
export async function cancelIntent(
  db: Database,
  cards: CardProvider,
  intentId: string,
  cancellation_reason: Stripe.PaymentIntentCancelParams.CancellationReason,
): Promise<PaymentStatus> {
  try {
    await callProvider(cards.stripe.paymentIntents.cancel(intentId, { cancellation_reason }))
  } catch (error) {
    if (isResourceMissing(error)) return 'unknown'
    const isOver = error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state'
    if (!isOver) throw error
  }
  return settle(db, cards, intentId)
}

/**
 * Ends every open order whose hold is over: as expired or, where its buyer's account was removed, as cancelled. An order whose payment the
 * provider does not know yet is left for the next run and does not stop the others.
 * @returns how many orders were ended
 */
export async function endOverdueOrders(db: Database, cards: CardProvider): Promise<number> {
  const overdue = await db
    .select({ _id: orders._id, removedAt: users.removedAt })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.buyerId))
    .where(and(eq(orders.state, 'open'), lte(orders.holdUntil, sql`now()`)))
    .orderBy(asc(orders.holdUntil))
  let count = 0
  await callProviderForEach(overdue, async ({ _id, removedAt }) => {
    const end = removedAt ? ({ to: 'cancelled', note: 'The account was removed' } as const) : ({ to: 'expired' } as const)
    const state = await endOrder(db, cards, _id, { ...end, doer: { actor: 'store' } }).catch((error) => {
      if (isProviderUnavailable(error) || !(error instanceof HttpError)) throw error
      return undefined // the provider does not know the outcome yet
    })
    if (state === end.to) count++
  }).catch((error) => {
    if (count === 0) throw error // otherwise the next run reports it: the caller needs the count of the ended orders
  })
  return count
}
