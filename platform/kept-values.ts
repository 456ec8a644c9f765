import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

/** What the store makes once for itself and remembers, such as the secret that signs its sessions. */
export const keptValues = pgTable('kept_values', { name: text().primaryKey(), value: text().notNull() })

/** The value of that name; the first to ask makes it, also when several ask at once. */
export async function keptValue(db: Database, name: string, make: () => string): Promise<string> {
  await db.insert(keptValues).values({ name, value: make() }).onConflictDoNothing()
  const [kept] = await db.select().from(keptValues).where(eq(keptValues.name, name))
  if (!kept) throw new Error(`The kept value ${name} was taken away while it was made`)
  return kept.value
}

export const randomSecret = (): string => randomBytes(32).toString('base64url')
