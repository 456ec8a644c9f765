import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { PurchasePage } from '#store/orders/admin-list-contract.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { createProducts, listPurchases, openOrderPayment, payOrder, placeLines, showOrder, showPurchase } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderEventNames,
  getOrderHistory,
  getStock,
  recordPayment,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Actor } from '#test/store.ts'
import { endOverdueOrders } from './end-order.ts'

test('a buyer cancels one line of an unpaid order: its pieces return, the rest is paid with a new intent, and the last line ends the order', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2, [board]: 1 })
  const [first, second, third] = order.lines
  assert.ok(first && second && third)
  const oldIntent = await openOrderPayment(store, order)

  const cancelled = await cancelPurchase(store.customer, third)

  assert.deepEqual([cancelled.statusCode, cancelled.json().state], [200, 'cancelled'], cancelled.body)
  assert.equal(await getStock(store, board), 40)
  assert.equal((await store.cards.stripe.paymentIntents.retrieve(oldIntent)).status, 'canceled')
  const now = await showOrder(store.customer, order._id)
  assert.deepEqual([now.orderStatus, now.totalCents, now.lines.map(({ cancelled }) => cancelled)], ['open', 4400, [0, 0, 1]])
  assert.equal((await cancelPurchase(store.customer, third)).statusCode, 409)
  const newIntent = await payOrder(store, now)
  assert.deepEqual(
    (await listPurchases(store)).map(({ state, productCost, transectionId, card, paidAt }) => [
      state,
      productCost,
      transectionId,
      card,
      paidAt !== null,
    ]),
    [
      ['paid', 30, newIntent, 'visa 4242', true],
      ['paid', 14, newIntent, 'visa 4242', true],
      ['cancelled', 250, null, null, false],
    ],
    'the payment is for the lines that are left',
  )
  const paid: PurchasePage = (await store.admin.request('GET', '/bookings/page?date=paid')).json()
  assert.deepEqual([paid.total, paid.sumCents], [1, 4400], 'a line that was cancelled before is not paid')
  const other = await placeLines(store, { [drill]: 1, [saw]: 2 })
  for (const line of other.lines) assert.equal((await cancelPurchase(store.customer, line)).statusCode, 200)
  assert.equal((await showOrder(store.customer, other._id)).orderStatus, 'cancelled')
  assert.deepEqual(await getOrderEventNames(store, other), ['placed', 'line cancelled', 'cancelled'])
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [39, 38])
  await waitForWebhooks(store)
  const mails = (await store.emailsTo(store.customer.email)).map(({ subject }) => subject)
  assert.ok(mails.includes('A part of order 1001 is cancelled: $44 is left to pay'), mails.join('\n'))
})

test('the history and the mails name the part of an order that was cancelled or refunded', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 2, [saw]: 2, [board]: 1 })
  const [first, second, third] = order.lines
  assert.ok(first && second && third)

  assert.equal((await cancelPurchase(store.customer, third)).statusCode, 200)
  await payOrder(store, await showOrder(store.customer, order._id))
  const pieces = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: first._id, quantity: 1 }] })
  assert.equal(pieces.statusCode, 200, pieces.body)
  assert.equal((await cancelPurchase(store.admin, second)).statusCode, 200)
  const rest = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: first._id, quantity: 1 }] })
  assert.equal(rest.statusCode, 200, rest.body)

  const named = ({ quantity, productName }: { quantity: number; productName: string }) => `${quantity} x ${productName}`
  const history = await getOrderHistory(store, order)
  assert.deepEqual(
    history.flatMap(({ event, items }) => (items === null ? [] : [[event, items]])),
    [
      ['line cancelled', named(third)],
      ['partly refunded', named({ ...first, quantity: 1 })],
      ['line cancelled', named(second)],
      ['refunded', named({ ...first, quantity: 1 })],
    ],
  )
  await waitForWebhooks(store)
  const texts = (await store.emailsTo(store.customer.email)).map(({ text }) => text).join('\n')
  assert.match(texts, new RegExp(`you have cancelled a part of your order ${order.number}: ${named(third)}\\.`))
  assert.match(
    texts,
    new RegExp(
      `order ${order.number}, ${named({ ...first, quantity: 1 })}, goes back to .*\\. Not sent any more of the order: 1 x .*\\. The rest of it stays as it is\\.`,
    ),
  )
  assert.match(
    texts,
    new RegExp(
      `order ${order.number}, ${named({ ...first, quantity: 1 })}, goes back to .*\\. With this, all of your payment has gone back\\.`,
    ),
  )
})

