import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import * as z from 'zod'
import { Purchase } from '#store/orders/contract.ts'
import { startFlood } from './flood.ts'
import { sampleSize } from './full-run.ts'
import {
  type ApiClient,
  type ApiResponse,
  createProduct,
  orderRequest,
  parseResponse,
  startStoreCluster,
  waitWithin,
} from './store-cluster.ts'

/** One store for all rows. */
const shop = await startStoreCluster()
after(() => shop[Symbol.asyncDispose]())
const [origin = ''] = shop.addresses

const many = (count: number, write: (nth: number) => string) => Array.from({ length: count }, (_, nth) => write(nth)).join('&')

/** What an address was answered, how large it was, and how long it took. */
async function look(origin: string, path: string, headers: Record<string, string> = {}) {
  const asked = performance.now()
  const answer = await fetch(origin + path, { headers, redirect: 'manual' })
  const said = await answer.text()
  const ms = performance.now() - asked
  return { status: answer.status, said, bytes: Buffer.byteLength(said), ms, location: answer.headers.get('location') }
}

/** Until its index is ready a search has no facets. */
const searchIsReady = (origin: string) =>
  waitWithin(60, 'the search counts what is behind each filter', async () => {
    const { said } = await look(origin, '/api/search?limit=1')
    return z.object({ facets: z.array(z.unknown()) }).parse(JSON.parse(said)).facets.length > 0
  })

test('H1 an address that asks for more than it may is refused in words before anything is rendered, and the largest page grows no faster than its address', async (t) => {
  await searchIsReady(origin)
  const tooLong: [question: string, words: RegExp][] = [
    [many(1100, (nth) => `brand=${nth}`), /more than 40 values of brand/],
    [many(400, (nth) => `spec.a${nth}=1`), /More than 20 filters/],
    [`q=${'x'.repeat(9000)}`, /said for q has more than 200 characters|Search with at most 200 characters/],
    [many(30, (nth) => `brand=${nth}${'x'.repeat(150)}`), /more than 2000 characters together/],
    [`spec.${'x'.repeat(5000)}=1&${many(60, (nth) => `spec.b=${nth}`)}`, /more than 40 values|No filter has a name this long/],
  ]
  let largestRefusal = 0
  let slowestMs = 0
  for (const [question, words] of tooLong) {
    for (const path of [`/allproducts?${question}`, `/allproducts.data?${question}`, `/api/search?${question}`]) {
      const { status, said, bytes, ms } = await look(origin, path)
      assert.equal(status, 400, `${path.slice(0, 60)}: ${bytes} bytes`)
      assert.match(said, words)
      if (!path.startsWith('/allproducts?')) assert.match(JSON.parse(said).message, words)
      largestRefusal = Math.max(largestRefusal, bytes)
      slowestMs = Math.max(slowestMs, ms)
    }
  }
  // every other address that a stranger can repeat or lengthen
  for (const path of [
    `/compare?${many(300, (nth) => `id=${nth}`)}`,
    `/api/compare?${many(300, (nth) => `id=${nth}`)}`,
    `/api/suggestions?q=${'x'.repeat(9000)}`,
    `/login?from=%2F${'x'.repeat(9000)}`,
    `/register?${many(500, () => 'from=x')}`,
    `/products/6e1f0000-0000-4000-8000-000000000001?quantity=${'9'.repeat(9000)}`,
  ]) {
    const { status, bytes } = await look(origin, path)
    assert.equal(status, 400, path.slice(0, 60))
    assert.ok(bytes < 2000, `${path.slice(0, 60)}: ${bytes} bytes`)
  }
  // what nothing reads is as if it were not there
  const plain = await look(origin, '/allproducts')
  const withNothing = await look(origin, `/allproducts?${many(1000, (nth) => `x${nth}=${nth}`)}`)
  assert.deepEqual([withNothing.status, withNothing.bytes], [200, plain.bytes])
  const compared = await look(origin, '/compare')
  const withRows = await look(origin, `/compare?rows=${'x'.repeat(9000)}`)
  assert.deepEqual([withRows.status, withRows.bytes], [200, compared.bytes], 'nor a value that no page reads')

  // The largest that is allowed, by what makes most of a page: many short values, or few long ones.
  const largest = [
    many(40, (nth) => `brand=brand-number-${nth}-${'x'.repeat(15)}`),
    many(9, (nth) => `brand=${nth}${'x'.repeat(199)}`),
    ['brand', 'spec.a', 'spec.b', 'spec.c', 'spec.d', 'spec.e'].map((name) => many(32, (nth) => `${name}=${nth}`)).join('&'),
  ]
  const sizes: number[] = []
  for (const question of largest) {
    const { status, bytes } = await look(origin, `/allproducts?${question}`)
    assert.equal(status, 200)
    const half = await look(origin, `/allproducts?${question.slice(0, question.lastIndexOf('&', question.length / 2))}`)
    sizes.push(bytes)
    assert.ok(bytes - plain.bytes < 2.5 * Math.max(half.bytes - plain.bytes, plain.bytes / 4), `${bytes} bytes, half of it ${half.bytes}`)
  }
  assert.ok(Math.max(...sizes) < 400_000, `${sizes} bytes`)
  t.diagnostic(
    `refusals of at most ${largestRefusal} bytes after ${slowestMs.toFixed(0)} ms at most; the plain list ${Math.round(plain.bytes / 1000)} kB, the largest questions that are allowed ${sizes.map((bytes) => Math.round(bytes / 1000)).join(', ')} kB`,
  )
})

