import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { orders } from '#store/orders/table.ts'
import type { DeliveryChoice, OrderDetails, StructuredAddress } from './contract.ts'

/** What a checkout asks besides products and quantities. Orders that were placed by other calls have no row. */
export const orderDetails = pgTable(
  'order_details',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders._id),
    cartId: uuid('cart_id').notNull(), // of `carts`, which may be forgotten by now: paying the order takes its pieces out, by a trigger
    cartEmptied: boolean('cart_emptied').notNull().default(false), // when it was placed, so that nothing is taken out once it is paid
    requestKey: text('request_key'), // the Idempotency-Key; request_hash is the hash of the body that it was used for
    requestHash: text('request_hash').notNull(),
    name: text().notNull(), // of the recipient
    deliverTo: jsonb('deliver_to').$type<StructuredAddress>().notNull(),
    billTo: jsonb('bill_to').$type<StructuredAddress>(), // null: where it is delivered to
    company: text(),
    vatId: text('vat_id'),
    poNumber: text('po_number'),
    searchText: text('search_text').generatedAlwaysAs(sql`lower(po_number)`), // as in `orders`
    buyerReference: text('buyer_reference'),
    deliveryMethod: jsonb('delivery_method').$type<DeliveryChoice>(), // as it was promised; null: none was set up
    partNumbers: jsonb('part_numbers').$type<OrderDetails['partNumbers']>().notNull(), // the buyer's own
    replacedBy: uuid('replaced_by').references(() => orders._id), // the later order of the same cart for which it was cancelled unpaid; null: none
  },
  (table) => [
    index('order_details_replaced_by').on(table.replacedBy).where(sql`${table.replacedBy} is not null`),
    uniqueIndex('order_details_by_request').on(table.cartId, table.requestKey),
    check('order_details_named', sql`length(${table.name}) between 1 and 80`),
  ],
)
