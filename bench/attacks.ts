import pg from 'pg'
import * as z from 'zod'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { createDataDir, findFreePort } from '#test/store-process.ts'
import { readCatalogue } from '../proof/catalogue.ts'
import { startFlood } from '../proof/flood.ts'
import { startBackgroundLoad } from './background-load.ts'
import { signInAsAdmin, startBenchmarkStore } from './benchmark-store.ts'
import { importCatalogue } from './import-catalogue.ts'
import { percentile, runSequentially } from './load-generator.ts'
import { printFigure, printHeading, printLimitCheck } from './print.ts'

const products = 500
const priceCents = 1000
const customers = 20
/** How long a flood lasts that nothing else ends. */
const seconds = 5

type Account = { token: string; network: string }
type Bench = { address: string; pool: pg.Pool; productId: string; adminToken: string }

/**
 * What strangers can send, and what it costs the others: each attack beside the same calls without it, in the same run, with the limits of
 * buyers on. That nothing of it breaks a promise is judged in `proof/` (rows H1 to H5).
 */
export async function benchmarkAttacks(): Promise<void> {
  printHeading(`Attacks, ${products} products, limits of buyers on`)
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(createDataDir())
  const settings = { DATA_DIR: dataDir, PORT: `${await findFreePort()}`, TRUST_PROXY: 'on', BUYER_LIMITS: 'on' }
  const store = await startBenchmarkStore(settings)
  opened.defer(async () => void (await store.stop()))
  const { address } = store
  const connectionString = embeddedConnectionString(dataDir)
  await importCatalogue(dataDir, connectionString, readCatalogue(products).rows)
  const pool = new pg.Pool({ connectionString, max: 4 })
  opened.defer(() => pool.end())
  const { rows } = await pool.query<{ id: string }>(
    `update tools set price_cents = $1, minimum_order_quantity = 1, order_multiple = 1, price_breaks = '[]', available_quantity = 1000000
     where removed_at is null returning id`,
    [priceCents],
  )
  const bench = { address, pool, productId: rows[0]?.id ?? '', adminToken: (await signInAsAdmin(address)).token }
  await measureRefusedAddresses(bench)
  await measureWideImport(bench)
  await measureReviews(bench)
  await measureReadsOfOne(bench)
  await measureRandomAddresses(bench)
  await measurePlacingFlood(bench)
}

/** Accounts with verified addresses, who are signed in; `networks` of them share one each. */
async function createAccounts({ pool }: Bench, count: number, networks = count): Promise<Account[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID())
  await pool.query(
    `insert into users (id, name, email, email_verified) select id, 'Ada', id || '@shop.example', true from unnest($1::text[]) as id`,
    [ids],
  )
  await pool.query(
    `insert into sessions (id, token, user_id, expires_at) select id, id, id, now() + interval '18 hours' from unnest($1::text[]) as id`,
    [ids],
  )
  const base = ++accountGroups
  return ids.map((token, nth) => ({ token, network: `10.${base}.${(nth % networks) >> 8}.${(nth % networks) & 255}` }))
}
let accountGroups = 0

const headersOf = ({ token, network }: Account) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
  'x-forwarded-for': network,
})

async function call(url: string, method: string, account: Account, body?: object): Promise<{ status: number; said: string; ms: number }> {
  const from = performance.now()
  const answer = await fetch(url, { method, headers: headersOf(account), ...(body && { body: JSON.stringify(body) }) })
  const said = await answer.text()
  return { status: answer.status, said, ms: performance.now() - from }
}

