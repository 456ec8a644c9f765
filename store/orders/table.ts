import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { products } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'
import { actors, orderEvents, orderStatuses } from './contract.ts'

/**
 * Payments have rows of their own, so that one payment may later cover several orders. The id is the idempotency key at the card provider
 * and is committed before the provider is called. The table is defined here because orders derive from it whether they are paid; only the
 * module `payments` writes it.
 */
export const payments = pgTable(
  'payments',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    intentId: text('intent_id').unique(), // null until the provider has created the intent
    amountCents: integer('amount_cents').notNull(),
    refundedCents: integer('refunded_cents').notNull().default(0), // refunds that succeeded or are pending at the provider
    currency: text().notNull().default('usd'),
    state: text({ enum: ['open', 'succeeded', 'canceled'] })
      .notNull()
      .default('open'),
    checkingSince: timestamp('checking_since', { withTimezone: true }), // set: the buyer reports it as paid, the provider does not yet
    card: text(), // such as `visa 4242`: brand and last four digits, for the receipt
    disputeStatus: text('dispute_status'), // the provider's status of a dispute of this payment; null: none
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    settledAt: timestamp('settled_at', { withTimezone: true }),
  },
  (table) => [
    index('payments_in_question').on(table.checkingSince).where(sql`${table.checkingSince} is not null`),
    check('payments_amount', sql`${table.amountCents} between 50 and 99999999`),
    check('payments_refunded', sql`${table.refundedCents} between 0 and ${table.amountCents}`),
    check('payments_refunded_when_taken', sql`${table.refundedCents} = 0 or ${table.state} = 'succeeded'`),
  ],
)

export const orders = pgTable(
  'orders',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    number: integer().generatedAlwaysAsIdentity({ startWith: 1001 }).unique(),
    placedAt: isoTimestamp('placed_at').notNull().default(sql`now()`),
    toolId: uuid('tool_id')
      .notNull()
      .references(() => products._id), // a product removed from the catalogue keeps its row, with removed_at set
    productName: text('product_name').notNull(),
    brand: text(), // brand and part number are copied from the catalogue when the order is placed, so that a receipt does not change
    mpn: text(),
    unitPrice: integer('unit_price').notNull(), // whole dollars, copied from the catalogue when the order is placed
    productQuantity: integer('product_quantity').notNull(),
    productCost: integer('product_cost').notNull(),
    buyerId: text('buyer_id')
      .notNull()
      .references(() => users.id),
    buyerName: text('buyer_name').notNull(),
    buyerEmail: text('buyer_email').notNull(),
    buyerAddress: text('buyer_address').notNull(),
    phoneNumber: text('phone_number'),
    network: text(), // `placedFromNetwork` where the buyer limits count it, see `buyerHoldsQuery`; null: they did not
    placedFromNetwork: text('placed_from_network'), // hash, see `hashNetwork`; null: the buyer limits were lifted or off
    requestKey: text('request_key'), // the buyer's Idempotency-Key; request_hash is the hash of the body that it was used for
    requestHash: text('request_hash'),
    paymentId: uuid('payment_id').references(() => payments._id), // `paid` and `transectionId` are read through it
    state: text({ enum: orderStatuses }).notNull().default('open'), // a trigger allows only the transitions in `order_steps`
    holdUntil: isoTimestamp('hold_until').notNull(), // when an order that is still open expires and releases its pieces
    restocked: integer().notNull().default(0), // how many of its pieces went back into stock
  },
  (table) => [
    index('orders_of_buyer').on(table.buyerId, table.number),
    index('orders_of_buyer_by_time').on(table.buyerId, table.placedAt),
    index('orders_of_buyer_by_state').on(table.buyerId, table.state),
    index('orders_of_buyer_email').on(table.buyerEmail, table.number),
    uniqueIndex('orders_by_request').on(table.buyerId, table.requestKey),
    index('orders_of_network').on(table.network).where(sql`${table.network} is not null and ${table.state} = 'open'`),
    index('orders_of_network_by_time').on(table.network, table.placedAt).where(sql`${table.network} is not null`),
    index('orders_placed_from_network').on(table.placedFromNetwork).where(sql`${table.placedFromNetwork} is not null`),
    index('orders_of_payment').on(table.paymentId),
    index('orders_by_hold').on(table.holdUntil).where(sql`${table.state} = 'open'`),
    check('orders_cost', sql`${table.productCost} = ${table.unitPrice} * ${table.productQuantity}`),
    check('orders_quantity', sql`${table.productQuantity} >= 1`),
    check('orders_restocked', sql`${table.restocked} between 0 and ${table.productQuantity}`),
  ],
)

