import type Stripe from 'stripe'
import { z } from 'zod'
import type { Db } from './ledger.ts'
import { type Answer, API_VERSION, answer, missing, newId, nowSeconds } from './wire.ts'

/** The request that made something happen, as its events name it. */
export type Cause = { id: string; idempotency_key: string | null }

export type EventType =
  | 'payment_intent.created'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'charge.succeeded'
  | 'charge.failed'

/** Keeps an event and the duty to deliver it, in the transaction of what happened: neither can be there without the other. */
export async function record(tx: Db, type: EventType, object: Stripe.PaymentIntent | Stripe.Charge, cause: Cause): Promise<void> {
  const id = newId('evt')
  const event = {
    id,
    object: 'event',
    api_version: API_VERSION,
    created: nowSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: cause,
    type,
  }
  await tx.query('insert into sandbox.events (id, type, body) values ($1, $2, $3)', [id, type, JSON.stringify(event, null, 2)])
  await tx.query('insert into sandbox.deliveries (event_id) values ($1)', [id])
}

export const EventsListed = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(10),
  type: z.string().optional(),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
})

export const EventRetrieved = z.strictObject({})

/** The newest events first, a page at a time, as https://docs.stripe.com/api/events/list does it. */
export async function list(db: Db, asked: z.output<typeof EventsListed>): Promise<Answer> {
  const before = asked.starting_after === undefined ? undefined : await placeOf(db, asked.starting_after, 'starting_after')
  const after = asked.ending_before === undefined ? undefined : await placeOf(db, asked.ending_before, 'ending_before')
  const order = after === undefined ? 'desc' : 'asc'
  const { rows } = await db.query<EventRow>(
    `${EVENTS} where ($1::bigint is null or seq < $1) and ($2::bigint is null or seq > $2) and ($3::text is null or type = $3)
     order by seq ${order} limit $4`,
    [before, after, asked.type, asked.limit + 1],
  )
  const page = rows.slice(0, asked.limit)
  if (after !== undefined) page.reverse()
  return answer(200, { object: 'list', url: '/v1/events', has_more: rows.length > asked.limit, data: page.map(shown) })
}

/** One event (404 when there is none). */
export async function retrieve(db: Db, id: string): Promise<Answer> {
  const { rows } = await db.query<EventRow>(`${EVENTS} where id = $1`, [id])
  if (!rows[0]) throw missing('event', id, 'id')
  return answer(200, shown(rows[0]))
}

type EventRow = { body: string; pending: number }

const EVENTS = `
  select body, (select count(*)::int from sandbox.deliveries where event_id = events.id and state = 'pending') as pending
  from sandbox.events`

function shown(row: EventRow): object {
  return { ...JSON.parse(row.body), pending_webhooks: row.pending }
}

async function placeOf(db: Db, id: string, param: string): Promise<string> {
  const { rows } = await db.query<{ seq: string }>('select seq from sandbox.events where id = $1', [id])
  if (!rows[0]) throw missing('event', id, param, 400)
  return rows[0].seq
}
