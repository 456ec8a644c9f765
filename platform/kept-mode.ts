import { eq } from 'drizzle-orm'
import { CannotStart } from './cannot-start.ts'
import type { Database } from './database.ts'
import { keptValues } from './kept-values.ts'

/**
 * A database stays in the mode that first opened it. A demo's orders were paid with cards that do not exist, by people who never proved who
 * they are, and a demo opened on a shop's database would let anybody in as anybody.
 * @throws {CannotStart} when the database is the other mode's
 */
export async function keepMode(db: Database, mode: 'demo' | 'live'): Promise<void> {
  const kept = await db.transaction(async (tx) => {
    const [filled] = await tx.select().from(keptValues).where(eq(keptValues.name, 'starting catalogue')) // a demo of before the live mode
    await tx
      .insert(keptValues)
      .values({ name: 'mode', value: filled ? 'demo' : mode })
      .onConflictDoNothing()
    const [row] = await tx.select().from(keptValues).where(eq(keptValues.name, 'mode'))
    return row?.value
  })
  if (kept !== mode)
    throw new CannotStart(
      `This database belongs to a ${kept} store: a ${mode} store needs one of its own, so set another DATA_DIR or DATABASE_URL`,
    )
}
