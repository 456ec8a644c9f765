import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatCents } from '#shared/money.ts'
import { shopDay, startOfShopDay } from '#shared/shop-day.ts'
import { balanceOf } from '#store/orders/on-account/paybacks.ts'
import { appendEvent, type EventActor } from '#store/orders/order-history.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import type { CardProvider } from '#store/orders/payments/card-provider.ts'
import { changeAfterCancellingIntent } from '#store/orders/payments/end-order.ts'
import { changeOrderStatus, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import { dueCentsSql, findParcelsOfOrder } from './find-candidates.ts'
import { canBePaid, namedParcels, type OpenParcel } from './find-match.ts'
import { bankAssignments, bankEntries } from './table.ts'

export type EntryRow = typeof bankEntries.$inferSelect
type Part = { entryId: string; orderId: string; amountCents: number }
export type Booking = Part & {
  /** an admin or, by the reference, the store */
  doer: EventActor
  /** what is to be left of the entry before: see `lockEntry` */
  leftCentsSeen?: number
  /** what the order is to await before, so that nothing is booked to one that has changed meanwhile */
  awaitedCents?: number
  /** likewise the invoice that it is for, of a parcel on account, and what is to be open of it before; undefined: the one that the entry names, else the oldest */
  awaitedInvoice?: { shipmentId: string; openCents: number }
  /** what is missing is not asked for any more: why */
  shortfallReason?: string
  /** it had ended, and its pieces were taken again */
  placesEnded?: boolean
}

export const entryAssignedError = (leftCents: number) =>
  new HttpError(409, `Of this entry ${formatCents(leftCents)} is left to be assigned: look at it again`, undefined, {
    code: 'entry_assigned',
  })

/**
 * Locks an entry.
 * @param leftCentsSeen what was left of it when somebody decided; undefined: whatever is left
 * @throws {HttpError} 404; 409 less of it is left, or another amount than was seen, or it was set aside
 */
export async function lockEntry(tx: Database, id: string, amountCents: number, leftCentsSeen?: number): Promise<EntryRow> {
  const [entry] = await tx.select().from(bankEntries).where(eq(bankEntries._id, id)).for('update')
  if (!entry) throw new HttpError(404, 'There is no such entry')
  const isChanged = leftCentsSeen !== undefined && entry.leftCents !== leftCentsSeen
  if (isChanged || entry.leftCents < amountCents || entry.amountCents < 0 || entry.setAsideBy !== null)
    throw entryAssignedError(entry.setAsideBy ? 0 : entry.leftCents)
  return entry
}

export const orderEndedError = (order: Pick<OrderRow, 'number' | 'orderStatus'>) =>
  new HttpError(409, `Order ${order.number} is ${order.orderStatus}: place it again, or send the money back`, undefined, {
    code: 'order_not_open',
  })

/**
 * Books a part of an entry to an order that awaits money. Where a card could still pay the order its payment is closed at the provider first, so
 * that it is not paid twice. With all of its money the order is placed.
 * @throws {HttpError} 404; 409 less of the entry is left, the order has ended, is paid, or awaits less; 503 the card provider does not answer
 */
export async function bookEntry(db: Database, cards: CardProvider, booking: Booking): Promise<void> {
  let isBooked = false
  await changeAfterCancellingIntent(db, cards, booking.orderId, 'abandoned', async (tx, order) => {
    const changed = await bookToOrder(tx, order, booking)
    isBooked = true
    return changed
  })
  if (isBooked) return
  await retryAfterDeadlock(() =>
    db.transaction(async (tx) => {
      const order = await lockOrder(tx, booking.orderId)
      if (order.orderStatus === 'open' || !canBePaid(order))
        throw order.orderStatus === 'completed' ? paidAlreadyError(order, 0) : orderEndedError(order)
      await bookToOrder(tx, order, booking)
    }),
  )
}

export const paidAlreadyError = ({ number }: Pick<OrderRow, 'number'>, dueCents: number) =>
  new HttpError(
    409,
    dueCents === 0
      ? `Order ${number} is paid already`
      : `Of order ${number} only ${formatCents(dueCents)} is to be paid: send the rest back, or assign it to another order`,
    undefined,
    { code: 'amount_mismatch' },
  )

/** Writes the payment, the assignment and the history of an order that the caller has locked. @returns the order after it */
export async function bookToOrder(tx: Database, order: OrderRow, booking: Booking): Promise<OrderRow> {
  const { amountCents, doer, awaitedCents, shortfallReason, placesEnded = false } = booking
  const dueCents = await dueOf(tx, order)
  if (amountCents > dueCents || (awaitedCents !== undefined && awaitedCents !== dueCents)) throw paidAlreadyError(order, dueCents)
  const entry = await lockEntry(tx, booking.entryId, amountCents, booking.leftCentsSeen)
  const invoice = order.paymentMethod === 'on_account' ? await findPaidInvoice(tx, order, entry.text, booking) : undefined
  const missingCents = shortfallReason === undefined ? 0 : await missingOf(tx, order, dueCents - amountCents, amountCents)
  if (missingCents > 0)
    await tx
      .update(orders)
      .set({ writtenOffCents: sql`${orders.writtenOffCents} + ${missingCents}` })
      .where(eq(orders._id, order._id))
  const paymentId = await addToPayment(tx, order, amountCents, entry.bookedOn)
  await tx
    .insert(bankAssignments)
    .values({ entryId: entry._id, paymentId, amountCents, shipmentId: invoice?.shipmentId ?? null, assignedBy: doer.userId ?? null })
  if (order.paymentMethod === 'card') await tx.update(orders).set({ paymentMethod: 'bank_transfer' }).where(eq(orders._id, order._id))
  const forInvoice = invoice?.numbers.length ? `, for invoice ${invoice.numbers.at(-1)}` : ''
  const note = `${creditorReference(order.number)}, from ${entry.payerName || 'an unnamed account'} on ${entry.bookedOn}${forInvoice}`
  await appendEvent(tx, order, { event: 'transfer booked', doer, note, amountCents })
  if (missingCents > 0)
    await appendEvent(tx, order, { event: 'shortfall accepted', doer, note: shortfallReason ?? null, amountCents: missingCents })
  const paid = await lockOrder(tx, order._id) // its payment status has followed
  if ((paid.orderStatus !== 'open' && !placesEnded) || paid.paymentStatus !== 'paid') return paid
  return changeOrderStatus(tx, paid, 'placed', {
    event: 'paid',
    doer: { actor: doer.actor === 'admin' ? 'admin' : 'store', userId: doer.userId ?? null },
    note: 'By bank transfer',
    mail: true,
  })
}

/**
 * The invoice of an order on account that money is for: what the payer names is paid before what is older.
 * @returns undefined: the oldest
 * @throws {HttpError} 409 of the awaited one another amount is open
 */
async function findPaidInvoice(
  tx: Database,
  order: OrderRow,
  text: string,
  { awaitedInvoice }: Pick<Booking, 'awaitedInvoice'>,
): Promise<OpenParcel | undefined> {
  const parcels = await findParcelsOfOrder(tx, order._id)
  if (!awaitedInvoice) {
    const named = namedParcels(text, parcels)
    return named.length === 1 ? named[0] : undefined
  }
  const awaited = parcels.find(({ shipmentId }) => shipmentId === awaitedInvoice.shipmentId)
  if (awaited?.openCents !== awaitedInvoice.openCents) throw paidAlreadyError(order, awaited?.openCents ?? 0)
  return awaited
}

/** What is not asked for any more where less has come: on account no more than parcels were invoiced for. */
async function missingOf(tx: Database, order: OrderRow, restCents: number, amountCents: number): Promise<number> {
  if (order.paymentMethod !== 'on_account') return restCents
  const { rows } = await tx.execute<{ open: string | null }>(sql`select sum(open_cents) as open from parcels_on_account(${order._id})`)
  return Math.min(restCents, Math.max(0, Number(rows[0]?.open ?? 0) - amountCents))
}

/** What is still to be paid of an order in a transaction, in cents. The order is locked. */
export async function dueOf(tx: Database, order: OrderRow): Promise<number> {
  if (order.paymentMethod === 'on_account') return Math.max(0, await balanceOf(tx, order._id))
  const [due] = await tx.select({ cents: dueCentsSql }).from(orders).where(eq(orders._id, order._id))
  return due?.cents ?? 0
}

/**
 * An order has one payment by transfer, which grows with each part of its money; one on account has one for each.
 * @throws {HttpError} 409 it was paid in another way
 */
async function addToPayment(tx: Database, order: OrderRow, amountCents: number, bookedOn: string): Promise<string> {
  const [taken] = await tx
    .select({ _id: payments._id, method: payments.method })
    .from(payments)
    .where(and(eq(payments._id, sql`${order.paymentId}`), eq(payments.state, 'succeeded')))
    .for('update')
  if (!taken) return insertTransferPayment(tx, order, { amountCents, isSurplus: false, bookedOn })
  if (taken.method !== 'bank_transfer') throw paidAlreadyError(order, 0)
  await tx
    .update(payments)
    .set({
      amountCents: sql`${payments.amountCents} + ${amountCents}`,
      settledAt: sql`greatest(${payments.settledAt}, ${paidAt(order, bookedOn).toISOString()}::timestamptz)`,
    })
    .where(eq(payments._id, taken._id))
  return taken._id
}

/** When money counts as paid: on the day on which the bank has booked it. A day to come, or before its order was placed, is none. */
function paidAt({ placedAt, paymentMethod }: Pick<OrderRow, 'placedAt' | 'paymentMethod'>, bookedOn: string): Date {
  const now = new Date()
  if (paymentMethod === 'on_account') return startOfShopDay(bookedOn < shopDay(now) ? bookedOn : shopDay(now))
  const placed = new Date(placedAt)
  if (bookedOn >= shopDay(now) || bookedOn < shopDay(placed)) return now
  return new Date(Math.max(startOfShopDay(bookedOn).getTime(), placed.getTime()))
}

/**
 * @param isSurplus it pays nothing of the order, and goes back
 * @param bookedOn the day on which the bank has booked it: see `paidAt`; undefined: it counts as paid now
 */
export async function insertTransferPayment(
  tx: Database,
  order: OrderRow,
  { amountCents, isSurplus, bookedOn }: { amountCents: number; isSurplus: boolean; bookedOn?: string },
): Promise<string> {
  const [payment] = await tx
    .insert(payments)
    .values({
      ...{ orderId: order._id, method: 'bank_transfer', amountCents, currency: order.currency },
      ...{ state: 'succeeded', isSurplus, settledAt: bookedOn ? paidAt(order, bookedOn) : new Date() },
    })
    .returning({ _id: payments._id })
  if (!payment) throw new Error('The new payment was not returned')
  const isOnlyOne = !isSurplus && order.paymentMethod !== 'on_account'
  if (isOnlyOne) await tx.update(orders).set({ paymentId: payment._id }).where(eq(orders._id, order._id))
  return payment._id
}
