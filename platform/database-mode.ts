import { eq } from 'drizzle-orm'
import type { Database } from './database.ts'
import { StartupError } from './startup-error.ts'
import { storedValues } from './stored-values.ts'

/**
 * Binds a database to the mode that first opened it. Demo orders were paid with test cards by unverified accounts, and a demo opened on a
 * live database would let anyone sign in to any account.
 * @throws {StartupError} when the database belongs to the other mode
 */
export async function pinDatabaseToStoreMode(db: Database, mode: 'demo' | 'live'): Promise<void> {
  const storedMode = await db.transaction(async (tx) => {
    // Demo databases created before live mode existed have no mode, but a seeded catalogue.
    const [seeded] = await tx.select().from(storedValues).where(eq(storedValues.name, 'starting catalogue'))
    await tx
      .insert(storedValues)
      .values({ name: 'mode', value: seeded ? 'demo' : mode })
      .onConflictDoNothing()
    const [row] = await tx.select().from(storedValues).where(eq(storedValues.name, 'mode'))
    return row?.value
  })
  if (storedMode !== mode)
    throw new StartupError(
      `This database belongs to a ${storedMode} store: a ${mode} store needs one of its own, so set another DATA_DIR or DATABASE_URL`,
    )
}