/** The milliseconds of calls of one after the other, before an attack and during it. @param end of the attack; says what it was answered */
async function beside(
  what: string,
  percent: number,
  most: number,
  measure: () => Promise<number[]>,
  attack: () => { end(): Promise<Record<string, number>> },
) {
  const before = await measure()
  const running = attack()
  await new Promise((begun) => setTimeout(begun, 500))
  const during = await measure()
  const statuses = await running.end()
  const answered = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`)
  printFigure(`${what}: the attack was answered`, answered.join(', '))
  printFigure(`  others without it, p${percent}`, `${percentile(before, percent).toFixed(0).padStart(9)} ms   (${before.length} calls)`)
  printLimitCheck(`  others during it, p${percent}`, Math.round(percentile(during, percent)), { most }, 'ms')
}

/** A list page that is asked for more brands than it may be, beside one that is rendered. */
async function measureRefusedAddresses({ address }: Bench) {
  const many = (nth: number) => Array.from({ length: 1100 }, (_, brand) => `brand=${nth}-${brand}`).join('&')
  const refused = await runSequentially(
    address,
    Array.from({ length: 100 }, (_, nth) => `/allproducts?${many(nth)}`),
    {},
  )
  const rendered = await runSequentially(
    address,
    Array.from({ length: 100 }, (_, nth) => `/allproducts?q=screw+${nth}x`),
    {},
  )
  printFigure('a list page that nobody has asked for, p50', `${rendered.p50.toFixed(1).padStart(9)} ms`)
  printLimitCheck('1,100 values of brand= are refused, p50', refused.p50, { most: 10 }, 'ms')
  printFigure('  answers that were no page', `${refused.failed} of 100, ${refused.kilobytes.toFixed(1)} kB each`)
}

const ImportState = z.object({ _id: z.string(), state: z.string() })

/** A table of 600 columns and 400 rows, which is more than a table may have, beside what others read meanwhile. */
async function measureWideImport({ address, productId, adminToken }: Bench) {
  const columns = ['sku', 'name', 'price', 'minimum_order_quantity', 'available_quantity', 'category']
  const wide = [
    [...columns, ...Array.from({ length: 600 }, (_, nth) => `specs.key_${nth}`)],
    ...Array.from({ length: 400 }, (_, row) => [`W-${row}`, 'Wide', '1', '1', '1', 'cpu', ...Array<string>(600).fill('x')]),
  ]
  const authorization = `Bearer ${adminToken}`
  const from = performance.now()
  const sent = await fetch(`${address}/api/imports`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', authorization },
    body: wide.map((cells) => cells.join(',')).join('\n'),
  })
  const { _id } = ImportState.parse(await sent.json())
  let state = 'queued'
  const waits: number[] = []
  while (state !== 'failed' && state !== 'done') {
    const asked = performance.now()
    await (await fetch(`${address}/api/tools/${productId}`)).text()
    waits.push(performance.now() - asked)
    state = ImportState.parse(await (await fetch(`${address}/api/imports/${_id}`, { headers: { authorization } })).json()).state
  }
  printLimitCheck(`an import of 606 columns ${state}, after`, Math.round(performance.now() - from), { most: 2000 }, 'ms')
  printLimitCheck('  a product in JSON meanwhile, worst', Math.round(Math.max(...waits)), { most: 100 }, 'ms')
}

/** The product in JSON, read by somebody else, one after the other. */
const readProduct =
  ({ address, productId }: Bench) =>
  async () => {
    const waits: number[] = []
    const end = performance.now() + seconds * 500
    while (performance.now() < end) {
      const from = performance.now()
      await (await fetch(`${address}/api/tools/${productId}`)).text()
      waits.push(performance.now() - from)
    }
    return waits
  }

/** One account posts reviews, which replace one another, with eight connections. */
async function measureReviews(bench: Bench) {
  const { address, pool } = bench
  const [account] = await createAccounts(bench, 1)
  if (!account) return
  const body = JSON.stringify({ name: 'Ada', img: '/drawings/avatar.svg', about: 'x'.repeat(5000), rating: 1 })
  await beside('one account posts reviews', 99, 100, readProduct(bench), () =>
    startBackgroundLoad({ url: `${address}/api/reviews`, method: 'POST', connections: 8, headers: [headersOf(account)], body }),
  )
  const { rows } = await pool.query<{ count: number }>('select count(*)::integer as count from reviews where author_id = $1', [
    account.token,
  ])
  printLimitCheck('  reviews that it has then', rows[0]?.count ?? 0, { most: 1 }, '')
}

/** One account reads its orders with 700 connections, while another one reads its own. */
async function measureReadsOfOne(bench: Bench) {
  const { address } = bench
  const [attacker, other] = await createAccounts(bench, 2)
  if (!attacker || !other) return
  const readOwn = async () => {
    const waits: number[] = []
    for (let nth = 0; nth < 60; nth++) {
      const { status, ms } = await call(`${address}/api/orders`, 'GET', other)
      if (status !== 200) throw new Error(`The other account was answered ${status}`)
      waits.push(ms)
    }
    return waits
  }
  await beside('one account reads its orders with 700 connections', 95, 500, readOwn, () =>
    startBackgroundLoad({ url: `${address}/api/orders`, method: 'GET', connections: 700, headers: [headersOf(attacker)] }),
  )
}

const orderOf = (productId: string) => ({ lines: [{ productId, quantity: 1 }], buyerAddress: '1 Road', expectedTotalCents: priceCents })
const Placed = z.object({ _id: z.string() })
const Opened = z.object({ clientSecret: z.string(), publishableKey: z.string(), cardLibrary: z.string() })

/** New customers order and pay, all at once. @returns the milliseconds of each call to the store */
async function orderAndPay(bench: Bench): Promise<number[]> {
  const { address, productId } = bench
  const waits: number[] = []
  const ask = async (account: Account, method: string, path: string, body: object) => {
    const { status, said, ms } = await call(`${address}/api${path}`, method, account, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${said}`)
    waits.push(ms)
    return JSON.parse(said)
  }
  const buy = async (account: Account) => {
    const { _id } = Placed.parse(await ask(account, 'POST', '/orders', orderOf(productId)))
    const opened = await ask(account, 'POST', '/create-payment-intent', { orderId: _id, productCost: priceCents / 100 })
    const { clientSecret, publishableKey, cardLibrary } = Opened.parse(opened)
    const [transectionId = ''] = clientSecret.split('_secret_')
    const form = new URLSearchParams({ key: publishableKey, client_secret: clientSecret, payment_method: 'pm_card_visa' })
    const paid = await fetch(new URL(`/v1/payment_intents/${transectionId}/confirm`, cardLibrary), { method: 'POST', body: form })
    if (!paid.ok) throw new Error(`The card was not charged: ${await paid.text()}`)
    await ask(account, 'PATCH', `/purchase/${_id}`, { pay: true, transectionId })
  }
  await Promise.all((await createAccounts(bench, customers)).map(buy))
  return waits
}

