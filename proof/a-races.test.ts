import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { and, eq, inArray, sql } from 'drizzle-orm'
import * as z from 'zod'
import { ErrorResponse } from '#shared/endpoint.ts'
import { Product } from '#store/catalogue/contract.ts'
import { Purchase } from '#store/orders/contract.ts'
import { Order } from '#store/orders/order-contract.ts'
import { orderLines, orders, payments } from '#store/orders/table.ts'
import { isFullRun, sampleSize } from './full-run.ts'
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
  recoverySeconds,
  startStoreCluster,
  waitWithin,
} from './store-cluster.ts'
import { openWebhookRelay } from './webhook-relay.ts'

test('A1 of 200 buyers at once 50 get the 50 pieces, and 150 hear what is available', async (t) => {
  await using shop = await startStoreCluster({ buyerLimits: 'on' })
  const stock = sampleSize(12, 50)
  const tool = await createProduct(await shop.admin(), stock)
  const { seconds, sold, refused, askedAgain } = await raceForStock(shop, tool, await shop.createCustomers(4 * stock))
  t.diagnostic(
    `${sold} sold, ${refused} refused in ${seconds.toFixed(2)} s: ${((4 * stock) / seconds).toFixed(0)} answers and ${(sold / seconds).toFixed(0)} orders a second; ${askedAgain} were asked to come again`,
  )
})

/*
 * Two processes for all other rows, which leave each other's products alone: no lock of one process alone keeps orders apart. A7 stops both, and
 * comes last.
 */
const opened = new AsyncDisposableStack()
const relay = opened.use(await openWebhookRelay())
const shop = opened.use(await startStoreCluster({ stores: 2, webhookUrl: relay.sendTo }))
after(() => opened.disposeAsync())

/** Asks for so many pieces, under a key: who is told that the store is busy can ask again. */
const order = (buyer: ApiClient, tool: Product, pieces: number) =>
  buyer.requestWithRetry('POST', '/purchase', orderRequest(tool, pieces), { 'idempotency-key': crypto.randomUUID() })

