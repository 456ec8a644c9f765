import { createHash, timingSafeEqual } from 'node:crypto'
import type Stripe from 'stripe'
import type { EventRequest } from './events.ts'
import { expandObject } from './expand.ts'
import type { Db } from './ledger.ts'
import { type ApiResponse, invalidRequestError, jsonResponse, resourceMissingError, StripeApiError } from './wire.ts'

/* Loading, locking, storing and serializing payment intents. */

/** The caller: the shop with its secret key, or a browser with the publishable key, which must also send the intent's client secret. */
export type Caller = 'shop' | 'browser'

/** `cause` is null for the buyer's actions on the bank page; `origin` is the origin of the sandbox. */
export type RequestContext = { caller: Caller; cause: EventRequest | null; origin: string }

/** The statuses in which a card may be charged. */
export const PAYABLE_STATUSES: ReadonlySet<string> = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action'])

/** The intent, locked until the transaction ends, so that confirmations of the same intent run one after another. */
export async function lockIntent(tx: Db, context: RequestContext, id: string, clientSecret?: string): Promise<Stripe.PaymentIntent> {
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1 for update', [id])
  return authorizeIntentAccess(context, id, rows[0]?.object, clientSecret)
}

export function authorizeIntentAccess(
  context: RequestContext,
  id: string,
  intent: Stripe.PaymentIntent | undefined,
  clientSecret?: string,
): Stripe.PaymentIntent {
  if (!intent) throw resourceMissingError('payment_intent', id, 'intent')
  if (context.caller === 'shop' && clientSecret === undefined) return intent
  if (clientSecret === undefined)
    throw invalidRequestError('Missing required param: client_secret.', { code: 'parameter_missing', param: 'client_secret' })
  if (!timingSafeEqualText(clientSecret, intent.client_secret ?? '')) {
    throw invalidRequestError('The client_secret provided does not match the client_secret associated with the PaymentIntent.', {
      code: 'payment_intent_invalid_parameter',
      param: 'client_secret',
    })
  }
  return intent
}

/** Compares in constant time. */
export function timingSafeEqualText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

export async function saveIntent(tx: Db, intent: Stripe.PaymentIntent): Promise<void> {
  await tx.query('update sandbox.intents set object = $2 where id = $1', [intent.id, intent])
}

export async function intentResponse(
  db: Db,
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  expand?: string[],
): Promise<ApiResponse> {
  return jsonResponse(200, intentVisibleTo(context.caller, await expandObject(db, intent, expand)))
}

/**
 * The fields that Stripe returns for a publishable key ("retrievable with publishable key"):
 * https://docs.stripe.com/api/payment_intents/object
 */
const PUBLISHABLE_KEY_FIELDS = [
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

export function intentVisibleTo(caller: Caller, intent: object): object {
  if (caller === 'shop') return intent
  return Object.fromEntries(Object.entries(intent).filter(([name]) => PUBLISHABLE_KEY_FIELDS.includes(name)))
}

/** 400 for an action that is not allowed in the current status, with the intent. */
export function unexpectedStateError(intent: Stripe.PaymentIntent, message: string, caller: Caller = 'shop'): StripeApiError {
  return new StripeApiError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intentVisibleTo(caller, intent),
  })
}
