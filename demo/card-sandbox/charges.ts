import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { z } from 'zod'
import { findTestCard, type TestCard } from './cards.ts'
import { expand, expandObject } from './expand.ts'
import type { Db } from './ledger.ts'
import type { StoredPaymentMethod } from './methods.ts'
import { type ListResource, listPage, paginationParams } from './pagination.ts'
import { scheduleStep } from './scheduled-steps.ts'
import { type ApiResponse, jsonResponse, newId, nowSeconds, resourceMissingError } from './wire.ts'

export const ChargeListParams = z.strictObject({ ...paginationParams, payment_intent: z.string().optional(), expand })

export const ChargeRetrieveParams = z.strictObject({ expand })

/** Charges a card for an intent and stores the charge. The entry of the card in the test card table decides its outcome. */
export async function create(
  tx: Db,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  authentication?: 'passed',
): Promise<Stripe.Charge> {
  const { outcome, brand, last4, disputed, authentication: cardAuthentication } = findTestCard(method.card.token)
  const paid = outcome.kind === 'succeeds'
  const object: Stripe.Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? newId('txn') : null,
    billing_details: method.object.billing_details,
    calculated_statement_descriptor: intent.statement_descriptor ?? 'CARD SANDBOX',
    captured: paid,
    created: nowSeconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: paid ? null : outcome.code,
    failure_message: paid ? null : outcome.message,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: toStripeOutcome(outcome),
    paid,
    payment_intent: intent.id,
    payment_method: method.object.id,
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: paid ? intent.amount : null,
        authorization_code: null,
        brand,
        checks: {
          address_line1_check: null,
          address_postal_code_check: null,
          cvc_check: !paid && outcome.code === 'incorrect_cvc' ? 'fail' : 'pass',
        },
        country: 'US',
        electronic_commerce_indicator: null,
        exp_month: method.card.exp_month,
        exp_year: method.card.exp_year,
        fingerprint: null,
        funding: 'credit',
        installments: null,
        last4,
        mandate: null,
        network: brand,
        network_token: { used: false },
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: threeDSecureDetails(authentication ?? cardAuthentication),
        transaction_link_id: null,
        wallet: null,
      },
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  }
  await tx.query('insert into sandbox.charges (id, intent_id, object) values ($1, $2, $3)', [object.id, intent.id, object])
  if (paid && disputed) await scheduleStep(tx, 'charge is disputed', object.id)
  return object
}

/** The charge, locked until the transaction ends; null when there is none. */
export async function lock(tx: Db, id: string): Promise<Stripe.Charge | null> {
  const { rows } = await tx.query<{ object: Stripe.Charge }>('select object from sandbox.charges where id = $1 for update', [id])
  return rows[0]?.object ?? null
}

export async function save(tx: Db, charge: Stripe.Charge): Promise<void> {
  await tx.query('update sandbox.charges set object = $2 where id = $1', [charge.id, charge])
}

/** Adds cents to the refunded amount of a charge (negative: subtracts) and returns the updated charge. */
export async function addRefundedAmount(tx: Db, charge: Stripe.Charge, amountCents: number): Promise<Stripe.Charge> {
  const amount_refunded = charge.amount_refunded + amountCents
  const changed = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount }
  await save(tx, changed)
  return changed
}

/** The token of the test card that was charged. */
export async function cardTokenOf(tx: Db, charge: Stripe.Charge): Promise<string> {
  const { rows } = await tx.query<{ card: string }>('select card from sandbox.payment_methods where id = $1', [charge.payment_method])
  if (!rows[0]) throw new Error(`The charge ${charge.id} has no card`)
  return rows[0].card
}

const CHARGES: ListResource = { table: 'charges', kind: 'charge', url: '/v1/charges', object: 'object' }

/** The charges of an intent or all charges, newest first, including failed ones. */
export function list(db: Db, params: z.output<typeof ChargeListParams>): Promise<ApiResponse> {
  return listPage<Stripe.Charge>(db, CHARGES, params, { intent_id: params.payment_intent }, (charge) =>
    expandObject(db, charge, params.expand, 'data.'),
  )
}

/** The charge; 404 when there is none. */
export async function retrieve(db: Db, id: string, params: z.output<typeof ChargeRetrieveParams>): Promise<ApiResponse> {
  const { rows } = await db.query<{ object: Stripe.Charge }>('select object from sandbox.charges where id = $1', [id])
  if (!rows[0]) throw resourceMissingError('charge', id, 'id')
  return jsonResponse(200, await expandObject(db, rows[0].object, params.expand))
}

/** The 3-D Secure result; null when no authentication was attempted. */
function threeDSecureDetails(result: 'passed' | TestCard['authentication']): Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure | null {
  if (result !== 'passed' && result !== 'unavailable') return null
  const passed = result === 'passed'
  return {
    authentication_flow: passed ? 'challenge' : null,
    electronic_commerce_indicator: passed ? '05' : null,
    exemption_indicator: null,
    result: passed ? 'authenticated' : 'processing_error',
    result_reason: passed ? null : 'protocol_error',
    transaction_id: passed ? randomUUID() : null,
    version: '2.2.0',
  }
}

function toStripeOutcome(outcome: ReturnType<typeof findTestCard>['outcome']): Stripe.Charge.Outcome {
  const common = { advice_code: null, network_advice_code: null, network_decline_code: null }
  if (outcome.kind === 'succeeds') {
    return {
      ...common,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    }
  }
  if (outcome.blocked) {
    return {
      ...common,
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      risk_level: 'highest',
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    }
  }
  return {
    ...common,
    network_status: 'declined_by_network',
    reason: outcome.decline_code,
    risk_level: 'normal',
    seller_message: `The bank declined the payment: ${outcome.decline_code}.`,
    type: 'issuer_declined',
  }
}