const Opened = z.object({ clientSecret: z.string() })

/** Somebody registers, orders and pays, once each: whoever has to be asked twice was not served. @returns how long each call took, in ms */
async function buyAndPay(name: string, tool: Parameters<typeof orderRequest>[0]): Promise<number[]> {
  const took: number[] = []
  const timed = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    const asked = performance.now()
    const answer = await call()
    took.push(performance.now() - asked)
    return answer
  }
  const buyer: ApiClient = await shop.registerCustomer(name)
  const ask = (...call: Parameters<ApiClient['request']>): Promise<ApiResponse> => timed(() => buyer.request(...call))
  const order = parseResponse(Purchase, await ask('POST', '/purchase', orderRequest(tool, 1)))
  const { clientSecret } = parseResponse(
    Opened,
    await ask('POST', '/create-payment-intent', { orderId: order._id, productCost: order.productCost }),
  )
  const paid = await shop.pay(clientSecret)
  assert.equal(paid.status, 200, paid.said)
  const [transectionId] = clientSecret.split('_secret_')
  assert.equal(parseResponse(Purchase, await ask('PATCH', `/purchase/${order._id}`, { pay: true, transectionId })).paid, true)
  return took
}

const floodSeed = 2
let registered = 0

type Crowd = { customers: number; seconds: number; clients: number }

/**
 * Customers come one after the other while a flood asks for addresses of these kinds.
 * @param meanwhile what else is tried with each customer
 * @returns what the flood was answered, once everybody was
 */
