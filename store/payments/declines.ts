import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { tooMany } from '#platform/limits.ts'
import * as orderBooks from '#store/orders/rules.ts'
import { orderHistory, orders, payments } from '#store/orders/table.ts'
import { askForEach, type CardProvider } from './card-provider.ts'
import { closeIntent } from './ending.ts'
import { findPayment } from './settle.ts'

type Order = orderBooks.OrderRow

/** After so many declined cards within the window an order, or all orders of a buyer, can be paid no more until it has passed. */
const declines = { ofOrder: 5, ofBuyer: 10, windowSeconds: 3600 }

/**
 * A card that is tried again and again is somebody else's: after so many declines the order, or the buyer, has to wait.
 * @throws {Refusal} 429, saying how long
 */
export async function refuseAfterDeclines(tx: Database, order: Order): Promise<void> {
  const seconds = await secondsToWait(tx, order)
  if (seconds > 0) throw tooMany('Too many cards were declined', seconds)
}

/** How long nobody may try a card for this order; 0 when somebody may. */
async function secondsToWait(db: Database, { _id, buyerId }: Order): Promise<number> {
  const { windowSeconds } = declines
  const ofBuyer = await db
    .select({
      orderId: orderHistory.orderId,
      left: sql<number>`ceil(extract(epoch from ${orderHistory.at} + make_interval(secs => ${windowSeconds}) - now()))::integer`,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .where(
      and(
        eq(orderHistory.event, 'card declined'),
        eq(orders.buyerId, buyerId),
        sql`${orderHistory.at} > now() - make_interval(secs => ${windowSeconds})`,
      ),
    )
    .orderBy(desc(orderHistory.at))
  const ofOrder = ofBuyer.filter(({ orderId }) => orderId === _id)
  return Math.max(0, ofOrder[declines.ofOrder - 1]?.left ?? 0, ofBuyer[declines.ofBuyer - 1]?.left ?? 0)
}

/** What a declined intent says of itself. */
export const Declined = z.object({
  id: z.string(),
  metadata: z.record(z.string(), z.string()),
  last_payment_error: z
    .object({ code: z.string().optional(), decline_code: z.string().optional(), message: z.string().optional() })
    .nullable(),
})

/**
 * A card was declined. Noted in the order's history, which counts; after too many the buyer's intents end, whoever holds their secrets.
 * @param tx the transaction in which the provider's event is marked as worked off, so that each counts once
 * @returns what is to be done once that is committed
 */
export async function noteDecline(
  tx: Database,
  cards: CardProvider,
  intent: z.output<typeof Declined>,
): Promise<((db: Database) => Promise<void>) | undefined> {
  const payment = await findPayment(tx, intent)
  if (!payment) return undefined
  const [order] = await tx.select().from(orders).where(eq(orders.paymentId, payment._id)).for('update')
  if (!order) return undefined
  const { code, decline_code, message } = intent.last_payment_error ?? {}
  const why = [decline_code ?? code, message].filter(Boolean).join(': ')
  await orderBooks.note(tx, order, { event: 'card declined', doer: { actor: 'card provider' }, note: why })
  if ((await secondsToWait(tx, order)) === 0) return undefined
  return (db) => closeSpoiled(db, cards, order.buyerId)
}

/** Ends the open intents of orders and buyers with too many declined cards: who holds many secrets would have a try with each. */
export async function closeSpoiled(db: Database, cards: CardProvider, buyerId?: string): Promise<void> {
  const [ofDeclined, declined] = [alias(orders, 'of_declined'), alias(orderHistory, 'declined')]
  const suspects = db
    .select({ buyerId: ofDeclined.buyerId })
    .from(declined)
    .innerJoin(ofDeclined, eq(ofDeclined._id, declined.orderId))
    .where(and(eq(declined.event, 'card declined'), sql`${declined.at} > now() - make_interval(secs => ${declines.windowSeconds})`))
  const open = await db
    .select({ order: orders, intentId: payments.intentId })
    .from(payments)
    .innerJoin(orders, eq(orders.paymentId, payments._id))
    .where(and(eq(payments.state, 'open'), inArray(orders.buyerId, buyerId ? [buyerId] : suspects)))
  await askForEach(open, async ({ order, intentId }) => {
    if (intentId && (await secondsToWait(db, order)) > 0) await closeIntent(db, cards, intentId, 'fraudulent')
  })
}
