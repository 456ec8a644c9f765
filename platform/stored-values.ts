import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

/** Values that belong to the database, such as the secret that signs sessions, and its currency. */
export const storedValues = pgTable('kept_values', { name: text().primaryKey(), value: text().notNull() })

/** The value of that name, created by the first of concurrent calls. */
export async function getOrCreateStoredValue(db: Database, name: string, make: () => string): Promise<string> {
  await db.insert(storedValues).values({ name, value: make() }).onConflictDoNothing()
  const [row] = await db.select().from(storedValues).where(eq(storedValues.name, name))
  if (!row) throw new Error(`The kept value ${name} was taken away while it was made`)
  return row.value
}

export const randomSecret = (): string => randomBytes(32).toString('base64url')
