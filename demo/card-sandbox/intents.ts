import type Stripe from 'stripe'
import type { z } from 'zod'
import { type CurrencyCode, currencies } from '#shared/currencies.ts'
import * as challenges from './challenges.ts'
import { recordEvent } from './events.ts'
import { expandObject } from './expand.ts'
import {
  authorizeIntentAccess,
  intentResponse,
  lockIntent,
  PAYABLE_STATUSES,
  type RequestContext,
  saveIntent,
  unexpectedStateError,
} from './intent-ledger.ts'
import type {
  IntentCancelParams,
  IntentCreateParams,
  IntentListParams,
  IntentRetrieveParams,
  IntentUpdateParams,
} from './intent-parameters.ts'
import type { Db } from './ledger.ts'
import * as methods from './methods.ts'
import { type ListResource, listPage } from './pagination.ts'
import { NO_METHOD_MESSAGE, pay } from './paying.ts'
import { type ApiResponse, errorResponse, formatAmount, invalidRequestError, newId, nowSeconds, randomString } from './wire.ts'

/* The payment intent endpoints except confirmation, which is in paying.ts. */

/** Creates an intent, and confirms it at once with `confirm`. */
export async function create(tx: Db, context: RequestContext, params: z.output<typeof IntentCreateParams>): Promise<ApiResponse> {
  if (params.confirm && !params.payment_method)
    throw invalidRequestError(NO_METHOD_MESSAGE, { code: 'parameter_missing', param: 'payment_method' })
  requireLeastAmount(params.amount, params.currency)
  const method = params.payment_method ? await methods.find(tx, params.payment_method) : undefined
  const id = newId('pi')
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount: params.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: params.automatic_payment_methods ?? null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomString(25)}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency: params.currency,
    customer: null,
    customer_account: null,
    description: params.description || null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: mergeMetadata({}, params.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: method?.object.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: params.receipt_email || null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: params.statement_descriptor || null,
    statement_descriptor_suffix: params.statement_descriptor_suffix || null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
  await tx.query('insert into sandbox.intents (id, object) values ($1, $2)', [id, intent])
  await recordEvent(tx, 'payment_intent.created', intent, context.cause)
  if (params.confirm && method) return pay(tx, context, intent, method, params)
  return intentResponse(tx, context, intent, params.expand)
}

/** The intent; 404 when there is none. A browser gets only the fields that Stripe returns for a publishable key. */
export async function retrieve(
  db: Db,
  context: RequestContext,
  id: string,
  params: z.output<typeof IntentRetrieveParams>,
): Promise<ApiResponse> {
  const { rows } = await db.query<{ object: Stripe.PaymentIntent }>('select object from sandbox.intents where id = $1', [id])
  const intent = authorizeIntentAccess(context, id, rows[0]?.object, params.client_secret)
  return intentResponse(db, context, intent, params.expand)
}

const INTENTS: ListResource = { table: 'intents', kind: 'payment_intent', url: '/v1/payment_intents', object: 'object' }

/** A page of all intents, newest first: https://docs.stripe.com/api/payment_intents/list */
export function list(db: Db, params: z.output<typeof IntentListParams>): Promise<ApiResponse> {
  return listPage<Stripe.PaymentIntent>(db, INTENTS, params, {}, (intent) => expandObject(db, intent, params.expand, 'data.'))
}

/** @throws 400 for less than the provider takes in this currency */
function requireLeastAmount(amount: number, currency: string): void {
  const least = currencies[currency as CurrencyCode].minCents
  if (amount >= least) return
  const message = `Amount must be at least ${formatAmount(least, currency)} ${currency}`
  throw invalidRequestError(message, { code: 'amount_too_small', param: 'amount' })
}

/** Updates an intent: amount, currency and payment method until it is paid or canceled, description and metadata always. */
export async function update(
  tx: Db,
  context: RequestContext,
  id: string,
  params: z.output<typeof IntentUpdateParams>,
): Promise<ApiResponse> {
  const intent = await lockIntent(tx, context, id)
  const { amount = intent.amount, currency = intent.currency } = params
  const changesAmount = amount !== intent.amount || currency !== intent.currency
  const changed = changesAmount ? 'amount' : 'payment_method'
  if ((changesAmount || params.payment_method !== undefined) && !PAYABLE_STATUSES.has(intent.status)) {
    return errorResponse(
      unexpectedStateError(
        intent,
        `This PaymentIntent's ${changed} could not be updated because it has a status of ${intent.status}. ` +
          `You may only update the ${changed} of a PaymentIntent with one of the following statuses: ` +
          `${[...PAYABLE_STATUSES].join(', ')}.`,
      ),
    )
  }
  requireLeastAmount(amount, currency)
  const method = params.payment_method === undefined ? undefined : await methods.find(tx, params.payment_method)
  // An authentication is only valid for the amount and the card of its challenge.
  const mustConfirmAgain = method !== undefined || (changesAmount && intent.status === 'requires_action')
  if (mustConfirmAgain) await challenges.deleteForIntent(tx, id)
  const updated: Stripe.PaymentIntent = {
    ...intent,
    ...(mustConfirmAgain && { status: 'requires_confirmation', next_action: null }),
    ...(method && { payment_method: method.object.id }),
    amount,
    currency,
    allowed_payment_method_types: params.allowed_payment_method_types ?? intent.allowed_payment_method_types,
    description: params.description === undefined ? intent.description : params.description || null,
    receipt_email: params.receipt_email === undefined ? intent.receipt_email : params.receipt_email || null,
    statement_descriptor_suffix:
      params.statement_descriptor_suffix === undefined ? intent.statement_descriptor_suffix : params.statement_descriptor_suffix || null,
    metadata: mergeMetadata(intent.metadata, params.metadata),
  }
  await saveIntent(tx, updated)
  return intentResponse(tx, context, updated, params.expand)
}

/** Cancels an intent; 400 when it is already paid or canceled. */
export async function cancel(
  tx: Db,
  context: RequestContext,
  id: string,
  params: z.output<typeof IntentCancelParams>,
): Promise<ApiResponse> {
  const intent = await lockIntent(tx, context, id)
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    return errorResponse(
      unexpectedStateError(
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
    cancellation_reason: params.cancellation_reason ?? null,
    next_action: null,
  }
  await challenges.deleteForIntent(tx, id)
  await saveIntent(tx, canceled)
  await recordEvent(tx, 'payment_intent.canceled', canceled, context.cause)
  return intentResponse(tx, context, canceled, params.expand)
}

/** Metadata is merged; an empty value takes its key away, and an empty text all of them. */
function mergeMetadata(old: Stripe.Metadata, wish: Record<string, string> | '' | undefined): Stripe.Metadata {
  if (wish === '') return {}
  return Object.fromEntries(Object.entries({ ...old, ...wish }).filter(([, value]) => value !== ''))
}
