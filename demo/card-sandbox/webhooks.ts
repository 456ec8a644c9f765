import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type Stripe from 'stripe'
import { Disturbance, type Which } from './disturbance.ts'
import { transaction } from './ledger.ts'
import { nowSeconds } from './wire.ts'

const AT_ONCE = 4
const TRIES = 12
const LONGEST_WAIT_SECONDS = 60
const ANSWER_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 1000

export type Deliveries = {
  /** Look now: something has just happened. */
  wake(): void
  /** Begins no further delivery and waits for those under way. What is held back stays in the ledger. */
  stop(): Promise<void>
  controls: WebhookControls
}

/** Which deliveries: of events of this type (`refund.*`: of any such), of which `where` holds. Each try counts. */
export type WhichDeliveries = Which & { type?: string; where?: (event: Stripe.Event) => boolean }

/** `wrongly`: with another secret; `not`: without the header; or rightly, but with a time in the past (negative: in the future). */
export type Signing = 'rightly' | 'wrongly' | 'not' | { secondsAgo: number }

/** How an event is posted: so many times, one after the other or at one moment, signed so, with its body changed. */
export type Posting = { copies?: number; inParallel?: boolean; sign?: Signing; body?: (body: string) => string }

/** hold: until released; drop: never posted, as if it had arrived. */
export type DeliveryTrouble = 'hold' | 'drop' | Posting

export type HeldDeliveries = Disturbance<Stripe.Event> & {
  /** Posts what it holds, one after the other in the order that is given, and holds nothing any more. Resolves when all were posted. */
  release(order?: (held: Stripe.Event[]) => Stripe.Event[]): Promise<void>
}

export type WebhookControls = {
  disturb(which: WhichDeliveries, trouble: DeliveryTrouble): HeldDeliveries
  /** Posts an event once more, whatever has become of it, and returns the shop's answers: the status of each, or 'none'. */
  post(eventId: string, how?: Posting): Promise<(number | 'none')[]>
  /** Begins no further delivery; resolves when none is under way. */
  pause(): Promise<void>
  resume(): void
  /** What waits to be tried again is due now. */
  hurry(): Promise<void>
  /** Resolves when nothing is left to be delivered but what is held back. While paused, or without a shop that answers, it waits. */
  settled(): Promise<void>
  /** Forgets all disturbances: what they hold is delivered by and by. */
  clear(): void
}

/**
 * Posts the ledger's pending events to `webhookUrl`, signed as https://docs.stripe.com/webhooks#verify-manually says, until each is
 * answered with 2xx: again after 1 s, 2 s, 4 s ... 60 s, twelve times in all. Every event arrives at least once, in no promised order.
 * Without `webhookUrl` nothing is posted. Disturbances hold for this process: another one on the ledger delivers what is free.
 */
