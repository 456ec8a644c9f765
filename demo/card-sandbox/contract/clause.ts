import assert from 'node:assert/strict'
import type Stripe from 'stripe'

/**
 * Sentences about a card provider and how each is tried, by Stripe's own SDK alone: they must be true of Stripe and of the sandbox alike.
 * What Stripe does not promise, such as most messages, is not looked at.
 */
export type Clauses = { [sentence: string]: (stripe: Stripe) => Promise<void> }

export const order = { amount: 4000, currency: 'usd', allowed_payment_method_types: ['card'] } satisfies Stripe.PaymentIntentCreateParams

/** An intent that waits for a card. */
export function openIntent(stripe: Stripe): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(order)
}

/** An intent for which this card has been confirmed. */
export function confirmed(stripe: Stripe, payment_method: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({ ...order, payment_method, confirm: true })
}

/** Its latest charge, whole. */
export async function chargeOf(stripe: Stripe, { id }: Stripe.PaymentIntent): Promise<Stripe.Charge> {
  const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
  assert.ok(typeof latest_charge === 'object' && latest_charge !== null)
  return latest_charge
}

/** The types of the events about an object so far, the oldest first. */
export async function eventsAbout(stripe: Stripe, id: string, type: string): Promise<Stripe.Event[]> {
  const { data } = await stripe.events.list({ limit: 100, type })
  return data.filter(({ data: { object } }) => 'id' in object && object.id === id)
}

const READS = 240
const PAUSE_MS = 250

/** Reads again until it is right: a provider works some things off by itself. Gives up after a minute. */
export async function eventually<Seen>(read: () => Promise<Seen>, right: (seen: Seen) => boolean): Promise<Seen> {
  for (let reads = 1; ; reads++) {
    const seen = await read()
    if (right(seen)) return seen
    assert.ok(reads < READS, `Still ${JSON.stringify(seen)} after ${READS} looks`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
