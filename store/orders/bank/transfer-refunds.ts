import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { endOfShopDay, shopDay } from '#shared/shop-day.ts'
import type { User } from '#store/identity/contract.ts'
import { isOwnerById } from '#store/identity/rules.ts'
import { completePayback } from '#store/orders/on-account/settle-payback.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { bookAcceptedRefund } from '#store/orders/payments/refunds.ts'
import { lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orders, payments, refunds } from '#store/orders/table.ts'
import { assertNotToCome } from './assert-not-to-come.ts'
import { type EntryRow, entryAssignedError } from './book-entry.ts'
import type { Payee, RefundToTransfer } from './contract.ts'
import { referencedNumbers } from './find-match.ts'
import { findPayees } from './refund-payees.ts'
import { bankAssignments, bankEntries, transferRefunds } from './table.ts'

/* Refunds of orders that were paid by transfer: no provider makes them, so they are asked for until the owner has transferred the money. */

const isToTransfer = and(eq(payments.method, 'bank_transfer'), eq(refunds.state, 'asked'))

/** What is to be transferred, the oldest first. */
export async function listRefundsToTransfer(db: Database): Promise<RefundToTransfer[]> {
  const rows = await db
    .select({
      _id: refunds._id,
      paymentId: payments._id,
      orderNumber: orders.number,
      amountCents: refunds.amountCents,
      buyerName: orders.buyerName,
      askedAt: refunds.askedAt,
      note: refunds.note,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments._id, refunds.paymentId))
    .innerJoin(orders, eq(orders._id, refunds.orderId))
    .where(isToTransfer)
    .orderBy(asc(refunds.askedAt), asc(refunds._id))
    .limit(100)
  const payees = await findPayees(db, [...new Set(rows.map(({ paymentId }) => paymentId))])
  return rows.map(({ askedAt, paymentId: _, buyerName, ...refund }) => ({
    ...refund,
    payees: describePayees(payees.get(refund._id) ?? [], buyerName, refund.amountCents),
    askedAt: askedAt.toISOString(),
    reference: creditorReference(refund.orderNumber),
  }))
}

/** The buyer stands for an account that the bank has not named. */
function describePayees(payees: Payee[], buyerName: string, amountCents: number): Payee[] {
  const unknownCents = payees.reduce((rest, payee) => rest - payee.amountCents, amountCents)
  const all = unknownCents > 0 ? [...payees, { name: '', iban: '', amountCents: unknownCents }] : payees
  return all.map((payee) => (payee.iban ? payee : { ...payee, name: payee.name || buyerName }))
}

export const countRefundsToTransfer = (db: Database): Promise<number> =>
  db
    .select({ count: sql<number>`count(*)::integer` })
    .from(refunds)
    .innerJoin(payments, eq(payments._id, refunds.paymentId))
    .where(isToTransfer)
    .then(([row]) => row?.count ?? 0)

type RefundRow = typeof refunds.$inferSelect
type Done = { doneOn: string; doneBy: string | null; entry?: EntryRow }

/** @throws {HttpError} 404 no such refund by transfer; 409 it is done already */
export function completeRefund(
  db: Database,
  refundId: string,
  { doneOn, doneBy, entry }: Done,
): Promise<{ orderNumber: number; amountCents: number }> {
  return retryAfterDeadlock(() =>
    db.transaction(async (tx) => {
      const [found] = await tx
        .select({ orderId: refunds.orderId, paymentId: payments._id })
        .from(refunds)
        .innerJoin(payments, eq(payments._id, refunds.paymentId))
        .where(and(eq(refunds._id, refundId), eq(payments.method, 'bank_transfer')))
      if (!found) throw new HttpError(404, 'There is no such refund')
      const order = await lockOrder(tx, found.orderId)
      const [payment] = await tx.select().from(payments).where(eq(payments._id, found.paymentId)).for('update')
      const [row] = await tx.select().from(refunds).where(eq(refunds._id, refundId)).for('update')
      if (!payment || row?.state !== 'asked')
        throw new HttpError(409, 'This refund is done already', undefined, { code: 'nothing_to_refund' })
      const debit = entry ?? (await findWaitingDebit(tx, order, row))
      if (debit) await tx.insert(bankAssignments).values({ entryId: debit._id, refundId, amountCents: row.amountCents, assignedBy: null })
      if (order.paymentMethod === 'on_account') await completePayback(tx, order, row, { doneOn, doneBy })
      else {
        await tx.insert(transferRefunds).values({ refundId, doneOn, doneBy })
        await bookAcceptedRefund(tx, { order, payment, row, state: 'succeeded' })
      }
      return { orderNumber: order.number, amountCents: row.amountCents }
    }),
  )
}

