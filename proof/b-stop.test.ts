import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { createInitializedDataDir } from '#test/initialized-data-dir.ts'
import { sampleSize } from './full-run.ts'
import { assertServiceUnavailable, embeddedPostgresControl, startRunningStore, type TimedResponse, waitUntil } from './running-store.ts'

/** The state of a cluster in its control file: 1 is "shut down", 6 "in production" (DBState in PostgreSQL's pg_control.h). */
const stateOf = (data: string) => fs.readFileSync(path.join(data, 'global/pg_control')).readInt32LE(16)

test('B7 SIGTERM under load: what is under way is finished, exit 0, and the database was stopped cleanly', async (t) => {
  const rounds = sampleSize(1, 10)
  const [inFlight, endedMs]: [TimedResponse[], number[]] = [[], []]
  let refused = 0
  using folder = await createInitializedDataDir()
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    await using store = await startRunningStore({ DATA_DIR: folder.dataDir })
    const { data, log } = embeddedPostgresControl(folder.dataDir)
    const straight = new pg.Client({ connectionString: embeddedConnectionString(folder.dataDir) })
    straight.on('error', () => {}) // it ends with the database
    await straight.connect()
    // Sold out tools refuse in words, so every round orders another one.
    const tool = store.products.filter(({ available_quantity: left, minimum_order_quantity: least }) => left >= 40 * least)[round]

    let leaving = false
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        for (;;) {
          try {
            const answer = await (nth % 2 ? store.request('GET', store.uncachedPage()) : store.request('GET', '/readyz'))
            if (answer.status === 200) continue
            assertServiceUnavailable(answer)
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
        const answer = await store.placePurchase(tool)
        if (leaving) return answer // it was under way when the store was told to stop
        assertServiceUnavailable(answer) // it waited for too long
      }
    })
    await waitUntil('all are under way', async () => {
      await straight.query('select pg_stat_clear_snapshot()')
      // The store's own jobs wait for the table as well.
      const { rows } = await straight.query<{ waiting: number }>(
        "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ '^\\s*with buyer as'",
      )
      return rows[0]?.waiting === coming.length
    })
    leaving = true
    const since = performance.now()
    store.child.kill('SIGTERM')
    await waitUntil('nobody is let in', () =>
      store.request('GET', '/healthz').then(
        ({ status }) => status === 503,
        () => true,
      ),
    )
    await straight.query('rollback').finally(() => straight.end())
    for (const answer of await Promise.all(coming)) {
      if (answer.status === 201) acknowledged.push(JSON.parse(answer.body)._id)
      else assertServiceUnavailable(answer)
      inFlight.push(answer)
    }
    await load
    assert.equal(await store.exited, 0, store.output())
    endedMs.push(performance.now() - since)
    assert.equal(stateOf(data), 1, fs.readFileSync(log, 'utf8').slice(-2000))
    assert.doesNotMatch(store.output(), /Unhandled|\n {4}at /)
  }
  assert.ok(acknowledged.length > 0)

  await using store = await startRunningStore({ DATA_DIR: folder.dataDir })
  const straight = new pg.Client({ connectionString: embeddedConnectionString(folder.dataDir) })
  await straight.connect()
  const { rows } = await straight.query<{ _id: string }>('select id as _id from orders')
  await straight.end()
  const { log } = embeddedPostgresControl(folder.dataDir)
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
