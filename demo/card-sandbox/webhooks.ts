import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type Stripe from 'stripe'
import { FaultInjection, type Occurrences } from './fault-injection.ts'
import { transaction } from './ledger.ts'
import { nowSeconds } from './wire.ts'

const AT_ONCE = 4
const TRIES = 12
const LONGEST_WAIT_SECONDS = 60
const ANSWER_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 1000

export type DeliveryWorker = {
  /** Checks for due deliveries now. */
  wake(): void
  /** Starts no further delivery and waits for running ones. Held deliveries stay in the database. */
  stop(): Promise<void>
  controls: WebhookControls
}

/** Matches deliveries by event type (`refund.*`: by prefix) and by `where`. Each delivery attempt counts. */
export type DeliveryMatcher = Occurrences & { type?: string; where?: (event: Stripe.Event) => boolean }

/** `wrongly`: with another secret; `not`: without the header; `secondsAgo`: valid, with a time in the past (negative: in the future). */
export type SignatureMode = 'rightly' | 'wrongly' | 'not' | { secondsAgo: number }

/** How an event is posted: number of copies, sequential or parallel, signature, and a modified body. */
export type PostOptions = { copies?: number; inParallel?: boolean; sign?: SignatureMode; body?: (body: string) => string }

/** hold: until released; drop: marked as delivered without being posted. */
export type DeliveryFault = 'hold' | 'drop' | PostOptions

export type HeldDeliveries = FaultInjection<Stripe.Event> & {
  /** Posts the held deliveries sequentially in the given order and removes the fault. Resolves when all are posted. */
  release(order?: (held: Stripe.Event[]) => Stripe.Event[]): Promise<void>
}

export type WebhookControls = {
  inject(which: DeliveryMatcher, trouble: DeliveryFault): HeldDeliveries
  /** Posts an event again, regardless of its state. @returns the status of each response, or 'none' */
  post(eventId: string, how?: PostOptions): Promise<(number | 'none')[]>
  /** Starts no further delivery; resolves when none is running. */
  pause(): Promise<void>
  resume(): void
  /** Makes all pending retries due now. */
  retryNow(): Promise<void>
  /** Resolves when only held deliveries are pending. Does not resolve while paused or while the shop does not respond. */
  waitUntilDelivered(): Promise<void>
  /** Removes all faults: held deliveries are then delivered. */
  clear(): void
}

/**
 * Posts pending events to `webhookUrl`, signed according to https://docs.stripe.com/webhooks#verify-manually, until each gets a 2xx
 * response: retried after 1 s, 2 s, 4 s ... 60 s, at most twelve attempts. Delivery is at least once, in no guaranteed order.
 * Without `webhookUrl` nothing is posted. Faults apply to this process only: another process on the same database delivers unlocked events.
 */
