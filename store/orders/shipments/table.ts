import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { users } from '#store/identity/table.ts'
import { returns } from '#store/orders/returns/table.ts'
import { orderHistory, orderLines, orders } from '#store/orders/table.ts'
import { carriers, deliverySources } from './carriers.ts'

/** What was sent of an order at one time. A trigger refuses it unless the order is paid, not all sent and not held back. Taken back, it is kept, and its pieces are to be sent again. */
export const shipments = pgTable(
  'shipments',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    number: smallint().notNull(), // within the order: 1, 2, ...
    carrier: text({ enum: carriers }),
    trackingNumber: text('tracking_number'),
    sentAt: isoTimestamp('sent_at').notNull().default(sql`now()`),
    deliveredOn: date('delivered_on', { mode: 'string' }), // in the shop's time zone; null: not known
    deliveredSaidBy: text('delivered_said_by', { enum: deliverySources }), // likewise
    sentBy: text('sent_by').references(() => users.id), // null: from before shipments were kept
    eventId: bigint('event_id', { mode: 'number' }).references(() => orderHistory._id), // which also tracks the mail; null: likewise
    trackingEventId: bigint('tracking_event_id', { mode: 'number' }).references(() => orderHistory._id), // of its last correction, as `eventId`
    takenBackAt: timestamp('taken_back_at', { withTimezone: true }), // null: it counts. A trigger takes its pieces off the lines
    returnId: uuid('return_id').references(() => returns._id), // whose pieces go back to the buyer; null: pieces of the order that were not sent before
    deliveryCents: integer('delivery_cents'), // of an order on account: what the parcel's invoice asks for the delivery, by a trigger; null: of another one
    dueOn: date('due_on'), // likewise: when that invoice is due
    requestKey: text('request_key'), // the admin's Idempotency-Key; request_hash is the hash of what it was used for
    requestHash: text('request_hash'),
  },
  (table) => [
    unique('shipments_number').on(table.orderId, table.number),
    index('shipments_of_return').on(table.returnId).where(sql`${table.returnId} is not null`),
    uniqueIndex('shipments_by_event').on(table.eventId),
    uniqueIndex('shipments_by_tracking_event').on(table.trackingEventId),
    index('shipments_by_time').on(table.sentAt),
    uniqueIndex('shipments_by_request').on(table.sentBy, table.requestKey),
    index('shipments_on_their_way').on(table.sentAt).where(sql`${table.deliveredOn} is null`),
    check('shipments_delivered', sql`(${table.deliveredOn} is null) = (${table.deliveredSaidBy} is null)`),
    check('shipments_tracking_number', sql`${table.trackingNumber} is null or ${table.carrier} is not null`),
    check('shipments_request', sql`(${table.requestKey} is null) = (${table.requestHash} is null)`),
  ],
)

/** How many pieces of which line. A trigger counts them on the line, `order_lines.sent`, and refuses what is not left of a line of the order. */
export const shipmentLines = pgTable(
  'shipment_lines',
  {
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments._id),
    orderLineId: uuid('order_line_id')
      .notNull()
      .references(() => orderLines._id),
    quantity: integer().notNull(),
    chargedCents: integer('charged_cents'), // of an order on account: what the parcel's invoice asks for them, by a trigger; null: of another one
  },
  (table) => [
    primaryKey({ columns: [table.shipmentId, table.orderLineId] }),
    index('shipment_lines_of_order_line').on(table.orderLineId),
    check('shipment_lines_quantity', sql`${table.quantity} >= 1`),
  ],
)
