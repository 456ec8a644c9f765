import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { CannotStart } from './cannot-start.ts'
import { isUnanswered, NoConnection } from './database-trouble.ts'
import { visits } from './visit.ts'

/** The database, or a transaction in it: a function that takes one can be part of a larger whole. */
export type Database = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
export type Pool = pg.Pool

const oldest = { version: 15, number: 150_000 }
const migrationLock = 727_002

/** How long the database may take, and how many may ask it at once. A request is refused (503) rather than left waiting without an end. */
const limits = {
  connections: 20,
  /** who finds this many waiting for a connection is refused at once */
  waiting: 500,
  /** a transaction that asks somebody else meanwhile, such as the card provider, is waited for */
  idleInTransactionMs: 60_000,
}

type Patience = {
  /** how long a statement may take before the server breaks it off; 0: as long as it wants */
  statementMs?: number
  /** how long to wait for a connection */
  waitingMs?: number
  connections?: number
}

/**
 * A pool of connections to a PostgreSQL >= 15, and Drizzle on top of it. Opens nothing yet.
 * @param onLost called when an idle connection breaks (the pool makes a new one by itself)
 * @param patience the default suits visitors; an import or a job may want more
 */
export function openDatabase(
  connectionString: string,
  onLost: (error: Error) => void,
  { statementMs = 2500, waitingMs = 3500, connections = limits.connections }: Patience = {},
): { db: Database; pool: Pool } {
  const pool = new LendingPool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: waitingMs,
    keepAlive: true,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    // The server's own limit comes first, and the connection can be used on; ours is for a server that says nothing any more.
    ...(statementMs > 0 && { statement_timeout: statementMs, query_timeout: statementMs + 300 }),
  })
  pool.on('error', (error) => {
    if (!pool.ending) onLost(error) // whoever is leaving loses nothing
  })
  pool.on('connect', (client) => {
    client.on('error', () => {}) // of a lent one: told by the statement that breaks
    endUnanswered(client)
  })
  return { db: drizzle(pool), pool }
}

/** pg leaves a connection whose statement ran out of time in use, and whatever is asked next waits behind it. */
function endUnanswered(client: pg.PoolClient) {
  const query = client.query.bind(client)
  const value = (...asked: unknown[]) => {
    const answer: unknown = Reflect.apply(query, client, asked)
    if (answer instanceof Promise)
      answer.catch((error) => {
        if (isUnanswered(error)) client.end()
      })
    return answer
  }
  Object.defineProperty(client, 'query', { value })
}

type Lent = (error: Error | undefined, client: pg.PoolClient | undefined, done: pg.PoolClient['release']) => void

/** pg's pool, where nobody waits in a queue without an end, and what breaks while it is lent comes back by itself. */
class LendingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Lent): void
  override connect(callback?: Lent): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.#lend()
    this.#lend().then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )
  }

  async #lend(): Promise<pg.PoolClient> {
    if (this.waitingCount >= limits.waiting) throw new NoConnection(true)
    const mustWait = this.idleCount === 0 && this.totalCount >= this.options.max
    const visit = visits.getStore()
    const client = await super.connect().catch((error) => {
      throw new NoConnection(error instanceof Error && error.message === 'timeout exceeded when trying to connect', error)
    })
    if (mustWait && visit?.over) {
      client.release()
      throw new NoConnection(true)
    }
    // Drizzle does not give back a connection on which not even `begin` was answered: without this, each crash of the database takes some.
    const giveBack = client.release
    const ended = () => client.release(true)
    client.release = (error) => {
      client.off('end', ended)
      client.release = () => {} // whoever had it does not know that it has come back already
      giveBack(error)
    }
    client.once('end', ended)
    return client
  }
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
