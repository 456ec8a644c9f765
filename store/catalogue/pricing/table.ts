import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, smallint, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { products } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'

const id = uuid('id')
  .primaryKey()
  .$defaultFn(() => crypto.randomUUID())
const createdAt = timestamp('created_at', { withTimezone: true }).notNull().defaultNow()

/** Customers who pay the same prices, such as dealers. */
export const customerGroups = pgTable(
  'customer_groups',
  {
    _id: id,
    name: text().notNull(),
    percentOff: smallint('percent_off').notNull().default(0), // of the list price of every product without a price for this group
    createdAt,
  },
  (table) => [
    unique('customer_groups_name').on(table.name),
    check('customer_groups_percent', sql`${table.percentOff} between 0 and 90`),
    check('customer_groups_named', sql`length(${table.name}) between 1 and 80`),
  ],
)

/** Which group a customer is in: one at most. */
export const customerGroupMembers = pgTable(
  'customer_group_members',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    groupId: uuid('group_id')
      .notNull()
      .references(() => customerGroups._id),
    createdAt,
  },
  (table) => [index('customer_group_members_of_group').on(table.groupId)],
)

/** The price of one piece of a product for one customer or one group. */
export const buyerPrices = pgTable(
  'buyer_prices',
  {
    _id: id,
    productId: uuid('product_id')
      .notNull()
      .references(() => products._id),
    userId: text('user_id').references(() => users.id),
    groupId: uuid('group_id').references(() => customerGroups._id),
    priceCents: integer('price_cents').notNull(),
    createdAt: isoTimestamp('created_at').notNull().default(sql`now()`),
  },
  (table) => [
    unique('buyer_prices_of_user').on(table.userId, table.productId),
    unique('buyer_prices_of_group').on(table.groupId, table.productId),
    index('buyer_prices_of_product').on(table.productId),
    check('buyer_prices_buyer', sql`num_nonnulls(${table.userId}, ${table.groupId}) = 1`),
    check('buyer_prices_price', sql`${table.priceCents} between 1 and 99999900`),
  ],
)

/** Codes that take something off an order. What a code takes off never changes, so that the books can check the orders that used it. */
export const discountCodes = pgTable(
  'discount_codes',
  {
    _id: id,
    code: text().notNull(), // upper case
    percentOff: smallint('percent_off'), // of the goods; exactly one of the two is set
    amountOffCents: integer('amount_off_cents'),
    minimumCents: integer('minimum_cents').notNull().default(0), // what the goods have to cost before the reduction
    startsAt: isoTimestamp('starts_at').notNull().default(sql`now()`),
    endsAt: isoTimestamp('ends_at'), // null: it does not end
    endedAt: isoTimestamp('ended_at'), // set: an admin ended it, whatever its period says
    maxUses: integer('max_uses'), // null: as often as somebody likes
    uses: integer().notNull().default(0), // by orders that are neither cancelled nor expired; kept by a trigger on `orders`
    createdAt,
  },
  (table) => [
    unique('discount_codes_code').on(table.code),
    check('discount_codes_spelling', sql`${table.code} ~ '^[A-Z0-9][A-Z0-9-]{2,31}$'`),
    check('discount_codes_reduction', sql`num_nonnulls(${table.percentOff}, ${table.amountOffCents}) = 1`),
    check('discount_codes_percent', sql`${table.percentOff} between 1 and 90`),
    check('discount_codes_amount', sql`${table.amountOffCents} between 1 and 99999900`),
    check('discount_codes_minimum', sql`${table.minimumCents} between 0 and 99999900`),
    check('discount_codes_period', sql`${table.endsAt} > ${table.startsAt}`),
    check('discount_codes_uses', sql`${table.uses} >= 0 and ${table.maxUses} >= 1`),
  ],
)

/** What admins have changed about groups, prices for buyers and codes: never deleted. */
export const pricingChanges = pgTable('pricing_changes', {
  _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  what: text().notNull(), // a sentence
  at: isoTimestamp('at').notNull().default(sql`now()`),
  userId: text('user_id')
    .notNull()
    .references(() => users.id),
})