export function startDeliveries(pool: pg.Pool, webhookUrl: string | undefined, webhookSecret: string): Deliveries {
  const rounds = new Set<Promise<void>>()
  const disturbances = new Map<HeldDeliveries, DeliveryTrouble>()
  /** Events held back, and by what. */
  const held = new Map<string, HeldDeliveries>()
  let paused = false
  let stopped = webhookUrl === undefined
  let looked = Promise.withResolvers<void>()

  function wake() {
    if (stopped || paused || rounds.size >= AT_ONCE) return
    const round = deliverAll().finally(() => {
      rounds.delete(round)
      looked.resolve()
      looked = Promise.withResolvers()
    })
    rounds.add(round)
  }

  async function deliverAll() {
    try {
      while (!stopped && !paused && (await deliverNext()));
    } catch {
      // The database did not answer. Nothing is lost: the next look finds the same deliveries.
    }
  }

  // Also what another process has left behind, and what is due again.
  const look = stopped ? undefined : setInterval(wake, LOOK_EVERY_MS)

  /**
   * Delivers what is due longest, or the given event; false when nothing is. The row stays locked while the request is under way: another
   * process passes over it, and a crash frees it at once. A given event is met by no disturbance.
   */
  function deliverNext(eventId?: string): Promise<boolean> {
    return transaction(pool, async (tx) => {
      const { rows } = await tx.query<Due>(
        `select event_id, tries, body from sandbox.deliveries join sandbox.events on events.id = event_id
         where state = 'pending' and ${eventId === undefined ? 'next_try_at <= now() and event_id <> all($1)' : 'event_id = any($1)'}
         order by next_try_at, seq limit 1 for update of deliveries ${eventId === undefined ? 'skip locked' : ''}`,
        [eventId === undefined ? [...held.keys()] : [eventId]],
      )
      const due = rows[0]
      if (!due) return false
      // Two rounds may have looked before one of them held it.
      if (eventId === undefined && held.has(due.event_id)) return true

      const trouble = eventId === undefined ? meet(due) : undefined
      if (trouble === 'hold') return true
      const answers = trouble === 'drop' ? [] : await postAll(due.body, trouble)
      const accepted = answers.every((answer) => answer !== 'none' && answer >= 200 && answer < 300)
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

  function meet(due: Due): DeliveryTrouble | undefined {
    if (disturbances.size === 0) return undefined
    const event: Stripe.Event = JSON.parse(due.body)
    for (const [disturbance, trouble] of disturbances) {
      if (!disturbance.meets(event)) continue
      if (trouble === 'hold') held.set(event.id, disturbance)
      return trouble
    }
    return undefined
  }

  async function postAll(body: string, { copies = 1, inParallel = false, sign = 'rightly', body: changed }: Posting = {}) {
    const sent = changed ? changed(body) : body
    const once = () => post(webhookUrl ?? '', sent, signature(sent, webhookSecret, sign))
    if (inParallel) return Promise.all(Array.from({ length: copies }, once))
    const answers: Awaited<ReturnType<typeof once>>[] = []
    while (answers.length < copies) answers.push(await once())
    return answers
  }

  function disturb({ type, where, ...which }: WhichDeliveries, trouble: DeliveryTrouble): HeldDeliveries {
    const pattern = type?.endsWith('*') ? type.slice(0, -1) : undefined
    const matches = (event: Stripe.Event) =>
      (type === undefined || (pattern === undefined ? event.type === type : event.type.startsWith(pattern))) && (where?.(event) ?? true)
    const disturbance = new Disturbance<Stripe.Event>(matches, which)
    const holding: HeldDeliveries = Object.assign(disturbance, {
      async release(order: (events: Stripe.Event[]) => Stripe.Event[] = (events) => events) {
        const events = disturbance.met.filter(({ id }) => held.get(id) === holding)
        // They stay held until their turn, so that nobody delivers them out of it.
        for (const { id } of order(events)) await deliverNext(id)
        disturbance.lift()
      },
    })
    void disturbance.lifted.then(() => {
      disturbances.delete(holding)
      for (const [id, by] of held) if (by === holding) held.delete(id)
      wake()
    })
    disturbances.set(holding, trouble)
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
      clearInterval(look)
      await Promise.all(rounds)
    },
    controls: {
      disturb,
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
      async hurry() {
        await pool.query(`update sandbox.deliveries set next_try_at = clock_timestamp() where state = 'pending' and next_try_at > now()`)
        wake()
      },
      async settled() {
        for (;;) {
          const next = looked.promise
          const { rows } = await pool.query(`select from sandbox.deliveries where state = 'pending' and event_id <> all($1) limit 1`, [
            [...held.keys()],
          ])
          if (rows.length === 0) return
          await next
        }
      },
      clear() {
        for (const disturbance of disturbances.keys()) disturbance.lift()
      },
    },
  }
}

type Due = { event_id: string; tries: number; body: string }

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

function signature(body: string, webhookSecret: string, sign: Signing): string | undefined {
  if (sign === 'not') return undefined
  const secret = sign === 'wrongly' ? 'whsec_ofsomebodyelse' : webhookSecret
  const time = nowSeconds() - (typeof sign === 'object' ? sign.secondsAgo : 0)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
