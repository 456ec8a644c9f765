import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { openDatabase } from '#platform/database.ts'
import { createEmptyDatabase } from './postgres.ts'
import { type CommitPhase, openPostgresProxy, summarizeCommit } from './postgres-proxy.ts'

const kept = pgTable('kept', { name: text().primaryKey(), count: integer().notNull() })

/** A proxy before a database with one table, a pool that goes through it, and one that goes straight there. */
async function aProxiedDatabase() {
  const opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createEmptyDatabase())
  const direct = openDatabase(connectionString, () => {})
  opened.defer(() => direct.pool.end())
  await direct.db.execute(sql`create table kept (name text primary key, count integer not null)`)
  const proxy = opened.use(await openPostgresProxy(connectionString))
  const { db, pool } = openDatabase(proxy.connectionString, () => {})
  pool.on('connect', (client) => client.on('error', () => {})) // the pool listens to idle ones only
  opened.defer(() => pool.end())
  const names = async () => (await direct.db.select().from(kept).orderBy(kept.name)).map(({ name, count }) => `${name} ${count}`)
  return { proxy, db, pool, names, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const add = (name: string) => ({ name, count: 0 })

test('the proxy counts what commits, explicit and implicit, simple and prepared, and nothing that only reads', async () => {
  await using house = await aProxiedDatabase()
  const { proxy, db, pool } = house
  const insert = db
    .insert(kept)
    .values({ name: sql.placeholder('name'), count: 0 })
    .prepare('insert_kept')

  await db.insert(kept).values(add('one'))
  await db.transaction(async (tx) => {
    await tx.insert(kept).values(add('two'))
    await tx.update(kept).set({ count: 2 }).where(eq(kept.name, 'two'))
  })
  await insert.execute({ name: 'three' })
  await insert.execute({ name: 'four' })
  await pool.query(`with moved as (delete from kept where name = 'four' returning *) insert into kept select 'five', count from moved`)
  await pool.query(`begin; insert into kept values ('six', 0); commit; select 1`)
  const client = await pool.connect()
  await client.query({ name: 'open', text: 'begin' })
  await client.query({ name: 'change', text: 'update kept set count = count + $1', values: [1] })
  await client.query({ name: 'close', text: 'commit' })
  client.release()
  const committed = proxy.commits.map(summarizeCommit)

  await db.select().from(kept).for('update')
  await pool.query(`select 'insert into kept'; -- update kept`)
  await pool.query(`with held as (select name from kept for update skip locked) select "name" as "update" from held`)
  await db.transaction((tx) => tx.select().from(kept))
  await assert.rejects(db.transaction(async (tx) => tx.insert(kept).values([add('seven'), add('one')])))
  await db
    .transaction(async (tx) => {
      await tx.insert(kept).values(add('seven'))
      tx.rollback()
    })
    .catch(() => {})

  assert.deepEqual(committed, [
    'insert kept',
    'insert kept, update kept',
    'insert kept',
    'insert kept',
    'delete kept, insert kept',
    'insert kept',
    'update kept',
  ])
  assert.equal(proxy.commits.length, committed.length, proxy.commits.slice(committed.length).map(summarizeCommit).join('; '))
  assert.deepEqual(await house.names(), ['five 1', 'one 1', 'six 1', 'three 1', 'two 3'])
})

/** A moment, whether the client hears of its commit then, and whether it lasts. */
const moments: [CommitPhase, boolean, boolean][] = [
  ['before', false, false],
  ['unanswered', false, true],
  ['after', true, true],
]
for (const [moment, isTold, isThere] of moments)
  for (const way of ['a transaction', 'a statement'])
    test(`${way} broken off at its commit (${moment}) is ${isThere ? '' : 'not '}there and its client is ${isTold ? '' : 'not '}told`, async () => {
      await using house = await aProxiedDatabase()
      const write = (name: string) =>
        way === 'a statement'
          ? house.db.insert(kept).values(add(name))
          : house.db.transaction(async (tx) => {
              await tx.select().from(kept).for('update')
              await tx.insert(kept).values(add(name))
            })
      const seen: string[] = []
      house.proxy.resetCommits()
      house.proxy.interceptCommit(2, moment, async (commit) => {
        seen.push(`${commit.nth} ${summarizeCommit(commit)}`, ...(await house.names()))
      })

      await write('one')
      const told = await write('two').then(
        () => true,
        () => false,
      )
      await write('three')

      assert.equal(told, isTold)
      assert.deepEqual(seen, ['2 insert kept', 'one 0', ...(isThere ? ['two 0'] : [])])
      assert.deepEqual(await house.names(), ['one 0', 'three 0', ...(isThere ? ['two 0'] : [])])
    })

test('every connection can be cut at once, and new ones be refused until they are wanted again', async () => {
  await using house = await aProxiedDatabase()
  const client = new pg.Client({ connectionString: house.proxy.connectionString })
  client.on('error', () => {})
  await client.connect()
  const asked = client.query('select pg_sleep(60)')

  house.proxy.refuseConnections = true
  house.proxy.resetConnections()
  await assert.rejects(asked)
  await assert.rejects(house.db.select().from(kept))

  house.proxy.refuseConnections = false
  assert.deepEqual(await house.db.select().from(kept), [])
})

test('an answer can be delayed, and the order stays', async () => {
  await using house = await aProxiedDatabase()
  await house.db.insert(kept).values(['one', 'two', 'three'].map(add))
  house.proxy.delayMs = 300
  const from = performance.now()
  const slow = house.db.select().from(kept)
  await house.pool.query('select 1').then(() => assert.ok(performance.now() - from >= 299))
  house.proxy.delayMs = 0
  assert.equal((await slow).length, 3)
})

test('a query is cancelled through the proxy, and who asks for TLS hears that there is none', async () => {
  await using house = await aProxiedDatabase()
  const { connectionString } = house.proxy
  const client = new pg.Client({ connectionString })
  const key = new Promise<{ processID: number; secretKey: number }>((resolve) => client.connection.on('backendKeyData', resolve))
  await client.connect()
  const asked = client.query('select pg_sleep(60)')

  const cancel = Buffer.alloc(16)
  for (const [nth, value] of [16, 80877102, (await key).processID, (await key).secretKey].entries()) cancel.writeInt32BE(value, nth * 4)
  // A cancellation that comes before its query finds nothing to cancel; the server may close its connection before it has read all.
  const cancelling = setInterval(() => {
    net
      .connect(Number(new URL(connectionString).port), '127.0.0.1')
      .on('error', () => {})
      .end(cancel)
  }, 50)
  await assert.rejects(asked, /canceling statement due to user request/)
  clearInterval(cancelling)
  await client.end()

  const wantsTls = new pg.Client({ connectionString, ssl: true })
  await assert.rejects(wantsTls.connect(), /does not support SSL/)
})
