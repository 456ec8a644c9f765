import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { User } from '#store/identity/contract.ts'
import { isOwner } from '#store/identity/rules.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import { orders, payments, refunds } from '#store/orders/table.ts'
import type { EntryRow } from './book-entry.ts'
import type { BankEntry, entryLists, OrderOfEntry } from './contract.ts'
import { findNamedOrders, proposeOrders } from './find-candidates.ts'
import { type Candidate, findMatch, type Match } from './find-match.ts'
import { bankAssignments, bankEntries } from './table.ts'
import { countRefundsToTransfer, listRefundsToTransfer } from './transfer-refunds.ts'

const waits = and(gt(bankEntries.amountCents, 0), gt(bankEntries.leftCents, 0), isNull(bankEntries.setAsideBy))
const ofList: Record<(typeof entryLists)[number], SQL | undefined> = {
  waiting: waits,
  booked: and(gt(bankEntries.amountCents, 0), or(eq(bankEntries.leftCents, 0), isNotNull(bankEntries.setAsideBy))),
  debits: lt(bankEntries.amountCents, 0),
}
const pageSize = 25

/** Entries that wait to be assigned, and refunds that are to be transferred. */
export const countBankWork = async (db: Database): Promise<{ waiting: number; refunds: number }> => ({
  waiting: await db.$count(bankEntries, waits),
  refunds: await countRefundsToTransfer(db),
})

/** A page of entries, the newest first, with what is to be transferred back. */
export async function listEntries(db: Database, { list, page, admin }: { list: keyof typeof ofList; page: number; admin: User }) {
  const rows = await db
    .select()
    .from(bankEntries)
    .where(ofList[list])
    .orderBy(desc(bankEntries.bookedOn), desc(bankEntries._id))
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize)
  return {
    entries: await describeEntries(db, rows.slice(0, pageSize)),
    hasMore: rows.length > pageSize,
    counts: await countBankWork(db),
    refunds: await listRefundsToTransfer(db),
    account: await findBankAccount(db),
    askedByOwner: await isOwner(db, admin.email),
  }
}

/** @throws {HttpError} 404 */
export async function findEntry(db: Database, id: string): Promise<BankEntry> {
  const [described] = await describeEntries(db, await db.select().from(bankEntries).where(eq(bankEntries._id, id)))
  if (!described) throw new HttpError(404, 'There is no such entry')
  return described
}

async function describeEntries(db: Database, rows: EntryRow[]): Promise<BankEntry[]> {
  const assigned = await findAssignments(db, rows)
  const found = new Map<string, Found>()
  for (const row of rows.filter(isWaiting)) found.set(row._id, await findOrder(db, row))
  const unsure = rows.filter(({ _id }) => found.get(_id)?.order === null)
  const proposed = await proposeOrders(
    db,
    unsure.map((row) => ({ ...row, amountCents: row.leftCents })),
  )
  return rows.map((row) => ({
    ...describeRow(row),
    ...describeWaiting(found.get(row._id), proposed.get(row._id) ?? []),
    assigned: assigned.get(row._id) ?? [],
  }))
}

const describeRow = ({ _id, bookedOn, amountCents, leftCents, payerName, payerIban, text, setAsideNote }: EntryRow) => ({
  ...{ _id, bookedOn, amountCents, leftCents, payerName, payerIban, text, setAsideNote },
})

const isWaiting = ({ amountCents, leftCents, setAsideBy }: EntryRow): boolean => amountCents > 0 && leftCents > 0 && setAsideBy === null

type Found = Pick<Match, 'order' | 'reason'> & { named: Candidate[] }

async function findOrder(db: Database, row: EntryRow): Promise<Found> {
  const { candidates, parcels } = await findNamedOrders(db, row.text)
  const { order, reason } = findMatch({ ...row, amountCents: row.leftCents }, candidates, parcels)
  return { order, reason, named: candidates }
}

/** @param found undefined: it waits for nothing */
function describeWaiting(found: Found | undefined, proposed: Candidate[]): Pick<BankEntry, 'reason' | 'order' | 'proposals'> {
  if (!found) return { reason: null, order: null, proposals: [] }
  const { order, reason, named } = found
  const all = order ? [] : [...named, ...proposed]
  const proposals = [...new Map(all.map((each) => [each._id, each])).values()].slice(0, 8)
  return { reason, order: order && toOrderOfEntry(order), proposals: proposals.map(toOrderOfEntry) }
}

const toOrderOfEntry = ({ _id, number, buyerName, company, orderStatus, totalCents, dueCents }: Candidate): OrderOfEntry => ({
  ...{ _id, number, orderStatus, totalCents, dueCents },
  buyerName: company ? `${buyerName}, ${company}` : buyerName,
})

async function findAssignments(db: Database, rows: EntryRow[]): Promise<Map<string, BankEntry['assigned']>> {
  if (rows.length === 0) return new Map()
  const found = await db
    .select({
      entryId: bankAssignments.entryId,
      number: orders.number,
      amountCents: bankAssignments.amountCents,
      isRefund: sql<boolean>`${bankAssignments.refundId} is not null`,
    })
    .from(bankAssignments)
    .leftJoin(payments, eq(payments._id, bankAssignments.paymentId))
    .leftJoin(refunds, eq(refunds._id, bankAssignments.refundId))
    .innerJoin(orders, sql`${orders._id} = coalesce(${payments.orderId}, ${refunds.orderId})`)
    .where(
      inArray(
        bankAssignments.entryId,
        rows.map(({ _id }) => _id),
      ),
    )
    .orderBy(bankAssignments.assignedAt)
  return Map.groupBy(
    found.map(({ entryId, ...assignment }) => ({ entryId, assignment })),
    ({ entryId }) => entryId,
  )
    .entries()
    .reduce(
      (all, [entryId, each]) =>
        all.set(
          entryId,
          each.map(({ assignment }) => assignment),
        ),
      new Map<string, BankEntry['assigned']>(),
    )
}
