import type Stripe from 'stripe'
import { z } from 'zod'
import { arrayParam } from './expand.ts'
import type { Db } from './ledger.ts'
import { type ListResource, listPage, paginationParams } from './pagination.ts'
import { API_VERSION, type ApiResponse, jsonResponse, newId, nowSeconds, resourceMissingError } from './wire.ts'

/** The API request that caused an event, as stored in the event. */
export type EventRequest = { id: string; idempotency_key: string | null }

export type EventType =
  | 'payment_intent.created'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.dispute.created'
  | 'charge.dispute.closed'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed'

/**
 * Stores an event and its pending webhook delivery, in the same transaction as the change itself.
 * @param cause null for a change without an API request
 * @param previous the previous values of the changed fields
 */
export async function recordEvent(
  tx: Db,
  type: EventType,
  object: Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund | Stripe.Dispute,
  cause: EventRequest | null,
  previous?: object,
): Promise<void> {
  const id = newId('evt')
  const event = {
    id,
    object: 'event',
    api_version: API_VERSION,
    created: nowSeconds(),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: cause ?? { id: null, idempotency_key: null },
    type,
  }
  await tx.query('insert into sandbox.events (id, type, body) values ($1, $2, $3)', [id, type, JSON.stringify(event, null, 2)])
  await tx.query('insert into sandbox.deliveries (event_id) values ($1)', [id])
}

export const EventListParams = z.strictObject({
  ...paginationParams,
  type: z.string().optional(),
  types: arrayParam(z.string()).optional(),
})

export const EventRetrieveParams = z.strictObject({})

const EVENTS: ListResource = { table: 'events', kind: 'event', url: '/v1/events', object: 'body::json' }

/** A page of events, newest first: https://docs.stripe.com/api/events/list */
export function list(db: Db, params: z.output<typeof EventListParams>): Promise<ApiResponse> {
  return listPage<Stripe.Event>(db, EVENTS, params, { type: params.types ?? params.type }, (event) => withPendingWebhooks(db, event))
}

/** The event; 404 when there is none. */
export async function retrieve(db: Db, id: string): Promise<ApiResponse> {
  const { rows } = await db.query<{ body: Stripe.Event }>('select body::json as body from sandbox.events where id = $1', [id])
  if (!rows[0]) throw resourceMissingError('event', id, 'id')
  return jsonResponse(200, await withPendingWebhooks(db, rows[0].body))
}

async function withPendingWebhooks(db: Db, event: Stripe.Event): Promise<object> {
  const { rows } = await db.query<{ pending: number }>(
    `select count(*)::int as pending from sandbox.deliveries where event_id = $1 and state = 'pending'`,
    [event.id],
  )
  return { ...event, pending_webhooks: rows[0]?.pending ?? 0 }
}
