import { and, asc, eq, lte, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { storeCurrency } from '#shared/currency.ts'
import { formatCents, lineTotal } from '#shared/money.ts'
import { discountCodes } from '#store/catalogue/pricing/table.ts'
import { users } from '#store/identity/table.ts'
import { deliveryOfRestCents } from '#store/orders/details/delivery-of-rest.ts'
import { chargesOfRestUpTo } from '#store/orders/order-charges.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { appendEvent, type EventActor } from '#store/orders/order-history.ts'
import { orderNotFoundError } from '#store/orders/order-queries.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { type PurchaseState, purchaseState } from '#store/orders/statuses.ts'
import { orderLines, orders, payments } from '#store/orders/table.ts'
import { type CardProvider, callProvider, callProviderForEach, isProviderUnavailable, isResourceMissing } from './card-provider.ts'
import { insertRefund, shareOutRefund } from './refund-lines.ts'
import { type IntentOutcome, paymentBeingCheckedError, settlePayment } from './settle.ts'

type EndOrderOptions = {
  to: 'expired' | 'cancelled'
  doer: EventActor
  note?: string | undefined
  /** whether the buyer gets a mail that it has ended */
  mail?: boolean
  /** the mail to the buyer waits, as another one may tell them until then */
  mailDelayMinutes?: number
  /** is done in the transaction that ends the order, before that; what it throws leaves the order open */
  before?: (tx: Database, order: orderBooks.OrderRow) => Promise<void>
}

/**
 * Ends an open order. It first cancels the payment intent at the provider, so that no card can pay it any more, then ends the order in the
 * books, restocks its pieces and sends the buyer an email. A concurrent payment either succeeds before that, and the order is paid, or is
 * rejected by the provider, and nothing is charged.
 * @returns the state of the order afterwards
 * @throws {HttpError} 503 the provider does not answer, or does not know yet whether it took the money: the order stays open
 */
export const endUnpaidOrder = (
  db: Database,
  cards: CardProvider,
  orderId: string,
  { to, doer, note, mail = true, mailDelayMinutes, before }: EndOrderOptions,
): Promise<PurchaseState> =>
  changeAfterCancellingIntent(db, cards, orderId, to === 'expired' ? 'abandoned' : 'requested_by_customer', async (tx, order) => {
    await before?.(tx, order)
    const transfer = await findTransferOf(tx, order)
    const event = { event: to, doer, note: note ?? null, mail, mailDelayMinutes, ...(transfer && { amountCents: transfer.amountCents }) }
    const ended = await orderBooks.endOrderInBooks(tx, order, to, event)
    if (transfer) await askTransferBack(tx, ended, transfer)
    return ended
  })

/** What has come by transfer of an open order, which is not all of it. */
async function findTransferOf(tx: Database, { paymentId }: orderBooks.OrderRow) {
  const [payment] = paymentId ? await tx.select().from(payments).where(eq(payments._id, paymentId)) : []
  return payment?.state === 'succeeded' ? payment : undefined
}

/** What has come by transfer of an order that ended before all of it did goes back. */
async function askTransferBack(tx: Database, order: orderBooks.OrderRow, payment: typeof payments.$inferSelect): Promise<void> {
  const { amountCents } = payment
  const doer = { actor: 'store' } as const
  const note = 'Not all of the money has come'
  const lines = shareOutRefund(await orderBooks.findOrderLines(tx, order._id), order.totalCents, amountCents)
  await insertRefund(tx, { paymentId: payment._id, orderId: order._id, amountCents, endsAs: 'refunded', note, ...doer }, lines)
  await appendEvent(tx, order, { event: 'refund asked', doer, note, amountCents })
}

/**
 * Cancels one line of an open order, whose total falls by it or, at worst, stays; the last line that is left ends the order.
 * @returns the state of the line afterwards
 * @throws {HttpError} like `endUnpaidOrder`; 409 what would be left costs less than a card can pay, or than the order's discount code is for
 */
export async function cancelUnpaidLine(
  db: Database,
  cards: CardProvider,
  { orderId, lineId }: { orderId: string; lineId: string },
  { doer, note }: { doer: EventActor; note?: string | undefined },
): Promise<PurchaseState> {
  const readLine = async (within: Database) => {
    await assertNothingTransferred(within, orderId)
    const left = (await orderBooks.findOrderLines(within, orderId)).filter((line) => !line.isReleased)
    const line = left.find(({ _id }) => _id === lineId)
    const costCents = left.reduce((sum, { unitPriceCents, quantity }) => sum + lineTotal(unitPriceCents, quantity), 0)
    const [order] = await within.select().from(orders).where(eq(orders._id, orderId))
    if (!order) throw orderNotFoundError()
    const others = left.filter((other) => other !== line)
    const deliveryCents = await deliveryOfRestCents(within, order, others)
    const rest = chargesOfRestUpTo(order.totalCents, { ...order, deliveryCents }, others)
    if (left.length > 1 && rest.order.totalCents < storeCurrency().minCents) throw tooLittleLeftError()
    if (left.length > 1 && line) await assertMinimumOfCode(within, orderId, costCents - lineTotal(line.unitPriceCents, line.quantity))
    return { line, rest, isLast: left.length === 1 }
  }
  await readLine(db) // before the intent is cancelled: a refused cancellation leaves the open card form as it is
  const state = await changeAfterCancellingIntent(db, cards, orderId, 'requested_by_customer', async (tx, order) => {
    const { line, rest, isLast } = await readLine(tx)
    if (!line) return order
    const event = { doer, note: note ?? null, mail: true }
    if (isLast) return orderBooks.endOrderInBooks(tx, order, 'cancelled', { event: 'cancelled', ...event })
    await orderBooks.restockLines(tx, [{ line, pieces: line.quantity - line.restocked }], 'release', doer)
    await tx.update(orderLines).set({ isReleased: true, cancelled: line.quantity }).where(eq(orderLines._id, lineId))
    for (const { _id, ...tax } of rest.lines) await tx.update(orderLines).set(tax).where(eq(orderLines._id, _id))
    await tx
      .update(orders)
      .set({ ...rest.order, paymentId: null })
      .where(eq(orders._id, orderId))
    await appendEvent(tx, order, { event: 'line cancelled', items: formatItem(line), ...event })
    return order
  })
  return state === 'open' ? 'cancelled' : state
}

/** @throws {HttpError} 409 a part of the money has come by transfer */
async function assertNothingTransferred(db: Database, orderId: string): Promise<void> {
  const taken = and(eq(payments.orderId, orderId), eq(payments.state, 'succeeded'), eq(payments.isSurplus, false))
  if ((await db.$count(payments, taken)) === 0) return
  const message = 'A part of the money has come by transfer: cancel the whole order, and it goes back'
  throw new HttpError(409, message, undefined, { code: 'order_not_open' })
}

/** @param costCents of the goods that would be left, before their reduction */
async function assertMinimumOfCode(db: Database, orderId: string, costCents: number): Promise<void> {
  const [used] = await db
    .select({ code: discountCodes.code, minimumCents: discountCodes.minimumCents })
    .from(orders)
    .innerJoin(discountCodes, eq(discountCodes._id, orders.discountCodeId))
    .where(eq(orders._id, orderId))
  if (!used || costCents >= used.minimumCents) return
  const message = `The code ${used.code} is for goods of ${formatCents(used.minimumCents)} or more: cancel the whole order`
  throw new HttpError(409, message, undefined, { code: 'discount_refused' })
}

const tooLittleLeftError = () =>
  new HttpError(
    409,
    `What is left would cost less than ${formatCents(storeCurrency().minCents)}, the least that a card can pay: cancel the whole order`,
    undefined,
    { code: 'costs_too_little' },
  )

/**
 * Changes an open order after its payment intent, if it has one, was canceled at the provider.
 * @returns the state of the order afterwards; unchanged if it is no longer open
 */
export async function changeAfterCancellingIntent(
  db: Database,
  cards: CardProvider,
  orderId: string,
  reason: Stripe.PaymentIntentCancelParams.CancellationReason,
  change: (tx: Database, order: orderBooks.OrderRow) => Promise<orderBooks.OrderRow>,
): Promise<PurchaseState> {
  for (;;) {
    const [seen] = await db
      .select({ order: orders, payment: payments })
      .from(orders)
      .leftJoin(payments, eq(payments._id, orders.paymentId))
      .where(eq(orders._id, orderId))
    if (!seen) throw orderNotFoundError()
    if (seen.order.orderStatus !== 'open') return purchaseState(seen.order)
    const { payment } = seen
    if (payment?.intentId && payment.state === 'open') {
      const status = await cancelIntent(db, cards, payment.intentId, reason)
      if (status === 'checking' || status === 'open') throw paymentBeingCheckedError()
      if (status === 'succeeded') continue
    }

    const changed = await retryAfterDeadlock(() =>
      db.transaction(async (tx) => {
        const order = await orderBooks.lockOrder(tx, orderId)
        const [now] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)).for('update') : []
        // Changed since it was read: paid, ended, or given another payment. Start again.
        if (order.orderStatus !== 'open' || now?._id !== payment?._id || now?.intentId !== payment?.intentId) return undefined
        if (now?.state === 'open') await tx.update(payments).set({ state: 'canceled' }).where(eq(payments._id, now._id))
        return change(tx, order)
      }),
    )
    if (changed) return purchaseState(changed)
  }
}

