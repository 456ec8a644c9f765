import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { nextTry } from '#platform/jobs.ts'
import { Refusal } from '#platform/refusal.ts'
import type { User } from '#store/identity/contract.ts'
import { inDollars } from '#store/in-dollars.ts'
import { type OrderState, orderSteps } from '#store/orders/contract.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orders, payments, refunds } from '#store/orders/table.ts'
import { ask, type CardProvider, isKept } from './card-provider.ts'

/** The worker that asks the provider again for what `workOffRefund` finds. */
export const refundsUnderWay = 'refunds'

type Row = typeof refunds.$inferSelect
type Payment = typeof payments.$inferSelect
type Wish = {
  amountCents?: number | undefined
  restock?: number | undefined
  refundedCentsSeen?: number | undefined
  endsAs: Row['endsAs']
  reason?: string | undefined
}

const pauses = { firstSeconds: 15, longestSeconds: 6 * 3600 }

/**
 * Gives money of a paid order back through the provider: written down first, asked then, so that it goes back once wherever this breaks
 * off. When the provider does not answer it is asked again until it does.
 * @param wish `amountCents`: all that is left when absent; `restock`: pieces that go back into stock with it, all that are left when absent
 * @throws {Refusal} 404 no such order; 409 it is not paid, money of it has gone back meanwhile, or the provider refuses; 400 more than is left
 */
export async function refund(db: Database, cards: CardProvider, admin: User, orderId: string, wish: Wish): Promise<void> {
  const asked = await db.transaction(async (tx) => {
    const order = await orderBooks.lock(tx, orderId)
    if (!order.paymentId || !mayBecome(order.state, 'refunded'))
      throw new Refusal(409, 'This order is not paid, so there is nothing to give back')
    if (!mayBecome(order.state, wish.endsAs)) throw new Refusal(409, 'This order has been sent off: it can be refunded, not cancelled')
    const [payment] = await tx.select().from(payments).where(eq(payments._id, order.paymentId)).for('update')
    if (!payment) throw new Error(`Order ${order.number} has lost its payment`)
    const { refundedCents, refundable } = await orderBooks.refundState(tx, orderId)
    if (wish.refundedCentsSeen !== undefined && wish.refundedCentsSeen !== refundedCents)
      throw new Refusal(409, `Meanwhile ${inDollars(refundedCents)} of this order have gone back: look at it again`)
    if (refundable.cents === 0) throw new Refusal(409, 'All of the money is on its way back already')
    const { amountCents = refundable.cents, restock = refundable.pieces, endsAs, reason } = wish
    if (amountCents > refundable.cents) refuseField('amountCents', `At most ${inDollars(refundable.cents)} can go back`)
    if (restock > refundable.pieces) refuseField('restock', `At most ${refundable.pieces} pieces can go back into stock`)

    const doer = { actor: 'admin', userId: admin.id } as const
    const next = sql`now() + make_interval(secs => ${pauses.firstSeconds})` // until then it is this request that asks
    const [row] = await tx
      .insert(refunds)
      .values({ paymentId: payment._id, orderId, amountCents, restock, endsAs, note: reason, nextTryAt: next, tries: 1, ...doer })
      .returning()
    if (!row) throw new Error('The new refund was not returned')
    await orderBooks.note(tx, order, { event: 'refund asked', doer, note: reason ?? null, amountCents })
    return row
  })
  // The row stands: without an answer now, the worker asks again.
  const refused = await payBack(db, cards, asked).catch((error) => {
    if (!(error instanceof Refusal)) throw error
  })
  if (refused) throw new Refusal(409, `The card provider refuses: ${refused}`)
}

const mayBecome = (from: OrderState, to: OrderState) => orderSteps[from].includes(to)

function refuseField(field: string, message: string): never {
  throw new Refusal(400, message, { [field]: message })
}

/**
 * Asks the provider about the refund that is due longest: to make one that is asked for, or what has become of one that is pending.
 * Taking it on sets its next try, so that another process passes over it and a crash only delays it.
 * @returns false when none is due
 */
