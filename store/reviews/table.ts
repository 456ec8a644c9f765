import { boolean, doublePrecision, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '#store/identity/table.ts'

/**
 * At most one review for each author: the unique index `reviews_by_author` stands at the end of its migration, written by hand, as the
 * older reviews of an author had to go before it could be made.
 */
export const reviews = pgTable('reviews', {
  _id: uuid('id')
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID()),
  name: text().notNull(),
  img: text().notNull(),
  about: text().notNull(),
  rating: doublePrecision().notNull(), // as said; what is shown never leaves 0 to 5
  authorId: text('author_id').references(() => users.id), // the account that wrote it; an example has none
  example: boolean().notNull().default(false), // invented to show the store, and marked so wherever it is seen
  hidden: boolean().notNull().default(false), // by an admin; it stays so when its author posts another in its place
  position: integer().generatedAlwaysAsIdentity(), // by age; a review that takes the place of another gets a new one
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
