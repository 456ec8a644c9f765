import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Order } from '#store/orders/order-contract.ts'
import { checkOut, putIntoCart } from '#test/checkout-actions.ts'
import { createProducts, payOrder, placeLines, showOrder } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  createTestStoreWithCards,
  getOrderHistory,
  getStock,
  refundPurchase,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import { decide, importEntries, placeTransferOrder, setUpTransfers, waitingEntries } from '#test/transfer-actions.ts'

test('after a refund by amount as large as what the unsent pieces have cost, the rest is cancelled without money: pieces, stock, history and mail', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
  await payOrder(store, order)
  const [drills, saws] = order.lines
  assert.ok(drills && saws)
  await sendPieces(store, order, 1, 2)
  assert.equal((await refundPurchase(store.admin, drills, { amountCents: 6000, restock: 0 })).statusCode, 200)
  const stock = await getStock(store, drill)

  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'Not made any more' })

  assert.equal(cancelled.statusCode, 200, cancelled.body)
  const now: Order = cancelled.json()
  assert.deepEqual([now.orderStatus, now.fulfilmentStatus, now.refundedCents], ['completed', 'sent', 6000])
  const [line] = now.lines
  assert.deepEqual([line?.sent, line?.cancelled, line?.toSend, line?.restocked, line?.refundedPieces], [1, 2, 0, 2, 2])
  assert.equal(await getStock(store, drill), stock + 2)
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual(
    [last?.event, last?.items, last?.amountCents, last?.note, last?.state],
    ['line cancelled', '2 x Drill', null, 'Not made any more', 'shipped'],
  )
  const { rows } = await store.db.execute<{ due: number }>(sql`select count(*)::integer as due from due_documents where event = 'refunded'`)
  assert.equal(rows[0]?.due, 1, 'nothing that goes back has no credit note')
  await store.jobs.runAllOnce()
  await waitForWebhooks(store)
  const mail = (await store.emailsTo(store.customer.email)).find(({ subject }) => subject.startsWith('A part of order'))
  assert.match(`${mail?.subject}`, /is cancelled: its money had gone back before/)
  assert.match(`${mail?.text}`, /cancelled a part of your order \d+: 2 x Drill\. 1 x Drill, 2 x Saw was sent before, and stays paid\./)
  assert.match(`${mail?.text}`, /Its money had gone back to you before\./)
  const again = await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  assert.deepEqual([again.statusCode, again.json().code], [409, 'order_shipped'])
})

test('a smaller refund by amount leaves the difference to go back, and one beyond leaves nothing; a line alone is cancelled likewise', async () => {
  await using store = await createTestStoreWithCards()
  for (const [amountCents, rest] of [
    [1500, 4500],
    [8999, 0],
  ] as const) {
    const [drill, saw] = await createProducts(store)
    const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
    await payOrder(store, order)
    const [drills] = order.lines
    assert.ok(drills)
    await sendPieces(store, order, 1)
    await refundPurchase(store.admin, drills, { amountCents, restock: 0 })
    const cancelled = await cancelPurchase(store.admin, drills)
    assert.equal(cancelled.statusCode, 200, cancelled.body)
    const { lines, ...now } = await showOrder(store.admin, order._id)
    assert.deepEqual([lines[0]?.refundedCents, lines[0]?.cancelled, lines[0]?.toSend], [amountCents + rest, 2, 0])
    assert.deepEqual([now.orderStatus, now.fulfilmentStatus], ['placed', 'partly_sent'], 'the saws are still to be sent')
    await sendPieces(store, order)
    assert.equal((await showOrder(store.admin, order._id)).orderStatus, 'completed')
  }
})

test('pieces of an order by transfer are cancelled without money, and the books of the bank are right', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store, { quantity: 3 })
  await importEntries(store, [{ amountCents: 9000, text: order.reference }])
  await sendPieces(store, order, 1)
  assert.equal((await refundPurchase(store.admin, order.lines[0] ?? assert.fail(), { amountCents: 6000, restock: 0 })).statusCode, 200)
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  assert.deepEqual([cancelled.json().orderStatus, cancelled.json().lines[0].cancelled], ['completed', 2])
  assert.deepEqual(await store.faults(), [])
})

test('where less was paid than its lines cost, no more goes back for those that are not sent than was paid', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const [drill, saw] = await createProducts(store)
  await putIntoCart(store.customer, { [drill]: 2, [saw]: 2 })
  const order = await checkOut(store.customer, { paymentMethod: 'bank_transfer' })
  await importEntries(store, [{ amountCents: 3500, text: `${order.number}` }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const taken = { decision: 'accept the shortfall', orders: [{ number: order.number, amountCents: 3500 }], reason: 'Agreed by phone' }
  assert.equal((await decide(store.admin, entry, taken)).statusCode, 200)
  await sendPieces(store, order, 1)
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  const { refunds } = (await store.admin.request('GET', '/bank-entries')).json()
  assert.deepEqual(
    refunds.map(({ amountCents }: { amountCents: number }) => amountCents),
    [3500],
  )
  const done = await store.admin.request('POST', `/transfer-refunds/${refunds[0]._id}/done`, { doneOn: refunds[0].askedAt.slice(0, 10) })
  assert.equal(done.statusCode, 200, done.body)
  const { lines, paymentStatus } = await showOrder(store.admin, order._id)
  assert.deepEqual(
    [paymentStatus, lines.map(({ refundedCents, toSend }) => [refundedCents, toSend])],
    [
      'refunded',
      [
        [3000, 0],
        [500, 0],
      ],
    ],
  )
})
