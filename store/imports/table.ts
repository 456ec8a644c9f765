import { sql } from 'drizzle-orm'
import { boolean, customType, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Cents } from '#shared/money.ts'
import { optionalProductColumns } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'
import type { ImportReport } from './contract.ts'

/**
 * Product files that admins uploaded. `checking` and `importing` are due jobs. The file content is deleted once it is imported or has
 * failed.
 */
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
    bytes: integer().notNull().default(0), // uploaded size, before decompression
    bytesRead: integer('bytes_read').notNull().default(0),
    rowsRead: integer('rows_read').notNull().default(0),
    skipWrong: boolean('skip_wrong').notNull().default(false),
    stock: text({ enum: ['set', 'keep'] }), // null: no choice was needed, because the check found no stock to set
    hash: text(), // SHA-256 of the file, set by the check
    again: boolean().notNull().default(false), // the file's stock changes were already imported, and an admin chose to apply them again
    report: jsonb().$type<ImportReport>(),
    trouble: text(), // error message
    tries: integer().notNull().default(0),
    neverEnded: integer('never_ended').notNull().default(0), // tries during which the process or the worker thread crashed
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (table) => [index('imports_due').on(table.at).where(sql`${table.state} in ('checking', 'importing')`)],
)

/** Files whose stock changes were imported. Never deleted: a file may be uploaded again at any time. */
export const importedFiles = pgTable('imported_files', {
  hash: text().primaryKey(), // SHA-256 of the file
  at: timestamp({ withTimezone: true }).notNull().defaultNow(), // time of the last import
})

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Uploaded files in chunks, so that no process has to hold a whole file in memory. */
export const importFileChunks = pgTable(
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
 * Staging table: the rows of a file while they are compared with the catalogue. Null means that the file leaves the field unchanged, what
 * `columnRules` stage for an empty cell, such as '', that it clears it. Unlogged rather than temporary: the rows are written in many short transactions, so that no transaction stays open for
 * long while the store is in use.
 */
export const importRows = pgTable(
  'import_rows',
  {
    importId: uuid('import_id').notNull(), // an import, or a run of `npm run import`
    row: integer().notNull(),
    sku: text().notNull(),
    name: text(),
    description: text(),
    ...optionalProductColumns(),
    priceCents: integer('price_cents').$type<Cents>(),
    minimum_order_quantity: integer(),
    order_multiple: integer(),
    tax_class: text(),
    price_breaks: jsonb(), // as in `tools`
    available_quantity: integer(),
    availableQuantitySeen: integer('available_quantity_seen'), // stock at the time when the file was made
    specs: jsonb(), // replaces all attributes
    specsKnown: jsonb('specs_known'), // attributes to merge into the existing ones
    specsUnknown: text('specs_unknown').array(), // attribute keys to remove
    warnings: jsonb(), // of this row: those of a row that is deleted as wrong go with it; null without any
    stagedAt: timestamp('staged_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
)
