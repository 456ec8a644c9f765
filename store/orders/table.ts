import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '#platform/columns.ts'
import { tools } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'

/**
 * What is asked of the card provider: a row of its own, so that one payment may later cover several orders.
 * Its id is the provider's idempotency key and stands here before the provider is asked. The row is kept beside the orders because
 * an order is paid or not by it; the room `payments` alone decides its state.
 */
export const payments = pgTable(
  'payments',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    intentId: text('intent_id').unique(), // null until the provider has answered
    amountCents: integer('amount_cents').notNull(),
    currency: text().notNull().default('usd'),
    state: text({ enum: ['open', 'succeeded', 'canceled'] })
      .notNull()
      .default('open'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    settledAt: timestamp('settled_at', { withTimezone: true }),
  },
  (table) => [check('payments_amount', sql`${table.amountCents} between 50 and 99999999`)],
)

export const orders = pgTable(
  'orders',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    number: integer().generatedAlwaysAsIdentity({ startWith: 1001 }).unique(),
    placedAt: moment('placed_at').notNull().default(sql`now()`),
    toolId: uuid('tool_id')
      .notNull()
      .references(() => tools._id), // a tool that leaves the catalogue is marked, not erased
    productName: text('product_name').notNull(),
    unitPrice: integer('unit_price').notNull(), // whole dollars, as the catalogue said when the order was placed
    productQuantity: integer('product_quantity').notNull(),
    productCost: integer('product_cost').notNull(),
    buyerId: text('buyer_id')
      .notNull()
      .references(() => users.id),
    buyerName: text('buyer_name').notNull(),
    buyerEmail: text('buyer_email').notNull(),
    buyerAddress: text('buyer_address').notNull(),
    phoneNumber: text('phone_number'),
    requestKey: text('request_key'), // the buyer's Idempotency-Key, and what it was used for
    requestHash: text('request_hash'),
    paymentId: uuid('payment_id').references(() => payments._id), // `paid` and `transectionId` are read through it
  },
  (table) => [
    index('orders_of_buyer').on(table.buyerId, table.number),
    index('orders_of_buyer_email').on(table.buyerEmail, table.number),
    uniqueIndex('orders_by_request').on(table.buyerId, table.requestKey),
    index('orders_of_payment').on(table.paymentId),
    check('orders_cost', sql`${table.productCost} = ${table.unitPrice} * ${table.productQuantity}`),
    check('orders_quantity', sql`${table.productQuantity} >= 1`),
  ],
)