export async function workOffRefund(db: Database, cards: CardProvider): Promise<boolean> {
  const due = db
    .select({ _id: refunds._id })
    .from(refunds)
    .where(and(inArray(refunds.state, ['asked', 'pending']), lte(refunds.nextTryAt, sql`now()`)))
    .orderBy(refunds.nextTryAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [taken] = await db
    .update(refunds)
    .set({ tries: sql`${refunds.tries} + 1`, nextTryAt: nextTry(refunds.tries, pauses) })
    .where(inArray(refunds._id, due))
    .returning()
  if (!taken) return false
  if (taken.refundId) await enterRefund(db, await ask(cards.stripe.refunds.retrieve(taken.refundId)))
  else await payBack(db, cards, taken)
  return true
}

/** @returns why the provider refuses, where it does */
async function payBack(db: Database, cards: CardProvider, row: Row): Promise<string | undefined> {
  const [payment] = await db.select({ intentId: payments.intentId }).from(payments).where(eq(payments._id, row.paymentId))
  const intentId = payment?.intentId
  if (!intentId) throw new Error(`The payment of refund ${row._id} has no intent`)
  // The provider keeps keys for a day only. Whether an earlier try got through is read, not asked for again.
  const before = row.tries > 1 ? await findRefund(cards, intentId, row._id) : undefined
  try {
    await enterRefund(db, before ?? (await makeRefund(cards, intentId, row)))
    return undefined
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    await refuseRefund(db, row, error.message)
    return error.message
  }
}

/** Under the row's id as key; where the provider has kept an error under it, and lists no such refund, under the next one. */
async function makeRefund(cards: CardProvider, intentId: string, { _id, amountCents }: Row): Promise<Stripe.Refund> {
  const wish = { payment_intent: intentId, amount: amountCents, reason: 'requested_by_customer', metadata: { refund_id: _id } } as const
  for (let nth = 1; ; nth++) {
    // Without a further try of the library's own a key that is new has no kept answer, so this comes to an end.
    const options = nth === 1 ? { idempotencyKey: _id } : { idempotencyKey: `${_id} ${nth}`, maxNetworkRetries: 0 }
    try {
      return await ask(cards.stripe.refunds.create(wish, options))
    } catch (error) {
      if (!isKept(error)) throw error
      const made = await findRefund(cards, intentId, _id)
      if (made) return made
    }
  }
}

async function findRefund(cards: CardProvider, intentId: string, id: string): Promise<Stripe.Refund | undefined> {
  const { data } = await ask(cards.stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
  return data.find(({ metadata }) => metadata?.refund_id === id)
}

const states: Record<string, Row['state']> = { pending: 'pending', requires_action: 'pending', succeeded: 'succeeded' }
const uuid = z.uuid()

/**
 * Brings the books in line with a refund as the provider has it: also one that the owner made at the provider's own site. Says the same
 * however often it is called.
 * @returns false when it is of no payment in the books
 */
export function enterRefund(db: Database, refund: Stripe.Refund): Promise<boolean> {
  return db.transaction(async (tx) => {
    const place = await placeOf(tx, refund)
    if (!place) return false
    const order = await orderBooks.lock(tx, place.orderId)
    const [payment] = await tx.select().from(payments).where(eq(payments._id, place.paymentId)).for('update')
    const row = (await lockRefund(tx, refund)) ?? (await adopt(tx, refund, place))
    if (!payment || !row) return false
    // That is the end of a refund. Who says otherwise says it late: an answer under its key is the one of the first time, whatever happened since.
    if (row.state === 'failed' && row.refundId) return true
    const state = states[refund.status ?? ''] ?? 'failed'
    const { amountCents } = row
    await tx.update(refunds).set({ state, refundId: refund.id }).where(eq(refunds._id, row._id))

    const [before, now] = [isGoing(row.state), isGoing(state)]
    if (before === now) {
      if (row.state === 'asked' && state === 'failed') await keepMoney(tx, order, payment, row, failureWords(refund))
      return true
    }
    const refundedCents = payment.refundedCents + (now ? amountCents : -amountCents)
    await tx.update(payments).set({ refundedCents }).where(eq(payments._id, payment._id))

    if (now) {
      const doer = { actor: row.actor, userId: row.userId }
      const back = Math.min(row.restock, order.productQuantity - order.restocked)
      const whole = refundedCents === payment.amountCents
      const told = { doer, note: row.note, amountCents, mail: true }
      if (whole && order.paymentId === payment._id && mayBecome(order.state, 'refunded')) {
        const end = mayBecome(order.state, row.endsAs) ? row.endsAs : 'refunded' // it may have been sent off meanwhile
        await orderBooks.step(tx, order, end, back, { event: end, ...told })
      } else {
        await orderBooks.giveBack(tx, order, back, doer)
        await orderBooks.note(tx, order, { event: whole ? 'refunded' : 'partly refunded', ...told })
      }
      return true
    }
    await keepMoney(tx, order, { ...payment, refundedCents }, row, failureWords(refund))
    return true
  })
}

/** Money that is gone, or on its way. */
const isGoing = (state: Row['state']) => state === 'pending' || state === 'succeeded'

const failureWords = ({ failure_reason }: { failure_reason?: string | null | undefined }) =>
  `The money came back (${failure_reason ?? 'no reason given'}): give it back in another way`

async function refuseRefund(db: Database, row: Row, why: string): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await orderBooks.lock(tx, row.orderId)
    const [payment] = await tx.select().from(payments).where(eq(payments._id, row.paymentId)).for('update')
    const refused = await tx
      .update(refunds)
      .set({ state: 'failed' })
      .where(and(eq(refunds._id, row._id), eq(refunds.state, 'asked')))
    if (payment && refused.rowCount) await keepMoney(tx, order, payment, row, why)
  })
}

