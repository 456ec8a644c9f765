import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
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
import { discountCodes } from '#store/catalogue/pricing/table.ts'
import { priceReasons } from '#store/catalogue/settle-quantity.ts'
import { products, type StoredPriceBreak } from '#store/catalogue/table.ts'
import { taxClasses } from '#store/catalogue/tax-class.ts'
import { companies } from '#store/companies/table.ts'
import { users } from '#store/identity/table.ts'
import type { ComputedTax, TaxTerms } from '#store/tax/compute-tax.ts'
import { actors, orderEvents } from './contract.ts'
import { fulfilmentStatuses, orderStatuses, paymentMethods, paymentStatuses, purchaseStates } from './statuses.ts'

/*
 * The tables of orders, payments and refunds. Long because orders and payments refer to each other: in two files they would import each other.
 */

/** One checkout: who ordered, where it goes, what it costs and how it stands. Money is in cents of `currency`. */
export const orders = pgTable(
  'orders',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    number: integer().generatedAlwaysAsIdentity({ startWith: 1001 }).unique(),
    placedAt: isoTimestamp('placed_at').notNull().default(sql`now()`),
    buyerId: text('buyer_id').references(() => users.id), // null: of a guest, who has no account
    companyId: uuid('company_id').references(() => companies._id), // of the buyer when it was placed; null: none
    placedByGuest: boolean('placed_by_guest').notNull().default(false), // a link leads to it, also once an account has taken it over
    buyerName: text('buyer_name').notNull(),
    buyerEmail: text('buyer_email').notNull(), // as the account had it, or as the guest typed it, in lower case
    buyerAddress: text('buyer_address').notNull(),
    country: text(), // ISO 3166-1 alpha-2 of the delivery address; null: not asked
    phoneNumber: text('phone_number'),
    network: text(), // `placedFromNetwork` where the buyer limits count it, see `buyerHoldsQuery`; null: they did not
    placedFromNetwork: text('placed_from_network'), // hash, see `hashBuyerNetwork`; null: the buyer limits were lifted or off
    requestKey: text('request_key'), // the buyer's Idempotency-Key; request_hash is the hash of the body that it was used for
    requestHash: text('request_hash'),
    discountCodeId: uuid('discount_code_id').references(() => discountCodes._id),
    currency: text().notNull(),
    goodsCents: integer('goods_cents').notNull(), // of its lines, after their reductions, at prices with or without tax as the shop shows them
    deliveryCents: integer('delivery_cents').notNull().default(0), // likewise
    includedTaxCents: integer('included_tax_cents').notNull().default(0), // that these prices contain
    taxCents: integer('tax_cents').notNull().default(0), // that the buyer pays: for exports none, although prices may contain it
    taxTerms: jsonb('tax_terms').$type<TaxTerms>(), // by which the tax was computed; null: none
    taxes: jsonb().$type<ComputedTax['byRate']>().notNull().default([]),
    totalCents: integer('total_cents').notNull(), // what the buyer has to pay
    orderStatus: text('order_status', { enum: orderStatuses }).notNull().default('open'), // changes as in `status_steps`
    paymentStatus: text('payment_status', { enum: paymentStatuses }).notNull().default('unpaid'), // kept by a trigger on `payments`
    fulfilmentStatus: text('fulfilment_status', { enum: fulfilmentStatuses }).notNull().default('to_send'),
    isPaid: boolean('is_paid') // the store has to send it, or has sent it: it keeps money for it, or will get it on account
      .notNull()
      .generatedAlwaysAs(
        sql`order_status in ('placed', 'completed') and (payment_status in ('partly_paid', 'paid', 'overpaid', 'partly_refunded') or payment_method = 'on_account' and payment_status = 'unpaid')`,
      ),
    paymentMethod: text('payment_method', { enum: paymentMethods }).notNull().default('card'), // that the buyer has chosen
    paymentId: uuid('payment_id'), // the payment that can be paid now, or has paid; null: none can, or the order is on account, which several can pay
    holdUntil: isoTimestamp('hold_until').notNull(), // when an order that is still open expires and releases its pieces
    writtenOffCents: integer('written_off_cents').notNull().default(0), // of the total, which an owner asks for no more
    emailConfirmedAt: timestamp('email_confirmed_at', { withTimezone: true }), // when a guest has opened the link of the mail
    transferHoldUntil: isoTimestamp('transfer_hold_until'), // `hold_until` of an order by transfer once its buyer is known; null: of another one
    // What admins search, as it is compared, so that a search of all orders changes no text of each.
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(number::text || ' ' || buyer_name || ' ' || buyer_email || ' ' || buyer_address)`),
    heldBackReason: text('held_back_reason'), // why an admin keeps it from being sent; null: nobody does
    phoneDigits: text('phone_digits') // without the leading zeros of a country code or an area code
      .generatedAlwaysAs(sql`ltrim(regexp_replace(replace(phone_number, '(0)', ''), '\\D', '', 'g'), '0')`),
  },
  (table) => [
    foreignKey({ name: 'orders_payment', columns: [table.paymentId, table._id], foreignColumns: [payments._id, payments.orderId] }),
    index('orders_of_buyer').on(table.buyerId, table.number),
    index('orders_of_company').on(table.companyId, table.number).where(sql`${table.companyId} is not null`),
    index('orders_of_buyer_by_time').on(table.buyerId, table.placedAt),
    index('orders_of_buyer_by_status').on(table.buyerId, table.orderStatus),
    index('orders_paid_of_buyer').on(table.buyerId).where(sql`${table.isPaid}`),
    index('orders_of_buyer_email').on(table.buyerEmail, table.number),
    uniqueIndex('orders_by_request').on(table.buyerId, table.requestKey),
    index('orders_of_guests_by_time').on(table.network, table.placedAt).where(sql`${table.network} is not null and ${table.placedByGuest}`),
    index('orders_of_network').on(table.network).where(sql`${table.network} is not null and ${table.orderStatus} = 'open'`),
    index('orders_of_network_by_time').on(table.network, table.placedAt).where(sql`${table.network} is not null`),
    index('orders_placed_from_network').on(table.placedFromNetwork).where(sql`${table.placedFromNetwork} is not null`),
    index('orders_of_payment').on(table.paymentId),
    index('orders_of_discount_code').on(table.discountCodeId).where(sql`${table.discountCodeId} is not null`),
    index('orders_owing')
      .on(table.companyId)
      .where(sql`${table.paymentMethod} = 'on_account' and ${table.paymentStatus} in ('unpaid', 'partly_paid')`),
    index('orders_placed').on(table.number).where(sql`${table.orderStatus} = 'placed'`), // those that are to be sent
    index('orders_by_hold').on(table.holdUntil).where(sql`${table.orderStatus} = 'open'`),
    check(
      'orders_buyer',
      sql`${table.buyerId} is not null or (${table.placedByGuest} and ${table.buyerEmail} = lower(${table.buyerEmail}))`,
    ),
    check('orders_amounts', sql`${table.goodsCents} >= 0 and ${table.deliveryCents} >= 0 and ${table.taxCents} >= 0`),
    check('orders_written_off', sql`${table.writtenOffCents} between 0 and ${table.totalCents}`),
    check('orders_included_tax', sql`${table.includedTaxCents} >= 0`),
    check(
      'orders_total',
      sql`${table.totalCents} = ${table.goodsCents} + ${table.deliveryCents} - ${table.includedTaxCents} + ${table.taxCents}`,
    ),
  ],
)

/** Whether a line costs what its list price, price breaks and own price make it cost, for that reason. A condition on columns of `order_lines`. */
export const linePriceIsHonoured = sql`offered_breaks is null
  or unit_price_cents = least(unit_price_at(list_price_cents, offered_breaks, quantity), own_price_cents)
    and (price_reason in ('customer', 'group')) = (unit_price_cents < unit_price_at(list_price_cents, offered_breaks, quantity))`

/** The products of an order, as they were when it was placed. The specification's calls know a line as a purchase. */
export const orderLines = pgTable(
  'order_lines',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()), // the only line of an order has the order's id
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    position: smallint().notNull(), // 1, 2, ...
    toolId: uuid('tool_id')
      .notNull()
      .references(() => products._id), // a product removed from the catalogue keeps its row, with removed_at set
    productName: text('product_name').notNull(),
    brand: text(), // brand, part number and SKU are copied from the catalogue when the order is placed, so that a receipt does not change
    mpn: text(),
    sku: text(), // null: from before it was kept
    quantity: integer().notNull(),
    listPriceCents: integer('list_price_cents').notNull(), // of the catalogue when the order was placed
    offeredBreaks: jsonb('offered_breaks').$type<StoredPriceBreak[]>(), // of the catalogue when the order was placed; null: from before they were kept
    ownPriceCents: integer('own_price_cents'), // of the customer or their group, when the order was placed; null: none
    unitPriceCents: integer('unit_price_cents').notNull(), // what this buyer pays
    priceReason: text('price_reason', { enum: priceReasons }).notNull().default('list'), // why the buyer pays this price
    reductionCents: integer('reduction_cents').notNull().default(0), // taken off the whole line
    reductionReason: text('reduction_reason'), // the discount code, as it was then
    totalCents: integer('total_cents').notNull(), // at a price with or without tax as the shop shows it
    taxClass: text('tax_class', { enum: taxClasses }), // of the product, when the order was placed; null: nothing was taxed
    includedTaxCents: integer('included_tax_cents').notNull().default(0), // its shares of the order's
    taxCents: integer('tax_cents').notNull().default(0),
    chargedCents: integer('charged_cents') // what the buyer pays for the line, and what can be refunded of it
      .notNull()
      .generatedAlwaysAs(sql`total_cents - included_tax_cents + tax_cents`),
    isReleased: boolean('is_released').notNull().default(false), // cancelled before it was paid: no part of the order's total
    packed: integer().notNull().default(0), // pieces, like the following; those that were sent are among them
    sent: integer().notNull().default(0),
    cancelled: integer().notNull().default(0), // alone, while the order goes on
    returned: integer().notNull().default(0), // that have arrived of returns
    resent: integer().notNull().default(0), // sent to the buyer again, of returns
    replaced: integer().notNull().default(0), // taken out of stock in place of returned ones
    restocked: integer().notNull().default(0), // back in stock, whatever became of the order
    returnedRestocked: integer('returned_restocked').notNull().default(0), // of these, those that came of returns: they do not count as unsent
    refundedCents: integer('refunded_cents').notNull().default(0), // refunds of the order's payment that succeeded or are pending
    searchText: text('search_text').notNull().generatedAlwaysAs(sql`lower(product_name || coalesce(' ' || brand, ''))`), // as in `orders`
    mpnCode: text('mpn_code').generatedAlwaysAs(sql`regexp_replace(lower(mpn), '[^[:alnum:]]', '', 'g')`),
  },
  (table) => [
    unique('order_lines_position').on(table.orderId, table.position),
    unique('order_lines_product').on(table.orderId, table.toolId),
    index('order_lines_of_tool').on(table.toolId),
    check('order_lines_quantity', sql`${table.quantity} >= 1`),
    check('order_lines_prices', sql`${table.listPriceCents} >= ${table.unitPriceCents} and ${table.unitPriceCents} >= 1`),
    check('order_lines_unit_price_reason', sql`(${table.priceReason} = 'list') = (${table.unitPriceCents} = ${table.listPriceCents})`),
    check('order_lines_unit_price', linePriceIsHonoured),
    check('order_lines_total_least', sql`${table.totalCents} >= ${table.quantity}`), // every piece costs a cent, so that it can be refunded
    check('order_lines_reduction', sql`${table.reductionCents} >= 0 and ${table.totalCents} >= 0`),
    check('order_lines_reduction_reason', sql`(${table.reductionCents} > 0) = (${table.reductionReason} is not null)`),
    check('order_lines_total', sql`${table.totalCents} = ${table.unitPriceCents}::bigint * ${table.quantity} - ${table.reductionCents}`),
    check('order_lines_sent', sql`${table.sent} >= 0 and ${table.sent} <= ${table.packed}`),
    check('order_lines_cancelled', sql`${table.cancelled} >= 0 and ${table.packed} + ${table.cancelled} <= ${table.quantity}`),
    check('order_lines_released', sql`not ${table.isReleased} or ${table.cancelled} = ${table.quantity}`),
    check('order_lines_returned', sql`${table.returned} between 0 and ${table.sent} + ${table.resent}`),
    check(
      'order_lines_sent_again',
      sql`${table.resent} between 0 and ${table.returned} and ${table.replaced} between 0 and ${table.returned}`,
    ),
    check('order_lines_restocked', sql`${table.restocked} between 0 and ${table.quantity} + ${table.replaced}`),
    check('order_lines_returned_restocked', sql`${table.returnedRestocked} between 0 and least(${table.restocked}, ${table.returned})`),
    check('order_lines_refunded', sql`${table.refundedCents} between 0 and ${table.chargedCents}`),
    check('order_lines_tax', sql`${table.taxCents} >= 0 and ${table.includedTaxCents} between 0 and ${table.totalCents}`),
  ],
)

/**
 * Payments have rows of their own: an order may have several. The id is the idempotency key at the card provider and is committed before
 * the provider is called.
 */
export const payments = pgTable(
  'payments',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    orderId: uuid('order_id').references((): AnyPgColumn => orders._id), // null: from before payments knew it, and replaced by another
    method: text({ enum: paymentMethods }).notNull().default('card'),
    intentId: text('intent_id').unique(), // null until the provider has created the intent
    amountCents: integer('amount_cents').notNull(),
    refundedCents: integer('refunded_cents').notNull().default(0), // refunds that succeeded or are pending at the provider
    currency: text().notNull(),
    state: text({ enum: ['open', 'succeeded', 'canceled'] })
      .notNull()
      .default('open'),
    checkingSince: timestamp('checking_since', { withTimezone: true }), // set: the buyer reports it as paid, the provider does not yet
    isSurplus: boolean('is_surplus').notNull().default(false), // taken though another payment had replaced it: it goes back, and pays nothing
    card: text(), // such as `visa 4242`: brand and last four digits, for the receipt
    disputeStatus: text('dispute_status'), // the provider's status of a dispute of this payment; null: none
    openedBy: text('opened_by').references(() => users.id), // the first account that was given the means to pay it; null: a guest, or not known
    alsoOpenedBy: text('also_opened_by').array().notNull().default(sql`'{}'`), // the other accounts that were: of members of the buyer's company
    paidBy: text('paid_by').references(() => users.id), // the first of these whose browser has reported it as paid; null: none has
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    settledAt: timestamp('settled_at', { withTimezone: true }),
  },
  (table) => [
    unique('payments_of_order').on(table._id, table.orderId),
    index('payments_by_order').on(table.orderId),
    index('payments_in_question').on(table.checkingSince).where(sql`${table.checkingSince} is not null`),
    check('payments_amount', sql`${table.amountCents} between 1 and 99999999`),
    check('payments_refunded', sql`${table.refundedCents} between 0 and ${table.amountCents}`),
    check('payments_refunded_when_taken', sql`${table.refundedCents} = 0 or ${table.state} = 'succeeded'`),
  ],
)

/** The allowed changes of each status of an order, as in `allowedStatusChanges`; triggers reject all others. */
export const statusSteps = pgTable(
  'status_steps',
  {
    status: text({ enum: ['order', 'payment', 'fulfilment'] }).notNull(),
    from: text('from_status').notNull(),
    to: text('to_status').notNull(),
  },
  (table) => [primaryKey({ columns: [table.status, table.from, table.to] })],
)

/**
 * The events of every order: who did what and when. A row is written in the transaction of the change it records. As every event has
 * exactly one row, the row also tracks the email about it, to the buyer or, of `receipt to payer`, to who has paid.
 */
export const orderHistory = pgTable(
  'order_history',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    event: text({ enum: orderEvents }).notNull(),
    state: text({ enum: purchaseStates }).notNull(), // of the order, after the event, in the word of the specification's calls
    orderStatus: text('order_status', { enum: orderStatuses }).notNull(), // likewise after the event
    at: isoTimestamp('at').notNull().default(sql`now()`),
    actor: text({ enum: actors }).notNull(),
    userId: text('user_id').references(() => users.id), // set where the actor is a person
    note: text(), // for admins: a reason, an intent id, what went wrong; buyers read it for `eventsWithBuyerReason`
    amountCents: integer('amount_cents'), // of a refund
    items: text(), // the part of the order that was cancelled or refunded, in words: "2 x Drill"
    mailDueAt: timestamp('mail_due_at', { withTimezone: true }), // null: no email, sent, or given up
    mailTries: integer('mail_tries').notNull().default(0),
    mailedAt: timestamp('mailed_at', { withTimezone: true }),
  },
  (table) => [
    index('order_history_of_order').on(table.orderId, table._id),
    index('order_history_mail_queue').on(table.mailTries, table.mailDueAt).where(sql`${table.mailDueAt} is not null`), // in the order of sending
    index('order_history_to_look_at')
      .on(table.orderId, table._id)
      .where(sql`${table.event} in ('refund failed', 'disputed', 'trouble', 'looked at')`),
    index('order_history_of_refused_mails')
      .on(table.orderId)
      .where(sql`${table.mailDueAt} is null and ${table.mailedAt} is null and ${table.mailTries} > 0`),
    index('order_history_of_declines').on(table.at).where(sql`${table.event} = 'card declined'`),
  ],
)

/**
 * Refunds. The row is committed before the provider is called, and its id is the idempotency key, so that the money is refunded once.
 * What it is for stands in its lines.
 */
export const refunds = pgTable(
  'refunds',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    paymentId: uuid('payment_id').references(() => payments._id), // null: of an order on account, which owes less by it
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    refundId: text('refund_id').unique(), // the provider's id; null until it has created the refund
    amountCents: integer('amount_cents').notNull(),
    endsAs: text('ends_as', { enum: ['refunded', 'cancelled'] }).notNull(), // what becomes of the order once all of its money is refunded
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
    check(
      'refunds_amount',
      sql`${table.amountCents} >= 1 or (${table.amountCents} = 0 and ${table.state} = 'succeeded' and ${table.refundId} is null)`,
    ), // 0: pieces were cancelled whose money had gone back
  ],
)

/**
 * How much of a refund is for which line. Without a line, for the delivery, or an amount that is for neither: money that was paid twice or too
 * late.
 */
export const refundLines = pgTable(
  'refund_lines',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    refundId: uuid('refund_id')
      .notNull()
      .references(() => refunds._id),
    orderLineId: uuid('order_line_id').references(() => orderLines._id),
    amountCents: integer('amount_cents').notNull(),
    restock: integer().notNull().default(0), // pieces to restock once the provider has accepted the refund
    pieces: integer().notNull().default(0), // that the money is for: those that are not packed are cancelled once the provider has accepted the refund
    returned: integer().notNull().default(0), // of these, those that have come back by a return: they cancel nothing
    isDelivery: boolean('is_delivery').notNull().default(false), // for the delivery of the order
    notInvoicedCents: integer('not_invoiced_cents').notNull().default(0), // of an order on account: the part that no parcel's invoice has asked for, or will
  },
  (table) => [
    unique('refund_lines_of_refund').on(table.refundId, table.orderLineId, table.isDelivery).nullsNotDistinct(),
    index('refund_lines_of_order_line').on(table.orderLineId),
    check('refund_lines_amounts', sql`${table.amountCents} >= 0 and ${table.restock} >= 0 and ${table.pieces} >= 0`),
    check('refund_lines_returned', sql`${table.returned} between 0 and ${table.pieces}`),
    check('refund_lines_not_invoiced', sql`${table.notInvoicedCents} between 0 and ${table.amountCents}`),
    check('refund_lines_delivery', sql`not ${table.isDelivery} or ${table.orderLineId} is null`),
    check('refund_lines_without_line', sql`${table.orderLineId} is not null or (${table.restock} = 0 and ${table.pieces} = 0)`),
  ],
)
