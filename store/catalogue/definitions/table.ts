import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '#store/identity/table.ts'
import type { Definitions } from './contract.ts'

/** Every state that the definitions of the catalogue have had: the newest is in use. Rows are never changed but for `mended_at`. */
export const catalogueDefinitions = pgTable(
  'catalogue_definitions',
  {
    revision: integer().primaryKey(),
    definitions: jsonb().$type<Definitions>().notNull(),
    isOriginal: boolean('is_original').notNull(), // as the store comes with it: a new version of the store may replace it
    userId: text('user_id').references(() => users.id), // null: by a command on the store's machine, or by the store itself
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    mendedAt: timestamp('mended_at', { withTimezone: true }), // when the products were mended by it
  },
  (table) => [index('catalogue_definitions_to_mend').on(table.revision).where(sql`${table.mendedAt} is null`)],
)
