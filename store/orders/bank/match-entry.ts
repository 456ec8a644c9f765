import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { CardProvider } from '#store/orders/payments/card-provider.ts'
import { bookEntry, type EntryRow } from './book-entry.ts'
import { findAwaiting, findNamedOrders, maxCompared } from './find-candidates.ts'
import { type Candidate, findMatch, isNamedLike, referencedNumbers } from './find-match.ts'
import { bankEntries } from './table.ts'
import { completeRefundByDebit } from './transfer-refunds.ts'

const storeDoer = { actor: 'store' } as const

/**
 * Books an entry that nobody has looked at to the order that it is surely for, or to the refund. What it is not sure of waits for an admin, and
 * so does one whose order has changed at this moment. Where the card provider does not answer it is tried again.
 * @returns whether it was booked
 */
export async function matchEntry(db: Database, cards: CardProvider, entryId: string): Promise<boolean> {
  const isNew = and(eq(bankEntries._id, entryId), isNull(bankEntries.matchedAt))
  const [entry] = await db.select().from(bankEntries).where(isNew)
  if (!entry) return false
  const isBooked = await (entry.amountCents > 0 ? bookIfSure(db, cards, entry) : completeRefundByDebit(db, entry)).catch((error) => {
    if (!(error instanceof HttpError)) throw error
    return error.status === 503 ? undefined : false // an admin who assigns it is told why it cannot be
  })
  if (isBooked === undefined) return false
  await db.update(bankEntries).set({ matchedAt: new Date() }).where(isNew)
  return isBooked
}

async function bookIfSure(db: Database, cards: CardProvider, entry: EntryRow): Promise<boolean> {
  const { candidates, parcels } = await findNamedOrders(db, entry.text)
  const { order, isSure, shipmentId } = findMatch(entry, candidates, parcels)
  if (!order || !isSure || entry.leftCents !== entry.amountCents) return false
  const { amountCents } = entry
  if (referencedNumbers(entry.text).length === 0 && (await isAmbiguous(db, entry, order))) return false
  const awaited = shipmentId === undefined ? { awaitedCents: amountCents } : { awaitedInvoice: { shipmentId, openCents: amountCents } }
  await bookEntry(db, cards, { entryId: entry._id, orderId: order._id, amountCents, ...awaited, doer: storeDoer })
  return true
}

/**
 * Whether another order of a buyer who is called like the payer, or an invoice of one, awaits the same amount: then the number alone tells them
 * apart, and may be mistyped. So do more orders than are compared.
 */
async function isAmbiguous(db: Database, { amountCents, payerName }: EntryRow, order: Candidate): Promise<boolean> {
  const others = await findAwaiting(db, amountCents)
  return others.length === maxCompared || others.some((other) => other._id !== order._id && isNamedLike(payerName, other))
}
