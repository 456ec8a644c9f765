import { pgTable, text } from 'drizzle-orm/pg-core'
import { users } from '#store/identity/table.ts'

/** What a person tells about themselves, beside the account: name and e-mail stand there. */
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
