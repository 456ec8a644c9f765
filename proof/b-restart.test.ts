import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { createInitializedDataDir } from '#test/initialized-data-dir.ts'
import { findFreePort, startStoreProcess } from '#test/store-process.ts'
import { isFullRun, sampleSize } from './full-run.ts'
import {
  assertServiceUnavailable,
  embeddedPostgresControl,
  type Product,
  startRunningStore,
  type TimedResponse,
  waitUntil,
} from './running-store.ts'

/** One data folder for all rows, and the store that runs on it. B7, which stops it, comes last. */
const folder = await createInitializedDataDir()
let store = await startRunningStore({ DATA_DIR: folder.dataDir })
after(async () => {
  using _ = folder
  await store.stop()
})

/** A visitor of a sample takes a breath: twelve who do not keep a processor busy for as long as the test lasts. */
const takeBreath = () => (isFullRun ? undefined : pause(50))

test('B4 a second store on the same folder is refused in one line, and the first goes on', async (t) => {
  const tookMs: number[] = []
  const startSecond = async () => {
    const since = performance.now()
    const second = startStoreProcess({ DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}` })
    assert.equal(await second.exited, 1)
    tookMs.push(performance.now() - since)
    assert.equal(
      second.output(),
      `Another store is running on ${folder.dataDir} (process ${store.child.pid}): stop it first, or set another DATA_DIR\n`,
    )
  }
  for (let nth = 0; nth < sampleSize(0, 20); nth++) await startSecond()
  // Several at once: none of them gets in between.
  await Promise.all(Array.from({ length: sampleSize(2, 3) }, startSecond))
  assert.equal((await store.placePurchase()).status, 201)
  const seconds = (ms: number) => (ms / 1000).toFixed(2)
  t.diagnostic(
    `${tookMs.length} times, refused after ${seconds(Math.min(...tookMs))} to ${seconds(Math.max(...tookMs))} s, start of the process included`,
  )
})

/** Visitors who ask one thing after the other until they are told to stop, and what they were answered. */
function visitors(many: number) {
  let leaving = false
  let broken: unknown
  const told: TimedResponse[] = []
  const cheap = store.products.slice(0, 20)
  const asks = [
    () => store.request('GET', '/api/tools'),
    () => store.request('GET', '/api/reviews'),
    () => store.request('GET', store.uncachedPage()),
    () => store.placePurchase(cheap[Math.floor(Math.random() * cheap.length)]),
    () => store.request('GET', `/api/purchase?buyerEmail=${store.email}`, { bearer: store.customer }),
    () => store.request('GET', '/readyz'),
    () => store.request('GET', `/api/admin/${store.email}`, { bearer: `${store.customer}x` }),
  ]
  const round = async (nth: number) => {
    for (let turn = nth; !leaving; turn++) {
      const answer = await asks[turn % asks.length]?.().catch((error) => {
        broken ??= error
      })
      if (answer) told.push(answer)
      await takeBreath()
    }
  }
  const done = Promise.all(Array.from({ length: many }, (_, nth) => round(nth)))
  return {
    async leave() {
      leaving = true
      await done
      if (broken) throw broken
      return told
    },
  }
}

test('B5 the embedded database is restarted or killed under load: 503 meanwhile, soon back, the store stays up', async (t) => {
  const load = visitors(12)
  const backMs: number[] = []
  const times = sampleSize(1, 10)
  for (let nth = 0; nth < times; nth++) {
    const before = embeddedPostgresControl(folder.dataDir)
    const since = performance.now()
    // Killed first: the store has to notice, so it is away for longer than a restart that nobody may come in the middle of.
    if (nth % 2) await before.control('restart', '-m', 'immediate', '-s')
    else process.kill(before.pid, 'SIGKILL')
    await waitUntil('another PostgreSQL, and the store on it', async () => {
      const [ready, ordered] = await Promise.all([store.request('GET', '/readyz'), store.placePurchase()])
      return ready.status === 200 && ordered.status !== 503 && isAnother(folder.dataDir, before.pid)
    })
    backMs.push(performance.now() - since)
    assert.equal(store.child.exitCode, null, store.output())
  }
  const told = await load.leave()
  const refused = told.filter(({ status }) => status >= 500)
  assert.ok(refused.length > 0, 'somebody came while the database was away')
  for (const answer of refused) assertServiceUnavailable(answer)
  for (const { status, path, body } of told)
    assert.ok([200, 201, 401, 409, 503].includes(status), `${path}: ${status} ${body.slice(0, 200)}`)
  const slowest = Math.max(...told.map(({ afterMs }) => afterMs))
  t.diagnostic(
    `${times} times: back after ${(Math.max(...backMs) / 1000).toFixed(1)} s at most; ${told.length} answers, ${refused.length} of them 503, the slowest after ${(slowest / 1000).toFixed(1)} s`,
  )

  // The folder is locked again: a second store is refused as before.
  const second = await startRunningStore({ DATA_DIR: folder.dataDir }).catch((error: Error) => error.message)
  assert.match(String(second), /Another store is running on/)
  assert.equal(store.child.exitCode, null, store.output())
})

function isAnother(dataDir: string, pid: number): boolean {
  try {
    return embeddedPostgresControl(dataDir).pid !== pid
  } catch {
    return false // between two of them
  }
}

test('B5 while its database is gone for long the store says so and stays up, and it comes back with it', async (t) => {
  const { data, pid } = embeddedPostgresControl(folder.dataDir)
  fs.renameSync(data, `${data}.away`)
  process.kill(pid, 'SIGKILL')
  assertServiceUnavailable(
    await waitUntil('not ready', () => store.request('GET', '/readyz').then((answer) => answer.status !== 200 && answer)),
  )
  const answers = await Promise.all([
    store.request('GET', '/api/reviews?not=kept'),
    store.request('GET', store.uncachedPage()),
    store.placePurchase(),
    store.request('POST', '/api/auth/sign-in/email', { body: { email: store.email, password: 'correct horse battery' } }),
    store.request('GET', `/api/purchase?buyerEmail=${store.email}`, { bearer: store.customer }),
  ])
  for (const answer of answers) assertServiceUnavailable(answer)
  assert.match(answers[1]?.body ?? '', /The store&#x27;s database does not answer at the moment/)
  assert.equal((await store.request('GET', '/healthz')).status, 200)

  fs.renameSync(`${data}.away`, data)
  const since = performance.now()
  await waitUntil('an order', () => store.placePurchase().then(({ status }) => status === 201))
  t.diagnostic(`back ${((performance.now() - since) / 1000).toFixed(1)} s after it can be started again`)
  assert.equal(store.child.exitCode, null, store.output())
})

/** The state of a cluster in its control file: 1 is "shut down", 6 "in production" (DBState in PostgreSQL's pg_control.h). */
const stateOf = (data: string) => fs.readFileSync(path.join(data, 'global/pg_control')).readInt32LE(16)

test('B7 SIGTERM under load: what is under way is finished, exit 0, and the database was stopped cleanly', async (t) => {
  const rounds = sampleSize(1, 10)
  const [inFlight, endedMs]: [TimedResponse[], number[]] = [[], []]
  let refused = 0
  const acknowledged: string[] = []
  const logOf = () => fs.readFileSync(embeddedPostgresControl(folder.dataDir).log, 'utf8')
  const { length: before } = logOf() // with what was said when the database was killed
  for (let round = 0; round < rounds; round++) {
    if (round > 0) store = await startRunningStore({ DATA_DIR: folder.dataDir })
    const { data, log } = embeddedPostgresControl(folder.dataDir)
    const straight = new pg.Client({ connectionString: embeddedConnectionString(folder.dataDir) })
    straight.on('error', () => {}) // it ends with the database
    await straight.connect()
    // Sold out tools refuse in words, so every round orders another one.
    const products: Product[] = JSON.parse((await store.request('GET', '/api/tools')).body)
    const tool = products.filter(({ available_quantity: left, minimum_order_quantity: least }) => left >= 40 * least)[round]

    let leaving = false
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        for (;;) {
          try {
            const answer = await (nth % 2 ? store.request('GET', store.uncachedPage()) : store.request('GET', '/readyz'))
            if (answer.status !== 200) {
              assertServiceUnavailable(answer)
              refused++
            }
            await takeBreath()
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

  store = await startRunningStore({ DATA_DIR: folder.dataDir })
  const straight = new pg.Client({ connectionString: embeddedConnectionString(folder.dataDir) })
  await straight.connect()
  const { rows } = await straight.query<{ _id: string }>('select id as _id from orders')
  await straight.end()
  const log = logOf().slice(before)
  assert.equal(await store.stop(), 0)
  const kept = new Set(rows.map(({ _id }) => _id))
  assert.deepEqual(
    acknowledged.filter((id) => !kept.has(id)),
    [],
    'every acknowledged order is there',
  )
  assert.doesNotMatch(log, /not properly shut down|was interrupted/)
  t.diagnostic(
    `${rounds} times: ${inFlight.filter(({ status }) => status < 300).length} of ${inFlight.length} under way were finished, ${refused} latecomers told to come again; ended after ${(Math.max(...endedMs) / 1000).toFixed(1)} s at most`,
  )
})
