import { and, asc, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { storeCurrency } from '#shared/currency.ts'
import type { User } from '#store/identity/contract.ts'
import { recordAdminActivityNotice } from '#store/identity/owner-notices.ts'
import { isOwner } from '#store/identity/rules.ts'
import { formatIban, normalizeIban } from '#store/orders/payment-methods/iban.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import type { CardProvider } from '#store/orders/payments/card-provider.ts'
import { assertNoneAlike } from './alike-entries.ts'
import { assertNotToCome } from './assert-not-to-come.ts'
import type { ColumnNames, StatementSummary } from './contract.ts'
import { matchEntry } from './match-entry.ts'
import { readStatementInWorker } from './read-in-worker.ts'
import { assertBalanced, keysOf, type Statement, type StatementEntry, StatementError } from './statement.ts'
import { bankEntries, bankStatements } from './table.ts'

/** `again`: also where other entries of the same days and amounts stand there */
type StatementFile = { name: string; bytes: Uint8Array; columns: ColumnNames; again: boolean }

/**
 * Imports a file of the bank: all of its entries that are not known yet, or none. Those that are surely for an order are booked to it afterwards,
 * each in a transaction of its own; after a crash `matchDueEntry` goes on.
 * @throws {HttpError} 400 it is no statement; 409 it is of another account or currency, does not add up, says what stands there in another way,
 *   or the shop has named no account
 */
export async function importStatement(db: Database, cards: CardProvider, admin: User, file: StatementFile): Promise<StatementSummary> {
  const account = await findNamedAccount(db)
  const statement = await readStatementInWorker(file).then(
    (read) => checked(read, account.iban),
    (error: unknown) => {
      throw toHttpError(error)
    },
  )
  const added = await retryAfterDeadlock(() =>
    db.transaction(async (tx) => {
      const [row] = await tx
        .insert(bankStatements)
        .values({
          ...{ fileName: file.name || 'without a name', iban: account.iban, importedBy: admin.id },
          ...{ openingCents: statement.openingCents, closingCents: statement.closingCents },
        })
        .returning({ _id: bankStatements._id })
      if (!row) throw new Error('The new statement was not returned')
      const { name, again } = file
      return insertEntries(tx, admin, { statementId: row._id, iban: account.iban, entries: statement.entries, name, again })
    }),
  )
  return settleAdded(db, cards, added, statement.entries.length)
}

async function findNamedAccount(db: Database) {
  const account = await findBankAccount(db)
  if (account) return account
  throw new HttpError(409, 'Say first which account buyers transfer to: on the page Seller', undefined, { code: 'other_account' })
}

function checked(statement: Statement, iban: string): Statement {
  try {
    return assertOfAccount(statement, iban)
  } catch (error) {
    throw toHttpError(error)
  }
}

function assertOfAccount(statement: Statement, iban: string): Statement {
  const { code, symbol } = storeCurrency()
  if (statement.iban !== null && statement.iban !== iban)
    throw new StatementError(
      `The file is of the account ${formatIban(statement.iban)}, and buyers transfer to ${formatIban(iban)}: load the statement of that one`,
      'other_account',
    )
  const other = statement.currencies.find((currency) => currency !== code && currency !== symbol.trim().toLowerCase())
  if (other !== undefined)
    throw new StatementError(
      `The file has amounts in ${other.toUpperCase()}, and the shop sells in ${code.toUpperCase()}: load the statement of an account in ${code.toUpperCase()}`,
      'other_currency',
    )
  if (statement.entries.length === 0) throw new StatementError('The file has no booked entries', 'file_empty')
  assertBalanced(statement)
  return statement
}

function toHttpError(error: unknown): unknown {
  if (!(error instanceof StatementError)) return error
  return new HttpError(error.code === 'statement_unreadable' || error.code === 'file_empty' ? 400 : 409, error.message, undefined, {
    code: error.code,
  })
}

type NewEntries = { statementId: string | null; iban: string; entries: StatementEntry[]; name: string; again: boolean }
type AddedEntry = { _id: string; amountCents: number }

/** What the column holds. */
const maxExtent = 2_147_483_647

/** Rows per statement: each has ten parameters. */
const batchSize = 1000

/** Inserts the entries that are not known yet. Owners are told of an admin who says that money has come or gone. */
async function insertEntries(tx: Database, admin: User, { statementId, iban, entries, name, again }: NewEntries): Promise<AddedEntry[]> {
  const keys = keysOf(entries)
  const rows = entries.map(({ bankReference: _, ...entry }, nth) => ({
    ...{ ...entry, statementId, iban, key: keys[nth] ?? '', addedBy: admin.id },
    leftCents: Math.abs(entry.amountCents),
  }))
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)) // two imports of one file wait for each other, and none for both
  if (!again) await assertNoneAlike(tx, iban, rows)
  const added: AddedEntry[] = []
  for (let at = 0; at < sorted.length; at += batchSize) {
    const inserted = await tx
      .insert(bankEntries)
      .values(sorted.slice(at, at + batchSize))
      .onConflictDoNothing()
      .returning({ _id: bankEntries._id, amountCents: bankEntries.amountCents })
    added.push(...inserted)
  }
  if (added.length > 0 && !(await isOwner(tx, admin.email)))
    await recordAdminActivityNotice(tx, {
      event: 'bank entries imported',
      by: admin.email,
      extent: Math.min(
        maxExtent,
        added.reduce((sum, { amountCents }) => sum + Math.abs(amountCents), 0),
      ),
      detail: `${added.length} entries of ${name || 'a file'}`,
    })
  return added
}

