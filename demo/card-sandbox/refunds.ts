import type Stripe from 'stripe'
import { z } from 'zod'
import { testCard } from './cards.ts'
import * as charges from './charges.ts'
import { type Cause, record } from './events.ts'
import { expand, expanded } from './expand.ts'
import { metadata } from './intent-parameters.ts'
import { happensLater } from './later.ts'
import type { Db } from './ledger.ts'
import { page, paging, type Shelf } from './listing.ts'
import { type Answer, answer, invalid, missing, newId, nowSeconds } from './wire.ts'

export const RefundCreated = z.strictObject({
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  amount: z
    .string()
    .transform((text, context) => {
      if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
      const message = /^-?\d+$/.test(text) ? 'Invalid positive integer' : `Invalid integer: ${text}`
      context.addIssue({ code: 'custom', message, params: { code: 'parameter_invalid_integer' } })
      return z.NEVER
    })
    .optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
  expand,
})

export const RefundRetrieved = z.strictObject({ expand })

export const RefundsListed = z.strictObject({ ...paging, payment_intent: z.string().optional(), charge: z.string().optional(), expand })

/**
 * Gives money of a charge back: all that is left of it, or `amount` cents. Refuses a charge that is given back whole already
 * (`charge_already_refunded`), that took no money or is disputed, and more than is left. The card decides whether the money arrives at once,
 * later, or comes back.
 */
export async function create(tx: Db, cause: Cause, wish: z.output<typeof RefundCreated>): Promise<Answer> {
  const charge = await chargeToRefund(tx, wish)
  const left = charge.amount - charge.amount_refunded
  const amount = wish.amount ?? left
  if (charge.disputed) throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (amount > left) {
    const whole = charge.amount_refunded === 0 ? 'charge amount' : 'unrefunded amount on charge'
    // Stripe sends no code with this one.
    throw invalid(`Refund amount (${dollars(amount)}) is greater than ${whole} (${dollars(left)})`, { param: 'amount' })
  }

  const { refund: course } = testCard(await charges.cardOf(tx, charge))
  const refund: Stripe.Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: wish.metadata || {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(course === 'pending' && { pending_reason: 'processing' as const }),
    reason: wish.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: course === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  }
  await tx.query('insert into sandbox.refunds (id, charge_id, intent_id, object) values ($1, $2, $3, $4)', [
    refund.id,
    charge.id,
    charge.payment_intent,
    refund,
  ])
  await record(tx, 'refund.created', refund, cause)
  const { amount_refunded, refunded } = charge
  await record(tx, 'charge.refunded', await charges.giveBack(tx, charge, amount), cause, { amount_refunded, refunded })
  if (course === 'pending') await happensLater(tx, 'refund succeeds', refund.id)
  if (course === 'fails') await happensLater(tx, 'refund fails', refund.id)
  return answer(200, await expanded(tx, refund, wish.expand))
}

/** Held until the transaction ends: refunds of one charge come one after the other. */
async function chargeToRefund(tx: Db, wish: z.output<typeof RefundCreated>): Promise<Stripe.Charge> {
  if (wish.charge !== undefined) {
    const charge = await charges.locked(tx, wish.charge)
    if (!charge) throw missing('charge', wish.charge, 'charge')
    if (wish.payment_intent !== undefined && charge.payment_intent !== wish.payment_intent)
      throw invalid('The charge does not belong to the payment_intent.', { param: 'charge' })
    if (!charge.paid) throw invalid(`Charge ${charge.id} took no money: it has failed.`, { param: 'charge' })
    return charge
  }
  const { payment_intent } = wish
  if (payment_intent === undefined)
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1', [payment_intent])
  const [row] = rows
  if (!row) throw missing('payment_intent', payment_intent, 'payment_intent')
  const { latest_charge } = row.object
  const charge = typeof latest_charge === 'string' ? await charges.locked(tx, latest_charge) : null
  if (!charge?.paid) {
    throw invalid(`This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`, { param: 'payment_intent' })
  }
  return charge
}

const REFUNDS: Shelf = { table: 'refunds', kind: 'refund', url: '/v1/refunds', object: 'object' }

/** The refunds of an intent or a charge, or of all, the newest first. */
export function list(db: Db, asked: z.output<typeof RefundsListed>): Promise<Answer> {
  const only = { intent_id: asked.payment_intent, charge_id: asked.charge }
  return page<Stripe.Refund>(db, REFUNDS, asked, only, (refund) => expanded(db, refund, asked.expand, 'data.'))
}

/** One refund as it stands (404 when there is none). */
export async function retrieve(db: Db, id: string, wish: z.output<typeof RefundRetrieved>): Promise<Answer> {
  const { rows } = await db.query<{ object: Stripe.Refund }>('select object from sandbox.refunds where id = $1', [id])
  if (!rows[0]) throw missing('refund', id, 'refund')
  return answer(200, await expanded(db, rows[0].object, wish.expand))
}

/** A refund that was on its way has arrived. */
export async function succeed(tx: Db, id: string): Promise<void> {
  const { pending_reason, ...refund } = await refundToChange(tx, id)
  if (refund.status !== 'pending') return
  const arrived: Stripe.Refund = { ...refund, status: 'succeeded' }
  await keep(tx, arrived)
  await record(tx, 'refund.updated', arrived, null, { status: refund.status, pending_reason })
}

/** The buyer's bank has sent a refund back: the money is the shop's again, and the charge says so. */
export async function fail(tx: Db, id: string): Promise<void> {
  const refund = await refundToChange(tx, id)
  if (refund.status === 'failed' || typeof refund.charge !== 'string') return
  const failed: Stripe.Refund = {
    ...refund,
    status: 'failed',
    failure_balance_transaction: newId('txn'),
    failure_reason: 'expired_or_canceled_card',
  }
  await keep(tx, failed)
  const charge = await charges.locked(tx, refund.charge)
  if (charge) await charges.giveBack(tx, charge, -refund.amount)
  await record(tx, 'refund.updated', failed, null, { status: refund.status })
  await record(tx, 'refund.failed', failed, null)
}

async function refundToChange(tx: Db, id: string): Promise<Stripe.Refund> {
  const { rows } = await tx.query<{ object: Stripe.Refund }>('select object from sandbox.refunds where id = $1 for update', [id])
  if (!rows[0]) throw missing('refund', id, 'refund')
  return rows[0].object
}

async function keep(tx: Db, refund: Stripe.Refund): Promise<void> {
  await tx.query('update sandbox.refunds set object = $2 where id = $1', [refund.id, refund])
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}
