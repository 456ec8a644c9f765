import { EventEmitter } from 'node:events'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg, { type Pool } from 'pg'
import { openLedgerPool } from '#demo/card-sandbox/ledger.ts'
import { type ListeningClient, openChangeNotifier } from '#platform/change-notifier.ts'
import { openDatabase } from '#platform/database.ts'
import { createEmptyDatabase } from './postgres.ts'

/** Opens a database with timeouts long enough for a busy machine: no test judges speed. */
export const openTestPool = (connectionString: string) =>
  openDatabase(connectionString, (error) => console.error(error), { statementTimeoutMs: 60_000, connectionTimeoutMs: 60_000 })

/**
 * An empty database that no other test has until it is disposed, with a pool of connections and what tells of changes.
 * @param connectsAnew no connection is left of an earlier test, for a test that watches what they do
 */
export async function openTestDatabase<Topic extends string>({ connectsAnew = false } = {}) {
  await using opening = new AsyncDisposableStack()
  const database = (!connectsAnew && unused.pop()) || (await createReusedDatabase())
  const { proxy: pool, revoke } = leasePool(database.pool)
  const { proxy: ledgerPool, revoke: revokeLedger } = leasePool(database.ledgerPool)
  opening.defer(async () => {
    revoke()
    revokeLedger()
    await giveBack(database)
  })
  const { connectionString } = database
  const db = drizzle(pool) // what a process remembers of a database it remembers by this object
  const changes = await openChangeNotifier<Topic>(() => leaseListener(database.listeners), pool)
  opening.defer(() => changes.close())
  const opened = opening.move()
  return { opened, connectionString, db, pool, ledgerPool, changes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/*
 * The tests of a process use the same few databases, one after the other: to make one, and to connect, plan and compile the functions of
 * triggers in each of its connections, takes PostgreSQL longer than most tests do.
 */

type ReusedDatabase = Awaited<ReturnType<typeof createReusedDatabase>>

/** Those that no test of this process has at the moment, empty. */
const unused: ReusedDatabase[] = []

async function createReusedDatabase() {
  const { connectionString, [Symbol.asyncDispose]: drop } = await createEmptyDatabase()
  const { pool } = openTestPool(connectionString)
  const ledgerPool = openLedgerPool(connectionString)
  const listeners = new pg.Pool({ connectionString, max: 1 })
  listeners.on('error', () => {})
  // They are left open between tests.
  for (const { options } of [pool, ledgerPool, listeners]) Object.assign(options, { allowExitOnIdle: true, idleTimeoutMillis: 0 })
  return {
    ...{ connectionString, pool, ledgerPool, listeners, drop },
    migrated: await describeDatabase(pool),
    /** what `pg_temp.delete_rows` deletes in a connection that has it */
    deleteFunctions: new WeakMap<pg.PoolClient, string>(),
  }
}

/**
 * The pool for one test, which does not end it. Once it is revoked, whatever a closed store still does with it throws, instead of writing into
 * the next test's store.
 */
const leasePool = (pool: Pool) =>
  Proxy.revocable(pool, {
    get(target, key) {
      if (key === 'end') return async () => {}
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** A connection of this pool as one that listens for a single test. */
function leaseListener(pool: Pool): ListeningClient {
  let client: pg.PoolClient | undefined
  const lease = new EventEmitter()
  const forward = { error: () => lease.emit('error'), end: () => lease.emit('end') }
  const forwardNotification = (notification: pg.Notification) => lease.emit('notification', notification)
  return Object.assign(lease, {
    async connect() {
      client = await pool.connect()
      client.on('error', forward.error).on('end', forward.end).on('notification', forwardNotification)
    },
    query: async (statement: string) => client?.query(statement),
    async end() {
      const left = client
      client = undefined
      if (!left) return
      const kept = await left.query('unlisten *').then(
        () => true,
        () => false,
      )
      left.off('error', forward.error).off('end', forward.end).off('notification', forwardNotification)
      left.release(!kept)
    },
  })
}

/** Empties a database for the next test. It is dropped instead where this one has changed more than rows, or has left something running. */
async function giveBack(database: ReusedDatabase): Promise<void> {
  if (await emptyDatabase(database)) {
    unused.push(database)
    return
  }
  await Promise.all([database.pool.end(), database.ledgerPool.end(), database.listeners.end()])
  await database.drop()
}

/** @returns false where it is not as the migrations left it but for rows, or is still in use */
async function emptyDatabase(database: ReusedDatabase): Promise<boolean> {
  const { pool, ledgerPool, migrated } = database
  const isAtRest = () =>
    [pool, ledgerPool].every(({ idleCount, totalCount, waitingCount }) => idleCount === totalCount && waitingCount === 0)
  if (!isAtRest()) return false
  try {
    const { rows } = await pool.query<{ inUse: boolean }>(inUse) // as a simple query: by the extended protocol both times differ
    if (rows[0]?.inUse) return false
    await deleteRows(database)
    return isAtRest() && (await describeDatabase(pool)) === migrated
  } catch (error) {
    // The connections are gone, or this user may not go past triggers.
    const code = error instanceof Error && 'code' in error ? `${error.code}` : ''
    if (code.startsWith('42') && code !== insufficientPrivilege) throw error
    return false
  }
}

/**
 * Deletes with the connection that listens, past all triggers. No other connection changes `session_replication_role`: a change discards all
 * plans that the connection has kept.
 */
async function deleteRows({ listeners, deleteFunctions }: ReusedDatabase): Promise<void> {
  const client = await listeners.connect()
  try {
    const { rows } = await client.query<{ deletes: string }>({ name: 'deletes', text: listDeletes })
    const deletes = rows[0]?.deletes ?? ''
    if (deleteFunctions.get(client) !== deletes) {
      await client.query(`set session_replication_role = replica;
        create or replace function pg_temp.delete_rows() returns void language plpgsql as $$ begin ${deletes} end $$`)
      deleteFunctions.set(client, deletes)
    }
    await client.query({ name: 'delete', text: 'select pg_temp.delete_rows()' })
  } finally {
    client.release()
  }
}

const insufficientPrivilege = '42501'

/** Whether a connection was given back to its pool within a transaction, the one that is asked or another, or with an advisory lock. */
const inUse = `select (now() <> statement_timestamp() or exists (select from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%') or exists (select from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()))) as "inUse"`

/** Changes with each change of a table, column, constraint, trigger or function of the store, and of what the migrations fill. */
async function describeDatabase(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ description: string }>({ name: 'description', text: description })
  return rows[0]?.description
}

/** What is changed is written by a later transaction than all before, and what is dropped is missing. */
const countAndNewest = '(count(*), max(xmin::text::bigint))::text'
const description = `
  with relations as (select oid, xmin from pg_class where relnamespace = 'public'::regnamespace)
  select concat_ws(' ',
    (select ${countAndNewest} from relations),
    (select ${countAndNewest} from pg_attribute where attrelid in (select oid from relations)),
    (select ${countAndNewest} from pg_constraint where connamespace = 'public'::regnamespace),
    (select ${countAndNewest} from pg_trigger where tgrelid in (select oid from relations)),
    (select ${countAndNewest} from pg_proc where pronamespace = 'public'::regnamespace),
    (select string_agg(steps::text, ',' order by steps) from status_steps steps)
  ) as description`

/**
 * Deletes all but what the migrations fill: a table, and the version of the settings of tax and delivery, which is renewed, as no trigger does
 * it here. The card sandbox has its tables in a schema of its own.
 */
const listDeletes = `
  select concat(
    (select string_agg(format('delete from %I.%I;', schemaname, tablename), ' ' order by schemaname, tablename) from pg_tables
      where schemaname in ('public', 'sandbox') and tablename not in ('status_steps', 'kept_values')),
    ' delete from kept_values where name <> ''charge settings''; update kept_values set value = gen_random_uuid();',
    ' perform setval(format(''%I.%I'', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
      where schemaname in (''public'', ''sandbox'') and last_value is not null;'
  ) as deletes`