export function startDeliveryWorker(pool: pg.Pool, webhookUrl: string | undefined, webhookSecret: string): DeliveryWorker {
  const rounds = new Set<Promise<void>>()
  const injections = new Map<HeldDeliveries, DeliveryFault>()
  /** Held events by id, with the fault that holds them. */
  const held = new Map<string, HeldDeliveries>()
  let paused = false
  let stopped = webhookUrl === undefined
  let roundFinished = Promise.withResolvers<void>()

  function wake() {
    if (stopped || paused || rounds.size >= AT_ONCE) return
    const round = deliverAll().finally(() => {
      rounds.delete(round)
      roundFinished.resolve()
      roundFinished = Promise.withResolvers()
    })
    rounds.add(round)
  }

  async function deliverAll() {
    try {
      while (!stopped && !paused && (await deliverNext()));
    } catch {
      // Database error. Nothing is lost: the next poll finds the same deliveries.
    }
  }

  // Polls for deliveries left by other processes and for retries.
  const pollTimer = stopped ? undefined : setInterval(wake, LOOK_EVERY_MS)

  /**
   * Delivers the event that has been due longest, or the given event, to which no faults apply. The row stays locked during the request:
   * other processes skip it, and a crash releases it at once.
   * @returns false when no event is due
   */
  function deliverNext(eventId?: string): Promise<boolean> {
    return transaction(pool, async (tx) => {
      const { rows } = await tx.query<DueDelivery>(
        `select event_id, tries, body from sandbox.deliveries join sandbox.events on events.id = event_id
         where state = 'pending' and ${eventId === undefined ? 'next_try_at <= now() and event_id <> all($1)' : 'event_id = any($1)'}
         order by next_try_at, seq limit 1 for update of deliveries ${eventId === undefined ? 'skip locked' : ''}`,
        [eventId === undefined ? [...held.keys()] : [eventId]],
      )
      const due = rows[0]
      if (!due) return false
      // Another round may have held it since this round read the held ids.
      if (eventId === undefined && held.has(due.event_id)) return true

      const trouble = eventId === undefined ? applyFault(due) : undefined
      if (trouble === 'hold') return true
      const statuses = trouble === 'drop' ? [] : await postAll(due.body, trouble)
      const accepted = statuses.every((status) => status !== 'none' && status >= 200 && status < 300)
      const tries = due.tries + 1
      const state = accepted ? 'delivered' : tries < TRIES ? 'pending' : 'given_up'
      const waitSeconds = Math.min(2 ** due.tries, LONGEST_WAIT_SECONDS)
      await tx.query(
        `update sandbox.deliveries set state = $2, tries = $3, next_try_at = clock_timestamp() + make_interval(secs => $4) where event_id = $1`,
        [due.event_id, state, tries, waitSeconds],
      )
      return true
    })
  }

  function applyFault(due: DueDelivery): DeliveryFault | undefined {
    if (injections.size === 0) return undefined
    const event: Stripe.Event = JSON.parse(due.body)
    for (const [injection, trouble] of injections) {
      if (!injection.shouldAffect(event)) continue
      if (trouble === 'hold') held.set(event.id, injection)
      return trouble
    }
    return undefined
  }

  async function postAll(body: string, { copies = 1, inParallel = false, sign = 'rightly', body: changeBody }: PostOptions = {}) {
    const sent = changeBody ? changeBody(body) : body
    const once = () => post(webhookUrl ?? '', sent, signature(sent, webhookSecret, sign))
    if (inParallel) return Promise.all(Array.from({ length: copies }, once))
    const statuses: Awaited<ReturnType<typeof once>>[] = []
    while (statuses.length < copies) statuses.push(await once())
    return statuses
  }

  function inject({ type, where, ...which }: DeliveryMatcher, trouble: DeliveryFault): HeldDeliveries {
    const pattern = type?.endsWith('*') ? type.slice(0, -1) : undefined
    const matches = (event: Stripe.Event) =>
      (type === undefined || (pattern === undefined ? event.type === type : event.type.startsWith(pattern))) && (where?.(event) ?? true)
    const injection = new FaultInjection<Stripe.Event>(matches, which)
    const holding: HeldDeliveries = Object.assign(injection, {
      async release(order: (events: Stripe.Event[]) => Stripe.Event[] = (events) => events) {
        const events = injection.affected.filter(({ id }) => held.get(id) === holding)
        // Each stays held until it is posted, so that no other round delivers it out of order.
        for (const { id } of order(events)) await deliverNext(id)
        injection.remove()
      },
    })
    void injection.removed.then(() => {
      injections.delete(holding)
      for (const [id, by] of held) if (by === holding) held.delete(id)
      wake()
    })
    injections.set(holding, trouble)
    return holding
  }

  async function pause() {
    paused = true
    await Promise.all(rounds)
  }

  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(pollTimer)
      await Promise.all(rounds)
    },
    controls: {
      inject,
      async post(eventId, how) {
        const { rows } = await pool.query<{ body: string }>('select body from sandbox.events where id = $1', [eventId])
        if (!rows[0]) throw new Error(`There is no event ${eventId}`)
        return postAll(rows[0].body, how)
      },
      pause,
      resume() {
        paused = false
        wake()
      },
      async retryNow() {
        await pool.query(`update sandbox.deliveries set next_try_at = clock_timestamp() where state = 'pending' and next_try_at > now()`)
        wake()
      },
      async waitUntilDelivered() {
        for (;;) {
          const next = roundFinished.promise
          const { rows } = await pool.query(`select from sandbox.deliveries where state = 'pending' and event_id <> all($1) limit 1`, [
            [...held.keys()],
          ])
          if (rows.length === 0) return
          await next
        }
      },
      clear() {
        for (const injection of injections.keys()) injection.remove()
      },
    },
  }
}

type DueDelivery = { event_id: string; tries: number; body: string }

async function post(url: string, body: string, signed: string | undefined): Promise<number | 'none'> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(signed !== undefined && { 'stripe-signature': signed }),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return 'none'
  }
}

function signature(body: string, webhookSecret: string, sign: SignatureMode): string | undefined {
  if (sign === 'not') return undefined
  const secret = sign === 'wrongly' ? 'whsec_ofsomebodyelse' : webhookSecret
  const time = nowSeconds() - (typeof sign === 'object' ? sign.secondsAgo : 0)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