/**
 * Money that was to go back did not, because the provider or the buyer's bank refused it: it is the store's, and an order that had ended
 * is paid again, for the admin to see.
 */
async function keepMoney(tx: Database, order: orderBooks.OrderRow, payment: Payment, { amountCents }: Row, note: string): Promise<void> {
  const told = { event: 'refund failed', doer: { actor: 'card provider' }, note, amountCents } as const
  const isPaidAgain = order.paymentId === payment._id && payment.refundedCents < payment.amountCents && mayBecome(order.state, 'paid')
  if (isPaidAgain) await orderBooks.step(tx, order, 'paid', 0, told)
  else await orderBooks.note(tx, order, told)
}

type Place = { orderId: string; paymentId: string }

/** Which order and payment a refund belongs to. */
async function placeOf(tx: Database, refund: Stripe.Refund): Promise<Place | undefined> {
  const [known] = await tx.select({ orderId: refunds.orderId, paymentId: refunds.paymentId }).from(refunds).where(isRefund(refund))
  if (known) return known
  const intentId = typeof refund.payment_intent === 'string' ? refund.payment_intent : refund.payment_intent?.id
  if (!intentId) return undefined
  const [paid] = await tx
    .select({ orderId: orders._id, paymentId: payments._id })
    .from(payments)
    .innerJoin(orders, eq(orders.paymentId, payments._id))
    .where(and(eq(payments.intentId, intentId), eq(payments.state, 'succeeded')))
  return paid
}

function isRefund({ id, metadata }: Stripe.Refund) {
  const asked = uuid.safeParse(metadata?.refund_id).data
  return asked ? eq(refunds._id, asked) : eq(refunds.refundId, id)
}

const lockRefund = async (tx: Database, refund: Stripe.Refund): Promise<Row | undefined> =>
  (await tx.select().from(refunds).where(isRefund(refund)).for('update'))[0]

async function adopt(tx: Database, { id, amount }: Stripe.Refund, { orderId, paymentId }: Place): Promise<Row | undefined> {
  const actor = 'card provider'
  const [row] = await tx
    .insert(refunds)
    .values({
      orderId,
      paymentId,
      refundId: id,
      amountCents: amount,
      restock: 0,
      endsAs: 'refunded',
      actor,
      note: 'Made at the card provider',
    })
    .returning()
  return row
}
