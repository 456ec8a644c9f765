import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, smallint, text } from 'drizzle-orm/pg-core'

/** By which methods can be paid, and the account for transfers: one row, or none while only cards are taken. */
export const paymentSettings = pgTable(
  'payment_settings',
  {
    singleRow: boolean('single_row').primaryKey().default(true),
    card: boolean().notNull().default(true),
    bankTransfer: boolean('bank_transfer').notNull().default(false),
    onAccount: boolean('on_account').notNull().default(false),
    holder: text().notNull().default(''),
    iban: text().notNull().default(''), // without spaces
    bic: text().notNull().default(''),
    bankName: text('bank_name').notNull().default(''),
    holdDays: smallint('hold_days').notNull().default(7), // an order that awaits a transfer keeps its pieces
  },
  (table) => [
    check('payment_settings_single_row', sql`${table.singleRow}`),
    check('payment_settings_one_on', sql`${table.card} or ${table.bankTransfer} or ${table.onAccount}`),
    check('payment_settings_account', sql`not ${table.bankTransfer} or (${table.iban} <> '' and ${table.holder} <> '')`),
    check('payment_settings_hold_days', sql`${table.holdDays} between 1 and 30`),
  ],
)
