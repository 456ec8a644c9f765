import type Stripe from 'stripe'
import { testCard } from './cards.ts'
import type { Db } from './ledger.ts'
import type { Method } from './methods.ts'
import { newId, nowSeconds } from './wire.ts'

/** Charges a card for an intent and keeps the charge, which the card's line in the table decides: succeeded or failed. */
export async function charge(tx: Db, intent: Stripe.PaymentIntent, method: Method): Promise<Stripe.Charge> {
  const { outcome, brand, last4 } = testCard(method.card.token)
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
        three_d_secure: null,
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
  return object
}

/** Null when there is none. */
export async function find(db: Db, id: string): Promise<Stripe.Charge | null> {
  const { rows } = await db.query<{ object: Stripe.Charge }>('select object from sandbox.charges where id = $1', [id])
  return rows[0]?.object ?? null
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