async function serveDuring(
  t: TestContext,
  { customers, seconds, clients, ...asked }: Crowd & Omit<Parameters<typeof startFlood>[1], 'clients' | 'seed'>,
  meanwhile: (nth: number) => Promise<void> = async () => {},
): Promise<Record<string, number>> {
  const tool = await createProduct(await shop.admin(), 1000)
  await searchIsReady(origin)
  const begun = performance.now()
  await using flood = startFlood(origin, { clients, seed: floodSeed, ...asked })
  const took: number[] = []
  const come = async (nth: number) => {
    const at = (seconds * 1000 * nth) / customers - (performance.now() - begun)
    if (at > 0) await new Promise((later) => setTimeout(later, at)) // spread over the time that the flood is to last
    took.push(...(await buyAndPay(`Buyer${registered++}`, tool)))
    await meanwhile(nth)
  }
  await Promise.all(Array.from({ length: customers }, (_, nth) => come(nth)))
  const { statuses, unanswered } = await flood.end()
  const lasted = (performance.now() - begun) / 1000

  assert.equal(unanswered, 0, 'everybody is answered')
  assert.equal((await look(origin, '/allproducts?q=afterwards')).status, 200)
  assert.deepEqual(await shop.faults(), [])
  const sorted = took.toSorted((one, other) => one - other)
  const percentile = (percent: number) =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0)} ms`
  t.diagnostic(
    `seed ${floodSeed}: ${clients} clients for ${lasted.toFixed(0)} s: ${Object.entries(statuses)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ')}; ${customers} customers ordered and paid in ${took.length} calls: p50 ${percentile(50)}, p99 ${percentile(99)}`,
  )
  return statuses
}

/** The ids of so many products for sale. */
const productsOf = async (origin: string, count: number): Promise<string[]> => {
  const Found = z.object({ tools: z.array(z.object({ _id: z.string() })).length(count) })
  const { said } = await look(origin, `/api/search?limit=${count}`)
  return Found.parse(JSON.parse(said)).tools.map(({ _id }) => _id)
}

const others = (statuses: Record<string, number>, ...allowed: string[]) =>
  Object.keys(statuses).filter((status) => !allowed.includes(status))

test('H2 while many ask for random addresses, everybody is answered, pages of products are shown, and every customer registers, orders and pays at the first try', async (t) => {
  const crowd = { customers: sampleSize(4, 20), seconds: sampleSize(0, 60), clients: sampleSize(60, 300) }
  const products = await productsOf(origin, crowd.customers)
  const kinds = [
    ...['/?x=*', '/?signed-out=*', '/compare?rows=*', '/*', '/*/%2e%2e/home', '/allproducts?q=*', '/allproducts?brand=*&x=*'],
    ...['/products/UUID', '/products/*', '/purchase/UUID', '/login?from=*', '/allproducts.data?q=*', '/compare?id=UUID', '/api/search?q=*'],
  ]
  const statuses = await serveDuring(t, { ...crowd, kinds }, async (nth) => {
    const { status } = await look(origin, `/products/${products[nth]}`)
    assert.equal(status, 200, 'a page that nobody has asked for yet')
  })
  assert.deepEqual(others(statuses, '200', '301', '404', '503'), [])
  assert.ok((statuses['200'] ?? 0) > 0 && (statuses['503'] ?? 0) > 0, 'some pages are shown, and some are refused')
})

test('H2 while many ask for what is open to everybody, with made-up tokens too, everybody is answered, and every customer registers, orders and pays at the first try', async (t) => {
  const [one, other] = await productsOf(origin, 2)
  const kinds = [
    ...['/api/tools', '/api/openapi.json', `/api/products/${one}`, '/api/products/UUID', `/api/tools/${other}`, '/api/categories'],
    ...[`/api/compare?id=${one}`, '/api/search?q=*', '/api/suggestions?q=*', '/sitemap.xml', '/sitemap-1.xml', '/robots.txt'],
    ...['/api/reviews', '/api/reviews/shown', '/api/reviews/summary', '/api/help'],
    ...['/api/auth/session', '/api/bookings', '/api/user/*@shop.example'],
  ]
  const crowd = { customers: sampleSize(4, 20), seconds: sampleSize(0, 60), clients: sampleSize(60, 300) }
  const statuses = await serveDuring(t, { ...crowd, kinds, withTokens: true })
  assert.deepEqual(others(statuses, '200', '401', '404', '503'), [])
  for (const status of ['200', '401', '404']) assert.ok((statuses[status] ?? 0) > 0, `some are answered ${status}`)
})