test('A2 with random quantities never more is sold than there is, and what is left is less than anybody was refused', async (t) => {
  const admin = await shop.admin()
  const buyers = await shop.createCustomers(sampleSize(40, 60))
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
  for (const store of isFullRun ? shop.stores : shop.stores.slice(1)) {
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
  const buyers = await shop.createCustomers(sampleSize(16, 40))
  const rounds = sampleSize(1, 20)
  const counted = new Map<number, number>()
  for (let round = 0; round < rounds; round++) {
    const tool = await createProduct(admin, 1000, { name: `Bit ${round}` })
    const placed: { asked: number; confirmed: Purchase }[] = []
    let gone = false
    /** However the processes are scheduled, each price is one that somebody bought at. */
    const somebodyBuys = (before = placed.length) => waitWithin(recoverySeconds, 'somebody buys', async () => placed.length > before)

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
      await somebodyBuys()
      for (const price of [11, 12, 13]) {
        const seen = parseResponse(Product, await admin.requestWithRetry('GET', `/tools/${tool._id}`))
        const change = {
          ...{ price, minimum_order_quantity: 1, available_quantity: Math.max(0, seen.available_quantity - 20) },
          available_quantity_seen: seen.available_quantity,
        }
        const answer = await admin.requestWithRetry('PUT', `/tools/${tool._id}`, change)
        assert.ok([200, 409].includes(answer.status), answer.body)
        await somebodyBuys()
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

type Asked = { product: Product; quantity: number }[]

const place = (buyer: ApiClient, lines: Asked) =>
  buyer.requestWithRetry(
    'POST',
    '/orders',
    { lines: lines.map(({ product, quantity }) => ({ productId: product._id, quantity })), buyerAddress: '1 Road' },
    { 'idempotency-key': crypto.randomUUID() },
  )

/** How often PostgreSQL has ended a deadlock in this database. */
async function deadlocks(): Promise<number> {
  const { rows } = await shop.db.execute<{ count: number }>(
    sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
  )
  return rows[0]?.count ?? Number.NaN
}

/** Every answer is an order or names what is short; what was sold and what is left is what there was. */
async function assertSold(products: Product[], answers: { status: number; body: string }[]): Promise<{ placed: Order[]; refused: number }> {
  const placed = answers.filter(({ status }) => status === 201).map((answer) => parseResponse(Order, answer as never))
  const refusals = answers.filter(({ status }) => status !== 201)
  for (const { status, body } of refusals) {
    assert.equal(status, 409, body)
    const { code, lines = [] } = ErrorResponse.parse(JSON.parse(body))
    assert.equal(code, 'stock_too_low', body)
    assert.ok(lines.length > 0 && lines.every(({ asked, available }) => asked > available), body)
  }
  for (const { _id, available_quantity } of products) {
    const { rows } = await shop.db.execute<{ stock: number }>(sql`select available_quantity as stock from tools where id = ${_id}`)
    const sold = placed
      .flatMap(({ lines }) => lines.filter(({ productId }) => productId === _id))
      .reduce((sum, line) => sum + line.quantity, 0)
    assert.deepEqual(rows, [{ stock: available_quantity - sold }])
  }
  assert.deepEqual(await shop.faults(), [])
  return { placed, refused: refusals.length }
}

test('A9 200 buyers who want the same two products, half of them in the opposite order: none is oversold, none waits for another for ever', async (t) => {
  const admin = await shop.admin()
  const count = sampleSize(40, 200)
  const buyers = await shop.createCustomers(count)
  const stock = count / 4
  const products = [await createProduct(admin, stock), await createProduct(admin, stock, { name: 'Washer' })]
  const [screw, washer] = products
  assert.ok(screw && washer)
  const before = await deadlocks()
  const from = performance.now()
  const answers = await Promise.all(
    buyers.map((buyer, nth) => {
      const lines = [
        { product: screw, quantity: 1 },
        { product: washer, quantity: 1 },
      ]
      return place(buyer, nth % 2 ? lines : lines.reverse())
    }),
  )
  const seconds = (performance.now() - from) / 1000
  const { placed, refused } = await assertSold(products, answers)
  assert.deepEqual([placed.length, refused, (await deadlocks()) - before], [stock, count - stock, 0])
  t.diagnostic(`${placed.length} orders of two lines, ${refused} refused in ${seconds.toFixed(2)} s, 0 deadlocks`)
})

test('A9 orders of five lines over twenty products in random order: nothing is oversold, each refusal names the lines that are short', async (t) => {
  const admin = await shop.admin()
  const random = mulberry32(16)
  const buyers = await shop.createCustomers(sampleSize(30, 200))
  const products: Product[] = []
  for (let nth = 0; nth < 20; nth++) products.push(await createProduct(admin, 20 + Math.floor(random() * 60), { name: `Part ${nth}` }))
  const drawn = buyers.map((buyer) => {
    const lines = products
      .map((product) => ({ product, quantity: 1 + Math.floor(random() * 5), at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, 5)
    return { buyer, lines }
  })
  const before = await deadlocks()
  const answers = await Promise.all(drawn.map(({ buyer, lines }) => place(buyer, lines)))
  const { placed, refused } = await assertSold(products, answers)
  assert.equal(await deadlocks(), before)
  assert.ok(placed.length > 0 && refused > 0)
  t.diagnostic(`seed 16: ${placed.length} orders of five lines, ${refused} refused, 0 deadlocks`)
})

test('A7 two processes on one database: 200 buyers over both, both told of every payment, the reconciler runs in one, and each shows what the other has sold', async (t) => {
  const { db, sandbox, addresses } = shop
  const admin = await shop.admin()

  const races = sampleSize(1, 5)
  const stock = sampleSize(10, 50)
  let slowest = 0
  let askedAgain = 0
  for (let nth = 0; nth < races; nth++) {
    const raced = await raceForStock(shop, await createProduct(admin, stock), await shop.createCustomers(4 * stock))
    slowest = Math.max(slowest, raced.seconds)
    askedAgain += raced.askedAgain
  }

  // Both processes hear of each payment at the same moment, and of some from the browser as well.
  const tool = await createProduct(admin, 1000, { name: 'Hex bit' })
  const payers = await shop.createCustomers(sampleSize(8, 40))
  const paid = await Promise.all(
    payers.map(async (buyer, nth) => {
      const order = await placePurchase(buyer, tool)
      const clientSecret = await openPayment(buyer, order)
      await shop.pay(clientSecret)
      if (nth % 2)
        await buyer.requestWithRetry('PATCH', `/purchase/${order._id}`, { pay: true, transectionId: intentIdFromSecret(clientSecret) })
      return order
    }),
  )
  // An event that is still on its way is nothing undone yet: the orders say when all have come.
  const ofTool = db.select({ _id: orderLines.orderId }).from(orderLines).where(eq(orderLines.toolId, tool._id))
  const openOrders = () => db.$count(orders, and(inArray(orders._id, ofTool), eq(orders.orderStatus, 'open')))
  await waitWithin(recoverySeconds, 'all is done', async () => (await openOrders()) === 0 && (await shop.listPendingWork()).length === 0)
  assert.ok(relay.delivered.every((statuses) => statuses.every((status) => status === 200)) && relay.delivered.length >= paid.length)
  const books = await db.execute(sql`
    select count(*)::int as orders, count(distinct payment_id)::int as payments, sum(records)::int as records
    from orders, lateral (select count(*) as records from order_history where order_id = orders.id and event = 'paid') h
    where orders.id in ${ofTool} and order_status = 'placed'`)
  assert.deepEqual(books.rows, [{ orders: paid.length, payments: paid.length, records: paid.length }])
  for (const { number } of paid)
    assert.equal((await shop.listEmailSubjects(number)).filter((subject) => subject.startsWith('Receipt')).length, 1)
  assert.deepEqual(await shop.faults(), [])

  // What one process sells, the other shows: both keep the list of products ready.
  const shownAt = async (address = '') => {
    const shown = z.array(Product).parse(await (await fetch(`${address}/api/tools`)).json())
    return shown.find(({ _id }) => _id === tool._id)?.available_quantity
  }
  const seenMs: number[] = []
  for (const [seller, watcher] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const [buyer] = await shop.createCustomers(1)
    assert.ok(buyer)
    const before = await shownAt(addresses[watcher])
    await placePurchase(shop.clientAtStore(seller, buyer), tool)
    const from = performance.now()
    await waitWithin(10, 'the other process shows the new stock', async () => (await shownAt(addresses[watcher])) === (before ?? 0) - 1)
    seenMs.push(performance.now() - from)
  }

  // Both start at the same moment, after a day: the one asks the provider what was missed.
  await Promise.all(shop.stores.map((store) => store.stop()))
  await db.execute(sql`update job_runs set began_at = began_at - interval '1 day'`)
  const looksAt: number[] = []
  sandbox.controls.calls.inject({ path: '/v1/events', times: Number.POSITIVE_INFINITY }, { before: () => looksAt.push(Date.now()) })
  shop.stores.map((store) => store.start())
  await Promise.all(shop.stores.map((store) => store.opened()))
  const runs = async () => (await db.execute<{ name: string; beganAt: string }>(sql`select name, began_at as "beganAt" from job_runs`)).rows
  await waitWithin(10, 'the jobs have run', async () => (await runs()).every(({ beganAt }) => Date.parse(beganAt) > Date.now() - 3_600_000))
  await waitWithin(10, 'no job is under way', async () => (await shop.listPendingWork()).length === 0)
  assert.equal(looksAt.length, 1, 'one of the two has asked')
  if (isFullRun) {
    const rounds = 3
    await waitWithin(rounds * 60, 'two more rounds', async () => looksAt.length >= rounds)
    const pausesMs = looksAt.slice(1).map((at, nth) => at - (looksAt[nth] ?? 0))
    assert.ok(Math.min(...pausesMs) > 40_000, `one of the two each minute: ${pausesMs.join(', ')} ms between them`)
  }

  t.diagnostic(
    `${races} x ${stock} of ${4 * stock} over both, ${slowest.toFixed(2)} s at most, ${askedAgain} asked to come again; ${paid.length} payments told to both, once each in the books; ` +
      `new stock seen by the other after ${Math.max(...seenMs).toFixed(0)} ms at most; ${looksAt.length} x reconciled, by one of two`,
  )
})
