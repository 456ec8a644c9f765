import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { hashCartToken } from '#store/cart/cart-tokens.ts'
import { createDataDir, findFreePort } from '#test/store-process.ts'
import { readCatalogue } from '../proof/catalogue.ts'
import { startBenchmarkStore } from './benchmark-store.ts'
import { importCatalogue } from './import-catalogue.ts'
import { runLoad, runLoadInterleaved } from './load-generator.ts'
import { median, pick, placeRawOrders } from './orders.ts'
import { printHeading, printLimitCheck, printLoadResult } from './print.ts'
import { createProcessorMeter } from './processor-time.ts'

const productCount = 500
const customers = 20
const lines = 5
const priceCents = 100
/** As many accounts as can check out within the runs, each once: a second time would replace the first order. */
const accounts = 6_000

/**
 * Baskets and checkouts: a product is put into a basket, one at a time and by 20 customers at once, and a list pasted; baskets of five lines are
 * ordered, beside raw transactions of the same rows; and kept pages are asked for with and without the cookies of a basket.
 */
export async function benchmarkBaskets(): Promise<void> {
  printHeading(`Baskets, ${customers} customers at once, ${productCount} products`)
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(createDataDir())
  const provider = await openProvider()
  opened.defer(() => void provider.close())
  const store = await startBenchmarkStore({
    ...{ DATA_DIR: dataDir, PORT: `${await findFreePort()}`, TRUST_PROXY: 'on' },
    ...{ STRIPE_API_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`, STRIPE_SECRET_KEY: 'sk_test_bench' },
    ...{ STRIPE_PUBLISHABLE_KEY: 'pk_test_bench', STRIPE_WEBHOOK_SECRET: 'whsec_bench' },
  })
  opened.defer(async () => void (await store.stop()))
  const { address } = store
  const connectionString = embeddedConnectionString(dataDir)
  await importCatalogue(dataDir, connectionString, readCatalogue(productCount).rows)
  const pool = new pg.Pool({ connectionString, max: customers })
  opened.defer(() => pool.end())
  const { rows } = await pool.query<{ id: string }>(
    `update tools set price_cents = $1, minimum_order_quantity = 1, order_multiple = 1, price_breaks = '[]', available_quantity = 1000000
     where id in (select id from tools where removed_at is null order by position limit $2) returning id`,
    [priceCents, productCount],
  )
  const ids = rows.map(({ id }) => id)
  const cookies = await fillCarts(pool, ids)
  const meter = createProcessorMeter(store.child.pid, dataDir)
  await measureKeptPages(address, ids, cookies[0] ?? '') // before there are orders, whose mails are sent meanwhile
  await measureAdding(address, ids, cookies, meter)
  await measurePasting(address, pool, ids)
  await measureCheckout(address, pool, ids, meter)
}

/**
 * A card provider that opens each payment at once and remembers nothing. The sandbox keeps its ledger in the store's own database, which would be
 * half of what is measured, and stands elsewhere where money is taken.
 */
async function openProvider(): Promise<http.Server> {
  const server = http.createServer(async (request, response) => {
    const asked = new URLSearchParams(await text(request))
    const id = `pi_${crypto.randomUUID().replaceAll('-', '')}`
    const intent = {
      ...{ id, object: 'payment_intent', client_secret: `${id}_secret_none`, status: 'requires_payment_method', metadata: {} },
      ...{ amount: Number(asked.get('amount')), amount_received: 0, currency: asked.get('currency') },
    }
    const list = { object: 'list', data: [], has_more: false, url: request.url }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(request.method === 'POST' ? intent : list))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Baskets of visitors with five lines each, one for each customer. @returns their cookies */
async function fillCarts(pool: pg.Pool, ids: string[]): Promise<string[]> {
  const cookies: string[] = []
  for (let nth = 0; nth < customers; nth++) {
    const token = randomBytes(24).toString('base64url')
    await pool.query(
      `with cart as (insert into carts (id) values (gen_random_uuid()) returning id),
        token as (insert into cart_tokens (token_hash, cart_id) select $1, id from cart)
       insert into cart_lines (cart_id, tool_id, quantity, seen_price_cents) select id, product, 1, $3 from cart, unnest($2::uuid[]) as product`,
      [hashCartToken(token), pick(ids, lines), priceCents],
    )
    cookies.push(`nucleus.cart=${token}; nucleus.cart-lines=${lines}`)
  }
  return cookies
}

type Meter = ReturnType<typeof createProcessorMeter>

async function measureAdding(address: string, ids: string[], cookies: string[], meter: Meter) {
  let sent = 0
  const add = (connections: number) =>
    runLoad(`${address}/api/cart/lines`, {
      connections,
      method: 'POST',
      headers: (customer, nth) => {
        sent++
        // Each from other networks, as a network has a number of changes a day.
        const network = `10.${customer}.${(nth >> 8) & 255}.${nth & 255}`
        return { 'content-type': 'application/json', cookie: cookies[customer] ?? '', 'x-forwarded-for': network }
      },
      body: (customer, nth) => JSON.stringify({ productId: ids[(customer * lines + (nth % lines)) % ids.length], quantity: 1 }),
    })
  for (const connections of [1, customers]) {
    const who = connections === 1 ? 'one at a time' : `${connections} customers at once`
    const added = await meter.measure(
      `a product put in, ${who},`,
      () => add(connections),
      () => sent,
    )
    printLoadResult(`POST /api/cart/lines, ${who}`, added)
    printLimitCheck(`put into a basket, ${who}, p50`, added.p50, { most: 5 }, 'ms')
  }
}

/** A list of 100 part numbers, each time into a basket that is made for it. */
async function measurePasting(address: string, pool: pg.Pool, ids: string[]) {
  const { rows } = await pool.query<{ sku: string }>('select sku from tools where id = any($1::uuid[]) limit 100', [ids])
  const pasted = await runLoad(`${address}/api/cart/paste`, {
    connections: 1,
    method: 'POST',
    headers: (_, nth) => ({ 'content-type': 'application/json', 'x-forwarded-for': `10.99.${(nth >> 8) & 255}.${nth & 255}` }),
    body: JSON.stringify({ text: rows.map(({ sku }) => `${sku} 2`).join('\n') }),
  })
  printLoadResult('POST /api/cart/paste, 100 lines', pasted)
  printLimitCheck('100 lines pasted, p50', pasted.p50, { most: 100 }, 'ms')
}

type Account = { id: string; token: string }

/** Accounts that are signed in, each with a basket of five lines. */
async function createShoppers(pool: pg.Pool, ids: string[]): Promise<Account[]> {
  const people = Array.from({ length: accounts }, () => ({ id: crypto.randomUUID(), token: crypto.randomUUID() }))
  const columns = [people.map(({ id }) => id), people.map(({ token }) => token)]
  await pool.query(
    `insert into users (id, name, email, email_verified) select id, 'Ada', id || '@shop.example', true from unnest($1::text[]) as id`,
    columns.slice(0, 1),
  )
  await pool.query(
    `insert into sessions (id, token, user_id, expires_at) select id, token, id, now() + interval '18 hours' from unnest($1::text[], $2::text[]) as one (id, token)`,
    columns,
  )
  await pool.query(`insert into carts (id, user_id) select gen_random_uuid(), id from unnest($1::text[]) as id`, columns.slice(0, 1))
  const wanted = people.flatMap(({ id }) => pick(ids, lines).map((productId) => ({ id, productId })))
  await pool.query(
    `insert into cart_lines (cart_id, tool_id, quantity, seen_price_cents) select carts.id, product::uuid, 1, $3
     from unnest($1::text[], $2::text[]) as line (user_id, product) join carts on carts.user_id = line.user_id`,
    [wanted.map(({ id }) => id), wanted.map(({ productId }) => productId), priceCents],
  )
  await pool.query('analyze')
  return people
}

async function measureCheckout(address: string, pool: pg.Pool, ids: string[], meter: Meter) {
  const people = await createShoppers(pool, ids)
  const buyers = people.slice(0, customers).map(({ id }) => id)
  let rawOrders = 0
  const placeRaw = () => placeRawOrders(pool, buyers, ids, lines, () => rawOrders++)
  const raw = await meter.measure(
    'a raw transaction',
    () => median(placeRaw),
    () => rawOrders,
  )
  const deliverTo = { country: 'DE', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' }
  let next = 0
  const place = () =>
    runLoad(`${address}/api/checkout`, {
      connections: customers,
      method: 'POST',
      headers: () => ({ 'content-type': 'application/json', authorization: `Bearer ${people[next++]?.token}` }),
      body: JSON.stringify({ name: 'Ada', deliverTo, expectedTotalCents: priceCents * lines }),
    })
  const placed = await meter.measure('a checkout', place, () => next)
  const { rows } = await pool.query<{ orders: number; payments: number }>(
    'select (select count(*)::integer from order_details) as orders, (select count(*)::integer from payments) as payments',
  )
  printLoadResult(`raw transactions of ${lines} lines`, { ...placed, ...raw, kilobytes: 0, failed: 0 })
  printLoadResult(`POST /api/checkout, ${lines} lines, its payment opened`, placed, raw, 60)
  console.log(`  ${rows[0]?.orders} orders placed, ${rows[0]?.payments} payments opened`)
}

/** The same pages by turns, with the cookies of a basket and without any. */
async function measureKeptPages(address: string, ids: string[], cookie: string) {
  for (const [what, path] of [
    ['home', '/home'],
    ['list', '/allproducts'],
    ['product page', `/products/${ids[0]}`],
  ] as const) {
    const target = { address, path: () => path }
    const [without, withCookie] = await runLoadInterleaved([target, { ...target, headers: { cookie } }], {
      connections: 32,
      headers: { 'accept-encoding': 'br' },
    })
    printLoadResult(`${what}, kept, without a cookie`, without)
    printLoadResult(`${what}, kept, with the cookies of a basket`, withCookie, without, 95)
  }
}
