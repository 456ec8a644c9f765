import { sql } from 'drizzle-orm'
import { openDatabase } from '#platform/database.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import { tools } from '#store/catalogue/table.ts'
import type { Line } from '../proof/catalogue.ts'

const batch = 1000

/** Puts these parts on the empty shelves of a running store: what it came with is taken out, so that there are exactly as many. */
export async function fillShelves(connectionString: string, lines: Line[]): Promise<{ seconds: number }> {
  const { db, pool } = openDatabase(connectionString, () => {}, { statementMs: 0 })
  const from = performance.now()
  await db.transaction(async (tx) => {
    await tx.update(tools).set({ removedAt: sql`now()` })
    for (let nth = 0; nth < lines.length; nth += batch) await catalogue.fill(tx, lines.slice(nth, nth + batch))
  })
  const seconds = (performance.now() - from) / 1000
  await pool.query('analyze')
  await pool.end()
  return { seconds }
}
