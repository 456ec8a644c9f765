import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { CannotStart } from './cannot-start.ts'

/** The database, or a transaction in it: a function that takes one can be part of a larger whole. */
export type Database = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
export type Pool = pg.Pool

const oldest = { version: 15, number: 150_000 }
const migrationLock = 727_002

/**
 * A pool of connections to a PostgreSQL >= 15, and Drizzle on top of it. Opens nothing yet.
 * @param onLost called when an idle connection breaks (the pool makes a new one by itself)
 */
export function openDatabase(connectionString: string, onLost: (error: Error) => void): { db: Database; pool: Pool } {
  const pool = new pg.Pool({ connectionString, max: 20 })
  pool.on('error', onLost)
  return { db: drizzle(pool), pool }
}

/**
 * Brings the database to the newest migration, one process at a time.
 * @param folder the folder with the generated SQL
 * @throws {CannotStart} when the database does not answer, refuses the sign-in or the migration, or is older than PostgreSQL 15
 */
export async function migrateDatabase(connectionString: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // told by the query that breaks
  try {
    await client.connect()
  } catch (error) {
    const { host, pathname } = new URL(connectionString)
    throw new CannotStart(`The database ${pathname.slice(1)} at ${host} cannot be reached: ${reason(error)}`)
  }
  try {
    const { rows } = await client.query<{ number: number }>("select current_setting('server_version_num')::int as number")
    if ((rows[0]?.number ?? 0) < oldest.number) throw new CannotStart(`The store needs PostgreSQL ${oldest.version} or newer`)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client), { migrationsFolder: folder }).catch((error) => {
      throw new CannotStart(`The database cannot be brought to the newest migration: ${reason(error)}`)
    })
  } finally {
    await client.end()
  }
}

/** Node tries each address of a host and then fails with an error that has no words of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0])
  if (error instanceof Error && error.cause) return reason(error.cause) // Drizzle's own words are the statement
  return error instanceof Error ? error.message : String(error)
}