test('a line that cannot be cancelled, since the rest would cost less than a card can pay, leaves the open payment as it is', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, washer] = [await createProduct(store), await createProduct(store, { name: 'Washer', dollars: 0.05 })]
  const order = await placeLines(store, { [drill]: 1, [washer]: 2 })
  const intentId = await openOrderPayment(store, order)

  const refused = await cancelPurchase(store.customer, order.lines[0] ?? assert.fail())

  assert.deepEqual(
    [refused.statusCode, refused.json().code, refused.json().message],
    [409, 'costs_too_little', 'What is left would cost less than $0.50, the least that a card can pay: cancel the whole order'],
  )
  assert.equal((await store.cards.stripe.paymentIntents.retrieve(intentId)).status, 'requires_payment_method')
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(store.customer, order, intentId)).json().state, 'paid')
  await waitForWebhooks(store)
})

test('an admin cancels one line of a paid order: the money and pieces of just that line go back, and the last one ends the order', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 2, [saw]: 2 })
  const intentId = await payOrder(store, order)
  const [first, second] = order.lines
  assert.ok(first && second)

  assert.equal((await cancelPurchase(store.customer, first)).statusCode, 409)
  assert.equal((await cancelPurchase(store.admin, first, { reason: 'Discontinued' })).json().state, 'cancelled')

  const now = await showOrder(store.admin, order._id)
  assert.deepEqual([now.orderStatus, now.paymentStatus, now.refundedCents], ['placed', 'partly_refunded', 6000])
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [40, 38])
  assert.deepEqual(
    [(await showPurchase(store, second._id)).state, (await showPurchase(store, second._id)).refundable],
    ['paid', { cents: 1400, pieces: 2 }],
  )
  assert.equal((await cancelPurchase(store.admin, second)).json().state, 'cancelled')
  assert.deepEqual([(await showOrder(store.admin, order._id)).orderStatus, await getStock(store, saw)], ['cancelled', 40])
  const back = await store.cards.stripe.refunds.list({ payment_intent: intentId })
  assert.deepEqual(back.data.map(({ amount }) => amount).sort(), [1400, 6000])
  await waitForWebhooks(store)
})

test('a whole order is cancelled at once, unpaid by its buyer and paid by an admin, with all money and pieces that are left', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const lines = { [drill]: 2, [saw]: 3 }
  const unpaid = await placeLines(store, lines)
  const cancel = (actor: Actor, order: Order) => actor.request('POST', `/orders/${order._id}/cancel`, {})
  assert.equal((await cancel(store.otherCustomer, unpaid)).statusCode, 404)
  assert.equal((await cancel(store.customer, unpaid)).json().orderStatus, 'cancelled')
  assert.equal((await cancel(store.customer, unpaid)).statusCode, 409)
  const paid = await placeLines(store, lines)
  await payOrder(store, paid)
  assert.equal((await refundPurchase(store.admin, paid.lines[0] ?? paid, { amountCents: 500 })).statusCode, 200)
  assert.equal((await cancel(store.customer, paid)).statusCode, 409)
  const { orderStatus, paymentStatus, refundedCents } = (await cancel(store.admin, paid)).json()
  assert.deepEqual([orderStatus, paymentStatus, refundedCents], ['cancelled', 'refunded', 8100])
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [40, 40])
  await waitForWebhooks(store)
})

