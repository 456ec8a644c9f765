import type Stripe from 'stripe'
import { z } from 'zod'
import { cardFromToken, findTestCard, type StoredCard } from './cards.ts'
import type { Db } from './ledger.ts'
import { type ApiResponse, jsonResponse, newId, nowSeconds, resourceMissingError } from './wire.ts'

export type BillingInput = { name?: string | undefined; email?: string | undefined; phone?: string | undefined }

/** A stored payment method with its test card. */
export type StoredPaymentMethod = { card: StoredCard; object: Stripe.PaymentMethod }

/** Creates and stores a payment method for a card. */
export async function create(tx: Db, card: StoredCard, billing: BillingInput = {}): Promise<StoredPaymentMethod> {
  const { brand, last4 } = findTestCard(card.token)
  const object: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billingDetails(billing),
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
      country: 'US',
      display_brand: brand === 'amex' ? 'american_express' : brand,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      // Stripe derives the fingerprint from the card number; the sandbox stores nothing derived from it.
      fingerprint: null,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  await tx.query('insert into sandbox.payment_methods (id, card, object) values ($1, $2, $3)', [object.id, card.token, object])
  return { card, object }
}

/** The payment method with this id, or a new one for a test token (`pm_card_visa`); 400 when it is neither. */
export async function find(tx: Db, id: string): Promise<StoredPaymentMethod> {
  const card = cardFromToken(id)
  if (card) return create(tx, card)

  const { rows } = await tx.query<{ card: string; object: Stripe.PaymentMethod }>(
    'select card, object from sandbox.payment_methods where id = $1',
    [id],
  )
  const row = rows[0]
  if (!row?.object.card) throw resourceMissingError('PaymentMethod', id, 'payment_method', 400)
  return { card: { token: row.card, exp_month: row.object.card.exp_month, exp_year: row.object.card.exp_year }, object: row.object }
}

export const PaymentMethodRetrieveParams = z.strictObject({})

/** The payment method; 404 when there is none. */
export async function retrieve(db: Db, id: string): Promise<ApiResponse> {
  const { rows } = await db.query<{ object: Stripe.PaymentMethod }>('select object from sandbox.payment_methods where id = $1', [id])
  if (!rows[0]) throw resourceMissingError('PaymentMethod', id, 'payment_method')
  return jsonResponse(200, rows[0].object)
}

/** The billing details of a charge or payment method. Missing fields are null, as in Stripe's responses. */
export function billingDetails(billing: BillingInput): Stripe.PaymentMethod.BillingDetails {
  return {
    address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
    email: billing.email ?? null,
    name: billing.name ?? null,
    phone: billing.phone ?? null,
    tax_id: null,
  }
}
