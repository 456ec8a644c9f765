import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { nextRetryAt, RetryItemLaterError } from '#platform/jobs.ts'
import { formatCents } from '#shared/money.ts'
import type { User } from '#store/identity/contract.ts'
import { isOwner } from '#store/identity/rules.ts'
import { creditOrder } from '#store/orders/on-account/credit-order.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { payments, refunds } from '#store/orders/table.ts'
import { assertWithinAdminRefundLimit, notifyOwnersOfManyRefunds, serializeAdminRefunds } from './admin-refund-limits.ts'
import { cancelPieces } from './cancel-pieces.ts'
import { type CardProvider, callProvider } from './card-provider.ts'
import { findRefundedPayment, insertExternalRefund, lockRefund } from './external-refunds.ts'
import { createProviderRefund, findProviderRefund } from './provider-refunds.ts'
import {
  applyRefundToLines,
  formatRefundedItems,
  insertRefund,
  type NewRefundLine,
  type RefundRow,
  removeRefundFromLines,
} from './refund-lines.ts'
import { orderShippedError } from './refund-plans.ts'

/* Refunds of orders. Long because what a refund does to payment, lines, stock and order is one story, whoever has made it. */

type Payment = typeof payments.$inferSelect
export type RefundRequest = {
  /** what is to go back, of what can */
  plan: (order: RefundableOrder) => NewRefundLine[]
  /** what had gone back when the admin looked, and how `plan` counts it */
  seen?: { cents: number; refundedCents: (order: RefundableOrder) => number } | undefined
  endsAs: RefundRow['endsAs']
  reason?: string | undefined
}
type RefundableOrder = Pick<Order, 'lines' | 'fulfilmentStatus' | 'refundedCents' | 'refundable' | 'refundableDeliveryCents'>

const retryDelays = { initialDelaySeconds: 15, maxDelaySeconds: 6 * 3600 }

/**
 * Refunds a paid order, fully or partly, through the provider. The refund is committed before the provider is called, so that the money is
 * refunded once even if this is interrupted. When the provider does not answer, the worker retries until it does.
 * @throws {HttpError} 404 no such order; 409 it is not paid, more of it has been refunded meanwhile, or the provider rejects the refund;
 *   400 more than is left; 429 more than admins who are no owners can refund within an hour
 */
export async function requestRefund(
  db: Database,
  cards: CardProvider,
  admin: User,
  orderId: string,
  request: RefundRequest,
): Promise<void> {
  const recorded = await db.transaction((tx) => recordRefund(tx, admin, orderId, request))
  const refused = recorded && (await submitRecordedRefund(db, cards, recorded))
  if (refused) throw new HttpError(409, `The card provider refuses: ${refused}`, undefined, { code: 'provider_refused' })
}

/** Locks an order, and before it what admins who are no owners wait for. @returns isLimited: the admin is one of them */
export async function lockOrderForRefund(tx: Database, admin: User, orderId: string) {
  const isLimited = !(await isOwner(tx, admin.email))
  if (isLimited) await serializeAdminRefunds(tx)
  return { order: await orderBooks.lockOrder(tx, orderId), isLimited }
}

/**
 * Records a refund of a paid order, which the caller submits after the commit. Of one on account it is done: a credit, of no payment.
 * @returns undefined: it is of no money, so that it only cancels pieces, and nothing is submitted
 * @throws {HttpError} like `requestRefund`, but for the provider's refusal
 */
export async function recordRefund(
  tx: Database,
  admin: User,
  orderId: string,
  { plan, seen, endsAs, reason }: RefundRequest,
): Promise<RefundRow | undefined> {
  const { order, isLimited } = await lockOrderForRefund(tx, admin, orderId)
  const isOnAccount = order.paymentMethod === 'on_account'
  if (!order.isPaid || (!order.paymentId && !isOnAccount))
    throw new HttpError(409, 'This order is not paid, so there is nothing to give back', undefined, { code: 'order_not_paid' })
  if (endsAs === 'cancelled' && (order.fulfilmentStatus === 'sent' || order.fulfilmentStatus === 'delivered')) throw orderShippedError()
  const [payment] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)).for('update') : []
  if (!payment && !isOnAccount) throw new Error(`Order ${order.number} has lost its payment`)
  const refundable = await findOrderById(tx, orderId)
  const refundedCents = seen?.refundedCents(refundable)
  if (seen && refundedCents !== seen.cents)
    throw new HttpError(409, `Meanwhile ${formatCents(refundedCents ?? 0)} of this order have gone back: look at it again`, undefined, {
      code: 'refunds_changed',
    })
  const lines = plan(refundable)
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
  if (isLimited) await assertWithinAdminRefundLimit(tx, amountCents)

  const doer = { actor: 'admin', userId: admin.id } as const
  if (!payment) {
    const credit = await creditOrder(tx, order, refundable, { lines, endsAs, reason, doer })
    if (isLimited) await notifyOwnersOfManyRefunds(tx, admin)
    return credit
  }
  if (amountCents === 0) {
    await cancelPieces(tx, order, { refund: { paymentId: payment._id, orderId, endsAs, note: reason, ...doer }, lines })
    if (isLimited) await notifyOwnersOfManyRefunds(tx, admin)
    return undefined
  }
  const next = sql`now() + make_interval(secs => ${retryDelays.initialDelaySeconds})` // until then the caller submits it, not the worker
  const row = await insertRefund(
    tx,
    { paymentId: payment._id, orderId, amountCents, endsAs, note: reason, nextTryAt: next, tries: 1, ...doer },
    lines,
  )
  await appendEvent(tx, order, { event: 'refund asked', doer, note: reason ?? null, amountCents })
  if (isLimited) await notifyOwnersOfManyRefunds(tx, admin)
  return row
}

