import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { placePurchase } from '#test/order-actions.ts'
import { createEmptyDatabase } from '#test/postgres.ts'
import { openSlowProxy } from '#test/slow-proxy.ts'
import { anEmptyStore } from '#test/store.ts'
import { createDataDir } from '#test/store-process.ts'
import { fullRunOnly, sampleSize } from './full-run.ts'
import { assertServiceUnavailable, type RunningStore, startRunningStore, type TimedResponse, waitUntil } from './running-store.ts'

/** A built store on a database of its own, with a proxy between the two that can be slow. */
async function aStoreBehindAProxy() {
  const opened = new AsyncDisposableStack()
  const database = opened.use(await createEmptyDatabase())
  const proxy = opened.use(await openSlowProxy(database.connectionString))
  const folder = opened.use(createDataDir())
  const store = await startRunningStore({ DATABASE_URL: proxy.connectionString, DATA_DIR: folder.dataDir })
  opened.defer(async () => assert.equal(await store.stop(), 0, store.output()))
  const straight = new pg.Client({ connectionString: database.connectionString })
  await straight.connect()
  opened.defer(() => straight.end())
  return { store, proxy, straight, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const asks = (store: RunningStore) => [
  () => store.request('GET', '/api/reviews'),
  () => store.request('GET', store.uncachedPage()),
  () => store.placePurchase(),
  () => store.request('GET', `/api/purchase?buyerEmail=${store.email}`, { bearer: store.customer }),
  () => store.request('POST', '/api/auth/sign-in/email', { body: { email: store.email, password: 'correct horse battery' } }),
]
/** Which may take as long as the card provider does. */
const openPayment = (store: RunningStore, orderId: string) =>
  store.request('POST', '/api/create-payment-intent', { bearer: store.customer, body: { orderId, productCost: costOfOne(store) } })
const costOfOne = ({ products: [tool] }: RunningStore) => (tool ? tool.price * tool.minimum_order_quantity : 0)

const inSeconds = (told: TimedResponse[]) => `${(Math.max(...told.map(({ afterMs }) => afterMs)) / 1000).toFixed(1)} s`

/** While the database keeps everybody waiting: alive, not ready, and what both take. */
async function assertAliveAndNotReady({ request }: RunningStore): Promise<string> {
  const [alive, ready] = await Promise.all([request('GET', '/healthz'), request('GET', '/readyz')])
  assert.equal(alive.status, 200)
  assertServiceUnavailable(ready)
  return `/healthz green after ${inSeconds([alive])}, /readyz red after ${inSeconds([ready])}`
}

test('B6 a database that takes 3 s for each answer: everybody is told to come again, and nothing piles up', async (t) => {
  await using it = await aStoreBehindAProxy()
  const { store, proxy } = it
  const { _id }: { _id: string } = JSON.parse((await store.placePurchase()).body)
  proxy.delayMs = 3000
  const waves = sampleSize(1, 5)
  const inEach = sampleSize(60, 600)
  const told: TimedResponse[] = []
  let probes = ''
  for (let wave = 0; wave < waves; wave++) {
    const coming = Array.from({ length: inEach }, (_, nth) => [...asks(store), () => openPayment(store, _id)][nth % 6]?.())
    probes = await assertAliveAndNotReady(store)
    for (const answer of await Promise.all(coming)) if (answer) told.push(answer)
  }
  for (const answer of told) assertServiceUnavailable(answer)
  const connections = proxy.connections

  proxy.delayMs = 0
  const since = performance.now()
  await waitUntil('ready again', () => store.request('GET', '/readyz').then(({ status }) => status === 200))
  const back = `ready again after ${((performance.now() - since) / 1000).toFixed(1)} s`
  assert.equal((await store.placePurchase()).status, 201)

  proxy.delayMs = 1500 // each statement in time, all together not: what comes late is not sent a second time
  const late = (await Promise.all(asks(store).map((ask) => ask()))).filter(({ status }) => status >= 300)
  assert.ok(late.length > 0)
  for (const answer of late) assertServiceUnavailable(answer)
  proxy.delayMs = 0
  await waitUntil('ready again', () => store.request('GET', '/readyz').then(({ status }) => status === 200))
  assert.doesNotMatch(store.output(), /ERR_HTTP_HEADERS_SENT|Unhandled/i)

  t.diagnostic(`${told.length} requests, each 503 after ${inSeconds(told)} at most; ${connections} connections; ${probes}; ${back}`)
})

test(
  'B6 an empty pool: who waits is told in time, who comes when too many wait at once, and nothing of it lasts',
  fullRunOnly,
  async (t) => {
    await using it = await aStoreBehindAProxy()
    const { store, straight } = it
    const ordered = async () => (await straight.query<{ orders: number }>('select count(*)::int as orders from orders')).rows[0]?.orders
    await straight.query('begin; lock table tools in access exclusive mode')
    const many = sampleSize(650, 900) // a network can have 1,000 unfinished requests
    let over = false
    const probing = (async () => {
      const [alive, ready]: [TimedResponse[], TimedResponse[]] = [[], []]
      while (!over) {
        alive.push(await store.request('GET', '/healthz'))
        ready.push(await store.request('GET', '/readyz'))
      }
      return { alive, ready }
    })()
    const coming = Array.from({ length: many }, () => store.placePurchase())
    const first = await Promise.race(coming)
    const told = await Promise.all(coming)
    over = true
    for (const answer of told) assertServiceUnavailable(answer)
    const { alive, ready } = await probing
    assert.ok(alive.every(({ status }) => status === 200))
    const notReady = ready.filter(({ status }) => status !== 200) // seldom any: placing has few places at the database, and leaves it to others
    for (const answer of notReady) assertServiceUnavailable(answer)
    await straight.query('rollback')
    const since = performance.now()
    await waitUntil('an order', () => store.placePurchase(store.products[1]).then(({ status }) => status === 201))
    const back = `${((performance.now() - since) / 1000).toFixed(1)} s`
    assert.equal((await store.request('GET', '/readyz')).status, 200)

    await straight.query('begin; lock table tools in access exclusive mode')
    const leaving = await Promise.allSettled(Array.from({ length: 100 }, () => store.placePurchase(undefined, { withinMs: 500 })))
    assert.ok(leaving.every(({ status }) => status === 'rejected'))
    await straight.query('rollback')
    const next = await waitUntil('an order', () => store.placePurchase(store.products[2]).then((answer) => answer.status === 201 && answer))
    await waitUntil('nothing under way', async () => {
      const { rows } = await straight.query<{ busy: boolean }>(
        "select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle') as busy",
      )
      return rows[0]?.busy === false
    })
    // Work that has begun goes on after the refusal, which says so: one order for each of the 20 connections, both times.
    const afterwards = ((await ordered()) ?? 0) - 2
    assert.ok(afterwards <= 40, `${afterwards} of the refused were placed all the same`)
    t.diagnostic(
      `${many} orders at once: the first refused after ${inSeconds([first])}, the last after ${inSeconds(told)}; /healthz green, /readyz red ${notReady.length} of ${ready.length} times; ordering again after ${back}, and after ${inSeconds([next])} when 100 have left; ${afterwards} of the refused were placed all the same`,
    )
  },
)

test('B6 an empty pool: of 650 who come at once those for whom the queue is full are refused at once, and the others are answered', async (t) => {
  await using store = await anEmptyStore()
  const { _id } = await placePurchase(store)
  const { coming } = await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table orders in access exclusive mode`)
    const coming = Array.from({ length: 650 }, () => store.customer.request('GET', `/purchase/${_id}`))
    await Promise.race(coming)
    return { coming }
  })
  const answers = await Promise.all(coming)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  assert.ok(refused.length > 0 && refused.length < 325, `${refused.length} refused`)
  for (const { statusCode, headers, body } of refused) {
    assert.equal(statusCode, 503, body)
    assert.match(`${headers['retry-after']}`, /^[1-9]$/)
    assert.match(body, /"code":"overloaded"/)
  }
  assert.equal((await store.customer.request('GET', `/purchase/${_id}`)).statusCode, 200)
  t.diagnostic(`${refused.length} refused at once, ${answers.length - refused.length} answered once there were connections`)
})
