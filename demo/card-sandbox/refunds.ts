import type Stripe from 'stripe'
import { z } from 'zod'
import { findTestCard } from './cards.ts'
import * as charges from './charges.ts'
import { type EventRequest, recordEvent } from './events.ts'
import { expand, expandObject } from './expand.ts'
import { metadata } from './intent-parameters.ts'
import type { Db } from './ledger.ts'
import { type ListResource, listPage, paginationParams } from './pagination.ts'
import { scheduleStep } from './scheduled-steps.ts'
import { type ApiResponse, formatAmount, invalidRequestError, jsonResponse, newId, nowSeconds, resourceMissingError } from './wire.ts'

export const RefundCreateParams = z.strictObject({
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

export const RefundRetrieveParams = z.strictObject({ expand })

export const RefundListParams = z.strictObject({
  ...paginationParams,
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  expand,
})

/**
 * Refunds a charge: the remaining amount, or `amount` cents. 400 for a charge that is fully refunded (`charge_already_refunded`), failed or
 * disputed, and for more than the remaining amount. The test card decides whether the refund succeeds at once, later, or fails.
 */
export async function create(tx: Db, cause: EventRequest, params: z.output<typeof RefundCreateParams>): Promise<ApiResponse> {
  const charge = await lockChargeToRefund(tx, params)
  const remaining = charge.amount - charge.amount_refunded
  const amount = params.amount ?? remaining
  if (charge.disputed)
    throw invalidRequestError(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  if (remaining === 0) throw invalidRequestError(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (amount > remaining) {
    const whole = charge.amount_refunded === 0 ? 'charge amount' : 'unrefunded amount on charge'
    // Stripe sends no error code in this case.
    throw invalidRequestError(
      `Refund amount (${formatAmount(amount, charge.currency)}) is greater than ${whole} (${formatAmount(remaining, charge.currency)})`,
      {
        param: 'amount',
      },
    )
  }

  const { refund: behaviour } = findTestCard(await charges.cardTokenOf(tx, charge))
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
    metadata: params.metadata || {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(behaviour === 'pending' && { pending_reason: 'processing' as const }),
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: behaviour === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  }
  await tx.query('insert into sandbox.refunds (id, charge_id, intent_id, object) values ($1, $2, $3, $4)', [
    refund.id,
    charge.id,
    charge.payment_intent,
    refund,
  ])
  await recordEvent(tx, 'refund.created', refund, cause)
  const { amount_refunded, refunded } = charge
  await recordEvent(tx, 'charge.refunded', await charges.addRefundedAmount(tx, charge, amount), cause, { amount_refunded, refunded })
  if (behaviour === 'pending') await scheduleStep(tx, 'refund succeeds', refund.id)
  if (behaviour === 'fails') await scheduleStep(tx, 'refund fails', refund.id)
  return jsonResponse(200, await expandObject(tx, refund, params.expand))
}

/** Locks the charge until the transaction ends, so that refunds of the same charge run one after another. */
async function lockChargeToRefund(tx: Db, params: z.output<typeof RefundCreateParams>): Promise<Stripe.Charge> {
  if (params.charge !== undefined) {
    const charge = await charges.lock(tx, params.charge)
    if (!charge) throw resourceMissingError('charge', params.charge, 'charge')
    if (params.payment_intent !== undefined && charge.payment_intent !== params.payment_intent)
      throw invalidRequestError('The charge does not belong to the payment_intent.', { param: 'charge' })
    if (!charge.paid) throw invalidRequestError(`Charge ${charge.id} took no money: it has failed.`, { param: 'charge' })
    return charge
  }
  const { payment_intent } = params
  if (payment_intent === undefined)
    throw invalidRequestError('One of the following params should be provided for this request: payment_intent or charge.')
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1', [payment_intent])
  const [row] = rows
  if (!row) throw resourceMissingError('payment_intent', payment_intent, 'payment_intent')
  const { latest_charge } = row.object
  const charge = typeof latest_charge === 'string' ? await charges.lock(tx, latest_charge) : null
  if (!charge?.paid) {
    throw invalidRequestError(`This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  }
  return charge
}

const REFUNDS: ListResource = { table: 'refunds', kind: 'refund', url: '/v1/refunds', object: 'object' }

/** The refunds of an intent or a charge, or all refunds, newest first. */
export function list(db: Db, params: z.output<typeof RefundListParams>): Promise<ApiResponse> {
  const filter = { intent_id: params.payment_intent, charge_id: params.charge }
  return listPage<Stripe.Refund>(db, REFUNDS, params, filter, (refund) => expandObject(db, refund, params.expand, 'data.'))
}

/** The refund; 404 when there is none. */
export async function retrieve(db: Db, id: string, params: z.output<typeof RefundRetrieveParams>): Promise<ApiResponse> {
  const { rows } = await db.query<{ object: Stripe.Refund }>('select object from sandbox.refunds where id = $1', [id])
  if (!rows[0]) throw resourceMissingError('refund', id, 'refund')
  return jsonResponse(200, await expandObject(db, rows[0].object, params.expand))
}

/** Completes a pending refund. */
export async function succeed(tx: Db, id: string): Promise<void> {
  const { pending_reason, ...refund } = await lockRefund(tx, id)
  if (refund.status !== 'pending') return
  const arrived: Stripe.Refund = { ...refund, status: 'succeeded' }
  await save(tx, arrived)
  await recordEvent(tx, 'refund.updated', arrived, null, { status: refund.status, pending_reason })
}

/** Fails a refund that the buyer's bank has returned, and subtracts it from the refunded amount of the charge. */
export async function fail(tx: Db, id: string): Promise<void> {
  const refund = await lockRefund(tx, id)
  if (refund.status === 'failed' || typeof refund.charge !== 'string') return
  const failed: Stripe.Refund = {
    ...refund,
    status: 'failed',
    failure_balance_transaction: newId('txn'),
    failure_reason: 'expired_or_canceled_card',
  }
  await save(tx, failed)
  const charge = await charges.lock(tx, refund.charge)
  if (charge) await charges.addRefundedAmount(tx, charge, -refund.amount)
  await recordEvent(tx, 'refund.updated', failed, null, { status: refund.status })
  await recordEvent(tx, 'refund.failed', failed, null)
}

async function lockRefund(tx: Db, id: string): Promise<Stripe.Refund> {
  const { rows } = await tx.query<{ object: Stripe.Refund }>('select object from sandbox.refunds where id = $1 for update', [id])
  if (!rows[0]) throw resourceMissingError('refund', id, 'refund')
  return rows[0].object
}

async function save(tx: Db, refund: Stripe.Refund): Promise<void> {
  await tx.query('update sandbox.refunds set object = $2 where id = $1', [refund.id, refund])
}
