import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What the card provider has told, each event once by its id, whether it came by webhook or was found in the provider's list. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    _id: text('id').primaryKey(), // the provider's: evt_...
    type: text().notNull(),
    object: jsonb().$type<Record<string, unknown>>().notNull(), // what it is about, as it stood when it happened
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(), // by the provider's clock
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull().defaultNow(),
    workedAt: timestamp('worked_at', { withTimezone: true }),
    tries: integer().notNull().default(0),
    nextTryAt: timestamp('next_try_at', { withTimezone: true }).notNull().defaultNow(),
    trouble: text(), // why the last try failed
  },
  (table) => [index('webhook_events_due').on(table.nextTryAt).where(sql`${table.workedAt} is null`)],
)
