import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { ErrorResponse } from '#shared/endpoint.ts'
import { isFullRun, sampleSize } from './full-run.ts'
import { openShopper, type Shopper, type ShopperResponse } from './shopper.ts'
import { createProduct, startStoreCluster } from './store-cluster.ts'

const stranger = '198.51.100.7'
const deliverTo = { country: 'DE', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' }

/** Sends so many requests, some at a time. */
async function sendMany(count: number, atOnce: number, send: (nth: number) => Promise<ShopperResponse>): Promise<ShopperResponse[]> {
  const answers: ShopperResponse[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) answers.push(await send(next++))
    }),
  )
  return answers
}

const countStatuses = (answers: ShopperResponse[]) => {
  const counted: Record<number, number> = {}
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

/** Every refusal says when to come again, in words. */
function assertRefusedInWords(answers: ShopperResponse[]) {
  for (const { status, body } of answers) {
    if (status === 200 || status === 201) continue
    assert.ok(status === 429 || status === 503, `${status} ${body}`)
    assert.match(ErrorResponse.parse(JSON.parse(body)).message, /again/, body)
  }
}

test('N6 a stranger who fills, pastes, shares and looks at baskets a thousand times from one network is refused in words, leaves a bounded number of rows, and keeps nobody else from ordering', async (t) => {
  await using shop = await startStoreCluster({ buyerLimits: 'on' })
  const origin = shop.addresses[0] ?? ''
  const { _id: productId, sku = '' } = await createProduct(await shop.admin(), 1_000_000).then(async ({ _id }) => {
    const { rows } = await shop.db.execute<{ _id: string; sku: string }>(sql`select id as "_id", sku from tools where id = ${_id}`)
    return rows[0] ?? assert.fail()
  })
  const atStranger = () => openShopper(origin, undefined, stranger)
  const add = (shopper: Shopper) => shopper.request('POST', '/cart/lines', { productId, quantity: 1 })

  /** Somebody at another network, all the while: a basket and an order each time, at the first attempt. */
  let isOver = false
  const others: ShopperResponse[] = []
  const everybodyElse = (async () => {
    while (!isOver) {
      const guest = openShopper(origin)
      for (const answer of [
        await add(guest),
        await guest.request('GET', '/cart'),
        await guest.request('GET', '/checkout/estimate?country=DE'),
        await guest.request('POST', '/checkout', { name: 'Gwen', email: `${crypto.randomUUID()}@mail.example`, deliverTo }),
      ])
        others.push(answer)
    }
  })()
  everybodyElse.catch(() => {}) // waited for below
  const endEverybodyElse = async () => {
    isOver = true
    await everybodyElse.catch(() => {})
  }
  await using _ = { [Symbol.asyncDispose]: endEverybodyElse }

  // At once: with one cookie, whose basket all of them lock, and with none, where each makes a basket.
  const known = atStranger()
  await add(known)
  const times = sampleSize(60, 1000)
  const looks = sendMany(times, 50, (nth) => known.request('GET', nth % 2 ? '/cart' : '/checkout/estimate?country=DE'))
  const adds = sendMany(times, 100, (nth) => add(nth % 3 ? known : atStranger()))
  const atOnce = [...(await looks), ...(await adds)]
  assertRefusedInWords(atOnce)

  // Until the day's number is used up: in the sample most of it is counted beforehand.
  const count = (what: string, max: number, left: number) =>
    isFullRun ? max : shop.db.execute(sql`update limits set count = ${max - left} where key = ${`${what} from ${stranger}`}`)
  const { lists, shares, changes } = { lists: sampleSize(8, 70), shares: sampleSize(8, 70), changes: sampleSize(30, 3000) }
  await known.request('POST', '/cart/share')
  await count('lists put into baskets', 100, 10)
  const listed = await sendMany(lists, 4, () => known.request('POST', '/cart/paste', { text: `${sku} 1\nnone 2` }))
  const shared = await sendMany(shares, 4, () => known.request('POST', '/cart/share'))
  await count('basket changes', 3000, 20)
  const changed = await sendMany(changes, 20, () => add(atStranger()))
  for (const answers of [listed, shared, changed]) assertRefusedInWords(answers)
  assert.ok([...listed, ...shared].some(({ status }) => status === 429) && changed.some(({ status }) => status === 429))

  isOver = true
  await everybodyElse
  assert.deepEqual(
    others.filter(({ status }) => status !== 200 && status !== 201),
    [],
    'everybody else is served at the first attempt',
  )
  assert.ok(others.length >= 4)
  const { rows } = await shop.db.execute<{ carts: number; lines: number; shared: number }>(
    sql`select (select count(*)::int from carts) as carts, (select count(*)::int from cart_lines) as lines, (select count(*)::int from shared_carts) as shared`,
  )
  const [kept = assert.fail()] = rows
  assert.ok(kept.carts <= 3000 + others.length && kept.lines <= 3000 + others.length && kept.shared <= 100, JSON.stringify(kept))
  assert.deepEqual(await shop.faults(), [])
  const slowest = Math.max(...others.map(({ afterMs }) => afterMs))
  t.diagnostic(
    `at once ${JSON.stringify(countStatuses(atOnce))}, lists and links ${JSON.stringify(countStatuses([...listed, ...shared]))}, changes ${JSON.stringify(countStatuses(changed))}; ${others.length} requests of others served, the slowest after ${slowest.toFixed(0)} ms; ${kept.carts} baskets, ${kept.shared} links kept`,
  )
})
