import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from './test-database.ts'

const insertUser = `insert into users (id, name, email, role) values ('ada', 'Ada', 'ada@shop.example', 'customer')`

test('a test finds its database empty and counts from the first number, whatever the one before has left in it', async () => {
  const before = await openTestDatabase()
  await before.pool.query("select nextval('orders_number_seq')")
  await before.pool.query(insertUser)
  await before[Symbol.asyncDispose]()

  await using after = await openTestDatabase()
  assert.equal(after.connectionString, before.connectionString)
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