test('pieces of lines are refunded by what they have cost: all of them together give back the line to the cent, and no more', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 7 })
  await payOrder(store, order)
  const [first, second] = order.lines
  assert.ok(first && second)
  const refund = (lines: object[], more = {}) => store.admin.request('POST', `/orders/${order._id}/refunds`, { lines, ...more })

  assert.equal((await store.customer.request('POST', `/orders/${order._id}/refunds`, { lines: [] })).statusCode, 403)
  const one = await refund([
    { _id: first._id, quantity: 1 },
    { _id: second._id, quantity: 3, restock: 1 },
  ])
  assert.deepEqual([one.statusCode, one.json().refundedCents, one.json().paymentStatus], [200, 3000 + 2100, 'partly_refunded'], one.body)
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [38, 34])
  const seen = await refund([{ _id: first._id, quantity: 1 }], { refundedCentsSeen: 0 })
  assert.deepEqual([seen.statusCode, seen.json().code], [409, 'refunds_changed'])
  for (const [lines, status] of [
    [[{ _id: first._id, quantity: 3 }], 400],
    [
      [
        { _id: first._id, quantity: 1 },
        { _id: first._id, quantity: 1 },
      ],
      400,
    ],
    [[{ _id: crypto.randomUUID(), quantity: 1 }], 404],
    [[{ _id: first._id, quantity: 1, restock: 2 }], 400],
  ] as const)
    assert.equal((await refund([...lines])).statusCode, status)
  const rest = await refund([
    { _id: first._id, quantity: 2 },
    { _id: second._id, quantity: 4 },
  ])
  assert.deepEqual([rest.json().refundedCents, rest.json().orderStatus, rest.json().paymentStatus], [13_900, 'completed', 'refunded'])
  assert.deepEqual((await refund([{ _id: first._id, quantity: 1 }])).json().code, 'order_not_paid')
  await waitForWebhooks(store)
})

test('a paid order of which a part was refunded without its pieces is not cancelled with them: it is completed, and the books are right', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  for (const end of ['line', 'order']) {
    const order = await placeLines(store, { [drill]: 1, [saw]: 2 })
    await payOrder(store, order)
    const [first, second] = order.lines
    assert.ok(first && second)
    assert.equal((await refundPurchase(store.admin, second)).json().state, 'refunded')
    if (end === 'line') assert.equal((await cancelPurchase(store.admin, first)).statusCode, 200)
    else assert.equal((await store.admin.request('POST', `/orders/${order._id}/cancel`, {})).statusCode, 200)
    const now = await showOrder(store.admin, order._id)
    assert.deepEqual([now.orderStatus, now.paymentStatus], end === 'line' ? ['completed', 'refunded'] : ['cancelled', 'refunded'])
  }
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [40, 38])
  const piece = await placeLines(store, { [drill]: 1, [saw]: 2 })
  await payOrder(store, piece)
  assert.equal((await refundPurchase(store.admin, piece.lines[0] ?? assert.fail())).json().state, 'refunded')
  assert.equal((await store.admin.request('POST', `/orders/${piece._id}/cancel`, {})).json().orderStatus, 'cancelled')
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [40, 38], 'a single piece returns, too')
  await waitForWebhooks(store)
})

test('the money of a cancelled line whose refund failed is given back by the line again', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2 })
  await payOrder(store, order, { card: 'pm_card_refundFail' })
  const [first] = order.lines
  assert.ok(first)
  assert.equal((await cancelPurchase(store.admin, first)).statusCode, 200)
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)

  const failed = await showOrder(store.admin, order._id)
  assert.deepEqual([failed.refundedCents, failed.lines[0]?.cancelled, failed.lines[0]?.refundable.cents], [0, 1, 3000])
  assert.equal((await refundPurchase(store.admin, first, { amountCents: 3000 })).statusCode, 200)
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
})