/** 300 clients ask for random addresses while 20 customers order and pay. */
async function measureRandomAddresses(bench: Bench) {
  const kinds = [
    '/?x=*',
    '/*',
    '/allproducts?q=*',
    '/allproducts?brand=*&x=*',
    '/products/UUID',
    '/allproducts.data?q=*',
    '/api/search?q=*',
  ]
  await beside(
    `300 clients on random addresses, ${customers} customers order and pay`,
    99,
    1000,
    () => orderAndPay(bench),
    () => {
      const flood = startFlood(bench.address, { clients: 300, kinds, seed: 3 })
      return { end: async () => (await flood.end()).statuses }
    },
  )
}

/** Ten networks with six accounts each send orders without end, while other customers place one each after the other. */
async function measurePlacingFlood(bench: Bench) {
  const { address, productId } = bench
  const flooding = await createAccounts(bench, 60, 10)
  const place = async () => {
    const waits: number[] = []
    for (const account of await createAccounts(bench, 60)) {
      const { status, said, ms } = await call(`${address}/api/orders`, 'POST', account, orderOf(productId))
      if (status !== 201) throw new Error(`Another customer was answered ${status} ${said}`)
      waits.push(ms)
    }
    return waits
  }
  await beside('ten networks place orders with 300 connections', 95, 1000, place, () =>
    startBackgroundLoad({
      ...{ url: `${address}/api/orders`, method: 'POST', connections: 300 },
      ...{ headers: flooding.map(headersOf), body: JSON.stringify(orderOf(productId)) },
    }),
  )
}