async function settleAdded(db: Database, cards: CardProvider, added: AddedEntry[], total: number): Promise<StatementSummary> {
  const [credits, debits] = [
    { added: 0, booked: 0 },
    { added: 0, booked: 0 },
  ]
  for (const { _id, amountCents } of added) {
    const count = amountCents > 0 ? credits : debits
    count.added++
    // An entry that cannot be matched now is imported all the same: `matchDueEntries` tries it again, and reports why.
    if (await matchEntry(db, cards, _id).catch(() => false)) count.booked++
  }
  return {
    ...{ added: added.length, known: total - added.length, booked: credits.booked + debits.booked },
    ...{ debits: debits.added, waiting: credits.added - credits.booked },
  }
}

/**
 * Enters money by hand that a statement does not say.
 * @throws {HttpError} 400 the day is still to come; 409 the entry is known already, or one of its day and amount is
 */
export async function addEntryByHand(
  db: Database,
  cards: CardProvider,
  owner: User,
  { entry, again }: { entry: StatementEntry & { bankReference: string }; again: boolean },
): Promise<StatementSummary> {
  assertNotToCome('bookedOn', entry.bookedOn)
  const account = await findNamedAccount(db)
  const entries = [{ ...entry, payerIban: normalizeIban(entry.payerIban) }]
  const added = await db.transaction((tx) =>
    insertEntries(tx, owner, { statementId: null, iban: account.iban, entries, name: 'an entry by hand', again }),
  )
  if (added.length === 0)
    throw new HttpError(409, 'An entry with this reference of the bank and this amount stands there already', undefined, {
      code: 'entry_assigned',
    })
  return settleAdded(db, cards, added, 1)
}

/** How many entries are matched in a run, so that payments in question need not wait for all of a large file. */
const maxMatched = 500

/**
 * Looks for the orders of entries that were imported when something stopped before it did. Called every minute.
 * @returns whether there were any
 * @throws {AggregateError} some could not be looked at, after all the others were
 */
export async function matchDueEntries(db: Database, cards: CardProvider): Promise<boolean> {
  const due = await db
    .select({ _id: bankEntries._id })
    .from(bankEntries)
    .where(and(isNull(bankEntries.matchedAt), lt(bankEntries.addedAt, sql`now() - interval '1 minute'`))) // newer ones are in the works
    .orderBy(asc(bankEntries.addedAt))
    .limit(maxMatched)
  const failures: unknown[] = []
  for (const { _id } of due) await matchEntry(db, cards, _id).catch((error) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} entries of the bank could not be matched`)
  return due.length > 0
}
