import { sql } from 'drizzle-orm'
import { boolean, check, date, integer, jsonb, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { type PriceStep, pricedBy } from './delivery-options.ts'

const id = uuid('id')
  .primaryKey()
  .$defaultFn(() => crypto.randomUUID())

/** What holds for all deliveries: one row, or none before anything is said. */
export const deliverySettings = pgTable(
  'delivery_settings',
  {
    singleRow: boolean('single_row').primaryKey().default(true),
    timeZone: text('time_zone').notNull().default('UTC'), // of cut-off times and holidays, and in which pages and mails say times
    unknownWeightGrams: integer('unknown_weight_g'), // of a piece of which neither the product nor its category has a weight
    // A parcel counts as delivered so many days after it was sent, where nobody says when it was: within the shop's country, and elsewhere.
    assumedDeliveryDays: smallint('assumed_delivery_days').notNull().default(7),
    assumedDeliveryDaysAbroad: smallint('assumed_delivery_days_abroad').notNull().default(21),
    withdrawalEverywhere: boolean('withdrawal_everywhere').notNull().default(false), // consumers may withdraw from the contract where no law gives them the right, too
  },
  (table) => [
    check('delivery_settings_single_row', sql`${table.singleRow}`),
    check(
      'delivery_settings_assumed_days',
      sql`${table.assumedDeliveryDays} between 1 and 90 and ${table.assumedDeliveryDaysAbroad} between 1 and 90`,
    ),
    check('delivery_settings_weight', sql`${table.unknownWeightGrams} between 1 and 1000000`),
  ],
)

/** Days on which the shop sends nothing and nothing arrives. */
export const shopHolidays = pgTable('shop_holidays', {
  day: date({ mode: 'string' }).primaryKey(),
  name: text().notNull(),
})

/** Where the methods of a zone deliver to: see `mostSpecificZones`. */
export const deliveryZones = pgTable(
  'delivery_zones',
  {
    _id: id,
    name: text().notNull(),
    countries: text().array().notNull(), // none: everywhere
    states: text().array().notNull(), // of the one country of the zone
    postalPrefixes: text('postal_prefixes').array().notNull(), // likewise, as `normalizePostalCode` spells them
  },
  (table) => [
    unique('delivery_zones_name').on(table.name),
    check('delivery_zones_named', sql`length(${table.name}) between 1 and 80`),
    check(
      'delivery_zones_of_one_country',
      sql`cardinality(${table.countries}) = 1 or (cardinality(${table.states}) = 0 and cardinality(${table.postalPrefixes}) = 0)`,
    ),
  ],
)

/** How a zone is delivered to, what it costs and how long it takes. Orders keep the name, the price and the days, not the method. */
export const deliveryMethods = pgTable(
  'delivery_methods',
  {
    _id: id,
    zoneId: uuid('zone_id')
      .notNull()
      .references(() => deliveryZones._id),
    name: text().notNull(),
    carrier: text(),
    pricedBy: text('priced_by', { enum: pricedBy }).notNull(),
    steps: jsonb().$type<PriceStep[]>().notNull(), // `upTo` in grams or cents of goods, rising
    freeFromCents: integer('free_from_cents'), // of goods after reductions
    daysFrom: smallint('days_from').notNull(), // working days from sending to arrival
    daysTo: smallint('days_to').notNull(),
    cutOff: text('cut_off'), // a time of day such as 14:00; null: an order of any time is handled on its day
    handlingDays: smallint('handling_days').notNull(), // working days from the order to sending
    notForCategories: text('not_for_categories').array().notNull(), // keys of categories
  },
  (table) => [
    unique('delivery_methods_name').on(table.zoneId, table.name),
    check('delivery_methods_named', sql`length(${table.name}) between 1 and 80`),
    check('delivery_methods_priced', sql`${table.pricedBy} in ('weight', 'goods')`),
    check('delivery_methods_steps', sql`jsonb_array_length(${table.steps}) between 1 and 20`),
    check('delivery_methods_free', sql`${table.freeFromCents} between 0 and 99999900`),
    check('delivery_methods_days', sql`0 <= ${table.daysFrom} and ${table.daysFrom} <= ${table.daysTo} and ${table.daysTo} <= 90`),
    check('delivery_methods_handling', sql`${table.handlingDays} between 0 and 90`),
    check('delivery_methods_cut_off', sql`${table.cutOff} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
  ],
)
