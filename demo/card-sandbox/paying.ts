import type Stripe from 'stripe'
import type { z } from 'zod'
import { testCard } from './cards.ts'
import * as challenges from './challenges.ts'
import * as charges from './charges.ts'
import { record } from './events.ts'
import { type Ask, keep, locked, PAYABLE, seenBy, shown, unexpectedState } from './intent-ledger.ts'
import type { IntentConfirmed } from './intent-parameters.ts'
import type { Db } from './ledger.ts'
import * as methods from './methods.ts'
import { type Answer, answer, docUrl, invalid, refusal, WireError } from './wire.ts'

/** What a confirmation says about how the buyer is asked, and what its answer shows. */
type Manner = { expand?: string[] | undefined; return_url?: string | undefined; use_stripe_sdk?: boolean | undefined }

/**
 * Charges a card for the intent, or has its buyer asked first (3-D Secure): 200 with the intent as it then stands, or 402 with Stripe's
 * error for that card and the intent inside, open for another card. A card that cannot be read or is not in the table is refused before anything happens.
 */
export async function confirm(tx: Db, ask: Ask, id: string, wish: z.output<typeof IntentConfirmed>): Promise<Answer> {
  const intent = await locked(tx, ask, id, wish.client_secret)
  if (wish.typed && ask.asker === 'shop') throw rawCardNumber()
  if (!PAYABLE.has(intent.status)) return refusal(unexpectedState(intent, notConfirmable(intent), ask.asker))
  const method = await methodFor(tx, ask, intent, wish)
  if (!method) return refusal(unexpectedState(intent, NO_METHOD, ask.asker))
  return pay(tx, ask, wish.receipt_email ? { ...intent, receipt_email: wish.receipt_email } : intent, method, wish)
}

/** The card that was typed, else the method that was named, else the one that the intent already has. */
async function methodFor(tx: Db, ask: Ask, intent: Stripe.PaymentIntent, wish: z.output<typeof IntentConfirmed>) {
  if (wish.typed) {
    const { card, billing_details } = wish.typed
    if ('refused' in card) throw new WireError(402, { type: 'card_error', ...card.refused, payment_intent: seenBy(ask.asker, intent) })
    return methods.make(tx, card, billing_details)
  }
  const named = wish.payment_method ?? intent.payment_method
  return typeof named === 'string' ? methods.find(tx, named) : null
}

/** As `confirm`, of an intent that is held and a card that is found. */
export async function pay(tx: Db, ask: Ask, intent: Stripe.PaymentIntent, method: methods.Method, manner: Manner): Promise<Answer> {
  // Whoever was asked about another card, or twice, is asked about this one now.
  await challenges.end(tx, intent.id)
  if (testCard(method.card.token).authentication !== 'required') return charge(tx, ask, intent, method, manner)
  const asked: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_action',
    payment_method: method.object.id,
    next_action: await challenges.begin(tx, ask.origin, intent.id, method.object.id, manner),
    last_payment_error: null,
  }
  await keep(tx, asked)
  await record(tx, 'payment_intent.requires_action', asked, ask.cause)
  return shown(tx, ask, asked, manner.expand)
}

/**
 * The buyer has been asked by the bank and has answered: the card is charged, or the intent is open for another one. Answers where the
 * buyer came from, if the shop has said so; refuses a question that is over (404).
 */
export async function authenticate(tx: Db, challengeId: string, outcome: 'passed' | 'failed', origin: string): Promise<Answer> {
  const ask: Ask = { asker: 'browser', cause: null, origin }
  const { intent_id } = await challenges.find(tx, challengeId)
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1 for update', [
    intent_id,
  ])
  const intent = rows[0]?.object
  // Asked again now that the intent is held: somebody may have been faster.
  const { method_id, return_url } = await challenges.find(tx, challengeId)
  if (!intent) throw new Error(`The challenge ${challengeId} has no intent`)
  await challenges.end(tx, intent.id)

  const method = await methods.find(tx, method_id)
  const open = { ...intent, next_action: null }
  const paid =
    outcome === 'passed' ? (await charge(tx, ask, open, method, {}, 'passed')).status === 200 : await unauthenticated(tx, open, method)
  const back = return_url === null ? null : new URL(return_url)
  back?.searchParams.set('payment_intent', intent.id)
  back?.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '')
  back?.searchParams.set('redirect_status', paid ? 'succeeded' : 'failed')
  return answer(200, { object: 'challenge', return_url: back?.href ?? null })
}

async function unauthenticated(tx: Db, intent: Stripe.PaymentIntent, method: methods.Method): Promise<false> {
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
  await keep(tx, failed)
  await record(tx, 'payment_intent.payment_failed', failed, null)
  return false
}

async function charge(
  tx: Db,
  ask: Ask,
  intent: Stripe.PaymentIntent,
  method: methods.Method,
  { expand }: Manner,
  authentication?: 'passed',
): Promise<Answer> {
  const charge = await charges.charge(tx, intent, method, authentication)
  const { outcome } = testCard(method.card.token)

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
    await keep(tx, declined)
    await record(tx, 'charge.failed', charge, ask.cause)
    await record(tx, 'payment_intent.payment_failed', declined, ask.cause)
    return refusal(new WireError(402, { ...error, type: 'card_error', payment_intent: seenBy(ask.asker, declined) }))
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
  await keep(tx, paid)
  await record(tx, 'charge.succeeded', charge, ask.cause)
  await record(tx, 'payment_intent.succeeded', paid, ask.cause)
  return shown(tx, ask, paid, expand)
}

export const NO_METHOD =
  "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method " +
  'and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.'

function notConfirmable(intent: Stripe.PaymentIntent): string {
  return intent.status === 'succeeded'
    ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
    : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. ` +
        'Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.'
}

/** The shop must never hold a card number, so it cannot send one either. */
function rawCardNumber(): WireError {
  return invalid(
    'Sending credit card numbers directly to the Stripe API is generally unsafe. ' +
      'To continue processing use Stripe.js, the Stripe mobile bindings, or Stripe Elements.',
    { status: 402 },
  )
}