test('pieces of refunds that wait for the provider count: together no more goes back than the line has, and all of it can', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
  await payOrder(store, order)
  const [first] = order.lines
  assert.ok(first)
  const refund = (quantity: number) =>
    store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: first._id, quantity }] })
  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  assert.equal((await refund(1)).statusCode, 200)
  assert.equal((await refund(1)).statusCode, 200)
  assert.equal((await refund(2)).statusCode, 400)
  assert.equal((await refund(1)).statusCode, 200)
  away.remove()
  await store.db.execute(sql`update refunds set next_try_at = now()`)
  for (let nth = 0; nth < 3; nth++) await store.jobs.runAllOnce()
  await waitForWebhooks(store)
  const now = await showOrder(store.admin, order._id)
  assert.deepEqual([now.refundedCents, now.lines[0]?.cancelled, await getStock(store, drill)], [9000, 3, 40])
})

test("money that the owner gives back in the provider's dashboard is for no line of an order of several, and leaves so much less to refund", async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2 })
  const intentId = await payOrder(store, order)
  await store.cards.stripe.refunds.create({ payment_intent: intentId, amount: 2000 })
  await waitForWebhooks(store)

  const now = await showOrder(store.admin, order._id)
  assert.deepEqual([now.refundedCents, now.refundable.cents, now.lines.map((line) => line.refundable.cents)], [2000, 2400, [2400, 1400]])
  const byPiece = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: order.lines[1]?._id, quantity: 1 }] })
  assert.deepEqual([byPiece.statusCode, byPiece.json().refundedCents], [200, 2700], 'a saw goes back at what it has cost')
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  assert.deepEqual([cancelled.json().orderStatus, cancelled.json().refundedCents], ['cancelled', 4400], cancelled.body)
  await waitForWebhooks(store)
})

test('money that comes after an order of several lines has ended goes back, and its lines say so', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2 })
  const intentId = await openOrderPayment(store, order)
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  await store.db.execute(sql`update payments set intent_id = null`) // its answer was lost
  await store.db.execute(sql`update orders set hold_until = now()`)
  assert.equal(await endOverdueOrders(store.db, store.cards), 1)
  await store.jobs.runAllOnce()
  await store.jobs.runAllOnce()

  const now = await showOrder(store.admin, order._id)
  assert.deepEqual([now.orderStatus, now.paymentStatus, now.refundedCents], ['expired', 'refunded', 4400])
  assert.deepEqual(
    now.lines.map(({ refundedCents }) => refundedCents),
    [3000, 1400],
  )
})

test('a declined card of an order counts, also where its payment was replaced since a line was cancelled', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2, [board]: 1 })
  dropWebhooks(store) // they come once the line is cancelled
  const intentId = await openOrderPayment(store, order)
  await assert.rejects(confirmIntent(store, intentId, 'pm_card_visa_chargeDeclined'))
  assert.equal((await cancelPurchase(store.customer, order.lines[2] ?? assert.fail())).statusCode, 200)
  await store.jobs.runAllOnce()
  await store.jobs.whenIdle()
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'line cancelled', 'card declined'])
})

test('money by a payment that another has replaced goes back whole, and is no payment of the order', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2, [board]: 1 })
  dropWebhooks(store)
  const intentId = await openOrderPayment(store, order)
  await store.db.execute(sql`update payments set intent_id = null`) // its answer was lost
  assert.equal((await cancelPurchase(store.customer, order.lines[2] ?? assert.fail())).statusCode, 200)
  await confirmIntent(store, intentId)
  for (let nth = 0; nth < 3; nth++) await store.jobs.runAllOnce()

  const open = await showOrder(store.customer, order._id)
  assert.deepEqual([open.orderStatus, open.paymentStatus, open.refundedCents], ['open', 'unpaid', 0])
  assert.deepEqual(
    (await store.cards.stripe.refunds.list({ payment_intent: intentId })).data.map(({ amount }) => amount),
    [29_400],
  )
  await payOrder(store, open)
  const paid = await showOrder(store.customer, order._id)
  assert.deepEqual([paid.orderStatus, paid.paymentStatus, paid.totalCents], ['placed', 'paid', 4400])
})
