import { sql } from 'drizzle-orm'
import { bigint, check, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { returnLines, returns } from '#store/orders/returns/table.ts'
import { orderHistory, orderLines, orders, refunds } from '#store/orders/table.ts'

/** Declarations of consumers that they withdraw from the contract, as they were received. Triggers keep them from being changed. */
export const withdrawals = pgTable(
  'withdrawals',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    at: isoTimestamp('at').notNull().default(sql`now()`),
    name: text().notNull(), // as it was typed
    email: text().notNull(), // that the receipt goes to
    deliveryCents: integer('delivery_cents').notNull(), // what of the money of the delivery goes back
    eventId: bigint('event_id', { mode: 'number' })
      .notNull()
      .references(() => orderHistory._id), // `withdrawn`, which also tracks the receipt
    refundId: uuid('refund_id').references(() => refunds._id), // of what was not sent, and of the delivery; null: nothing of it was paid
    returnId: uuid('return_id').references(() => returns._id), // of what the buyer had and had not asked to return; null: nothing
  },
  (table) => [
    index('withdrawals_of_order').on(table.orderId, table.at),
    uniqueIndex('withdrawals_by_event').on(table.eventId),
    uniqueIndex('withdrawals_by_return').on(table.returnId),
    check('withdrawals_delivery', sql`${table.deliveryCents} >= 0`),
    check('withdrawals_named', sql`length(${table.name}) between 1 and 80 and length(${table.email}) between 3 and 254`),
  ],
)

/** From how many pieces of which line. A trigger refuses more than the line has. */
export const withdrawalLines = pgTable(
  'withdrawal_lines',
  {
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals._id),
    orderLineId: uuid('order_line_id')
      .notNull()
      .references(() => orderLines._id),
    quantity: integer().notNull(),
    sent: integer().notNull(), // of these, those that had been sent: they are in returns
  },
  (table) => [
    primaryKey({ columns: [table.withdrawalId, table.orderLineId] }),
    index('withdrawal_lines_of_order_line').on(table.orderLineId),
    check('withdrawal_lines_quantity', sql`${table.quantity} >= 1 and ${table.sent} between 0 and ${table.quantity}`),
  ],
)

/**
 * Pieces of returns that the buyer had asked for, undecided, when they withdrew from them: that return has become one of the withdrawal. A trigger
 * counts them there, so that their money has to go back, and refuses more than are undecided.
 */
export const withdrawnReturnLines = pgTable(
  'withdrawn_return_lines',
  {
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals._id),
    returnId: uuid('return_id').notNull(),
    orderLineId: uuid('order_line_id').notNull(),
    quantity: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.withdrawalId, table.returnId, table.orderLineId] }),
    foreignKey({
      name: 'withdrawn_return_lines_line',
      columns: [table.returnId, table.orderLineId],
      foreignColumns: [returnLines.returnId, returnLines.orderLineId],
    }),
    index('withdrawn_return_lines_of_line').on(table.returnId, table.orderLineId),
    check('withdrawn_return_lines_quantity', sql`${table.quantity} >= 1`),
  ],
)
