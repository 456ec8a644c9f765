import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { refunds } from '#store/orders/table.ts'
import type { Payee } from './contract.ts'
import { bankAssignments, bankEntries } from './table.ts'

type Part = Payee & { paymentId: string | null; at: Date }
type Refund = { _id: string; paymentId: string | null; amountCents: number; askedAt: Date }

/**
 * Who is paid back by refunds of transfers, by the id of the refund: of each account at most what has come from it, the newest money first. Refunds
 * that were asked for before have taken their part. What no account has paid is left out.
 */
export async function findPayees(db: Database, paymentIds: string[]): Promise<Map<string, Payee[]>> {
  if (paymentIds.length === 0) return new Map()
  const parts = await db
    .select({
      ...{ paymentId: bankAssignments.paymentId, amountCents: bankAssignments.amountCents },
      at: sql`${bankAssignments.assignedAt}`.mapWith((at: string) => new Date(at)),
      ...{ name: bankEntries.payerName, iban: bankEntries.payerIban },
    })
    .from(bankAssignments)
    .innerJoin(bankEntries, eq(bankEntries._id, bankAssignments.entryId))
    .where(inArray(bankAssignments.paymentId, paymentIds))
    .orderBy(desc(bankEntries.bookedOn), desc(bankAssignments.assignedAt), bankAssignments._id)
  const asked = await db
    .select({ _id: refunds._id, paymentId: refunds.paymentId, amountCents: refunds.amountCents, askedAt: refunds.askedAt })
    .from(refunds)
    .where(and(inArray(refunds.paymentId, paymentIds), ne(refunds.state, 'failed'), gt(refunds.amountCents, 0)))
    .orderBy(refunds.askedAt, sql`${refunds.state} = 'asked'`, refunds._id)
  const [partsOf, refundsOf] = [Map.groupBy(parts, ({ paymentId }) => paymentId), Map.groupBy(asked, ({ paymentId }) => paymentId)]
  return new Map(paymentIds.flatMap((_id) => shareOut(partsOf.get(_id) ?? [], refundsOf.get(_id) ?? [])))
}

/** @param parts of one payment, the newest first. @param asked its refunds, the oldest first */
export function shareOut(parts: Part[], asked: Refund[]): [refundId: string, payees: Payee[]][] {
  const left = parts.map((part) => ({ ...part }))
  return asked.map(({ _id, amountCents, askedAt }) => {
    let rest = amountCents
    const taken: Payee[] = []
    const there = left.filter(({ at }) => at <= askedAt) // what came after a refund was asked for is not what it gives back
    for (const part of new Set([...there, ...left])) {
      const cents = Math.min(rest, part.amountCents)
      if (cents === 0) continue
      part.amountCents -= cents
      rest -= cents
      taken.push({ name: part.name, iban: part.iban, amountCents: cents })
    }
    return [_id, joinAccounts(taken)]
  })
}

/** Parts that came from the same account are one transfer, to the name that its newest entry says. */
function joinAccounts(taken: Payee[]): Payee[] {
  const joined = new Map<string, Payee>()
  for (const payee of taken) {
    const account = payee.iban || payee.name
    const known = joined.get(account)
    joined.set(account, known ? { ...known, amountCents: known.amountCents + payee.amountCents } : payee)
  }
  return [...joined.values()]
}
