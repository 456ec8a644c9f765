import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { orderHistory, orderLines, orders, refunds } from '#store/orders/table.ts'
import { returnCauses, returnOutcomes, returnReasons, returnStatuses } from './return-reasons.ts'

/** Pieces of an order that its buyer sends back. Who has asked and when stands in the history of the order. */
export const returns = pgTable(
  'returns',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    number: integer().generatedAlwaysAsIdentity({ startWith: 1001 }).unique(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    cause: text({ enum: returnCauses }).notNull().default('asked'),
    status: text({ enum: returnStatuses }).notNull().default('open'),
    note: text(), // the buyer's words
    askedAt: isoTimestamp('asked_at').notNull().default(sql`now()`),
    moneyDueOn: date('money_due_on'), // null: its buyer has withdrawn from none of it; the day until which the law wants the money back
    eventId: bigint('event_id', { mode: 'number' }).references(() => orderHistory._id), // `return asked`, whose mail it is
    requestKey: text('request_key'), // the Idempotency-Key, within the order; request_hash is the hash of what it was used for
    requestHash: text('request_hash'),
  },
  (table) => [
    index('returns_of_order').on(table.orderId, table.number),
    index('returns_open').on(table.number).where(sql`${table.status} = 'open'`),
    uniqueIndex('returns_by_event').on(table.eventId),
    uniqueIndex('returns_by_request').on(table.orderId, table.requestKey),
    check('returns_request', sql`(${table.requestKey} is null) = (${table.requestHash} is null)`),
  ],
)

/**
 * How many pieces of which line. Triggers refuse more than was sent and is not asked for already, and count what has arrived on the line,
 * `order_lines.returned`.
 */
export const returnLines = pgTable(
  'return_lines',
  {
    returnId: uuid('return_id')
      .notNull()
      .references(() => returns._id),
    orderLineId: uuid('order_line_id')
      .notNull()
      .references(() => orderLines._id),
    quantity: integer().notNull(),
    reason: text({ enum: returnReasons }), // null: of a withdrawal, which asks for none
    arrived: integer().notNull().default(0),
    turnedDown: integer('turned_down').notNull().default(0), // refused before they came: the buyer keeps them. A trigger counts them
    toBuyer: integer('to_buyer').notNull().default(0), // have arrived, and are replaced, repaired or refused. A trigger counts them
    resent: integer().notNull().default(0), // sent to the buyer again: repaired, refused, or others in their place. A trigger counts them
    // Pieces whose money goes back whatever is decided: those withdrawn from, and those refunded by then. A trigger counts those of asked returns.
    mustRefund: integer('must_refund').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.returnId, table.orderLineId] }),
    index('return_lines_of_order_line').on(table.orderLineId),
    check('return_lines_quantity', sql`${table.quantity} >= 1`),
    check(
      'return_lines_arrived',
      sql`${table.arrived} >= 0 and ${table.turnedDown} >= 0 and ${table.arrived} + ${table.turnedDown} <= ${table.quantity}`,
    ),
    check('return_lines_resent', sql`${table.resent} between 0 and ${table.toBuyer} and ${table.toBuyer} <= ${table.arrived}`),
    check(
      'return_lines_must_refund',
      sql`${table.mustRefund} >= 0 and ${table.mustRefund} + ${table.turnedDown} + ${table.toBuyer} <= ${table.quantity}`,
    ),
    index('return_lines_to_resend').on(table.returnId).where(sql`${table.resent} < ${table.toBuyer}`),
  ],
)

/** What becomes of pieces of a return. Never changed; who has decided and when stands in the history. A trigger refuses more than has arrived. */
export const returnDecisions = pgTable(
  'return_decisions',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    returnId: uuid('return_id').notNull(),
    orderLineId: uuid('order_line_id').notNull(),
    quantity: integer().notNull(),
    outcome: text({ enum: returnOutcomes }).notNull(),
    hasArrived: boolean('has_arrived').notNull().default(true), // false: refused before they came
    isRestocked: boolean('is_restocked').notNull().default(false), // the pieces that came back are in stock again; else they are written off
    reason: text(), // why they are refused
    refundId: uuid('refund_id').references(() => refunds._id), // null also where nothing was left to refund
    eventId: bigint('event_id', { mode: 'number' })
      .notNull()
      .references(() => orderHistory._id),
  },
  (table) => [
    foreignKey({
      name: 'return_decisions_line',
      columns: [table.returnId, table.orderLineId],
      foreignColumns: [returnLines.returnId, returnLines.orderLineId],
    }),
    index('return_decisions_of_line').on(table.returnId, table.orderLineId),
    index('return_decisions_by_event').on(table.eventId),
    index('return_decisions_of_refund').on(table.refundId).where(sql`${table.refundId} is not null`),
    check('return_decisions_quantity', sql`${table.quantity} >= 1`),
    check('return_decisions_refused', sql`(${table.outcome} = 'refused') = (${table.reason} is not null)`),
    check('return_decisions_arrived', sql`${table.hasArrived} or ${table.outcome} = 'refused'`),
    check('return_decisions_restocked', sql`not ${table.isRestocked} or ${table.outcome} in ('refund', 'replacement')`),
    check('return_decisions_refund', sql`${table.refundId} is null or ${table.outcome} = 'refund'`),
  ],
)
