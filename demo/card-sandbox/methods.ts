import type Stripe from 'stripe'
import { z } from 'zod'
import { cardOfToken, type KeptCard, testCard } from './cards.ts'
import type { Db } from './ledger.ts'
import { type Answer, answer, missing, newId, nowSeconds } from './wire.ts'

export type Billing = { name?: string | undefined; email?: string | undefined; phone?: string | undefined }

/** A payment method of the ledger, with the test card that stands behind it. */
export type Method = { card: KeptCard; object: Stripe.PaymentMethod }

/** Makes a payment method of a card and keeps it. */
export async function make(tx: Db, card: KeptCard, billing: Billing = {}): Promise<Method> {
  const { brand, last4 } = testCard(card.token)
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
      // Stripe derives it from the number; a number's trace is not kept here.
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

/** The method of that id, or a new one where it is a test token (`pm_card_visa`); 400 when it is neither. */
export async function find(tx: Db, id: string): Promise<Method> {
  const card = cardOfToken(id)
  if (card) return make(tx, card)

  const { rows } = await tx.query<{ card: string; object: Stripe.PaymentMethod }>(
    'select card, object from sandbox.payment_methods where id = $1',
    [id],
  )
  const row = rows[0]
  if (!row?.object.card) throw missing('PaymentMethod', id, 'payment_method', 400)
  return { card: { token: row.card, exp_month: row.object.card.exp_month, exp_year: row.object.card.exp_year }, object: row.object }
}

export const MethodRetrieved = z.strictObject({})

/** One payment method (404 when there is none). */
export async function retrieve(db: Db, id: string): Promise<Answer> {
  const { rows } = await db.query<{ object: Stripe.PaymentMethod }>('select object from sandbox.payment_methods where id = $1', [id])
  if (!rows[0]) throw missing('PaymentMethod', id, 'payment_method')
  return answer(200, rows[0].object)
}

/** A charge's and a method's billing details: what is not known is null, as on the wire. */
export function billingDetails(billing: Billing): Stripe.PaymentMethod.BillingDetails {
  return {
    address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
    email: billing.email ?? null,
    name: billing.name ?? null,
    phone: billing.phone ?? null,
    tax_id: null,
  }
}
