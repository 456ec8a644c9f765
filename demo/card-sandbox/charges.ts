import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { z } from 'zod'
import { type TestCard, testCard } from './cards.ts'
import { expand, expanded } from './expand.ts'
import { happensLater } from './later.ts'
import type { Db } from './ledger.ts'
import { page, paging, type Shelf } from './listing.ts'
import type { Method } from './methods.ts'
import { type Answer, answer, missing, newId, nowSeconds } from './wire.ts'

export const ChargesListed = z.strictObject({ ...paging, payment_intent: z.string().optional(), expand })

export const ChargeRetrieved = z.strictObject({ expand })

/** Charges a card for an intent and keeps the charge, which the card's line in the table decides: succeeded or failed. */
export async function charge(tx: Db, intent: Stripe.PaymentIntent, method: Method, authentication?: 'passed'): Promise<Stripe.Charge> {
  const { outcome, brand, last4, disputed, authentication: asks } = testCard(method.card.token)
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
    outcome: outcomeOf(outcome),
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
        three_d_secure: authenticated(authentication ?? asks),
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
  if (paid && disputed) await happensLater(tx, 'charge is disputed', object.id)
  return object
}

/** The charge, held until the transaction ends; null when there is none. */
export async function locked(tx: Db, id: string): Promise<Stripe.Charge | null> {
  const { rows } = await tx.query<{ object: Stripe.Charge }>('select object from sandbox.charges where id = $1 for update', [id])
  return rows[0]?.object ?? null
}

export async function keep(tx: Db, charge: Stripe.Charge): Promise<void> {
  await tx.query('update sandbox.charges set object = $2 where id = $1', [charge.id, charge])
}

/** Counts so many cents of a charge as given back (negative: as taken back) and answers with the charge as it then stands. */
export async function giveBack(tx: Db, charge: Stripe.Charge, amountCents: number): Promise<Stripe.Charge> {
  const amount_refunded = charge.amount_refunded + amountCents
  const changed = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount }
  await keep(tx, changed)
  return changed
}

/** The test card that was charged, by its token. */
export async function cardOf(tx: Db, charge: Stripe.Charge): Promise<string> {
  const { rows } = await tx.query<{ card: string }>('select card from sandbox.payment_methods where id = $1', [charge.payment_method])
  if (!rows[0]) throw new Error(`The charge ${charge.id} has no card`)
  return rows[0].card
}

const CHARGES: Shelf = { table: 'charges', kind: 'charge', url: '/v1/charges', object: 'object' }

/** The charges of an intent or all, the newest first; those that failed are among them. */
export function list(db: Db, asked: z.output<typeof ChargesListed>): Promise<Answer> {
  return page<Stripe.Charge>(db, CHARGES, asked, { intent_id: asked.payment_intent }, (charge) =>
    expanded(db, charge, asked.expand, 'data.'),
  )
}

/** One charge as it stands (404 when there is none). */
export async function retrieve(db: Db, id: string, wish: z.output<typeof ChargeRetrieved>): Promise<Answer> {
  const { rows } = await db.query<{ object: Stripe.Charge }>('select object from sandbox.charges where id = $1', [id])
  if (!rows[0]) throw missing('charge', id, 'id')
  return answer(200, await expanded(db, rows[0].object, wish.expand))
}

/** What 3-D Secure has said about the buyer; null where nobody was asked. */
function authenticated(result: 'passed' | TestCard['authentication']): Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure | null {
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

function outcomeOf(outcome: ReturnType<typeof testCard>['outcome']): Stripe.Charge.Outcome {
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
