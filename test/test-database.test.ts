import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from './test-database.ts'

const insertUser = `insert into users (id, name, email, role) values ('ada', 'Ada', 'ada@shop.example', 'customer')`

/** Emptying goes past triggers, which is for superusers: others have a new database for each test. */
const isSuperuser = async ({ pool }: Awaited<ReturnType<typeof openTestDatabase>>) =>
  (await pool.query("select current_setting('is_superuser') = 'on' as so")).rows[0].so

test('a test finds its database empty and counts from the first number, whatever the one before has left in it', async () => {
  const before = await openTestDatabase()
  await before.pool.query("select nextval('orders_number_seq')")
  await before.pool.query(insertUser)
  const { pool } = before
  await before[Symbol.asyncDispose]()
  assert.throws(() => pool.query(insertUser), TypeError, 'who still has its pool cannot write into it any more')

  await using after = await openTestDatabase()
  if (await isSuperuser(after)) assert.equal(after.connectionString, before.connectionString)
  assert.notEqual(after.db, before.db)
  assert.deepEqual((await after.pool.query('select id from users')).rows, [])
  assert.deepEqual((await after.pool.query("select nextval('orders_number_seq')::int as number")).rows, [{ number: 1001 }])
  assert.ok((await after.pool.query('select from status_steps')).rowCount, 'what the migrations fill is there')
})

test('a database whose tables, triggers or functions a test has changed, or in which it left a transaction, is not used again', async () => {
  for (const change of [
    'alter table orders disable trigger user',
    'alter table tools rename column img to was',
    "alter table tools add constraint no_saws check (name <> 'Saw')",
    'create function one() returns integer language sql as $$ select 1 $$',
    'delete from status_steps',
    'select pg_advisory_lock(1)',
  ]) {
    const before = await openTestDatabase()
    await before.pool.query(change)
    await before[Symbol.asyncDispose]()
    await using after = await openTestDatabase()
    assert.notEqual(after.connectionString, before.connectionString, change)
  }
  for (const others of [0, 1]) {
    const before = await openTestDatabase()
    const clients = [await before.pool.connect(), await before.pool.connect()]
    await clients[0]?.query('begin')
    for (const client of others ? clients : clients.toReversed()) client.release() // the one that is asked next, or not
    await before[Symbol.asyncDispose]()
    await using after = await openTestDatabase()
    assert.notEqual(after.connectionString, before.connectionString)
  }
})

test('migrations fill nothing but what is kept between tests', async () => {
  await using database = await openTestDatabase({ connectsAnew: true })
  const { rows: tables } = await database.pool.query<{ tablename: string }>("select tablename from pg_tables where schemaname = 'public'")
  const filled: string[] = []
  for (const { tablename } of tables) if ((await database.pool.query(`select from "${tablename}" limit 1`)).rowCount) filled.push(tablename)
  assert.deepEqual(filled.sort(), ['kept_values', 'status_steps'])
  const { rows } = await database.pool.query('select name from kept_values')
  assert.deepEqual(rows, [{ name: 'charge settings' }])
})
