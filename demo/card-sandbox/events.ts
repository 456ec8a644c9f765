import type Stripe from 'stripe'
import { z } from 'zod'
import { list as severalOf } from './expand.ts'
import type { Db } from './ledger.ts'
import { page, paging, type Shelf } from './listing.ts'
import { type Answer, API_VERSION, answer, missing, newId, nowSeconds } from './wire.ts'

/** The request that made something happen, as its events name it. */
export type Cause = { id: string; idempotency_key: string | null }

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
 * Keeps an event and the duty to deliver it, in the transaction of what happened: neither can be there without the other.
 * @param cause null for what happens without anybody's request
 * @param previous what the object's changed fields were before
 */
export async function record(
  tx: Db,
  type: EventType,
  object: Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund | Stripe.Dispute,
  cause: Cause | null,
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

export const EventsListed = z.strictObject({ ...paging, type: z.string().optional(), types: severalOf(z.string()).optional() })

export const EventRetrieved = z.strictObject({})

const EVENTS: Shelf = { table: 'events', kind: 'event', url: '/v1/events', object: 'body::json' }

/** The newest events first, a page at a time, as https://docs.stripe.com/api/events/list does it. */
export function list(db: Db, asked: z.output<typeof EventsListed>): Promise<Answer> {
  return page<Stripe.Event>(db, EVENTS, asked, { type: asked.types ?? asked.type }, (event) => shown(db, event))
}

/** One event (404 when there is none). */
export async function retrieve(db: Db, id: string): Promise<Answer> {
  const { rows } = await db.query<{ body: Stripe.Event }>('select body::json as body from sandbox.events where id = $1', [id])
  if (!rows[0]) throw missing('event', id, 'id')
  return answer(200, await shown(db, rows[0].body))
}

async function shown(db: Db, event: Stripe.Event): Promise<object> {
  const { rows } = await db.query<{ pending: number }>(
    `select count(*)::int as pending from sandbox.deliveries where event_id = $1 and state = 'pending'`,
    [event.id],
  )
  return { ...event, pending_webhooks: rows[0]?.pending ?? 0 }
}
