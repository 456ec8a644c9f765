import { drizzle } from 'drizzle-orm/node-postgres'
import { openChangeNotifier } from '#platform/change-notifier.ts'
import { openDatabase } from '#platform/database.ts'
import { createEmptyDatabase } from './postgres.ts'

/** Opens a database with timeouts long enough for a busy machine: no test judges speed. */
export const openTestPool = (connectionString: string) =>
  openDatabase(connectionString, (error) => console.error(error), { statementTimeoutMs: 60_000, connectionTimeoutMs: 60_000 })

/**
 * What tells of changes, on a database of its own.
 * @param connectsAnew no connection is left of the test before, for a test that watches them from their beginning
 */
export async function openTestDatabase<Topic extends string>({ connectsAnew = false } = {}) {
  const opened = new AsyncDisposableStack()
  const database = (!connectsAnew && unused.pop()) || (await createTestDatabase())
  opened.defer(() => giveBack(database))
  const { connectionString, pool } = database
  const db = drizzle(pool) // what a process remembers of a database it remembers by this object
  const changes = await openChangeNotifier<Topic>(connectionString, pool)
  opened.defer(() => changes.close())
  return { opened, connectionString, db, pool, changes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/*
 * The tests of a process use the same few databases, one after the other: to make one, and to connect, plan and compile the functions of
 * triggers in each of its connections, takes PostgreSQL longer than most tests do.
 */

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

/** Those that no test of this process has at the moment, empty. */
const unused: TestDatabase[] = []

async function createTestDatabase() {
  const { connectionString, [Symbol.asyncDispose]: drop } = await createEmptyDatabase()
  const { pool } = openTestPool(connectionString)
  pool.options.allowExitOnIdle = true // they are left open between tests
  const { rows } = await pool.query<{ definitions: string }>(selectDefinitions)
  return { connectionString, pool, definitions: rows[0]?.definitions, drop }
}

/** Empties a database for the next test. It is dropped instead where this one has changed its definitions, or has left something running. */
async function giveBack(database: TestDatabase): Promise<void> {
  if (await isEmptied(database)) {
    unused.push(database)
    return
  }
  await database.pool.end()
  await database.drop()
}

async function isEmptied({ pool, definitions }: TestDatabase): Promise<boolean> {
  const isAtRest = () => pool.idleCount === pool.totalCount && pool.waitingCount === 0
  if (!isAtRest()) return false
  try {
    const { rows } = await pool.query<{ definitions: string; inTransaction: boolean }>(`${selectDefinitions}, ${inTransaction}`)
    const [found] = rows
    if (found?.definitions !== definitions || found?.inTransaction) return false
    await pool.query(emptyTables)
    return isAtRest()
  } catch {
    return false // the connections are gone, or this user may not go past triggers
  }
}

/** Whether a connection was given back to its pool within a transaction: the one that is asked, or another. */
const inTransaction = `(now() <> statement_timestamp() or exists (select from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%')) as "inTransaction"`

/** Changes with each change of a table, column, constraint, trigger or function of the store. */
const selectDefinitions = `
  with relations as (select oid, xmin from pg_class where relnamespace = 'public'::regnamespace)
  select md5(concat(
    (select string_agg(oid || ' ' || xmin, ',' order by oid) from relations),
    (select string_agg(attrelid || ' ' || attnum || ' ' || xmin, ',' order by attrelid, attnum) from pg_attribute
      where attrelid in (select oid from relations)),
    (select string_agg(oid || ' ' || xmin, ',' order by oid) from pg_constraint where connamespace = 'public'::regnamespace),
    (select string_agg(oid || ' ' || xmin, ',' order by oid) from pg_trigger where tgrelid in (select oid from relations)),
    (select string_agg(oid || ' ' || xmin, ',' order by oid) from pg_proc where pronamespace = 'public'::regnamespace)
  )) as definitions`

/** All but what the migrations fill. The card sandbox has its tables in a schema of its own. */
const emptyTables = `
  do $$
  declare
    named record;
  begin
    perform set_config('session_replication_role', 'replica', true); -- no trigger keeps a row
    for named in select schemaname, tablename from pg_tables
      where schemaname in ('public', 'sandbox') and tablename <> 'status_steps'
    loop
      execute format('delete from %I.%I', named.schemaname, named.tablename);
    end loop;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
      where schemaname in ('public', 'sandbox') and last_value is not null;
  end $$`
