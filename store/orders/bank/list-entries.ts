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
import { type Candidate, findMatch } from './find-match.ts'
import { bankAssignments, bankEntries } from './table.ts'
import { countRefundsToTransfer, listRefundsToTransfer } from './transfer-refunds.ts'

const waits = and(gt(bankEntries.amountCents, 0), gt(bankEntries.leftCents, 0), isNull(bankEntries.setAsideBy))
const ofList: Record<(typeof entryLists)[number], SQL | undefined> = {
  waiting: waits,
  booked: and(gt(bankEntries.amountCents, 0), or(eq(bankEntries.leftCents, 0), isNotNull(bankEntries.setAsideBy))),
  debits: lt(bankEntries.amountCents, 0),
}
const pageSize = 25

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
    counts: { waiting: await db.$count(bankEntries, waits), refunds: await countRefundsToTransfer(db) },
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
  const described: BankEntry[] = []
  for (const row of rows)
    described.push({ ...describeRow(row), ...(await describeWaiting(db, row)), assigned: assigned.get(row._id) ?? [] })
  return described
}

const describeRow = ({ _id, bookedOn, amountCents, leftCents, payerName, payerIban, text, setAsideNote }: EntryRow) => ({
  ...{ _id, bookedOn, amountCents, leftCents, payerName, payerIban, text, setAsideNote },
})

async function describeWaiting(db: Database, row: EntryRow): Promise<Pick<BankEntry, 'reason' | 'order' | 'proposals'>> {
  if (row.amountCents < 0 || row.leftCents === 0 || row.setAsideBy !== null) return { reason: null, order: null, proposals: [] }
  const left = { ...row, amountCents: row.leftCents }
  const named = await findNamedOrders(db, row.text)
  const { order, reason } = findMatch(left, named)
  const proposed = order ? [] : [...named, ...(await proposeOrders(db, left))]
  const proposals = [...new Map(proposed.map((each) => [each._id, each])).values()].slice(0, 8)
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
