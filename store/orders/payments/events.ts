import { and, asc, eq, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import { nextRetryAt, RetryItemLaterError } from '#platform/jobs.ts'
import { storedValues } from '#platform/stored-values.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import { type CardProvider, callProvider, readAllPages } from './card-provider.ts'
import { DeclinedIntent, recordCardDecline } from './declines.ts'
import { syncRefund } from './refunds.ts'
import { settlePayment } from './settle.ts'
import { webhookEvents } from './table.ts'

const retryDelays = { initialDelaySeconds: 5, maxDelaySeconds: 3600 }

type StoredEvent = typeof webhookEvents.$inferSelect
/** Runs after the commit that marks the event as processed. */
type AfterCommit = ((db: Database) => Promise<void>) | undefined

/** The handler of each event type. An event may be outdated, so the handlers fetch the current state from the provider. */
const eventActions: Record<string, (tx: Database, cards: CardProvider, object: StoredEvent['object']) => Promise<AfterCommit>> = {
  'payment_intent.succeeded': settleIntent,
  'payment_intent.processing': settleIntent,
  'payment_intent.requires_action': settleIntent,
  'payment_intent.canceled': settleIntent,
  async 'payment_intent.payment_failed'(tx, cards, object) {
    await settlePayment(tx, cards, String(object.id))
    return recordCardDecline(tx, cards, DeclinedIntent.parse(object))
  },
  'refund.created': syncRefundOfEvent,
  'refund.updated': syncRefundOfEvent,
  'refund.failed': syncRefundOfEvent,
  'charge.dispute.created': recordDispute,
  'charge.dispute.closed': recordDispute,
}

/** The event types that the store subscribes to. */
export const subscribedEventTypes = Object.keys(eventActions)

async function settleIntent(tx: Database, cards: CardProvider, { id }: StoredEvent['object']): Promise<AfterCommit> {
  await settlePayment(tx, cards, String(id))
  return undefined
}

async function syncRefundOfEvent(tx: Database, cards: CardProvider, { id }: StoredEvent['object']): Promise<AfterCommit> {
  const refund = await callProvider(cards.stripe.refunds.retrieve(String(id)))
  if (await syncRefund(tx, refund)) return undefined
  // The payment's own event may not have been processed yet: settle the payment first, then try again.
  const intentId = typeof refund.payment_intent === 'string' ? refund.payment_intent : undefined
  if (intentId && (await settlePayment(tx, cards, intentId)) === 'succeeded') await syncRefund(tx, refund)
  return undefined
}

async function recordDispute(
  tx: Database,
  _cards: CardProvider,
  { payment_intent, reason, status, amount }: StoredEvent['object'],
): Promise<AfterCommit> {
  const order = await findDisputedOrder(tx, String(payment_intent))
  if (!order) return undefined
  // Events may arrive in any order, so a final dispute status is never overwritten.
  await tx
    .update(payments)
    .set({ disputeStatus: String(status) })
    .where(
      and(
        eq(payments.intentId, String(payment_intent)),
        or(isNull(payments.disputeStatus), notInArray(payments.disputeStatus, finalDisputeStatuses)),
      ),
    )
  const note = `The buyer's bank disputes this payment (${reason}): ${status}`
  await appendEvent(tx, order, { event: 'disputed', doer: { actor: 'card provider' }, note, amountCents: Number(amount) })
  return undefined
}

/** The order of a disputed payment, locked. */
async function findDisputedOrder(tx: Database, intentId: string): Promise<OrderRow | undefined> {
  const [found] = await tx
    .select({ order: orders })
    .from(payments)
    .innerJoin(orders, eq(orders._id, payments.orderId))
    .where(eq(payments.intentId, intentId))
    .for('update', { of: orders })
  return found?.order
}

/** See https://docs.stripe.com/api/disputes/object#dispute_object-status */
const finalDisputeStatuses = ['won', 'lost', 'warning_closed']

/**
 * Stores an event of the provider, once per event id.
 * @returns whether it is new
 */
export async function storeEvent(db: Database, event: Stripe.Event): Promise<boolean> {
  const inserted = await db
    .insert(webhookEvents)
    .values({ _id: event.id, type: event.type, object: { ...event.data.object }, createdAt: new Date(event.created * 1000) })
    .onConflictDoNothing()
  return inserted.rowCount === 1
}

/**
 * Processes the event that has been due longest. It is marked as processed in the transaction of its effects, so it takes effect once,
 * however often it was delivered.
 * @returns false when none is due
 * @throws {RetryItemLaterError} with the error that stopped it; the event is due again after a delay that doubles from 5 s up to 1 h
 */
export async function processDueWebhookEvent(db: Database, cards: CardProvider): Promise<boolean> {
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
      const afterCommit = await tx.transaction(async (within) => eventActions[due.type]?.(within, cards, due.object))
      await mark({ workedAt: sql`clock_timestamp()`, trouble: null })
      return { found: true, afterCommit }
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error)
      await mark({ tries: due.tries + 1, nextTryAt: nextRetryAt(webhookEvents.tries, retryDelays), trouble })
      return { found: true, error }
    }
  })
  if (done.error) throw new RetryItemLaterError(done.error)
  await done.afterCommit?.(db).catch((error) => {
    throw new RetryItemLaterError(error) // the event itself is processed
  })
  return done.found
}

const eventCursorName = 'card events read until'
/** Each pull reads again this far before the last one, since an event may appear in the provider's list later than its timestamp. */
const overlapSeconds = 300
const initialLookbackSeconds = 24 * 3600

/**
 * Reads the provider's list of events since the last pull and stores those that no webhook has delivered. A lost webhook thus delays its
 * event until the next pull, about a minute. After downtime, the pull continues from the last event it has read.
 * @returns how many events were new
 */
export async function pullMissedEvents(db: Database, cards: CardProvider): Promise<number> {
  const [cursor] = await db.select().from(storedValues).where(eq(storedValues.name, eventCursorName))
  let newest = cursor ? Number(cursor.value) : Math.floor(Date.now() / 1000) - initialLookbackSeconds
  let newEvents = 0
  const since = { created: { gte: newest - overlapSeconds }, types: subscribedEventTypes, limit: 100 }
  for await (const event of readAllPages(cards.stripe.events.list(since))) {
    if (await storeEvent(db, event)) newEvents++
    newest = Math.max(newest, event.created)
  }
  const value = String(newest)
  await db.insert(storedValues).values({ name: eventCursorName, value }).onConflictDoUpdate({ target: storedValues.name, set: { value } })
  return newEvents
}

/**
 * Deletes events that were processed more than 90 days ago. One that the next pull would read again is kept: without its row it would take
 * effect twice.
 */
export async function deleteOldEvents(db: Database): Promise<void> {
  const [cursor] = await db.select().from(storedValues).where(eq(storedValues.name, eventCursorName))
  if (!cursor) return
  const isReadAgain = sql`make_interval(secs => ${overlapSeconds}) + ${webhookEvents.createdAt} >= to_timestamp(${Number(cursor.value)})`
  await db.delete(webhookEvents).where(and(lt(webhookEvents.workedAt, sql`now() - interval '90 days'`), sql`not (${isReadAgain})`))
}
