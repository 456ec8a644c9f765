import { sql } from 'drizzle-orm'
import { bigint, check, customType, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '#store/identity/table.ts'

// Keys are spelled as on the wire, columns as in SQL, so a row is already an answer and the reply's schema prunes the rest.
export const tools = pgTable(
  'tools',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text().notNull(),
    img: text(), // without one, the wire carries the drawing of its category
    description: text().notNull(),
    price: integer().notNull(), // whole dollars
    minimum_order_quantity: integer().notNull(),
    available_quantity: integer().notNull(),
    sku: text()
      .notNull()
      .unique()
      .$defaultFn(() => `N-${crypto.randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`),
    brand: text(),
    mpn: text(),
    category: text(),
    specs: jsonb().$type<Record<string, unknown>>(),
    position: integer().generatedAlwaysAsIdentity(), // rows of one import share their time of day; this keeps their order
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    removedAt: timestamp('removed_at', { withTimezone: true }), // out of the catalogue; its orders keep it
  },
  (table) => [
    index('tools_for_sale').on(table.position).where(sql`${table.removedAt} is null`),
    index('tools_by_name').on(table.name),
    index('tools_by_category').on(table.category, table.price).where(sql`${table.removedAt} is null`),
    check('tools_price', sql`${table.price} >= 1`),
    check('tools_minimum', sql`${table.minimum_order_quantity} >= 1`),
    check('tools_stock', sql`${table.available_quantity} >= 0`),
  ],
)

const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * Which tools have changed, and in which transaction: a trigger writes it down, whoever changes a tool and however. Each process follows it
 * to keep in step what it has in memory. A number would not do: of two transactions the one with the lower number may end later.
 */
export const toolChanges = pgTable(
  'tool_changes',
  {
    changedIn: transactionId('changed_in').notNull().default(sql`pg_current_xact_id()`),
    toolId: uuid('tool_id').notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('tool_changes_in_order').on(table.changedIn)],
)

/** Every piece that came or went, kept for good: a tool's stock is the sum of its movements. */
export const stockMovements = pgTable(
  'stock_movements',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    toolId: uuid('tool_id')
      .notNull()
      .references(() => tools._id),
    pieces: integer().notNull(), // came (+) or went (-)
    reason: text({ enum: ['initial', 'correction', 'order', 'release', 'restock'] }).notNull(),
    orderId: uuid('order_id'), // of an order, a release and a restock
    userId: text('user_id').references(() => users.id), // who did it; the store itself where nobody stands
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('stock_movements_of_tool').on(table.toolId),
    check('stock_movements_pieces', sql`${table.pieces} <> 0`),
    check('stock_movements_order', sql`(${table.reason} in ('order', 'release', 'restock')) = (${table.orderId} is not null)`),
  ],
)
