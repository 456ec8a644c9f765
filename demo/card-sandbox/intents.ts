import { createHash, timingSafeEqual } from 'node:crypto'
import type Stripe from 'stripe'
import type { z } from 'zod'
import { testCard } from './cards.ts'
import * as charges from './charges.ts'
import { type Cause, record } from './events.ts'
import { expanded } from './expand.ts'
import type { IntentCanceled, IntentConfirmed, IntentCreated, IntentRetrieved, IntentsListed, IntentUpdated } from './intent-parameters.ts'
import type { Db } from './ledger.ts'
import { page, type Shelf } from './listing.ts'
import * as methods from './methods.ts'
import { type Answer, answer, docUrl, invalid, missing, newId, nowSeconds, randomText, refusal, WireError } from './wire.ts'

/** Who asks: the shop with its secret key, or a browser with the publishable one, which must also know the intent's client secret. */
export type Asker = 'shop' | 'browser'

export type Ask = { asker: Asker; cause: Cause }

/** Makes an intent, and confirms it at once where `confirm` says so. */
export async function create(tx: Db, ask: Ask, wish: z.output<typeof IntentCreated>): Promise<Answer> {
  if (wish.confirm && !wish.payment_method) throw invalid(NO_METHOD, { code: 'parameter_missing', param: 'payment_method' })
  const method = wish.payment_method ? await methods.find(tx, wish.payment_method) : undefined
  const id = newId('pi')
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: wish.allowed_payment_method_types ?? null,
    amount: wish.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: wish.automatic_payment_methods ?? null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency: wish.currency,
    customer: null,
    customer_account: null,
    description: wish.description || null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: merged({}, wish.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: method?.object.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: wish.receipt_email || null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: wish.statement_descriptor || null,
    statement_descriptor_suffix: wish.statement_descriptor_suffix || null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
  await tx.query('insert into sandbox.intents (id, object) values ($1, $2)', [id, intent])
  await record(tx, 'payment_intent.created', intent, ask.cause)
  if (wish.confirm && method) return pay(tx, ask, intent, method, wish.expand)
  return shown(tx, ask, intent, wish.expand)
}

/** The intent as it stands (404 when there is none); a browser sees the fields that Stripe shows to a publishable key. */
export async function retrieve(db: Db, ask: Ask, id: string, wish: z.output<typeof IntentRetrieved>): Promise<Answer> {
  const { rows } = await db.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1', [id])
  const intent = admitted(ask, id, rows[0]?.object, wish.client_secret)
  return shown(db, ask, intent, wish.expand)
}

const INTENTS: Shelf = { table: 'intents', kind: 'payment_intent', url: '/v1/payment_intents', object: 'object' }

/** All intents, the newest first, a page at a time: https://docs.stripe.com/api/payment_intents/list */
export function list(db: Db, asked: z.output<typeof IntentsListed>): Promise<Answer> {
  return page<Stripe.PaymentIntent>(db, INTENTS, asked, {}, (intent) => expanded(db, intent, asked.expand, 'data.'))
}

/** Changes what may still be changed: the amount until it is paid or canceled, words and metadata always. */
export async function update(tx: Db, ask: Ask, id: string, wish: z.output<typeof IntentUpdated>): Promise<Answer> {
  const intent = await locked(tx, ask, id)
  const changesAmount = wish.amount !== undefined && wish.amount !== intent.amount
  if (changesAmount && !PAYABLE.has(intent.status)) {
    return refusal(
      unexpectedState(
        intent,
        `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}. ` +
          'You may only update the amount of a PaymentIntent with one of the following statuses: ' +
          `${[...PAYABLE].join(', ')}.`,
      ),
    )
  }
  const changed: Stripe.PaymentIntent = {
    ...intent,
    amount: wish.amount ?? intent.amount,
    allowed_payment_method_types: wish.allowed_payment_method_types ?? intent.allowed_payment_method_types,
    description: wish.description === undefined ? intent.description : wish.description || null,
    receipt_email: wish.receipt_email === undefined ? intent.receipt_email : wish.receipt_email || null,
    statement_descriptor_suffix:
      wish.statement_descriptor_suffix === undefined ? intent.statement_descriptor_suffix : wish.statement_descriptor_suffix || null,
    metadata: merged(intent.metadata, wish.metadata),
  }
  await keep(tx, changed)
  return shown(tx, ask, changed, wish.expand)
}

/**
 * Charges a card for the intent: 200 with the intent as it then stands, or 402 with Stripe's error for that card and the intent inside,
 * open for another card. A card that cannot be read or is not in the table is refused before anything happens.
 */
export async function confirm(tx: Db, ask: Ask, id: string, wish: z.output<typeof IntentConfirmed>): Promise<Answer> {
  const intent = await locked(tx, ask, id, wish.client_secret)
  if (wish.typed && ask.asker === 'shop') throw rawCardNumber()
  if (!PAYABLE.has(intent.status)) return refusal(unexpectedState(intent, notConfirmable(intent), ask.asker))
  const method = await methodFor(tx, ask, intent, wish)
  if (!method) return refusal(unexpectedState(intent, NO_METHOD, ask.asker))
  return pay(tx, ask, wish.receipt_email ? { ...intent, receipt_email: wish.receipt_email } : intent, method, wish.expand)
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

/** Ends an intent that is neither paid nor ended (else 400). */
export async function cancel(tx: Db, ask: Ask, id: string, wish: z.output<typeof IntentCanceled>): Promise<Answer> {
  const intent = await locked(tx, ask, id)
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    return refusal(
      unexpectedState(
        intent,
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following ` +
          'statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.',
      ),
    )
  }
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    status: 'canceled',
    canceled_at: nowSeconds(),
    cancellation_reason: wish.cancellation_reason ?? null,
    next_action: null,
  }
  await keep(tx, canceled)
  await record(tx, 'payment_intent.canceled', canceled, ask.cause)
  return shown(tx, ask, canceled, wish.expand)
}

const PAYABLE: ReadonlySet<string> = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action'])

async function pay(tx: Db, ask: Ask, intent: Stripe.PaymentIntent, method: methods.Method, expand?: string[]): Promise<Answer> {
  const charge = await charges.charge(tx, intent, method)
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

/** The intent, held until the transaction ends: two confirmations of one intent come one after the other. */
async function locked(tx: Db, ask: Ask, id: string, clientSecret?: string): Promise<Stripe.PaymentIntent> {
  const { rows } = await tx.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1 for update', [id])
  return admitted(ask, id, rows[0]?.object, clientSecret)
}

function admitted(ask: Ask, id: string, intent: Stripe.PaymentIntent | undefined, clientSecret?: string): Stripe.PaymentIntent {
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

async function keep(tx: Db, intent: Stripe.PaymentIntent): Promise<void> {
  await tx.query('update sandbox.intents set object = $2 where id = $1', [intent.id, intent])
}

async function shown(db: Db, ask: Ask, intent: Stripe.PaymentIntent, expand?: string[]): Promise<Answer> {
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

function seenBy(asker: Asker, intent: object): object {
  if (asker === 'shop') return intent
  return Object.fromEntries(Object.entries(intent).filter(([name]) => PUBLIC.includes(name)))
}

const NO_METHOD =
  "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method " +
  'and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.'

function notConfirmable(intent: Stripe.PaymentIntent): string {
  return intent.status === 'succeeded'
    ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
    : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. ` +
        'Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.'
}

function unexpectedState(intent: Stripe.PaymentIntent, message: string, asker: Asker = 'shop'): WireError {
  return new WireError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: seenBy(asker, intent),
  })
}

/** The shop must never hold a card number, so it cannot send one either. */
function rawCardNumber(): WireError {
  return invalid(
    'Sending credit card numbers directly to the Stripe API is generally unsafe. ' +
      'To continue processing use Stripe.js, the Stripe mobile bindings, or Stripe Elements.',
    { status: 402 },
  )
}

/** Metadata is merged; an empty value takes its key away, and an empty text all of them. */
function merged(old: Stripe.Metadata, wish: Record<string, string> | '' | undefined): Stripe.Metadata {
  if (wish === '') return {}
  return Object.fromEntries(Object.entries({ ...old, ...wish }).filter(([, value]) => value !== ''))
}
