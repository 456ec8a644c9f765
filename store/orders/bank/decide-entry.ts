import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import type { User } from '#store/identity/contract.ts'
import { isOwner } from '#store/identity/rules.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import {
  assertWithinAdminRefundLimit,
  notifyOwnersOfManyRefunds,
  serializeAdminRefunds,
} from '#store/orders/payments/admin-refund-limits.ts'
import type { CardProvider } from '#store/orders/payments/card-provider.ts'
import { insertRefund, refundOfNoLine } from '#store/orders/payments/refund-lines.ts'
import { lockOrder } from '#store/orders/rules.ts'
import { orders } from '#store/orders/table.ts'
import { bookEntry, entryAssignedError, insertTransferPayment, lockEntry, orderEndedError, paidAlreadyError } from './book-entry.ts'
import type { EntryDecisionBody } from './contract.ts'
import { findOrderByNumber } from './find-candidates.ts'
import { type Candidate, canBePaid } from './find-match.ts'
import { findEntry } from './list-entries.ts'
import { placeAgain } from './place-again.ts'
import { bankAssignments, bankEntries } from './table.ts'

type Decided = EntryDecisionBody & { entryId: string; admin: User }
type OrderPart = { order: Candidate; amountCents: number }

/**
 * What an admin says an entry is for. Each order is booked in a transaction of its own, once all of them were looked at.
 * @throws {HttpError} 404 no such entry or order; 403 accepting a shortfall is for owners; 409 the entry or an order has changed, see `bookEntry`
 */
export async function decideEntry(db: Database, cards: CardProvider, decided: Decided) {
  const { entryId, decision, admin } = decided
  const entry = await findEntry(db, entryId)
  if (entry.amountCents < 0)
    throw new HttpError(409, 'Money that has left the account is for no order', undefined, { code: 'entry_assigned' })
  if (decision === 'take up again') return takeUpAgain(db, entryId)
  const parts = await findParts(db, decided)
  const sum = parts.reduce((total, { amountCents }) => total + amountCents, 0)
  if (sum > entry.leftCents || entry.leftCents !== decided.leftCentsSeen || entry.setAsideNote !== null || entry.leftCents === 0)
    throw entryAssignedError(entry.setAsideNote === null ? entry.leftCents : 0)
  if (decision === 'set aside') return setAside(db, decided)
  if (decision === 'accept the shortfall' && !(await isOwner(db, admin.email)))
    throw new HttpError(403, 'To take less than an order costs is for owners of the store only')
  for (const part of parts) assertBookable(part, decided)
  let { leftCentsSeen } = decided
  for (const part of parts) {
    await carryOut(db, cards, { ...decided, leftCentsSeen }, part)
    leftCentsSeen -= part.amountCents
  }
}

async function findParts(db: Database, { decision, orders: asked }: Decided): Promise<OrderPart[]> {
  if (decision !== 'set aside' && asked.length === 0) throw fieldError('orders', 'Name an order')
  if (decision !== 'assign' && asked.length > 1) throw fieldError('orders', 'Name one order')
  if (new Set(asked.map(({ number }) => number)).size < asked.length) throw fieldError('orders', 'An order is named twice')
  const parts: OrderPart[] = []
  for (const [nth, { number, amountCents }] of asked.entries()) {
    const order = await findOrderByNumber(db, number)
    if (!order) throw fieldError(`orders.${nth}.number`, `There is no order ${number}`)
    parts.push({ order, amountCents })
  }
  return parts
}

const fieldError = (field: string, message: string) => new HttpError(400, message, { [field]: message })

/** What `bookEntry` would refuse, before anything of several orders is booked. */
function assertBookable({ order, amountCents }: OrderPart, { decision, reason }: Decided): void {
  if (decision === 'accept the shortfall' && reason === '') throw fieldError('reason', 'Say why you take less')
  if (decision === 'place again' || decision === 'send back' || decision === 'set aside') return
  if (decision === 'ask for the rest' && order.paymentMethod === 'on_account')
    throw new HttpError(409, `Order ${order.number} is on account: book what has come, and send a reminder under Receivables`, undefined, {
      code: 'conflict',
    })
  if (!canBePaid(order)) throw order.orderStatus === 'completed' ? paidAlreadyError(order, 0) : orderEndedError(order)
  if (amountCents > order.dueCents) throw paidAlreadyError(order, order.dueCents)
}

