import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { users } from '#store/identity/table.ts'
import { companyEvents, companyRoles } from './contract.ts'

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true })
const id = () =>
  uuid('id')
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID())

/** A company that buys. One without members stays, since its orders refer to it. */
export const companies = pgTable(
  'companies',
  {
    _id: id(),
    name: text().notNull(),
    vatId: text('vat_id'), // without spaces, points and hyphens; null: none was given
    foundedAt: isoTimestamp('founded_at').notNull().default(sql`now()`),
  },
  (table) => [check('companies_named', sql`length(${table.name}) between 1 and 80`)],
)

const companyId = () =>
  uuid('company_id')
    .notNull()
    .references(() => companies._id)

/** Who belongs to a company now. An account is in one at most. Whoever changes the members of a company has locked its row. */
export const companyMembers = pgTable(
  'company_members',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    companyId: companyId(),
    role: text({ enum: companyRoles }).notNull(),
    joinedAt: isoTimestamp('joined_at').notNull().default(sql`now()`),
    invitedBy: text('invited_by').references(() => users.id), // null: the founder
  },
  (table) => [index('company_members_of_company').on(table.companyId, table.joinedAt)],
)

/** Open invitations: one that was accepted, replaced or taken back has no row. A row with `mail_due_at` is a mail to be sent. */
export const companyInvitations = pgTable(
  'company_invitations',
  {
    _id: id(),
    companyId: companyId(),
    email: text().notNull(), // in lower case
    tokenHash: text('token_hash').unique(), // of the last mail that was begun: the token stands in the mail alone
    invitedBy: text('invited_by')
      .notNull()
      .references(() => users.id),
    invitedAt: isoTimestamp('invited_at').notNull().default(sql`now()`),
    expiresAt: isoTimestamp('expires_at').notNull(),
    mailDueAt: timestampColumn('mail_due_at').defaultNow(), // null: sent, or given up
    mailTries: integer('mail_tries').notNull().default(0),
  },
  (table) => [
    uniqueIndex('company_invitations_of_email').on(table.companyId, table.email),
    index('company_invitations_due').on(table.mailDueAt).where(sql`${table.mailDueAt} is not null`),
    index('company_invitations_by_expiry').on(table.expiresAt),
  ],
)

/** Addresses that the members of a company choose from at the checkout. */
export const companyAddresses = pgTable(
  'company_addresses',
  {
    _id: id(),
    companyId: companyId(),
    label: text().notNull(), // such as Warehouse
    forDelivery: boolean('for_delivery').notNull(),
    forInvoice: boolean('for_invoice').notNull(),
    country: text().notNull(), // ISO 3166-1 alpha-2
    line1: text().notNull(),
    line2: text(),
    city: text().notNull(),
    postalCode: text('postal_code'),
    state: text(),
  },
  (table) => [
    uniqueIndex('company_addresses_by_label').on(table.companyId, sql`lower(${table.label})`),
    check('company_addresses_used', sql`${table.forDelivery} or ${table.forInvoice}`),
  ],
)

/** Who has changed what about a company and its members. Kept as long as the company. */
export const companyHistory = pgTable(
  'company_history',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    companyId: companyId(),
    event: text({ enum: companyEvents }).notNull(),
    userId: text('user_id').references(() => users.id), // who did it; null: the store, as an account was removed
    aboutUserId: text('about_user_id').references(() => users.id), // the member that it is about
    detail: text(), // the invited e-mail, the name and VAT id as they are from then on, or an address, of a changed one as it was, too
    at: isoTimestamp('at').notNull().default(sql`now()`),
  },
  (table) => [index('company_history_of_company').on(table.companyId, table._id)],
)
