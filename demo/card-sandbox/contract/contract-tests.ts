import assert from 'node:assert/strict'
import type Stripe from 'stripe'

/**
 * Contract tests by description. They use only Stripe's SDK and must pass against both Stripe and the sandbox.
 * They do not check what Stripe does not guarantee, such as most error messages.
 */
export type ContractTests = { [sentence: string]: (stripe: Stripe) => Promise<void> }

export const intentParams = {
  amount: 4000,
  currency: 'usd',
  allowed_payment_method_types: ['card'],
} satisfies Stripe.PaymentIntentCreateParams

/** Creates an intent without a payment method. */
export function createIntent(stripe: Stripe): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(intentParams)
}

/** Creates an intent and confirms it with this payment method. */
export function createConfirmedIntent(stripe: Stripe, payment_method: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({ ...intentParams, payment_method, confirm: true })
}

/** The latest charge of an intent, expanded. */
export async function retrieveLatestCharge(stripe: Stripe, { id }: Stripe.PaymentIntent): Promise<Stripe.Charge> {
  const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
  assert.ok(typeof latest_charge === 'object' && latest_charge !== null)
  return latest_charge
}

/** The events of this type about an object so far, newest first. */
export async function listEventsFor(stripe: Stripe, id: string, type: string): Promise<Stripe.Event[]> {
  const { data } = await stripe.events.list({ limit: 100, type })
  return data.filter(({ data: { object } }) => 'id' in object && object.id === id)
}

const READS = 240
const PAUSE_MS = 250

/** Polls until `right` returns true, for asynchronous processing by the provider. Fails after one minute. */
export async function pollUntil<Seen>(read: () => Promise<Seen>, right: (seen: Seen) => boolean): Promise<Seen> {
  for (let reads = 1; ; reads++) {
    const seen = await read()
    if (right(seen)) return seen
    assert.ok(reads < READS, `Still ${JSON.stringify(seen)} after ${READS} looks`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
