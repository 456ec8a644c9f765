import { not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { bigint, check, customType, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { amountToCents, type Cents } from '#shared/money.ts'
import { users } from '#store/identity/table.ts'
import { type Incoming, productLimits } from './contract.ts'
import { loweredDays } from './lowered-price.ts'
import { taxClasses } from './tax-class.ts'

/** A price break as it is stored. */
export type StoredPriceBreak = { min_quantity: number; price_cents: Cents }

/** A SKU or part number without case, spaces and punctuation: one spelling for each, by which pasted lists find it. */
export const partNumberKeySql = (column: SQLWrapper): SQL => sql`upper(regexp_replace(${column}, '[^[:alnum:]]', '', 'g'))`

/** The columns of a product that may be empty. The staging table of imports has the same, where null means unchanged. */
export const optionalProductColumns = () => ({
  img: text(), // of a product: if null, responses contain its drawing, or that of its category
  incoming: jsonb().$type<Incoming>(),
  weightGrams: integer('weight_g'), // of one piece with its packing
  gtin: text(), // this and the next two are kept for invoices and customs; no screen shows them yet
  hs_code: text(), // of the Harmonized System, for customs
  origin_country: text(), // ISO 3166 code of two letters
  brand: text(),
  mpn: text(),
  category: text(),
})

// Keys are named as in the API and columns as in SQL, so that a row can be sent as a response; the response schema removes other keys.
export const products = pgTable(
  'tools',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text().notNull(),
    description: text().notNull(),
    priceCents: integer('price_cents').$type<Cents>().notNull(),
    minimum_order_quantity: integer().notNull(), // a multiple of `order_multiple`
    order_multiple: integer().notNull().default(1), // pieces in a pack
    price_breaks: jsonb().$type<StoredPriceBreak[]>().notNull().default([]), // quantities rise, prices fall
    loweredFromCents: integer('lowered_from_cents').$type<Cents>(), // this and the next are set by a trigger alone, docs/decisions/0035
    loweredAt: timestamp('lowered_at', { withTimezone: true }), // of the first reduction; shown for `loweredDays`
    listPriceAskedSince: timestamp('list_price_asked_since', { withTimezone: true }), // by a trigger alone; null: nobody pays it, docs/decisions/0035
    available_quantity: integer().notNull(),
    tax_class: text({ enum: taxClasses }).notNull().default('standard'), // no screen shows it; what it costs says store/tax
    ...optionalProductColumns(),
    sku: text()
      .notNull()
      .unique()
      .$defaultFn(() => `N-${crypto.randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`),
    skuCode: text('sku_code').generatedAlwaysAs(sql`regexp_replace(lower(sku), '[^[:alnum:]]', '', 'g')`), // as searches of orders compare it
    specs: jsonb().$type<Record<string, unknown>>(),
    drawingRevision: text('drawing_revision') // changes with what the drawing of the product is made from
      .notNull()
      .generatedAlwaysAs(sql`left(md5(coalesce(category, '') || coalesce(specs::text, '') || name || coalesce(brand, '')), 8)`),
    position: integer().generatedAlwaysAsIdentity(), // order of creation; `created_at` is the same for all rows of one import
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    removedAt: timestamp('removed_at', { withTimezone: true }), // soft delete; orders still reference the row
  },
  (table) => [
    index('tools_for_sale').on(table.position).where(sql`${table.removedAt} is null`),
    index('tools_by_name').on(table.name),
    index('tools_by_sku_key').on(partNumberKeySql(table.sku)).where(sql`${table.removedAt} is null`),
    index('tools_by_mpn_key').on(partNumberKeySql(table.mpn)).where(sql`${table.removedAt} is null`),
    index('tools_by_category').on(table.category, table.priceCents).where(sql`${table.removedAt} is null`),
    index('tools_removed').on(table.removedAt).where(sql`${table.removedAt} is not null`),
    check('tools_price', sql`${table.priceCents} between 1 and ${sql.raw(`${amountToCents(productLimits.maxPrice)}`)}`),
    check('tools_minimum', sql`${table.minimum_order_quantity} >= 1`),
    check('tools_multiple', sql`${table.order_multiple} >= 1 and ${table.minimum_order_quantity} % ${table.order_multiple} = 0`),
    check('tools_price_breaks', sql`${table.price_breaks} = '[]' or are_price_breaks(${table.price_breaks})`),
    check('tools_incoming', sql`${table.incoming} is null or coalesce((${table.incoming} ->> 'quantity')::integer > 0, false)`),
    check('tools_tax_class', sql`${table.tax_class} in ('standard', 'reduced', 'zero')`),
    check('tools_weight', sql`${table.weightGrams} > 0`),
    check('tools_stock', sql`${table.available_quantity} >= 0`),
    check(
      'tools_lowered',
      sql`(${table.loweredAt} is null) = (${table.loweredFromCents} is null) and coalesce(${table.loweredFromCents} > ${table.priceCents}, true)`,
    ),
    check(
      'tools_list_price_asked',
      sql`case when ${table.listPriceAskedSince} is null then ${table.loweredAt} else ${table.removedAt} end is null`,
    ),
  ],
)

/** What follows from prices and their changes, and is refused from everybody else. */
export type ColumnSetByTrigger = 'loweredFromCents' | 'loweredAt' | 'listPriceAskedSince'

/** A price in cents as an amount without trailing zeros, as calls answer it: 1235 is 12.35, 1200 is 12. */
export const centsToAmountSql = (cents: SQLWrapper): SQL => sql`trim_scale(${cents} / 100.0)`

/** What `unitPriceAt` says, in SQL. */
export const unitPriceAtSql = (quantity: SQLWrapper): SQL => sql`unit_price_at(price_cents, price_breaks, ${quantity})`

/** Whether the price is shown as lowered. */
export const isLoweredSql: SQL = sql`${products.loweredAt} > now() - make_interval(days => ${sql.raw(`${loweredDays}`)})`

const isAttributeSql = (field: SQLWrapper) => sql`${field} like 'specs.%'`

const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * Change log of products: which product changed in which transaction, written by a trigger on every change. Each process follows it to keep
 * its search index in sync. A sequence number would not work: a transaction with a lower number may commit later.
 */
export const productChanges = pgTable(
  'tool_changes',
  {
    changedIn: transactionId('changed_in').notNull().default(sql`pg_current_xact_id()`),
    toolId: uuid('tool_id').notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('tool_changes_in_order').on(table.changedIn)],
)

/**
 * What a change of a product has overwritten, a row for each field that it changed, written in the transaction of the change: `price` and
 * `price_breaks` by a trigger, whoever changes them, other fields by `recordProductHistory` and imports. The stock has its own ledger, `stock_movements`. No foreign keys: an import may write hundreds of thousands of rows while orders wait, and would check
 * each of them, although neither products nor users are ever deleted.
 */
export const productHistory = pgTable(
  'product_history',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    toolId: uuid('tool_id').notNull(),
    field: text().notNull(), // a field of the API, such as `price` (12.35, not cents), `specs.` and a key, or `for_sale`
    before: text(), // null: none
    after: text(),
    at: isoTimestamp('at').notNull().default(sql`now()`),
    userId: text('user_id'), // null: by a command on the store's machine
    importId: uuid('import_id'), // set for changes by an import
  },
  (table) => [
    index('product_history_of_attributes').on(table.toolId, table._id).where(isAttributeSql(table.field)),
    index('product_history_of_fields')
      .on(table.toolId, table._id)
      .where(not(isAttributeSql(table.field))),
    index('product_history_of_prices').on(table.toolId, table.at).where(sql`${table.field} = 'price'`),
  ],
)
/** Whether an attribute was overwritten, not a field of the product itself. */
export const isAttributeChangeSql = isAttributeSql(productHistory.field)

/** Ledger of stock changes, never deleted: the stock of a product is the sum of its movements. */
export const stockMovements = pgTable(
  'stock_movements',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    toolId: uuid('tool_id')
      .notNull()
      .references(() => products._id),
    pieces: integer().notNull(), // added (+) or removed (-)
    reason: text({ enum: ['initial', 'correction', 'order', 'release', 'restock'] }).notNull(),
    orderLineId: uuid('order_line_id'), // set for `order`, `release` and `restock`
    userId: text('user_id').references(() => users.id), // null for changes that no user made
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('stock_movements_of_tool').on(table.toolId),
    check('stock_movements_pieces', sql`${table.pieces} <> 0`),
    check('stock_movements_order', sql`(${table.reason} in ('order', 'release', 'restock')) = (${table.orderLineId} is not null)`),
  ],
)
