import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { Product } from '#store/catalogue/contract.ts'
import { Purchase } from '#store/orders/contract.ts'
import { payments } from '#store/orders/table.ts'
import { sampleSize } from './full-run.ts'
import { raceForStock } from './race.ts'
import {
  type ApiClient,
  createProduct,
  intentIdFromSecret,
  mulberry32,
  openPayment,
  orderRequest,
  parseResponse,
  placePurchase,
  startStoreCluster,
} from './store-cluster.ts'

test('A1 of 200 buyers at once 50 get the 50 pieces, and 150 hear what is available', async (t) => {
  await using shop = await startStoreCluster({ buyerLimits: 'on' })
  const tool = await createProduct(await shop.admin(), 50)
  const { seconds, sold, refused, askedAgain } = await raceForStock(shop, tool, await shop.createCustomers(200))
  t.diagnostic(
    `${sold} sold, ${refused} refused in ${seconds.toFixed(2)} s: ${(200 / seconds).toFixed(0)} answers and ${(sold / seconds).toFixed(0)} orders a second; ${askedAgain} were asked to come again`,
  )
})

/** Two processes for all rows that leave each other's products alone. */
const shop = await startStoreCluster({ stores: 2 })
after(() => shop[Symbol.asyncDispose]())

/** Asks for so many pieces, under a key: who is told that the store is busy can ask again. */
const order = (buyer: ApiClient, tool: Product, pieces: number) =>
  buyer.requestWithRetry('POST', '/purchase', orderRequest(tool, pieces), { 'idempotency-key': crypto.randomUUID() })

test('A2 with random quantities never more is sold than there is, and what is left is less than anybody was refused', async (t) => {
  const admin = await shop.admin()
  const buyers = await shop.createCustomers(60)
  const seeds = sampleSize(1, 30)
  let left = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const random = mulberry32(seed)
    const stock = 50 + Math.floor(random() * 150)
    const tool = await createProduct(admin, stock)
    const wanted = buyers.map((buyer) => ({ buyer, pieces: 1 + Math.floor(random() * 9) }))
    const answers = await Promise.all(wanted.map(async ({ buyer, pieces }) => ({ pieces, answer: await order(buyer, tool, pieces) })))
    const got = answers.filter(({ answer }) => answer.status === 201).map(({ pieces }) => pieces)
    const refused = answers.filter(({ answer }) => answer.status === 409).map(({ pieces }) => pieces)
    assert.equal(got.length + refused.length, answers.length, `seed ${seed}: every answer is an order or says what is available`)
    const { available_quantity } = parseResponse(Product, await admin.requestWithRetry('GET', `/tools/${tool._id}`))
    const sold = got.reduce((sum, pieces) => sum + pieces, 0)
    assert.equal(sold + available_quantity, stock, `seed ${seed}`)
    assert.ok(
      available_quantity < Math.min(...refused),
      `seed ${seed}: ${available_quantity} are left, ${Math.min(...refused)} were refused`,
    )
    left += available_quantity
  }
  assert.deepEqual(await shop.faults(), [])
  t.diagnostic(`${seeds} seeds, ${buyers.length} buyers each; ${left} pieces left in all`)
})

test('A3 one order sent 20 times under one key, to two processes and again after a restart, is one order and one answer; another body is 422', async (t) => {
  const tool = await createProduct(await shop.admin(), 50)
  const [buyer, other] = [await shop.registerCustomer('Ada'), await shop.registerCustomer('Bob')]
  const headers = { 'idempotency-key': 'the one' }
  const rounds = sampleSize(1, 20)
  for (let round = 0; round < rounds; round++) {
    const key = { 'idempotency-key': `key ${round}` }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => shop.clientAtStore(nth % 2, buyer).request('POST', '/purchase', orderRequest(tool, 2), key)),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1, 'the same answer')
    const changed = await shop.clientAtStore(round % 2, buyer).request('POST', '/purchase', orderRequest(tool, 3), key)
    assert.equal(changed.status, 422, changed.body)
  }
  const first = await buyer.request('POST', '/purchase', orderRequest(tool, 2), headers)
  for (const store of shop.stores) {
    await store.stop()
    store.start()
  }
  for (const nth of [0, 1])
    assert.deepEqual(await shop.clientAtStore(nth, buyer).requestWithRetry('POST', '/purchase', orderRequest(tool, 2), headers), first)
  const others = parseResponse(Purchase, await other.requestWithRetry('POST', '/purchase', orderRequest(tool, 2), headers))
  assert.notEqual(others._id, parseResponse(Purchase, first)._id, 'a key is its buyer’s own')

  const { rows } = await shop.db.execute(
    sql`select count(*)::int as orders, sum(quantity)::int as pieces from order_lines where tool_id = ${tool._id}`,
  )
  assert.deepEqual(rows, [{ orders: rounds + 2, pieces: 2 * (rounds + 2) }])
  assert.deepEqual(await shop.faults(), [])
  t.diagnostic(`${rounds} keys, 20 requests each`)
})

