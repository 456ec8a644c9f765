import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { companies } from '#store/companies/table.ts'
import { users } from '#store/identity/table.ts'
import { shipments } from '#store/orders/shipments/table.ts'
import { orders } from '#store/orders/table.ts'
import { creditTerms } from './contract.ts'

const companyId = () =>
  uuid('company_id')
    .notNull()
    .references(() => companies._id)

/** What the owner has approved for a company. Whoever places an order on account locks its row, as whoever changes it or sends a reminder does. */
export const companyCredits = pgTable(
  'company_credits',
  {
    companyId: companyId().primaryKey(),
    limitCents: integer('limit_cents').notNull(), // what the company may owe at most; 0: it orders nothing more on account
    dueDays: smallint('due_days').notNull(), // from the day when a parcel is sent to that on which its invoice is due
    note: text().notNull().default(''), // for the owners
  },
  (table) => [
    check('company_credits_limit', sql`${table.limitCents} between 0 and ${sql.raw(`${creditTerms.maxLimitCents}`)}`),
    check('company_credits_due_days', sql`${table.dueDays} between 1 and 90`),
  ],
)

/** Who has approved what, and when. Kept as long as the company. */
export const creditChanges = pgTable(
  'credit_changes',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    companyId: companyId(),
    limitCents: integer('limit_cents').notNull(), // from then on, like the following
    dueDays: smallint('due_days').notNull(),
    note: text().notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    at: isoTimestamp('at').notNull().default(sql`now()`),
  },
  (table) => [index('credit_changes_of_company').on(table.companyId, table._id)],
)

/** An order on account: the terms that it was placed on, and what its company owed then. A check keeps each within the limit. */
export const accountOrders = pgTable(
  'account_orders',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders._id),
    place: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(), // rises by when the credit of the company was locked
    companyId: companyId(),
    dueDays: smallint('due_days').notNull(),
    limitCents: integer('limit_cents').notNull(),
    owedCents: integer('owed_cents').notNull(), // of the other orders of the company
    totalCents: integer('total_cents').notNull(),
  },
  (table) => [
    index('account_orders_of_company').on(table.companyId, table.place),
    check('account_orders_limit', sql`${table.owedCents}::bigint + ${table.totalCents} <= ${table.limitCents}`),
  ],
)

/** When unpaid invoices are reminded of without an owner's doing: one row, or none while they are not. */
export const reminderSettings = pgTable(
  'reminder_settings',
  {
    singleRow: smallint('single_row').primaryKey().default(1),
    daysAfterDue: smallint('days_after_due').notNull(),
  },
  (table) => [
    check('reminder_settings_single_row', sql`${table.singleRow} = 1`),
    check('reminder_settings_days', sql`${table.daysAfterDue} between 1 and 90`),
  ],
)

/** A mail to a company about invoices that are overdue. A row with `mail_due_at` is to be sent. */
export const reminders = pgTable(
  'reminders',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    companyId: companyId(),
    level: smallint().notNull(), // the highest of its invoices
    sentBy: text('sent_by').references(() => users.id), // null: the store, by `reminder_settings`
    recordedAt: isoTimestamp('recorded_at').notNull().default(sql`now()`),
    mailDueAt: timestamp('mail_due_at', { withTimezone: true }).defaultNow(), // null: sent, or given up
    mailTries: integer('mail_tries').notNull().default(0),
    mailedTo: text('mailed_to').array().notNull().default(sql`'{}'`), // who has it, where the mail to another failed
  },
  (table) => [
    index('reminders_of_company').on(table.companyId, table.recordedAt),
    index('reminders_due').on(table.mailDueAt).where(sql`${table.mailDueAt} is not null`),
    check('reminders_level', sql`${table.level} between 1 and 3`),
  ],
)

/** Which invoices, by their parcels, a reminder is about, and for the how-manieth time. */
export const reminderLines = pgTable(
  'reminder_lines',
  {
    reminderId: uuid('reminder_id')
      .notNull()
      .references(() => reminders._id),
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments._id),
    level: smallint().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.reminderId, table.shipmentId] }),
    index('reminder_lines_of_shipment').on(table.shipmentId),
    check('reminder_lines_level', sql`${table.level} between 1 and 3`),
  ],
)
