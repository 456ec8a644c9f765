import assert from 'node:assert/strict'
import http from 'node:http'
import { test } from 'node:test'
import { and, eq, inArray, sql } from 'drizzle-orm'
import * as z from 'zod'
import { Product } from '#store/catalogue/contract.ts'
import { orderLines, orders } from '#store/orders/table.ts'
import { isFullRun, sampleSize } from './full-run.ts'
import { raceForStock } from './race.ts'
import {
  createProduct,
  intentIdFromSecret,
  openPayment,
  placePurchase,
  recoverySeconds,
  startStoreCluster,
  waitWithin,
} from './store-cluster.ts'

test('A7 two processes on one database: 200 buyers over both, both told of every payment, the reconciler runs in one, and each shows what the other has sold', async (t) => {
  await using post = await aPostOffice()
  await using shop = await startStoreCluster({ stores: 2, webhookUrl: post.sendTo })
  const { db, sandbox, addresses } = shop
  const admin = await shop.admin()

  const races = sampleSize(1, 5)
  let slowest = 0
  let askedAgain = 0
  for (let nth = 0; nth < races; nth++) {
    const raced = await raceForStock(shop, await createProduct(admin, 50), await shop.createCustomers(200))
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
  assert.ok(post.delivered.every((statuses) => statuses.every((status) => status === 200)) && post.delivered.length >= paid.length)
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
    `${races} x 50 of 200 over both, ${slowest.toFixed(2)} s at most, ${askedAgain} asked to come again; ${paid.length} payments told to both, once each in the books; ` +
      `new stock seen by the other after ${Math.max(...seenMs).toFixed(0)} ms at most; ${looksAt.length} x reconciled, by one of two`,
  )
})

/** Hands what the provider sends to every store at once, as two endpoints at the provider would. */
async function aPostOffice() {
  let targets: string[] = []
  const delivered: number[][] = []
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const headers = { 'content-type': 'application/json', 'stripe-signature': String(request.headers['stripe-signature']) }
    const statuses = await Promise.all(
      targets.map((target) =>
        fetch(`${target}/webhooks/stripe`, { method: 'POST', headers, body: Buffer.concat(parts) }).then(
          ({ status }) => status,
          () => 503,
        ),
      ),
    )
    delivered.push(statuses)
    response.writeHead(Math.max(...statuses)).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  return {
    /** the answers of each delivery, of one store after the other */
    delivered,
    sendTo(addresses: string[]) {
      targets = addresses
      return url
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