/**
 * Submits a refund whose row is committed. If the provider does not answer now, the worker retries. One of a transfer is asked for until somebody
 * has transferred it: see `completeRefund`.
 * @returns the provider's error message if it rejects the refund
 */
export async function submitRecordedRefund(db: Database, cards: CardProvider, recorded: RefundRow): Promise<string | undefined> {
  const { paymentId } = recorded
  const [payment] = paymentId ? await db.select({ method: payments.method }).from(payments).where(eq(payments._id, paymentId)) : []
  if (payment?.method !== 'card') return undefined
  return submitRefund(db, cards, recorded).catch((error) => {
    if (!(error instanceof HttpError)) throw error
    return undefined
  })
}

/** Refunds of transfers are made by no provider. */
const isByCard = sql`exists (select from ${payments} where ${payments._id} = ${refunds.paymentId} and ${payments.method} = 'card')`

/**
 * Submits the refund that has been due longest, or fetches its status if it is pending at the provider. Its next attempt is scheduled
 * before that, so that other processes skip it and a crash only delays it.
 * @returns false when none is due
 * @throws {RetryItemLaterError} with the error that stopped it; the refund is due again after a delay that doubles from 15 s up to 6 h
 */
export async function runDueRefund(db: Database, cards: CardProvider): Promise<boolean> {
  const due = db
    .select({ _id: refunds._id })
    .from(refunds)
    .where(and(inArray(refunds.state, ['asked', 'pending']), lte(refunds.nextTryAt, sql`now()`), isByCard))
    .orderBy(refunds.nextTryAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [taken] = await db
    .update(refunds)
    .set({ tries: sql`${refunds.tries} + 1`, nextTryAt: nextRetryAt(refunds.tries, retryDelays) })
    // Equal to one value, which is looked for once: some plans of IN look anew for each refund, and take one more each time.
    .where(eq(refunds._id, sql`(${due})`))
    .returning()
  if (!taken) return false
  try {
    if (taken.refundId) await syncRefund(db, await callProvider(cards.stripe.refunds.retrieve(taken.refundId)))
    else await submitRefund(db, cards, taken)
  } catch (error) {
    throw new RetryItemLaterError(error)
  }
  return true
}

/** @returns the provider's error message if it rejects the refund */
async function submitRefund(db: Database, cards: CardProvider, row: RefundRow): Promise<string | undefined> {
  const [payment] = row.paymentId
    ? await db.select({ intentId: payments.intentId }).from(payments).where(eq(payments._id, row.paymentId))
    : []
  const intentId = payment?.intentId
  if (!intentId) throw new Error(`The payment of refund ${row._id} has no intent`)
  // The provider stores idempotency keys for a day only, so a retry first looks for the refund of an earlier attempt.
  const existing = row.tries > 1 ? await findProviderRefund(cards, intentId, row._id) : undefined
  try {
    await syncRefund(db, existing ?? (await createProviderRefund(cards, intentId, row)))
    return undefined
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    await markRefundRefused(db, row, error.message)
    return error.message
  }
}

const refundStateByStripeStatus: Record<string, RefundRow['state']> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
}

/**
 * Updates the books to a refund's state at the provider, also for a refund that the owner made in the provider's dashboard. Idempotent.
 * @returns false when the books have no payment for it
 */
