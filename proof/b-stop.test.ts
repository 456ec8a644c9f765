import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { embeddedConnection } from '#platform/embedded-postgres.ts'
import { anOpenedDataFolder } from '#test/opened-store.ts'
import { aRunningStore, assertToldToWait, embeddedPostgres, type Told, until } from './running-store.ts'
import { howMany } from './size.ts'

/** The state of a cluster in its control file: 1 is "shut down", 6 "in production" (DBState in PostgreSQL's pg_control.h). */
const stateOf = (data: string) => fs.readFileSync(path.join(data, 'global/pg_control')).readInt32LE(16)

test('B7 SIGTERM under load: what is under way is finished, exit 0, and the database was stopped cleanly', async (t) => {
  const rounds = howMany(1, 10)
  const [inFlight, endedMs]: [Told[], number[]] = [[], []]
  let refused = 0
  using folder = await anOpenedDataFolder()
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    await using store = await aRunningStore({ DATA_DIR: folder.dataDir })
    const { data, log } = embeddedPostgres(folder.dataDir)
    const straight = new pg.Client({ connectionString: embeddedConnection(folder.dataDir) })
    straight.on('error', () => {}) // it ends with the database
    await straight.connect()
    // Sold out tools refuse in words, so every round orders another one.
    const tool = store.tools.filter(({ available_quantity: left, minimum_order_quantity: least }) => left >= 40 * least)[round]

    let leaving = false
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        for (;;) {
          try {
            const answer = await (nth % 2 ? store.ask('GET', '/?signed-out=not-kept') : store.ask('GET', '/readyz'))
            if (answer.status === 200) continue
            assertToldToWait(answer)
            refused++
          } catch (error) {
            if (!leaving || !(error instanceof TypeError)) throw error
            return // nobody listens any more
          }
        }
      }),
    )
    await straight.query('begin; lock table orders in access exclusive mode')
    const coming = Array.from({ length: 6 }, async () => {
      for (;;) {
        const answer = await store.order(tool)
        if (leaving) return answer // it was under way when the store was told to stop
        assertToldToWait(answer) // it waited for too long
      }
    })
    await until('all are under way', async () => {
      await straight.query('select pg_stat_clear_snapshot()')
      // The store's own jobs wait for the table as well.
      const { rows } = await straight.query<{ waiting: number }>(
        "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'insert into orders'",
      )
      return rows[0]?.waiting === coming.length
    })
    leaving = true
    const since = performance.now()
    store.child.kill('SIGTERM')
    await until('nobody is let in', () =>
      store.ask('GET', '/healthz').then(
        ({ status }) => status === 503,
        () => true,
      ),
    )
    await straight.query('rollback').finally(() => straight.end())
    for (const answer of await Promise.all(coming)) {
      if (answer.status === 201) acknowledged.push(JSON.parse(answer.said)._id)
      else assertToldToWait(answer)
      inFlight.push(answer)
    }
    await load
    assert.equal(await store.ended, 0, store.said())
    endedMs.push(performance.now() - since)
    assert.equal(stateOf(data), 1, fs.readFileSync(log, 'utf8').slice(-2000))
    assert.doesNotMatch(store.said(), /Unhandled|\n {4}at /)
  }
  assert.ok(acknowledged.length > 0)

  await using store = await aRunningStore({ DATA_DIR: folder.dataDir })
  const straight = new pg.Client({ connectionString: embeddedConnection(folder.dataDir) })
  await straight.connect()
  const { rows } = await straight.query<{ _id: string }>('select id as _id from orders')
  await straight.end()
  const { log } = embeddedPostgres(folder.dataDir)
  assert.equal(await store.stop(), 0)
  const kept = new Set(rows.map(({ _id }) => _id))
  assert.deepEqual(
    acknowledged.filter((id) => !kept.has(id)),
    [],
    'every acknowledged order is there',
  )
  assert.doesNotMatch(fs.readFileSync(log, 'utf8'), /not properly shut down|was interrupted/)
  t.diagnostic(
    `${rounds} times: ${inFlight.filter(({ status }) => status < 300).length} of ${inFlight.length} under way were finished, ${refused} latecomers told to come again; ended after ${(Math.max(...endedMs) / 1000).toFixed(1)} s at most`,
  )
})
