import { sql } from 'drizzle-orm'
import { bigint, check, date, index, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { users } from '#store/identity/table.ts'
import { shipments } from '#store/orders/shipments/table.ts'
import { payments, refunds } from '#store/orders/table.ts'

/** The files that were imported. Money is in cents of the store's currency. */
export const bankStatements = pgTable('bank_statements', {
  _id: uuid('id')
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID()),
  fileName: text('file_name').notNull(),
  iban: text().notNull(),
  openingCents: bigint('opening_cents', { mode: 'number' }), // null: the file does not say it
  closingCents: bigint('closing_cents', { mode: 'number' }),
  importedBy: text('imported_by')
    .notNull()
    .references(() => users.id),
  importedAt: isoTimestamp('imported_at').notNull().default(sql`now()`),
})

/** Each entry of an account once, however often it is imported. What it was assigned to stands in `bank_assignments`. */
export const bankEntries = pgTable(
  'bank_entries',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    statementId: uuid('statement_id').references(() => bankStatements._id), // null: entered by hand
    iban: text().notNull(), // of the store's account
    key: text().notNull(), // a hash of the bank's own reference, the day and the amount or, without a reference, of all that the entry says: see `keysOf`
    bookedOn: date('booked_on').notNull(),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(), // below zero: money that has left
    leftCents: bigint('left_cents', { mode: 'number' }).notNull(), // not assigned yet; kept by a trigger on assignments
    payerName: text('payer_name').notNull().default(''), // of a debit the payee's, like the IBAN
    payerIban: text('payer_iban').notNull().default(''),
    text: text().notNull().default(''),
    addedBy: text('added_by')
      .notNull()
      .references(() => users.id),
    addedAt: isoTimestamp('added_at').notNull().default(sql`now()`),
    matchedAt: timestamp('matched_at', { withTimezone: true }), // null: nobody has looked for its order yet
    setAsideBy: text('set_aside_by').references(() => users.id), // who has said that what is left is for no order
    setAsideNote: text('set_aside_note'),
  },
  (table) => [
    unique('bank_entries_once').on(table.iban, table.key),
    index('bank_entries_by_day').on(table.bookedOn, table._id),
    index('bank_entries_waiting').on(table.bookedOn, table._id).where(sql`${table.leftCents} > 0 and ${table.setAsideBy} is null`),
    index('bank_entries_to_match').on(table.addedAt).where(sql`${table.matchedAt} is null`),
    check('bank_entries_amount', sql`${table.amountCents} <> 0`),
    check('bank_entries_left', sql`${table.leftCents} between 0 and abs(${table.amountCents})`),
    check('bank_entries_set_aside', sql`(${table.setAsideBy} is null) = (${table.setAsideNote} is null)`),
  ],
)

/** What an entry, or a part of it, was for: money of an order or, of a debit, a refund. A trigger counts it off `left_cents`. */
export const bankAssignments = pgTable(
  'bank_assignments',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    entryId: uuid('entry_id')
      .notNull()
      .references(() => bankEntries._id),
    paymentId: uuid('payment_id').references(() => payments._id),
    refundId: uuid('refund_id')
      .unique()
      .references(() => refunds._id),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    shipmentId: uuid('shipment_id').references(() => shipments._id), // of an order on account: the parcel whose invoice is paid first; null: the oldest
    assignedBy: text('assigned_by').references(() => users.id), // null: the store, by the reference
    assignedAt: isoTimestamp('assigned_at').notNull().default(sql`now()`),
  },
  (table) => [
    index('bank_assignments_of_entry').on(table.entryId),
    index('bank_assignments_of_payment').on(table.paymentId),
    check('bank_assignments_amount', sql`${table.amountCents} > 0`),
    check('bank_assignments_of_one', sql`(${table.paymentId} is null) <> (${table.refundId} is null)`),
  ],
)

/** When a refund by transfer was made, and by whom: they are asked for until somebody says so. */
export const transferRefunds = pgTable('transfer_refunds', {
  refundId: uuid('refund_id')
    .primaryKey()
    .references(() => refunds._id),
  doneOn: date('done_on').notNull(),
  doneBy: text('done_by').references(() => users.id), // null: found in a statement
})
