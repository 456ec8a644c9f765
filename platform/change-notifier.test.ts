import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '#test/postgres.ts'
import { openChangeNotifier } from './change-notifier.ts'
import { openDatabase } from './database.ts'

/** Two processes of the store on one database, as far as they tell each other of changes. */
async function twoProcesses() {
  const opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createEmptyDatabase())
  const { pool } = openDatabase(connectionString, (error) => console.error(error))
  opened.defer(() => pool.end())
  const open = async () => {
    const changes = await openChangeNotifier(connectionString, pool)
    opened.defer(() => changes.close())
    return changes
  }
  return { pool, here: await open(), there: await open(), [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Resolves with all that was told, once that topic is among it. */
function heard(changes: Awaited<ReturnType<typeof openChangeNotifier>>, last: string): Promise<string[]> {
  const topics: string[] = []
  return new Promise((resolve) =>
    changes.subscribe((topic) => {
      topics.push(topic)
      if (topic === last) resolve(topics)
    }),
  )
}

test('a change is known in its own process before telling it returns', async () => {
  await using store = await twoProcesses()
  const topics: string[] = []
  store.here.subscribe((topic) => topics.push(`first ${topic}`))
  store.here.subscribe((topic) => topics.push(`second ${topic}`))

  store.here.notify('tools')

  assert.deepEqual(topics, ['first tools', 'second tools'])
})

test('a change reaches the other processes on the same database, and its own process only once', async () => {
  await using store = await twoProcesses()
  const [here, there] = [heard(store.here, 'end'), heard(store.there, 'end')]

  for (const topic of ['tools', 'tools', 'reviews']) store.here.notify(topic)
  await heard(store.there, 'reviews')
  store.there.notify('end')

  assert.deepEqual(await here, ['tools', 'tools', 'reviews', 'end'])
  assert.deepEqual(await there, ['tools', 'reviews', 'end'], 'notices of one turn travel as one')
})

test('a process that could not listen for a while takes everything as changed, and hears again', async () => {
  await using store = await twoProcesses()
  const missed = Promise.all([heard(store.here, '*'), heard(store.there, '*')])

  await store.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
  )
  await missed

  const again = heard(store.there, 'tools')
  store.here.notify('tools')
  assert.deepEqual(await again, ['tools'])
})

test('however many topics change at once, all of them reach the other processes', async () => {
  await using store = await twoProcesses()
  const there = heard(store.there, 'end')
  const topics = Array.from({ length: 300 }, (_, nth) => `product:${crypto.randomUUID()}:${nth}`)
  for (const topic of [...topics, 'end']) store.here.notify(topic)
  assert.deepEqual(await there, [...topics, 'end'])
})
