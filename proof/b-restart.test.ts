import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { createInitializedDataDir } from '#test/initialized-data-dir.ts'
import { sampleSize } from './full-run.ts'
import {
  assertServiceUnavailable,
  embeddedPostgresControl,
  type RunningStore,
  startRunningStore,
  type TimedResponse,
  waitUntil,
} from './running-store.ts'

/** Visitors who ask one thing after the other until they are told to stop, and what they were answered. */
function visitors(store: RunningStore, many: number) {
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
  using folder = await createInitializedDataDir()
  const store = await startRunningStore({ DATA_DIR: folder.dataDir })
  try {
    const load = visitors(store, 12)
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
  } finally {
    assert.equal(await store.stop(), 0, store.output())
  }
})

function isAnother(dataDir: string, pid: number): boolean {
  try {
    return embeddedPostgresControl(dataDir).pid !== pid
  } catch {
    return false // between two of them
  }
}

test('B5 while its database is gone for long the store says so and stays up, and it comes back with it', async (t) => {
  using folder = await createInitializedDataDir()
  const store = await startRunningStore({ DATA_DIR: folder.dataDir })
  try {
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
  } finally {
    assert.equal(await store.stop(), 0, store.output())
  }
})
