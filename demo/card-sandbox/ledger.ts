import { createHash } from 'node:crypto'
import pg from 'pg'
import { randomString } from './wire.ts'

/** Executes statements: the pool, or the connection of a transaction. */
export type Db = pg.Pool | pg.PoolClient

export type SandboxKeys = { secretKey: string; publishableKey: string; webhookSecret: string }

/*
 * Objects are stored as they are sent. `json`, not `jsonb`: it preserves the order of the fields, and no index on fields is needed.
 * The bodies of events and stored responses are text, because every repetition must be identical byte for byte.
 */
const TABLES = `
  create schema if not exists sandbox;
  create table if not exists sandbox.keys (
    single boolean primary key default true check (single),
    secret_key text not null,
    publishable_key text not null,
    webhook_secret text not null
  );
  create table if not exists sandbox.intents (
    id text primary key,
    object json not null,
    seq bigint generated always as identity
  );
  create table if not exists sandbox.payment_methods (
    id text primary key,
    card text not null,
    object json not null
  );
  create table if not exists sandbox.charges (
    id text primary key,
    intent_id text not null references sandbox.intents,
    object json not null,
    seq bigint generated always as identity
  );
  create table if not exists sandbox.refunds (
    id text primary key,
    charge_id text not null references sandbox.charges,
    intent_id text not null references sandbox.intents,
    object json not null,
    seq bigint generated always as identity
  );
  create index if not exists refunds_of_charge on sandbox.refunds (charge_id);
  create table if not exists sandbox.disputes (
    id text primary key,
    charge_id text not null references sandbox.charges,
    intent_id text not null references sandbox.intents,
    object json not null,
    seq bigint generated always as identity
  );
  create table if not exists sandbox.challenges (
    id text primary key,
    intent_id text not null references sandbox.intents,
    method_id text not null references sandbox.payment_methods,
    return_url text
  );
  create table if not exists sandbox.later (
    seq bigint generated always as identity primary key,
    step text not null,
    object_id text not null,
    due_at timestamptz not null
  );
  create table if not exists sandbox.events (
    seq bigint generated always as identity unique,
    id text primary key,
    type text not null,
    body text not null
  );
  create table if not exists sandbox.deliveries (
    event_id text primary key references sandbox.events,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'given_up')),
    tries integer not null default 0,
    next_try_at timestamptz not null default clock_timestamp()
  );
  create index if not exists deliveries_due on sandbox.deliveries (next_try_at) where state = 'pending';
  create table if not exists sandbox.idempotency (
    key text primary key,
    endpoint text not null,
    fingerprint text not null,
    request_id text not null,
    status integer not null,
    body text not null,
    created_at timestamptz not null default now()
  );
  do $$ begin
    -- Ledgers made before there were lists. Asked for first, because altering waits for everybody who reads.
    if not exists (select from information_schema.columns where table_schema = 'sandbox' and table_name = 'intents' and column_name = 'seq') then
      alter table sandbox.intents add column seq bigint generated always as identity;
      alter table sandbox.charges add column seq bigint generated always as identity;
    end if;
    if not exists (select from pg_indexes where schemaname = 'sandbox' and indexname = 'charges_of_intent') then
      create index charges_of_intent on sandbox.charges (intent_id);
    end if;
  end $$;
`

/** The comment of a schema that has these tables: to ask for each of them takes longer than all else that opens a ledger. */
const tablesVersion = createHash('sha256').update(TABLES).digest('hex')

/** Connections to this database for a ledger, which ends them. */
export function openLedgerPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 5000, application_name: 'card-sandbox' })
  // A broken connection is replaced at the next query. Without an error listener it would crash the process. The pool does not listen to
  // connections in use, so each gets its own listener when it is created, before it can be checked out.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Opens the ledger and creates missing schema, tables and keys. Safe for concurrent calls of several processes. */
export async function openLedger(pool: pg.Pool): Promise<SandboxKeys> {
  try {
    const keys = await transaction(pool, async (tx) => {
      // `if not exists` alone still fails when two processes create the same object concurrently.
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('card sandbox: tables', 0))`)
      const { rows: found } = await tx.query<{ version: string | null }>(
        `select obj_description(to_regnamespace('sandbox'), 'pg_namespace') as version`,
      )
      if (found[0]?.version !== tablesVersion) await tx.query(`${TABLES} comment on schema sandbox is '${tablesVersion}'`)
      await tx.query(`delete from sandbox.idempotency where created_at < now() - interval '24 hours'`)
      await tx.query('insert into sandbox.keys (secret_key, publishable_key, webhook_secret) values ($1, $2, $3) on conflict do nothing', [
        `sk_test_sandbox${randomString(32)}`,
        `pk_test_sandbox${randomString(32)}`,
        `whsec_${randomString(32)}`,
      ])
      const { rows } = await tx.query<SandboxKeys>(
        'select secret_key as "secretKey", publishable_key as "publishableKey", webhook_secret as "webhookSecret" from sandbox.keys',
      )
      return rows[0]
    })
    if (!keys) throw new Error('The card sandbox has lost its keys')
    return keys
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** Runs `work` in a transaction. */
export async function transaction<Result>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    const isRolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!isRolledBack)
    throw error
  }
}
