import { and, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { OrderEvent } from '#store/orders/contract.ts'
import type { Return, ReturnDecision } from './contract.ts'
import { findDecisions, findReturns } from './find-returns.ts'
import { findReturnAddress } from './return-address.ts'
import { readReturnNumber } from './return-reasons.ts'
import { returnDecisions, returns } from './table.ts'

type HistoryLine = { _id: number; orderId: string; event: OrderEvent; note: string | null }

/** What a mail about a return says: `decided` by this event, and where the parcel is sent. */
export type MailedReturn = { whole: Return; decided: (ReturnDecision & { productName: string })[]; address: string | null }

const mailedEvents: readonly OrderEvent[] = ['return asked', 'return arrived', 'return decided']

/** The return that an event of an order's history is about; undefined for the other events. */
export async function findReturnOfEvent(db: Database, line: HistoryLine): Promise<MailedReturn | undefined> {
  const number = mailedEvents.includes(line.event) ? readReturnNumber(line.note ?? '') : undefined
  if (number === undefined) return undefined
  const [whole] = await findReturns(db, and(eq(returns.number, number), eq(returns.orderId, line.orderId)))
  if (!whole) return undefined
  const decided = (await findDecisions(db, eq(returnDecisions.eventId, line._id))).map((decision) => ({
    ...decision,
    productName: whole.lines.find(({ _id }) => _id === decision.lineId)?.productName ?? '',
  }))
  return { whole, decided, address: await findReturnAddress(db) }
}
