import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

/** What the owner has said about taxes: one row, or none before anything is said. */
export const taxSettings = pgTable(
  'tax_settings',
  {
    singleRow: boolean('single_row').primaryKey().default(true),
    country: text(), // where the shop is, by two letters; null: not said yet, so that nothing is taxed
    state: text(),
    pricesIncludeTax: boolean('prices_include_tax').notNull().default(false), // of products and of delivery
  },
  (table) => [
    check('tax_settings_single_row', sql`${table.singleRow}`),
    check('tax_settings_country', sql`${table.country} ~ '^[A-Z]{2}$'`),
    check('tax_settings_state', sql`${table.state} is null or (${table.country} is not null and ${table.state} ~ '^[A-Z0-9]{1,3}$')`),
  ],
)

/** Rates of countries, and of states where they have their own. Products of the class `zero` need none. */
export const taxRates = pgTable(
  'tax_rates',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    country: text().notNull(),
    state: text(), // null: of the whole country, where its state has no rate of its own
    taxClass: text('tax_class', { enum: ['standard', 'reduced'] }).notNull(),
    ratePpm: integer('rate_ppm').notNull(), // parts per million of the net price
  },
  (table) => [
    unique('tax_rates_of_place').on(table.country, table.state, table.taxClass).nullsNotDistinct(),
    check('tax_rates_country', sql`${table.country} ~ '^[A-Z]{2}$'`),
    check('tax_rates_state', sql`${table.state} ~ '^[A-Z0-9]{1,3}$'`),
    check('tax_rates_class', sql`${table.taxClass} in ('standard', 'reduced')`),
    check('tax_rates_rate', sql`${table.ratePpm} between 0 and 1000000`),
  ],
)
