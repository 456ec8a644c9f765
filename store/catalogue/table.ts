import { sql } from 'drizzle-orm'
import { bigint, boolean, check, customType, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '#store/identity/table.ts'
import type { ImportReport } from './contract.ts'

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

/** Files of parts that admins have sent. `checking` and `importing` are work that is due; the file itself goes once it is used. */
export const imports = pgTable(
  'imports',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    fileName: text('file_name').notNull(),
    state: text({ enum: ['uploading', 'checking', 'checked', 'importing', 'done', 'failed'] })
      .notNull()
      .default('uploading'),
    bytes: integer().notNull().default(0), // as sent
    bytesRead: integer('bytes_read').notNull().default(0),
    rowsRead: integer('rows_read').notNull().default(0),
    skipWrong: boolean('skip_wrong').notNull().default(false),
    stock: text({ enum: ['set', 'keep'] }), // null: nobody was asked, as nothing was to be set
    hash: text(), // of the file, once it is checked
    again: boolean().notNull().default(false), // the file's changes of stock are in, and an admin wants them a second time
    report: jsonb().$type<ImportReport>(),
    trouble: text(), // why it failed
    tries: integer().notNull().default(0),
    neverEnded: integer('never_ended').notNull().default(0), // tries during which the process, or the thread that reads, died
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (table) => [index('imports_due').on(table.at).where(sql`${table.state} in ('checking', 'importing')`)],
)

/** The files whose changes of stock are in. Kept: a file may be sent a second time whenever. */
export const importedFiles = pgTable('imported_files', {
  hash: text().primaryKey(), // SHA-256 of the bytes
  at: timestamp({ withTimezone: true }).notNull().defaultNow(), // of the last time
})

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** A sent file in pieces, so that nobody has to hold the whole of it in memory. */
export const importPieces = pgTable(
  'import_pieces',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => imports._id, { onDelete: 'cascade' }),
    nth: integer().notNull(),
    bytes: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.nth] })],
)

/**
 * The rows of a file while they are compared with the catalogue. A null says that the file leaves a field as it is, '' that there is none.
 * Unlogged, and no temporary table: the rows are written in many short transactions, so that none is open for long while the store sells.
 */
export const importRows = pgTable(
  'import_rows',
  {
    importId: uuid('import_id').notNull(), // an import, or a run of the command
    row: integer().notNull(),
    sku: text().notNull(),
    name: text(),
    brand: text(),
    mpn: text(),
    category: text(),
    description: text(),
    img: text(),
    price: integer(),
    minimum_order_quantity: integer(),
    available_quantity: integer(),
    availableQuantitySeen: integer('available_quantity_seen'), // the stock that the file's author saw
    specs: jsonb(), // all of them
    specsKnown: jsonb('specs_known'), // only these, beside those that are there
    specsUnknown: text('specs_unknown').array(), // no longer known
    stagedAt: timestamp('staged_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
)
