import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
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

export type ProfileFields = Omit<typeof profiles.$inferSelect, 'userId'>

/** What admins have overwritten of others' profiles. It is personal data: deleted with the account, and after `keptDays`. */
export const profileChanges = pgTable(
  'profile_changes',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    before: jsonb().$type<Partial<ProfileFields>>().notNull(), // the fields that the change has overwritten; '' was empty
    byUserId: text('by_user_id').references(() => users.id, { onDelete: 'set null' }),
    at: isoTimestamp('at').notNull().default(sql`now()`),
  },
  (table) => [index('profile_changes_of_user').on(table.userId), index('profile_changes_by_time').on(table.at)],
)
