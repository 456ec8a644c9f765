import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '#platform/columns.ts'
import { tools } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'
import { actors, orderEvents, orderStates } from './contract.ts'

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
    refundedCents: integer('refunded_cents').notNull().default(0), // what has gone back, or is on its way
    currency: text().notNull().default('usd'),
    state: text({ enum: ['open', 'succeeded', 'canceled'] })
      .notNull()
      .default('open'),
    checkingSince: timestamp('checking_since', { withTimezone: true }), // the buyer says it is paid, the provider has not said so yet
    card: text(), // such as `visa 4242`: brand and last four digits, for the receipt
    disputeStatus: text('dispute_status'), // the provider's word for how a dispute of this payment stands; null: none
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
    placedAt: moment('placed_at').notNull().default(sql`now()`),
    toolId: uuid('tool_id')
      .notNull()
      .references(() => tools._id), // a tool that leaves the catalogue is marked, not erased
    productName: text('product_name').notNull(),
    brand: text(), // brand and part number as the catalogue said when the order was placed: a receipt does not change
    mpn: text(),
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
    network: text(), // where it was placed from, a hash; null: by who had verified their e-mail or paid, or without limits
    requestKey: text('request_key'), // the buyer's Idempotency-Key, and what it was used for
    requestHash: text('request_hash'),
    paymentId: uuid('payment_id').references(() => payments._id), // `paid` and `transectionId` are read through it
    state: text({ enum: orderStates }).notNull().default('open'), // a trigger lets only the steps of `order_steps` through
    holdUntil: moment('hold_until').notNull(), // when it gives its pieces back, if it is still open then
    restocked: integer().notNull().default(0), // how many of its pieces went back into stock
  },
  (table) => [
    index('orders_of_buyer').on(table.buyerId, table.number),
    index('orders_of_buyer_by_state').on(table.buyerId, table.state),
    index('orders_of_buyer_email').on(table.buyerEmail, table.number),
    uniqueIndex('orders_by_request').on(table.buyerId, table.requestKey),
    index('orders_of_network').on(table.network).where(sql`${table.network} is not null and ${table.state} = 'open'`),
    index('orders_of_payment').on(table.paymentId),
    index('orders_by_hold').on(table.holdUntil).where(sql`${table.state} = 'open'`),
    check('orders_cost', sql`${table.productCost} = ${table.unitPrice} * ${table.productQuantity}`),
    check('orders_quantity', sql`${table.productQuantity} >= 1`),
    check('orders_restocked', sql`${table.restocked} between 0 and ${table.productQuantity}`),
  ],
)

/** The steps that an order may take; the trigger `order_step` refuses every other. */
export const orderSteps = pgTable(
  'order_steps',
  { from: text('from_state', { enum: orderStates }).notNull(), to: text('to_state', { enum: orderStates }).notNull() },
  (table) => [primaryKey({ columns: [table.from, table.to] })],
)

/**
 * The life of every order: who did what and when. A row is written with the change that it tells of, so neither is there without the
 * other; and as each tells of one thing once, it also says which mail the buyer is still to get.
 */
export const orderHistory = pgTable(
  'order_history',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    event: text({ enum: orderEvents }).notNull(),
    state: text({ enum: orderStates }).notNull(), // the order's after it
    at: moment('at').notNull().default(sql`now()`),
    actor: text({ enum: actors }).notNull(),
    userId: text('user_id').references(() => users.id), // who, where the actor is a person
    note: text(), // what an admin should know: a reason, an amount, what went wrong
    amountCents: integer('amount_cents'), // of a refund
    mailDueAt: timestamp('mail_due_at', { withTimezone: true }), // null: none, or sent
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
 * Money that goes back. The row stands here before the provider is asked, and its id is the idempotency key, so that it goes back once.
 * The room `payments` alone decides its state.
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
    refundId: text('refund_id').unique(), // the provider's; null until it has answered
    amountCents: integer('amount_cents').notNull(),
    restock: integer().notNull(), // pieces that go back into stock once the money goes back
    endsAs: text('ends_as', { enum: ['refunded', 'cancelled'] }).notNull(), // what an order becomes when all of its money has gone back
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
    index('refunds_due').on(table.nextTryAt).where(sql`${table.state} in ('asked', 'pending')`),
    check('refunds_amount', sql`${table.amountCents} >= 1`),
    check('refunds_restock', sql`${table.restock} >= 0`),
  ],
)
