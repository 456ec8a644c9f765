import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { createEmptyDatabase } from '#test/postgres.ts'
import { openSlowProxy } from '#test/slow-proxy.ts'
import { migrateDatabase, openDatabase } from './database.ts'
import { StartupError } from './startup-error.ts'

const migrations = path.join(import.meta.dirname, '../migrations')

/** The line with which the store does not start on this database. */
async function refusal(connectionString: string): Promise<string> {
  try {
    await migrateDatabase(connectionString, migrations)
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
  return 'it started'
}

test('a database that is not there is one line that names it and not its password', async () => {
  for (const [address, where] of [
    ['postgres://owner:top-secret@127.0.0.1:1/shop', 'The database shop at 127.0.0.1:1 cannot be reached: '],
    ['postgres://owner:top-secret@localhost:1/shop', 'The database shop at localhost:1 cannot be reached: '],
    ['postgres://owner:top-secret@nowhere.invalid:5432/shop', 'The database shop at nowhere.invalid:5432 cannot be reached: '],
  ] as const) {
    const line = await refusal(address)
    assert.ok(line.startsWith(where), line)
    assert.ok(line.length > where.length, 'the reason is said')
    assert.doesNotMatch(line, /\n|top-secret/)
  }
})

test('a database that refuses the sign-in or does not exist is one line with the reason', async () => {
  await using database = await createEmptyDatabase()
  for (const [part, value, reason] of [
    ['username', 'stranger', /password authentication failed|role "stranger" does not exist/],
    ['pathname', '/elsewhere', /database "elsewhere" does not exist/],
  ] as const) {
    const address = new URL(database.connectionString)
    address[part] = value
    const line = await refusal(address.href)
    assert.match(line, reason)
    assert.doesNotMatch(line, /\n/)
  }
})

test('a database may be brought to the newest migration again and by many at once', async () => {
  await using database = await createEmptyDatabase()
  const { pool } = openDatabase(database.connectionString, (error) => console.error(error))
  const tables = async () => {
    const { rows } = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    )
    return rows.map(({ name }) => name)
  }
  const complete = await tables()
  await pool.query('drop schema if exists drizzle cascade; drop schema public cascade; create schema public')
  assert.deepEqual(await tables(), [])

  await Promise.all(Array.from({ length: 5 }, () => migrateDatabase(database.connectionString, migrations)))
  await migrateDatabase(database.connectionString, migrations)

  assert.deepEqual(await tables(), complete)
  assert.ok(complete.includes('orders'))
  await pool.end()
})

/** A pool of two connections to a database of its own, by way of a proxy. */
async function aSmallPool(statementMs = 2500) {
  const opened = new AsyncDisposableStack()
  const database = opened.use(await createEmptyDatabase())
  const proxy = opened.use(await openSlowProxy(database.connectionString))
  const { db, pool } = openDatabase(proxy.connectionString, () => {}, { maxConnections: 2, statementTimeoutMs: statementMs })
  opened.defer(() => void pool.end()) // a pool that lost a connection never ends
  return { db, pool, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('a connection that ends in the middle of a transaction, even at its very beginning, is not lost to the pool', async () => {
  await using it = await aSmallPool()
  for (let time = 0; time < 5; time++) {
    await it.db.execute(sql`select 1`)
    it.proxy.delayMs = 1e6
    const broken = it.db.transaction(async () => assert.fail('nothing was begun'))
    it.proxy.resetConnections()
    await assert.rejects(broken)
    it.proxy.delayMs = 0
  }
  await it.db.transaction((tx) => tx.execute(sql`select 1`))
})

test('a statement that is never answered ends, and its connection with it: nobody waits behind it', async () => {
  await using it = await aSmallPool(100)
  const transactions = (work: () => Promise<unknown>) => Promise.allSettled([it.db.transaction(work), it.db.transaction(work)])
  await transactions(async () => {})
  assert.equal(it.pool.idleCount, 2)
  it.proxy.delayMs = 1e6
  const unanswered = await transactions(async () => assert.fail('nothing was begun'))
  assert.deepEqual(
    unanswered.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  it.proxy.delayMs = 0
  await it.db.transaction((tx) => tx.execute(sql`select 1`))
})

test('a statement that takes too long is broken off in the database, and its connection is used on', async () => {
  await using it = await aSmallPool(100)
  const backend = async () => (await it.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const before = await backend()
  await assert.rejects(
    it.db.transaction((tx) => tx.execute(sql`select pg_sleep(60)`)),
    ({ cause }: Error) => cause instanceof pg.DatabaseError && cause.code === '57014',
  )
  assert.equal(await backend(), before)
})

test('an import may take its time', async () => {
  await using it = await aSmallPool(0)
  const { rows } = await it.pool.query<{ limit: string }>("select current_setting('statement_timeout') as limit")
  assert.equal(rows[0]?.limit, '0')
})

test('who finds too many waiting for a connection is refused at once, and who waits gets one in the end', async () => {
  await using it = await aSmallPool()
  const held = await Promise.all([it.pool.connect(), it.pool.connect()])
  const waiting = Array.from({ length: 500 }, () => it.pool.connect().then((client) => client.release()))
  await assert.rejects(it.pool.connect(), { message: 'No connection to the database came free' })
  assert.equal(it.pool.waitingCount, 500)
  for (const client of held) client.release()
  await Promise.all(waiting)
})
