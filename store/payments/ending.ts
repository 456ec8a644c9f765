import { and, asc, eq, lte, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { users } from '#store/identity/table.ts'
import type { OrderState } from '#store/orders/contract.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import { ask, askForEach, type CardProvider, isMissing, isUnanswered } from './card-provider.ts'
import { isBeingChecked, type Standing, settle } from './settle.ts'

type Ending = { to: 'expired' | 'cancelled'; doer: orderBooks.Doer; note?: string | undefined }

/**
 * Ends an open order: first its intent at the provider, so that no card can pay it any more, then in the books, where its pieces go back
 * into stock, and its buyer gets a mail. Whoever pays at the same moment is either faster, and the order is paid, or too late, and nothing is taken.
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
      const { to, doer, note } = ending
      await orderBooks.step(tx, order, to, order.productQuantity, { event: to, doer, note: note ?? null, mail: true })
      return to
    })
    if (ended) return ended
  }
}

/** Cancels an intent at the provider, unless it has come to another end, or is none of its; the books then know. */
export async function closeIntent(
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
 * Ends every order whose hold is over: it has expired or, where its buyer's account was removed, is cancelled. What the provider cannot say now is left for the next time, and keeps no other from ending.
 * @returns how many have ended
 */
export async function endHolds(db: Database, cards: CardProvider): Promise<number> {
  const over = await db
    .select({ _id: orders._id, removedAt: users.removedAt })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.buyerId))
    .where(and(eq(orders.state, 'open'), lte(orders.holdUntil, sql`now()`)))
    .orderBy(asc(orders.holdUntil))
  let count = 0
  await askForEach(over, async ({ _id, removedAt }) => {
    const as = removedAt ? ({ to: 'cancelled', note: 'The account was removed' } as const) : ({ to: 'expired' } as const)
    const state = await end(db, cards, _id, { ...as, doer: { actor: 'store' } }).catch((error) => {
      if (isUnanswered(error) || !(error instanceof Refusal)) throw error
      return undefined // the provider is not sure yet
    })
    if (state === as.to) count++
  }).catch((error) => {
    if (count === 0) throw error // else the next time says so: what has ended must be told
  })
  return count
}