/** The oldest debit without a refund that is of this one: see `completeRefundByDebit`. Locks it. */
async function findWaitingDebit(tx: Database, { number }: OrderRow, { amountCents, askedAt }: RefundRow): Promise<EntryRow | undefined> {
  const debits = await tx
    .select()
    .from(bankEntries)
    .where(
      and(eq(bankEntries.amountCents, -amountCents), eq(bankEntries.leftCents, amountCents), gte(bankEntries.bookedOn, shopDay(askedAt))),
    )
    .orderBy(asc(bankEntries.bookedOn), asc(bankEntries._id))
    .for('update')
  return debits.find(({ text }) => namesOnly(text, number))
}

const namesOnly = (text: string, number: number): boolean => {
  const [named, ...others] = referencedNumbers(text)
  return named === number && others.length === 0
}

/** @throws {HttpError} 400 the day is still to come; as `completeRefund` */
export async function markRefundDone(db: Database, admin: User, refundId: string, doneOn: string) {
  assertNotToCome('doneOn', doneOn)
  return completeRefund(db, refundId, { doneOn, doneBy: admin.id })
}

/**
 * A debit that names an order and has the amount of a refund of it: of one that was marked as done by hand, which is done already, or else of the
 * oldest that is to be transferred. None is of a refund that was asked for on a later day. To say that a refund was transferred is for owners: a
 * debit that another admin has imported waits until an owner marks the refund as done.
 * @returns whether it is one
 */
export async function completeRefundByDebit(db: Database, entry: EntryRow): Promise<boolean> {
  const [number, ...others] = referencedNumbers(entry.text)
  if (number === undefined || others.length > 0) return false
  const [order] = await db.select({ _id: orders._id }).from(orders).where(eq(orders.number, number))
  if (!order) return false
  const isOfAmount = and(eq(refunds.orderId, order._id), sql`${refunds.amountCents} = ${-entry.amountCents}::bigint`)
  const isMeant = and(isOfAmount, lt(refunds.askedAt, endOfShopDay(entry.bookedOn)))
  if (await assignToDoneRefund(db, entry, order._id, isMeant)) return true
  if (!(await isOwnerById(db, entry.addedBy))) return false
  const [refund] = await db
    .select({ _id: refunds._id })
    .from(refunds)
    .innerJoin(payments, eq(payments._id, refunds.paymentId))
    .where(and(isToTransfer, isMeant))
    .orderBy(asc(refunds.askedAt), asc(refunds._id))
    .limit(1)
  if (!refund) return false
  await completeRefund(db, refund._id, { doneOn: entry.bookedOn, doneBy: null, entry })
  return true
}

/**
 * Nothing is booked: the refund was when it was marked.
 * @returns false where no refund that is meant is done and without its debit
 * @throws {HttpError} 409 the debit is assigned meanwhile
 */
const assignToDoneRefund = (db: Database, { _id: entryId }: EntryRow, orderId: string, isMeant: SQL | undefined): Promise<boolean> =>
  retryAfterDeadlock(() =>
    db.transaction(async (tx) => {
      await lockOrder(tx, orderId) // an import of the same entry, or of another debit, may be at it
      const isWithoutDebit = sql`not exists (select from ${bankAssignments} where ${bankAssignments.refundId} = ${refunds._id})`
      const [done] = await tx
        .select({ _id: refunds._id, amountCents: refunds.amountCents })
        .from(refunds)
        .innerJoin(transferRefunds, eq(transferRefunds.refundId, refunds._id))
        .where(and(isMeant, isWithoutDebit))
        .orderBy(asc(refunds.askedAt))
        .limit(1)
      const [entry] = await tx.select({ leftCents: bankEntries.leftCents }).from(bankEntries).where(eq(bankEntries._id, entryId))
      if (!entry?.leftCents) throw entryAssignedError(0)
      if (!done) return false
      await tx.insert(bankAssignments).values({ entryId, refundId: done._id, amountCents: done.amountCents, assignedBy: null })
      return true
    }),
  )
