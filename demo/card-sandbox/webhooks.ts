import { createHmac } from 'node:crypto'
import type pg from 'pg'
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
  /** Begins no further delivery and waits for those under way. */
  stop(): Promise<void>
}

/**
 * Posts the ledger's pending events to `webhookUrl`, signed as https://docs.stripe.com/webhooks#verify-manually says, until each is
 * answered with 2xx: again after 1 s, 2 s, 4 s ... 60 s, twelve times in all. Every event arrives at least once, in no promised order.
 */
export function startDeliveries(pool: pg.Pool, webhookUrl: string, webhookSecret: string): Deliveries {
  const rounds = new Set<Promise<void>>()
  let stopped = false

  function wake() {
    if (stopped || rounds.size >= AT_ONCE) return
    const round = deliverAll().finally(() => rounds.delete(round))
    rounds.add(round)
  }

  async function deliverAll() {
    try {
      while (!stopped && (await deliverNext(pool, webhookUrl, webhookSecret)));
    } catch {
      // The database did not answer. Nothing is lost: the next look finds the same deliveries.
    }
  }

  // Also what another process has left behind, and what is due again.
  const look = setInterval(wake, LOOK_EVERY_MS)

  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(look)
      await Promise.all(rounds)
    },
  }
}

/**
 * Delivers what is due longest; false when nothing is. The row stays locked while the request is under way: another process passes
 * over it, and a crash frees it at once.
 */
function deliverNext(pool: pg.Pool, webhookUrl: string, webhookSecret: string): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ event_id: string; tries: number; body: string }>(
      `select event_id, tries, body from sandbox.deliveries join sandbox.events on events.id = event_id
       where state = 'pending' and next_try_at <= now()
       order by next_try_at limit 1 for update of deliveries skip locked`,
    )
    const due = rows[0]
    if (!due) return false

    const accepted = await post(webhookUrl, due.body, webhookSecret)
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

async function post(url: string, body: string, secret: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature(body, secret),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

function signature(body: string, secret: string): string {
  const time = nowSeconds()
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
