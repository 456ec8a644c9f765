import { createHash, timingSafeEqual } from 'node:crypto'
import type Stripe from 'stripe'
import type { Cause } from './events.ts'
import { expanded } from './expand.ts'
import type { Db } from './ledger.ts'
import { type Answer, answer, invalid, missing, WireError } from './wire.ts'

/* How an intent is found, held, kept and shown. */

/** Who asks: the shop with its secret key, or a browser with the publishable one, which must also know the intent's client secret. */
export type Asker = 'shop' | 'browser'

/** `cause` is null for what a buyer does at the bank; `origin` is where the sandbox listens. */
export type Ask = { asker: Asker; cause: Cause | null; origin: string }

/** The states in which a card may be charged. */
export const PAYABLE: ReadonlySet<string> = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action'])

/** The intent, held until the transaction ends: two confirmations of one intent come one after the other. */
export async function locked(tx: Db, ask: Ask, id: string, clientSecret?: string): Promise<Stripe.PaymentIntent> {
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1 for update', [id])
  return admitted(ask, id, rows[0]?.object, clientSecret)
}

export function admitted(ask: Ask, id: string, intent: Stripe.PaymentIntent | undefined, clientSecret?: string): Stripe.PaymentIntent {
  if (!intent) throw missing('payment_intent', id, 'intent')
  if (ask.asker === 'shop' && clientSecret === undefined) return intent
  if (clientSecret === undefined)
    throw invalid('Missing required param: client_secret.', { code: 'parameter_missing', param: 'client_secret' })
  if (!same(clientSecret, intent.client_secret ?? '')) {
    throw invalid('The client_secret provided does not match the client_secret associated with the PaymentIntent.', {
      code: 'payment_intent_invalid_parameter',
      param: 'client_secret',
    })
  }
  return intent
}

/** Compared without telling by the time it takes how much of it was right. */
export function same(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}

export async function keep(tx: Db, intent: Stripe.PaymentIntent): Promise<void> {
  await tx.query('update sandbox.intents set object = $2 where id = $1', [intent.id, intent])
}

export async function shown(db: Db, ask: Ask, intent: Stripe.PaymentIntent, expand?: string[]): Promise<Answer> {
  return answer(200, seenBy(ask.asker, await expanded(db, intent, expand)))
}

/** Stripe shows a publishable key this much: https://docs.stripe.com/api/payment_intents/object ("retrievable with publishable key"). */
const PUBLIC = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
]

export function seenBy(asker: Asker, intent: object): object {
  if (asker === 'shop') return intent
  return Object.fromEntries(Object.entries(intent).filter(([name]) => PUBLIC.includes(name)))
}

/** A step that is not allowed now: 400, with the intent as it stands. */
export function unexpectedState(intent: Stripe.PaymentIntent, message: string, asker: Asker = 'shop'): WireError {
  return new WireError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: seenBy(asker, intent),
  })
}
