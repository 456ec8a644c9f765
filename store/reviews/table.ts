import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const reviews = pgTable(
  'reviews',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text().notNull(),
    img: text().notNull(),
    about: text().notNull(),
    rating: doublePrecision().notNull(),
    example: boolean().notNull().default(false), // invented to show the store, and marked so wherever it is seen
    position: integer().generatedAlwaysAsIdentity(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [check('reviews_rating', sql`${table.rating} between 0 and 5`)],
)
