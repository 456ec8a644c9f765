import { boolean, doublePrecision, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '#store/identity/table.ts'

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
  position: integer().generatedAlwaysAsIdentity(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
