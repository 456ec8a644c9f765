import { pgTable, text } from 'drizzle-orm/pg-core'
import { users } from '#store/identity/table.ts'

/** Profile data. Name and e-mail are stored in `users`. */
export const profiles = pgTable('profiles', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  picture: text().notNull(),
  education: text().notNull(),
  location: text().notNull(),
  phone: text().notNull(),
  linkedIn: text('linked_in').notNull(),
})