export function syncRefund(db: Database, refund: Stripe.Refund): Promise<boolean> {
  return retryAfterDeadlock(() =>
    db.transaction(async (tx) => {
      const refunded = await findRefundedPayment(tx, refund)
      if (!refunded) return false
      const order = await orderBooks.lockOrder(tx, refunded.orderId)
      const [payment] = await tx.select().from(payments).where(eq(payments._id, refunded.paymentId)).for('update')
      if (!payment) return false
      const row =
        (await lockRefund(tx, refund)) ??
        (await insertExternalRefund(tx, order, await orderBooks.findOrderLines(tx, order._id), { ...refund, paymentId: payment._id }))
      // `failed` is final. Another status is outdated: under an idempotency key the provider replays its first response.
      if (row.state === 'failed' && row.refundId) return true
      const state = refundStateByStripeStatus[refund.status ?? ''] ?? 'failed'
      const { amountCents } = row
      await tx.update(refunds).set({ state, refundId: refund.id }).where(eq(refunds._id, row._id))

      const [before, now] = [countsAsRefunded(row.state), countsAsRefunded(state)]
      if (before === now) {
        if (row.state === 'asked' && state === 'failed') await recordRefundFailure(tx, order, payment, row, failureMessage(refund))
        return true
      }
      if (now) {
        await bookAcceptedRefund(tx, { order, payment, row: { ...row, state }, state })
        return true
      }
      const refundedCents = payment.refundedCents - amountCents
      await tx.update(payments).set({ refundedCents }).where(eq(payments._id, payment._id))
      await removeRefundFromLines(tx, row._id)
      const left = await orderBooks.lockOrder(tx, order._id) // pieces of lines whose money came back may be to be sent
      await recordRefundFailure(tx, left, { ...payment, refundedCents }, row, failureMessage(refund))
      return true
    }),
  )
}

type AcceptedRefund = { order: orderBooks.OrderRow; payment: Payment; row: RefundRow; state: RefundRow['state'] }

/**
 * Counts a refund on payment, lines and stock, and ends the order where all of its money has gone back: once the provider has accepted it, or the
 * owner has transferred it. The caller has locked all three.
 */
export async function bookAcceptedRefund(tx: Database, { order, payment, row, state }: AcceptedRefund): Promise<void> {
  const { amountCents } = row
  if (state !== row.state) await tx.update(refunds).set({ state }).where(eq(refunds._id, row._id))
  const refundedCents = payment.refundedCents + amountCents
  await tx.update(payments).set({ refundedCents }).where(eq(payments._id, payment._id))
  const changed = await orderBooks.lockOrder(tx, order._id) // its payment status has followed
  const doer = { actor: row.actor, userId: row.userId }
  const isFullRefund = refundedCents === payment.amountCents
  const ends = isFullRefund && order.paymentId === payment._id && order.orderStatus === 'placed'
  await applyRefundToLines(tx, order, row._id, { orderGoesOn: !ends, doer })
  const eventFields = {
    doer,
    note: row.note,
    amountCents,
    items: amountCents === payment.amountCents ? undefined : await formatRefundedItems(tx, row._id), // none: of the whole order
    mail: true,
  }
  const keepsPieces = (await orderBooks.findOrderLines(tx, order._id)).some(({ quantity, restocked }) => restocked < quantity)
  const partEvent = row.endsAs === 'cancelled' ? 'line cancelled' : 'partly refunded'
  const isOfWhole = isFullRefund && !(payment.isSurplus && payment.method === 'bank_transfer')
  if (!ends) await orderBooks.appendEventOrComplete(tx, order._id, { event: isOfWhole ? 'refunded' : partEvent, ...eventFields })
  else if (row.endsAs === 'cancelled' && order.fulfilmentStatus === 'to_send' && !keepsPieces)
    await orderBooks.changeOrderStatus(tx, changed, 'cancelled', { event: 'cancelled', ...eventFields })
  else await orderBooks.changeOrderStatus(tx, changed, 'completed', { event: 'refunded', ...eventFields })
}

/** The provider has refunded the money, or is about to. */
const countsAsRefunded = (state: RefundRow['state']) => state === 'pending' || state === 'succeeded'

const failureMessage = ({ failure_reason }: { failure_reason?: string | null | undefined }) =>
  `The money came back (${failure_reason ?? 'no reason given'}): give it back in another way`

async function markRefundRefused(db: Database, row: RefundRow, why: string): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await orderBooks.lockOrder(tx, row.orderId)
    const [payment] = row.paymentId ? await tx.select().from(payments).where(eq(payments._id, row.paymentId)).for('update') : []
    const refused = await tx
      .update(refunds)
      .set({ state: 'failed' })
      .where(and(eq(refunds._id, row._id), eq(refunds.state, 'asked')))
    if (payment && refused.rowCount) await recordRefundFailure(tx, order, payment, row, why)
  })
}

/**
 * Records a refund that the provider or the buyer's bank rejected: the store still has the money, so an order that ended before all of it was sent
 * is placed again. The event needs an admin's attention.
 */
async function recordRefundFailure(
  tx: Database,
  order: orderBooks.OrderRow,
  payment: Payment,
  { amountCents }: RefundRow,
  note: string,
): Promise<void> {
  const failureEvent = { event: 'refund failed', doer: { actor: 'card provider' }, note, amountCents } as const
  const isSent = order.fulfilmentStatus === 'sent' || order.fulfilmentStatus === 'delivered'
  const hasEnded = order.orderStatus !== 'open' && order.orderStatus !== 'placed' && !isSent
  const isPaidAgain = hasEnded && order.paymentId === payment._id && payment.refundedCents < payment.amountCents
  if (isPaidAgain) await orderBooks.changeOrderStatus(tx, order, 'placed', failureEvent)
  else await appendEvent(tx, order, failureEvent)
}
