import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** The card provider's events, each stored once by its id, whether delivered by webhook or found in the provider's event list. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    _id: text('id').primaryKey(), // the provider's event id: evt_...
    type: text().notNull(),
    object: jsonb().$type<Record<string, unknown>>().notNull(), // the event's `data.object`, as it was when the event occurred
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(), // by the provider's clock
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull().defaultNow(),
    workedAt: timestamp('worked_at', { withTimezone: true }),
    tries: integer().notNull().default(0),
    nextTryAt: timestamp('next_try_at', { withTimezone: true }).notNull().defaultNow(),
    trouble: text(), // error message of the last attempt; null: none failed, or processed since
  },
  (table) => [
    index('webhook_events_due').on(table.nextTryAt).where(sql`${table.workedAt} is null`),
    index('webhook_events_worked').on(table.workedAt),
  ],
)