/** The allowed transitions; the trigger `order_step` rejects all others. */
export const allowedOrderTransitions = pgTable(
  'order_steps',
  { from: text('from_state', { enum: orderStatuses }).notNull(), to: text('to_state', { enum: orderStatuses }).notNull() },
  (table) => [primaryKey({ columns: [table.from, table.to] })],
)

/**
 * The events of every order: who did what and when. A row is written in the transaction of the change it records. As every event has
 * exactly one row, the row also tracks the email to the buyer about it.
 */
export const orderHistory = pgTable(
  'order_history',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    event: text({ enum: orderEvents }).notNull(),
    state: text({ enum: orderStatuses }).notNull(), // of the order, after the event
    at: isoTimestamp('at').notNull().default(sql`now()`),
    actor: text({ enum: actors }).notNull(),
    userId: text('user_id').references(() => users.id), // set where the actor is a person
    note: text(), // for admins: a reason, an intent id, what went wrong; buyers read it for `eventsWithBuyerReason`
    amountCents: integer('amount_cents'), // of a refund
    mailDueAt: timestamp('mail_due_at', { withTimezone: true }), // null: no email, sent, or given up
    mailTries: integer('mail_tries').notNull().default(0),
    mailedAt: timestamp('mailed_at', { withTimezone: true }),
  },
  (table) => [
    index('order_history_of_order').on(table.orderId, table._id),
    index('order_history_by_mail').on(table.mailDueAt).where(sql`${table.mailDueAt} is not null`),
    index('order_history_to_look_at')
      .on(table.orderId, table._id)
      .where(sql`${table.event} in ('refund failed', 'disputed', 'trouble', 'looked at')`),
    index('order_history_of_declines').on(table.at).where(sql`${table.event} = 'card declined'`),
  ],
)

/**
 * Refunds. The row is committed before the provider is called, and its id is the idempotency key, so that the money is refunded once.
 * Only the module `payments` writes it.
 */
export const refunds = pgTable(
  'refunds',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments._id),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    refundId: text('refund_id').unique(), // the provider's id; null until it has created the refund
    amountCents: integer('amount_cents').notNull(),
    restock: integer().notNull(), // pieces to restock once the provider has accepted the refund
    endsAs: text('ends_as', { enum: ['refunded', 'cancelled'] }).notNull(), // the order's state once all of its money is refunded
    state: text({ enum: ['asked', 'pending', 'succeeded', 'failed'] })
      .notNull()
      .default('asked'),
    actor: text({ enum: actors }).notNull(),
    userId: text('user_id').references(() => users.id),
    note: text(),
    askedAt: timestamp('asked_at', { withTimezone: true }).notNull().defaultNow(),
    tries: integer().notNull().default(0),
    nextTryAt: timestamp('next_try_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('refunds_of_payment').on(table.paymentId),
    index('refunds_of_order').on(table.orderId),
    index('refunds_by_admins').on(table.askedAt).where(sql`${table.actor} = 'admin'`),
    index('refunds_due').on(table.nextTryAt).where(sql`${table.state} in ('asked', 'pending')`),
    check('refunds_amount', sql`${table.amountCents} >= 1`),
    check('refunds_restock', sql`${table.restock} >= 0`),
  ],
)