test('A4 while an admin reprices, corrects the stock and removes the product, each order keeps the price and the name that it was placed for', async (t) => {
  const admin = await shop.admin()
  const buyers = await shop.createCustomers(40)
  const rounds = sampleSize(1, 20)
  const counted = new Map<number, number>()
  for (let round = 0; round < rounds; round++) {
    const tool = await createProduct(admin, 300, { name: `Bit ${round}` })
    const placed: { asked: number; confirmed: Purchase }[] = []
    let gone = false

    const shopping = Promise.all(
      buyers.map(async (buyer) => {
        while (!gone) {
          const shown = await buyer.requestWithRetry('GET', `/tools/${tool._id}`)
          if (shown.status === 404) return
          const seen = parseResponse(Product, shown)
          const answer = await order(buyer, seen, 3)
          counted.set(answer.status, (counted.get(answer.status) ?? 0) + 1)
          assert.ok([201, 404, 409].includes(answer.status), `${answer.status} ${answer.body}`)
          if (answer.status === 201) placed.push({ asked: seen.price, confirmed: parseResponse(Purchase, answer) })
          else if (seen.available_quantity < 3) return
        }
      }),
    )
    shopping.catch(() => {}) // waited for below
    const managing = async () => {
      for (const price of [11, 12, 13]) {
        const seen = parseResponse(Product, await admin.requestWithRetry('GET', `/tools/${tool._id}`))
        const change = {
          ...{ price, minimum_order_quantity: 1, available_quantity: Math.max(0, seen.available_quantity - 20) },
          available_quantity_seen: seen.available_quantity,
        }
        const answer = await admin.requestWithRetry('PUT', `/tools/${tool._id}`, change)
        assert.ok([200, 409].includes(answer.status), answer.body)
      }
      parseResponse(Product, await admin.requestWithRetry('DELETE', `/tools/${tool._id}`))
    }
    await managing()
    gone = true
    await shopping

    const kept = z.array(Purchase).parse(JSON.parse((await admin.requestWithRetry('GET', '/bookings')).body))
    const mine = new Map(kept.filter(({ toolId }) => toolId === tool._id).map((order) => [order._id, order]))
    assert.equal(mine.size, placed.length)
    for (const { asked, confirmed } of placed) {
      const { productName, productCost } = mine.get(confirmed._id) ?? {}
      assert.deepEqual({ productName, productCost }, { productName: `Bit ${round}`, productCost: asked * 3 })
    }
  }
  assert.ok((counted.get(201) ?? 0) > 0, 'somebody bought')
  const { rows } = await shop.db.execute<{ lowest: number }>(sql`select min(available_quantity) as lowest from tools`)
  assert.ok((rows[0]?.lowest ?? -1) >= 0)
  assert.deepEqual(await shop.faults(), [])
  t.diagnostic(`${rounds} products: ${[...counted].map(([status, times]) => `${times} x ${status}`).join(', ')}`)
})

test('A6 twenty tabs that open the payment of one order, at two processes, open one intent', async (t) => {
  const tool = await createProduct(await shop.admin(), 50)
  const buyer = await shop.registerCustomer('Cleo')
  const rounds = sampleSize(1, 10)
  const before = await shop.db.$count(payments)
  let again = 0
  for (let round = 0; round < rounds; round++) {
    const order = await placePurchase(buyer, tool)
    const secrets = await Promise.all(
      Array.from({ length: 20 }, async (_, nth) => {
        const tab = shop.clientAtStore(nth % 2, buyer)
        const body = { orderId: order._id, productCost: order.productCost }
        const first = await tab.request('POST', '/create-payment-intent', body)
        assert.ok(first.status === 200 || first.status === 503, first.body)
        if (first.status === 503) again++
        return openPayment(tab, order)
      }),
    )
    assert.equal(new Set(secrets).size, 1, 'every tab has the same secret')
    assert.deepEqual(await shop.listPaymentIntents(order._id), [`${intentIdFromSecret(secrets[0] ?? '')} requires_payment_method`])
    assert.equal(await shop.db.$count(payments), before + round + 1)
  }
  assert.deepEqual(await shop.faults(), [])
  t.diagnostic(`${rounds} orders, 20 tabs each; ${again} tabs were asked to try again`)
})
