import { and, asc, eq, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { nextTry } from '#platform/jobs.ts'
import { keptValues } from '#platform/kept-values.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import { ask, type CardProvider } from './card-provider.ts'
import { Declined, noteDecline } from './declines.ts'
import { enterRefund } from './refunds.ts'
import { settle } from './settle.ts'
import { webhookEvents } from './table.ts'

/** The worker that works off what `keep` has kept. */
export const cardEvents = 'card events'

const pauses = { firstSeconds: 5, longestSeconds: 3600 }

type Kept = typeof webhookEvents.$inferSelect
/** What is to be done once the event is marked as worked off. */
type After = ((db: Database) => Promise<void>) | undefined

/** What each kind of event leads to. What it says is a hint: the provider is asked how things stand now. */
const meanings: Record<string, (tx: Database, cards: CardProvider, object: Kept['object']) => Promise<After>> = {
  'payment_intent.succeeded': settled,
  'payment_intent.processing': settled,
  'payment_intent.requires_action': settled,
  'payment_intent.canceled': settled,
  async 'payment_intent.payment_failed'(tx, cards, object) {
    await settle(tx, cards, String(object.id))
    return noteDecline(tx, cards, Declined.parse(object))
  },
  'refund.created': refunded,
  'refund.updated': refunded,
  'refund.failed': refunded,
  'charge.dispute.created': disputed,
  'charge.dispute.closed': disputed,
}

/** The kinds that the store asks to be told. */
export const wantedEvents = Object.keys(meanings)

async function settled(tx: Database, cards: CardProvider, { id }: Kept['object']): Promise<After> {
  await settle(tx, cards, String(id))
  return undefined
}

async function refunded(tx: Database, cards: CardProvider, { id }: Kept['object']): Promise<After> {
  const refund = await ask(cards.stripe.refunds.retrieve(String(id)))
  if (await enterRefund(tx, refund)) return undefined
  // Its payment may be one whose own event is still to come.
  const intentId = typeof refund.payment_intent === 'string' ? refund.payment_intent : undefined
  if (intentId && (await settle(tx, cards, intentId)) === 'succeeded') await enterRefund(tx, refund)
  return undefined
}

async function disputed(tx: Database, _cards: CardProvider, { payment_intent, reason, status, amount }: Kept['object']): Promise<After> {
  const [found] = await tx
    .select({ order: orders })
    .from(payments)
    .innerJoin(orders, eq(orders.paymentId, payments._id))
    .where(eq(payments.intentId, String(payment_intent)))
    .for('update', { of: orders })
  if (!found) return undefined
  // Events may come in any order: how a dispute has ended stays.
  await tx
    .update(payments)
    .set({ disputeStatus: String(status) })
    .where(
      and(
        eq(payments.intentId, String(payment_intent)),
        or(isNull(payments.disputeStatus), notInArray(payments.disputeStatus, disputeEnds)),
      ),
    )
  const note = `The buyer's bank disputes this payment (${reason}): ${status}`
  await orderBooks.note(tx, found.order, { event: 'disputed', doer: { actor: 'card provider' }, note, amountCents: Number(amount) })
  return undefined
}

/** See https://docs.stripe.com/api/disputes/object#dispute_object-status */
const disputeEnds = ['won', 'lost', 'warning_closed']

/**
 * Keeps an event of the provider, once by its id.
 * @returns whether it is new
 */
export async function keep(db: Database, event: Stripe.Event): Promise<boolean> {
  const kept = await db
    .insert(webhookEvents)
    .values({ _id: event.id, type: event.type, object: { ...event.data.object }, createdAt: new Date(event.created * 1000) })
    .onConflictDoNothing()
  return kept.rowCount === 1
}

/**
 * Works off the event that is due longest. It is marked in the transaction of what it leads to, so it counts once, however often it came.
 * @returns false when none is due
 * @throws what stopped it; it is due again after a pause that doubles, from five seconds to an hour
 */
export async function workOffEvent(db: Database, cards: CardProvider): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(webhookEvents)
      .where(and(isNull(webhookEvents.workedAt), lte(webhookEvents.nextTryAt, sql`now()`)))
      .orderBy(asc(webhookEvents.nextTryAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return { found: false }
    const mark = (change: PgUpdateSetSource<typeof webhookEvents>) =>
      tx.update(webhookEvents).set(change).where(eq(webhookEvents._id, due._id))
    try {
      const after = await tx.transaction(async (within) => meanings[due.type]?.(within, cards, due.object))
      await mark({ workedAt: sql`clock_timestamp()`, trouble: null })
      return { found: true, after }
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error)
      await mark({ tries: due.tries + 1, nextTryAt: nextTry(webhookEvents.tries, pauses), trouble })
      return { found: true, error }
    }
  })
  if (done.error) throw done.error
  await done.after?.(db)
  return done.found
}

const readUntil = 'card events read until'
/** The provider's list may be written a little later than its clock says, and a store that was away catches up from where it stood. */
const overlapSeconds = 300
const firstLookSeconds = 24 * 3600

/**
 * Reads what the provider lists since the last time, and keeps what no webhook has brought: so a lost webhook costs a minute and no more.
 * @returns how many events were new
 */
export async function readEvents(db: Database, cards: CardProvider): Promise<number> {
  const [mark] = await db.select().from(keptValues).where(eq(keptValues.name, readUntil))
  let newest = mark ? Number(mark.value) : Math.floor(Date.now() / 1000) - firstLookSeconds
  let fresh = 0
  const wish = { created: { gte: newest - overlapSeconds }, types: wantedEvents, limit: 100 }
  for (let after: string | undefined; ; ) {
    const { data, has_more } = await ask(cards.stripe.events.list({ ...wish, ...(after && { starting_after: after }) }))
    for (const event of data) {
      if (await keep(db, event)) fresh++
      newest = Math.max(newest, event.created)
    }
    after = data.at(-1)?.id
    if (!has_more || !after) break
  }
  const value = String(newest)
  await db.insert(keptValues).values({ name: readUntil, value }).onConflictDoUpdate({ target: keptValues.name, set: { value } })
  return fresh
}
