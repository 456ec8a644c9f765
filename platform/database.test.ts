import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { anEmptyDatabase } from '#test/postgres.ts'
import { CannotStart } from './cannot-start.ts'
import { migrateDatabase, openDatabase } from './database.ts'

const migrations = path.join(import.meta.dirname, '../migrations')

/** The line with which the store does not start on this database. */
async function refusal(connectionString: string): Promise<string> {
  try {
    await migrateDatabase(connectionString, migrations)
  } catch (error) {
    if (error instanceof CannotStart) return error.message
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
  await using database = await anEmptyDatabase()
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
  await using database = await anEmptyDatabase()
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
