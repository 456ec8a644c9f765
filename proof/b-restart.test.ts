import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { anOpenedDataFolder } from '#test/opened-store.ts'
import { aRunningStore, assertToldToWait, embeddedPostgres, type RunningStore, type Told, until } from './running-store.ts'
import { howMany } from './size.ts'

/** Visitors who ask one thing after the other until they are told to stop, and what they were answered. */
function visitors(store: RunningStore, many: number) {
  let leaving = false
  let broken: unknown
  const told: Told[] = []
  const cheap = store.tools.slice(0, 20)
  const asks = [
    () => store.ask('GET', '/api/tools'),
    () => store.ask('GET', '/api/reviews'),
    () => store.ask('GET', `/?signed-out=${crypto.randomUUID()}`), // with another question it is another page, which has to ask the database
    () => store.order(cheap[Math.floor(Math.random() * cheap.length)]),
    () => store.ask('GET', `/api/purchase?buyerEmail=${store.email}`, { bearer: store.customer }),
    () => store.ask('GET', '/readyz'),
    () => store.ask('GET', `/api/admin/${store.email}`, { bearer: `${store.customer}x` }),
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
  using folder = await anOpenedDataFolder()
  const store = await aRunningStore({ DATA_DIR: folder.dataDir })
  try {
    const load = visitors(store, 12)
    const backMs: number[] = []
    const times = howMany(2, 10)
    for (let nth = 0; nth < times; nth++) {
      const before = embeddedPostgres(folder.dataDir)
      const since = performance.now()
      if (nth % 2) process.kill(before.pid, 'SIGKILL')
      else await before.control('restart', '-m', 'immediate', '-s')
      await until('another PostgreSQL, and the store on it', async () => {
        const [ready, ordered] = await Promise.all([store.ask('GET', '/readyz'), store.order()])
        return ready.status === 200 && ordered.status !== 503 && isAnother(folder.dataDir, before.pid)
      })
      backMs.push(performance.now() - since)
      assert.equal(store.child.exitCode, null, store.said())
    }
    const told = await load.leave()
    const refused = told.filter(({ status }) => status >= 500)
    assert.ok(refused.length > 0, 'somebody came while the database was away')
    for (const answer of refused) assertToldToWait(answer)
    for (const { status, path, said } of told)
      assert.ok([200, 201, 401, 409, 503].includes(status), `${path}: ${status} ${said.slice(0, 200)}`)
    const slowest = Math.max(...told.map(({ afterMs }) => afterMs))
    t.diagnostic(
      `${times} times: back after ${(Math.max(...backMs) / 1000).toFixed(1)} s at most; ${told.length} answers, ${refused.length} of them 503, the slowest after ${(slowest / 1000).toFixed(1)} s`,
    )

    // The folder is locked again: a second store is refused as before.
    const second = await aRunningStore({ DATA_DIR: folder.dataDir }).catch((error: Error) => error.message)
    assert.match(String(second), /Another store is running on/)
  } finally {
    assert.equal(await store.stop(), 0, store.said())
  }
})

function isAnother(dataDir: string, pid: number): boolean {
  try {
    return embeddedPostgres(dataDir).pid !== pid
  } catch {
    return false // between two of them
  }
}

test('B5 while its database is gone for long the store says so and stays up, and it comes back with it', async (t) => {
  using folder = await anOpenedDataFolder()
  const store = await aRunningStore({ DATA_DIR: folder.dataDir })
  try {
    const { data, pid } = embeddedPostgres(folder.dataDir)
    fs.renameSync(data, `${data}.away`)
    process.kill(pid, 'SIGKILL')
    assertToldToWait(await until('not ready', () => store.ask('GET', '/readyz').then((answer) => answer.status !== 200 && answer)))
    const answers = await Promise.all([
      store.ask('GET', '/api/reviews?not=kept'),
      store.ask('GET', '/?signed-out=not-kept'),
      store.order(),
      store.ask('POST', '/api/auth/sign-in/email', { body: { email: store.email, password: 'correct horse battery' } }),
      store.ask('GET', `/api/purchase?buyerEmail=${store.email}`, { bearer: store.customer }),
    ])
    for (const answer of answers) assertToldToWait(answer)
    assert.match(answers[1]?.said ?? '', /The store&#x27;s database does not answer at the moment/)
    assert.equal((await store.ask('GET', '/healthz')).status, 200)

    fs.renameSync(`${data}.away`, data)
    const since = performance.now()
    await until('an order', () => store.order().then(({ status }) => status === 201))
    t.diagnostic(`back ${((performance.now() - since) / 1000).toFixed(1)} s after it can be started again`)
  } finally {
    assert.equal(await store.stop(), 0, store.said())
  }
})