async function carryOut(db: Database, cards: CardProvider, decided: Decided, { order, amountCents }: OrderPart): Promise<void> {
  const { entryId, decision, admin, reason, leftCentsSeen } = decided
  const doer = { actor: 'admin', userId: admin.id } as const
  const booking = { entryId, orderId: order._id, amountCents, doer, leftCentsSeen }
  if (decision === 'place again') return placeAgain(db, booking)
  if (decision === 'send back') return sendBack(db, decided, { order, amountCents })
  await bookEntry(db, cards, decision === 'accept the shortfall' ? { ...booking, shortfallReason: reason } : booking)
  if (decision === 'ask for the rest') await askForRest(db, admin, order._id)
}

/** Mails the buyer what is missing, and holds the order anew for as many days as it was held for at first. */
const askForRest = (db: Database, admin: User, orderId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order.orderStatus !== 'open') return
    const until = sql`greatest(${orders.holdUntil}, now() + coalesce(${orders.transferHoldUntil} - ${orders.placedAt}, interval '7 days'))`
    const [held] = await tx.update(orders).set({ holdUntil: until }).where(eq(orders._id, orderId)).returning()
    await appendEvent(tx, held ?? order, { event: 'rest asked', doer: { actor: 'admin', userId: admin.id }, mail: true })
  })

/** The money pays nothing of the order: it is a surplus, whose refund is asked for. */
const sendBack = (
  db: Database,
  { entryId, admin, reason, leftCentsSeen }: Decided,
  { order: { _id }, amountCents }: OrderPart,
): Promise<void> =>
  retryAfterDeadlock(() =>
    db.transaction(async (tx) => {
      const isLimited = !(await isOwner(tx, admin.email))
      if (isLimited) await serializeAdminRefunds(tx)
      const order = await lockOrder(tx, _id)
      const entry = await lockEntry(tx, entryId, amountCents, leftCentsSeen)
      if (isLimited) await assertWithinAdminRefundLimit(tx, amountCents)
      const paymentId = await insertTransferPayment(tx, order, { amountCents, isSurplus: true })
      await tx.insert(bankAssignments).values({ entryId: entry._id, paymentId, amountCents, assignedBy: admin.id })
      const doer = { actor: 'admin', userId: admin.id } as const
      const note = reason || 'More was transferred than the order costs'
      await insertRefund(
        tx,
        { paymentId, orderId: order._id, amountCents, endsAs: 'refunded', note, ...doer },
        refundOfNoLine(amountCents, 0),
      )
      await appendEvent(tx, order, { event: 'refund asked', doer, note, amountCents })
      if (isLimited) await notifyOwnersOfManyRefunds(tx, admin)
    }),
  )

/** Takes back that an entry was set aside: what is left of it waits to be assigned. @throws {HttpError} 409 it was not */
async function takeUpAgain(db: Database, entryId: string): Promise<void> {
  const taken = await db
    .update(bankEntries)
    .set({ setAsideBy: null, setAsideNote: null })
    .where(and(eq(bankEntries._id, entryId), isNotNull(bankEntries.setAsideBy)))
    .returning({ _id: bankEntries._id })
  if (taken.length === 0)
    throw new HttpError(409, 'This entry waits to be assigned already: look at it again', undefined, { code: 'entry_assigned' })
}

const setAside = (db: Database, { entryId, admin, reason, leftCentsSeen }: Decided): Promise<void> =>
  db.transaction(async (tx) => {
    if (reason === '') throw fieldError('reason', 'Say what it is')
    await lockEntry(tx, entryId, 1, leftCentsSeen)
    await tx.update(bankEntries).set({ setAsideBy: admin.id, setAsideNote: reason }).where(eq(bankEntries._id, entryId))
  })
