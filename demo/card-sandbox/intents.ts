import type Stripe from 'stripe'
import type { z } from 'zod'
import * as challenges from './challenges.ts'
import { record } from './events.ts'
import { expanded } from './expand.ts'
import { type Ask, admitted, keep, locked, PAYABLE, shown, unexpectedState } from './intent-ledger.ts'
import type { IntentCanceled, IntentCreated, IntentRetrieved, IntentsListed, IntentUpdated } from './intent-parameters.ts'
import type { Db } from './ledger.ts'
import { page, type Shelf } from './listing.ts'
import * as methods from './methods.ts'
import { NO_METHOD, pay } from './paying.ts'
import { type Answer, invalid, newId, nowSeconds, randomText, refusal } from './wire.ts'

/* An intent's life except its being paid: paying.ts. */

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
  if (wish.confirm && method) return pay(tx, ask, intent, method, wish)
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

/** Changes what may still be changed: amount and card until it is paid or canceled, words and metadata always. */
export async function update(tx: Db, ask: Ask, id: string, wish: z.output<typeof IntentUpdated>): Promise<Answer> {
  const intent = await locked(tx, ask, id)
  const changesAmount = wish.amount !== undefined && wish.amount !== intent.amount
  const changed = changesAmount ? 'amount' : 'payment_method'
  if ((changesAmount || wish.payment_method !== undefined) && !PAYABLE.has(intent.status)) {
    return refusal(
      unexpectedState(
        intent,
        `This PaymentIntent's ${changed} could not be updated because it has a status of ${intent.status}. ` +
          `You may only update the ${changed} of a PaymentIntent with one of the following statuses: ` +
          `${[...PAYABLE].join(', ')}.`,
      ),
    )
  }
  const method = wish.payment_method === undefined ? undefined : await methods.find(tx, wish.payment_method)
  // Whoever was asked about one amount or card has said nothing about another.
  const askedAnew = method !== undefined || (changesAmount && intent.status === 'requires_action')
  if (askedAnew) await challenges.end(tx, id)
  const updated: Stripe.PaymentIntent = {
    ...intent,
    ...(askedAnew && { status: 'requires_confirmation', next_action: null }),
    ...(method && { payment_method: method.object.id }),
    amount: wish.amount ?? intent.amount,
    allowed_payment_method_types: wish.allowed_payment_method_types ?? intent.allowed_payment_method_types,
    description: wish.description === undefined ? intent.description : wish.description || null,
    receipt_email: wish.receipt_email === undefined ? intent.receipt_email : wish.receipt_email || null,
    statement_descriptor_suffix:
      wish.statement_descriptor_suffix === undefined ? intent.statement_descriptor_suffix : wish.statement_descriptor_suffix || null,
    metadata: merged(intent.metadata, wish.metadata),
  }
  await keep(tx, updated)
  return shown(tx, ask, updated, wish.expand)
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
  await challenges.end(tx, id)
  await keep(tx, canceled)
  await record(tx, 'payment_intent.canceled', canceled, ask.cause)
  return shown(tx, ask, canceled, wish.expand)
}

/** Metadata is merged; an empty value takes its key away, and an empty text all of them. */
function merged(old: Stripe.Metadata, wish: Record<string, string> | '' | undefined): Stripe.Metadata {
  if (wish === '') return {}
  return Object.fromEntries(Object.entries({ ...old, ...wish }).filter(([, value]) => value !== ''))
}
