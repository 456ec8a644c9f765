import { createHash } from 'node:crypto'
import { is, type SQL } from 'drizzle-orm'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { type PgDatabase, PgDialect, PgTransaction, type PreparedQueryConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { DatabaseConnectionError, isQueryTimeout } from './database-errors.ts'
import { requestScope } from './request-scope.ts'
import { StartupError } from './startup-error.ts'

/** The database or a transaction in it, so that a function that takes one can run inside a larger transaction. */
export type Database = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
export type Pool = pg.Pool

const minPostgres = { version: 15, number: 150_000 }
const migrationLockId = 727_002

/** Limits of the connection pool. A request fails with 503 instead of waiting without limit. */
const poolLimits = {
  maxConnections: 20,
  /** with this many requests waiting for a connection, further ones fail at once */
  maxWaiting: 500,
  /** long enough for a transaction that calls an external service, such as the card provider */
  idleInTransactionTimeoutMs: 60_000,
}

type PoolOptions = {
  /** how long a statement may take before the server cancels it; 0: no limit */
  statementTimeoutMs?: number
  /** how long to wait for a connection */
  connectionTimeoutMs?: number
  maxConnections?: number
}

/**
 * Creates a connection pool for PostgreSQL 15 or newer, with Drizzle on top. Does not connect yet.
 * @param onLost called when an idle connection breaks (the pool replaces it by itself)
 * @param options the default timeouts are for HTTP requests; imports and jobs may need longer ones
 */
export function openDatabase(
  connectionString: string,
  onLost: (error: Error) => void,
  { statementTimeoutMs = 2500, connectionTimeoutMs = 3500, maxConnections = poolLimits.maxConnections }: PoolOptions = {},
): { db: Database; pool: Pool } {
  const pool = new BoundedPool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    keepAlive: true,
    idle_in_transaction_session_timeout: poolLimits.idleInTransactionTimeoutMs,
    // The server's timeout fires first and leaves the connection usable. pg's own is for a server that no longer responds.
    ...(statementTimeoutMs > 0 && { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 300 }),
  })
  pool.on('error', (error) => {
    if (!pool.ending) onLost(error) // expected while the pool is closing
  })
  pool.on('connect', (client) => {
    client.on('error', () => {}) // for a connection in use, the failing statement reports the error
    closeOnQueryTimeout(client)
  })
  return { db: drizzle(pool), pool }
}

/** Closes a connection whose statement timed out in pg. pg would keep it, and the next query would wait behind the unfinished one. */
function closeOnQueryTimeout(client: pg.PoolClient) {
  const query = client.query.bind(client)
  const value = (...args: unknown[]) => {
    const result: unknown = Reflect.apply(query, client, args)
    if (result instanceof Promise)
      result.catch((error) => {
        if (isQueryTimeout(error)) client.end()
      })
    return result
  }
  Object.defineProperty(client, 'query', { value })
}

type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: pg.PoolClient['release']) => void

/** pg's pool with a bounded wait queue. Connections that break while in use are released by themselves. */
class BoundedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.#acquire()
    this.#acquire().then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )
  }

  async #acquire(): Promise<pg.PoolClient> {
    if (this.waitingCount >= poolLimits.maxWaiting) throw new DatabaseConnectionError(true)
    const mustWait = this.idleCount === 0 && this.totalCount >= this.options.max
    const scope = requestScope.getStore()
    const client = await super.connect().catch((error) => {
      throw new DatabaseConnectionError(error instanceof Error && error.message === 'timeout exceeded when trying to connect', error)
    })
    if (mustWait && scope?.isAbandoned) {
      client.release()
      throw new DatabaseConnectionError(true)
    }
    // Drizzle does not release a connection whose `begin` failed: without this, every database crash would leak some.
    const originalRelease = client.release
    const ended = () => client.release(true)
    client.release = (error) => {
      client.off('end', ended)
      client.release = () => {} // the user of the connection does not know that it was released already
      originalRelease(error)
    }
    client.once('end', ended)
    return client
  }
}

const dialect = new PgDialect()

/**
 * Runs a statement as `db.execute` does, as a prepared statement: each connection parses and plans it once. For statements that are long,
 * run often and have one text, or few: each text stays in the memory of each connection.
 */
export async function executePrepared<Row extends pg.QueryResultRow>(db: Database, query: SQL): Promise<Row[]> {
  const built = dialect.sqlToQuery(query)
  const prepared = db._.session.prepareQuery<PreparedQueryConfig & { execute: pg.QueryResult<Row> }>(
    built,
    undefined,
    statementName(built.sql),
    false,
  )
  return (await prepared.execute()).rows
}

/** Runs a query of the query builder as `executePrepared` does. */
export const selectPrepared = <Row>(query: {
  toSQL(): { sql: string }
  prepare(name: string): { execute(): Promise<Row[]> }
}): Promise<Row[]> => query.prepare(statementName(query.toSQL().sql)).execute()

/** One name for each text. */
const statementName = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Whether this is a transaction: what is set for it holds for the statements of its caller, too. */
export const isTransaction = (db: Database): boolean => is(db, PgTransaction)

/**
 * Applies all pending migrations, one process at a time.
 * @param folder the folder with the generated SQL
 * @throws {StartupError} when the database is unreachable, rejects the login or a migration, or is older than PostgreSQL 15
 */
export async function migrateDatabase(connectionString: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // the failing query reports the error
  try {
    await client.connect()
  } catch (error) {
    const { host, pathname } = new URL(connectionString)
    throw new StartupError(`The database ${pathname.slice(1)} at ${host} cannot be reached: ${errorReason(error)}`)
  }
  try {
    const { rows } = await client.query<{ number: number }>("select current_setting('server_version_num')::int as number")
    if ((rows[0]?.number ?? 0) < minPostgres.number) throw new StartupError(`The store needs PostgreSQL ${minPostgres.version} or newer`)
    await client.query('select pg_advisory_lock($1)', [migrationLockId])
    await migrate(drizzle(client), { migrationsFolder: folder }).catch((error) => {
      throw new StartupError(`The database cannot be brought to the newest migration: ${errorReason(error)}`)
    })
  } finally {
    await client.end()
  }
}

/** When all addresses of a host fail, Node throws an AggregateError without a message of its own. */
function errorReason(error: unknown): string {
  if (error instanceof AggregateError) return errorReason(error.errors[0])
  if (error instanceof Error && error.cause) return errorReason(error.cause) // Drizzle's own message is only the statement
  return error instanceof Error ? error.message : String(error)
}
