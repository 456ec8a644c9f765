import type Stripe from 'stripe'
import type { z } from 'zod'
import { findTestCard } from './cards.ts'
import * as challenges from './challenges.ts'
import * as charges from './charges.ts'
import { recordEvent } from './events.ts'
import {
  intentResponse,
  intentVisibleTo,
  lockIntent,
  PAYABLE_STATUSES,
  type RequestContext,
  saveIntent,
  unexpectedStateError,
} from './intent-ledger.ts'
import type { IntentConfirmParams } from './intent-parameters.ts'
import type { Db } from './ledger.ts'
import * as methods from './methods.ts'
import { type ApiResponse, docUrl, errorResponse, invalidRequestError, jsonResponse, StripeApiError } from './wire.ts'

/** Parameters of a confirmation for 3-D Secure and for the response. */
type ConfirmOptions = { expand?: string[] | undefined; return_url?: string | undefined; use_stripe_sdk?: boolean | undefined }

/**
 * Charges a card for the intent, or starts 3-D Secure authentication first: 200 with the updated intent, or 402 with Stripe's error for the
 * card and the intent, which can then be confirmed with another card. Invalid and unknown cards are rejected before anything is changed.
 */
export async function confirm(
  tx: Db,
  context: RequestContext,
  id: string,
  params: z.output<typeof IntentConfirmParams>,
): Promise<ApiResponse> {
  const intent = await lockIntent(tx, context, id, params.client_secret)
  if (params.typed && context.caller === 'shop') throw rawCardNumberError()
  if (!PAYABLE_STATUSES.has(intent.status))
    return errorResponse(unexpectedStateError(intent, notConfirmableMessage(intent), context.caller))
  const method = await resolvePaymentMethod(tx, context, intent, params)
  if (!method) return errorResponse(unexpectedStateError(intent, NO_METHOD_MESSAGE, context.caller))
  return pay(tx, context, params.receipt_email ? { ...intent, receipt_email: params.receipt_email } : intent, method, params)
}

/** The card in the request, else the named payment method, else the payment method of the intent. */
async function resolvePaymentMethod(
  tx: Db,
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  params: z.output<typeof IntentConfirmParams>,
) {
  if (params.typed) {
    const { card, billing_details } = params.typed
    if ('refused' in card)
      throw new StripeApiError(402, { type: 'card_error', ...card.refused, payment_intent: intentVisibleTo(context.caller, intent) })
    return methods.create(tx, card, billing_details)
  }
  const methodId = params.payment_method ?? intent.payment_method
  return typeof methodId === 'string' ? methods.find(tx, methodId) : null
}

/** As `confirm`, for an intent that is locked and a payment method that is resolved. */
export async function pay(
  tx: Db,
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  method: methods.StoredPaymentMethod,
  options: ConfirmOptions,
): Promise<ApiResponse> {
  // A new confirmation replaces a pending challenge.
  await challenges.deleteForIntent(tx, intent.id)
  if (findTestCard(method.card.token).authentication !== 'required') return chargeAndUpdateIntent(tx, context, intent, method, options)
  const pending: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_action',
    payment_method: method.object.id,
    next_action: await challenges.create(tx, context.origin, intent.id, method.object.id, options),
    last_payment_error: null,
  }
  await saveIntent(tx, pending)
  await recordEvent(tx, 'payment_intent.requires_action', pending, context.cause)
  return intentResponse(tx, context, pending, options.expand)
}

/**
 * Handles the buyer's answer to a challenge: charges the card, or resets the intent for another payment method. The response contains the
 * return URL, if the shop has sent one. 404 for a challenge that has ended.
 */
export async function authenticate(tx: Db, challengeId: string, outcome: 'passed' | 'failed', origin: string): Promise<ApiResponse> {
  const context: RequestContext = { caller: 'browser', cause: null, origin }
  const { intent_id } = await challenges.find(tx, challengeId)
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1 for update', [
    intent_id,
  ])
  const intent = rows[0]?.object
  // Read again now that the intent is locked: a concurrent request may have answered the challenge.
  const { method_id, return_url } = await challenges.find(tx, challengeId)
  if (!intent) throw new Error(`The challenge ${challengeId} has no intent`)
  await challenges.deleteForIntent(tx, intent.id)

  const method = await methods.find(tx, method_id)
  const open = { ...intent, next_action: null }
  const paid =
    outcome === 'passed'
      ? (await chargeAndUpdateIntent(tx, context, open, method, {}, 'passed')).status === 200
      : await failAuthentication(tx, open, method)
  const returnUrl = return_url === null ? null : new URL(return_url)
  returnUrl?.searchParams.set('payment_intent', intent.id)
  returnUrl?.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '')
  returnUrl?.searchParams.set('redirect_status', paid ? 'succeeded' : 'failed')
  return jsonResponse(200, { object: 'challenge', return_url: returnUrl?.href ?? null })
}

async function failAuthentication(tx: Db, intent: Stripe.PaymentIntent, method: methods.StoredPaymentMethod): Promise<false> {
  const code = 'payment_intent_authentication_failure'
  const failed: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: {
      code,
      doc_url: docUrl(code),
      message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      payment_method: method.object,
      type: 'invalid_request_error',
    },
  }
  await saveIntent(tx, failed)
  await recordEvent(tx, 'payment_intent.payment_failed', failed, null)
  return false
}

async function chargeAndUpdateIntent(
  tx: Db,
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  method: methods.StoredPaymentMethod,
  { expand }: ConfirmOptions,
  authentication?: 'passed',
): Promise<ApiResponse> {
  const charge = await charges.create(tx, intent, method, authentication)
  const { outcome } = findTestCard(method.card.token)

  if (outcome.kind === 'declined') {
    const { code, decline_code, message, param } = outcome
    const error = {
      charge: charge.id,
      code,
      decline_code,
      doc_url: docUrl(code),
      message,
      ...(param && { param }),
      payment_method: method.object,
    }
    const declined: Stripe.PaymentIntent = {
      ...intent,
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      latest_charge: charge.id,
      last_payment_error: { ...error, code: code as Stripe.PaymentIntent.LastPaymentError.Code, type: 'card_error' },
    }
    await saveIntent(tx, declined)
    await recordEvent(tx, 'charge.failed', charge, context.cause)
    await recordEvent(tx, 'payment_intent.payment_failed', declined, context.cause)
    return errorResponse(
      new StripeApiError(402, { ...error, type: 'card_error', payment_intent: intentVisibleTo(context.caller, declined) }),
    )
  }

  const paid: Stripe.PaymentIntent = {
    ...intent,
    status: 'succeeded',
    next_action: null,
    amount_received: intent.amount,
    payment_method: method.object.id,
    latest_charge: charge.id,
    last_payment_error: null,
  }
  await saveIntent(tx, paid)
  await recordEvent(tx, 'charge.succeeded', charge, context.cause)
  await recordEvent(tx, 'payment_intent.succeeded', paid, context.cause)
  return intentResponse(tx, context, paid, expand)
}

export const NO_METHOD_MESSAGE =
  "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method " +
  'and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.'

function notConfirmableMessage(intent: Stripe.PaymentIntent): string {
  return intent.status === 'succeeded'
    ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
    : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. ` +
        'Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.'
}

/** The shop must never handle card numbers, so the API rejects them with a secret key. */
function rawCardNumberError(): StripeApiError {
  return invalidRequestError(
    'Sending credit card numbers directly to the Stripe API is generally unsafe. ' +
      'To continue processing use Stripe.js, the Stripe mobile bindings, or Stripe Elements.',
    { status: 402 },
  )
}
