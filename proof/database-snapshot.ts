import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'

/**
 * Every row of every table, except those that count tries and remember sessions: what must be the same after a request that was refused.
 * Whether a mail has gone out meanwhile is left out, as it goes on by itself.
 */
export async function snapshotBusinessTables(db: Database): Promise<Record<string, unknown[]>> {
  const { limits: _, sessions: __, job_runs: ___, ...kept } = await snapshotAllTables(db)
  return kept
}

/** Every row of every table, as JSON. */
export async function snapshotAllTables(db: Database): Promise<Record<string, unknown[]>> {
  const { rows } = await db.execute<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  const found: Record<string, unknown[]> = {}
  for (const { name } of rows) {
    const table = await db.execute<{ row: unknown }>(
      sql`select to_jsonb(kept) - 'mail_due_at' - 'mailed_at' as row from ${sql.identifier(name)} kept order by (to_jsonb(kept) - 'mail_due_at' - 'mailed_at')::text`,
    )
    found[name] = table.rows.map(({ row }) => row)
  }
  return found
}