/** Cancels an intent at the provider, if it exists there and has not succeeded or been canceled already, then settles its payment. */
export async function cancelIntent(
  db: Database,
  cards: CardProvider,
  intentId: string,
  cancellation_reason: Stripe.PaymentIntentCancelParams.CancellationReason,
): Promise<IntentOutcome> {
  try {
    await callProvider(cards.stripe.paymentIntents.cancel(intentId, { cancellation_reason }))
  } catch (error) {
    if (isResourceMissing(error)) return 'unknown'
    const isOver = error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state'
    if (!isOver) throw error
  }
  return settlePayment(db, cards, intentId)
}

/**
 * Ends every open order whose hold is over: as expired or, where its buyer's account was removed, as cancelled. An order whose payment the
 * provider does not know yet is left for the next run and does not stop the others.
 * @returns how many orders were ended, or turned out to be paid
 */
export async function endOverdueOrders(db: Database, cards: CardProvider): Promise<number> {
  const overdue = await db
    .select({ _id: orders._id, removedAt: users.removedAt })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.buyerId)) // a guest has none
    .where(and(eq(orders.orderStatus, 'open'), lte(orders.holdUntil, sql`now()`)))
    .orderBy(asc(orders.holdUntil))
  let count = 0
  await callProviderForEach(overdue, async ({ _id, removedAt }) => {
    const end = removedAt ? ({ to: 'cancelled', note: 'The account was removed' } as const) : ({ to: 'expired' } as const)
    const state = await endUnpaidOrder(db, cards, _id, { ...end, doer: { actor: 'store' } }).catch((error) => {
      if (isProviderUnavailable(error) || !(error instanceof HttpError)) throw error
      return undefined // the provider does not know the outcome yet
    })
    if (state) count++
  }).catch((error) => {
    if (count === 0) throw error // otherwise the next run reports it: the caller needs the count of the changed orders
  })
  return count
}
