import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderEventNames,
  getStock,
  intentIdFromSecret,
  recordPayment,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { type AdminPurchase, orderDateGetters, type PurchaseForViewer, type PurchaseListItem } from './contract.ts'
import type { Order } from './order-contract.ts'
import { endOverdueOrders } from './payments/end-order.ts'

type Asked = [productId: string, quantity: number][]
const address = { buyerAddress: '1 Road' }

const send = (buyer: Actor, lines: Asked, more: object = {}, headers = {}) =>
  buyer.request('POST', '/orders', { ...address, lines: lines.map(([productId, quantity]) => ({ productId, quantity })), ...more }, headers)

async function place(store: Store, lines: Asked, more: object = {}): Promise<Order> {
  const placed = await send(store.customer, lines, more)
  assert.equal(placed.statusCode, 201, placed.body)
  return placed.json()
}

/** A drill for $30, a saw for $7 and a board for $250, 40 pieces of each. */
async function createProducts(store: Store): Promise<[drill: string, saw: string, board: string]> {
  return [
    await createProduct(store, { name: 'Drill', dollars: 30 }),
    await createProduct(store, { name: 'Saw', dollars: 7, minimum: 2 }),
    await createProduct(store, { name: 'Board', dollars: 250 }),
  ]
}

const show = async (actor: Actor, id: string): Promise<Order> => (await actor.request('GET', `/orders/${id}`)).json()
const purchase = async (store: Store, id: string): Promise<PurchaseForViewer> =>
  (await store.admin.request('GET', `/purchase/${id}`)).json()
const purchasesOf = async (store: Store): Promise<PurchaseListItem[]> =>
  (await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).json()

async function pay(store: Store, order: Order, id = order._id): Promise<string> {
  const opened = await store.customer.request('POST', '/create-payment-intent', { orderId: id, productCost: order.totalCents / 100 })
  assert.equal(opened.statusCode, 200, opened.body)
  const intentId = intentIdFromSecret(opened.json().clientSecret)
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(store.customer, { _id: id } as PurchaseForViewer, intentId)).statusCode, 200)
  return intentId
}

test('several products are one order: one total, one payment to come, and a line for each, in the order in which they were asked for', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, board] = await createProducts(store)

  const order = await place(
    store,
    [
      [saw, 2],
      [drill, 3],
      [board, 1],
      [saw, 3],
    ],
    { country: 'de', expectedTotalCents: 37_500 },
  )

  assert.deepEqual(
    [order.orderStatus, order.paymentStatus, order.fulfilmentStatus, order.totalCents, order.goodsCents, order.currency, order.country],
    ['open', 'unpaid', 'to_send', 37_500, 37_500, 'usd', 'DE'],
  )
  assert.deepEqual(
    order.lines.map(({ productId, quantity, unitPriceCents, totalCents }) => ({ productId, quantity, unitPriceCents, totalCents })),
    [
      { productId: saw, quantity: 5, unitPriceCents: 700, totalCents: 3500 },
      { productId: drill, quantity: 3, unitPriceCents: 3000, totalCents: 9000 },
      { productId: board, quantity: 1, unitPriceCents: 25_000, totalCents: 25_000 },
    ],
  )
  assert.deepEqual([await getStock(store, saw), await getStock(store, drill), await getStock(store, board)], [35, 37, 39])
  assert.deepEqual(await show(store.customer, order._id), order)
  assert.deepEqual(await show(store.customer, order.lines[1]?._id ?? ''), order, 'also by the id of a line')
  assert.equal((await store.otherCustomer.request('GET', `/orders/${order._id}`)).statusCode, 404)
  assert.equal((await store.visitor.request('GET', `/orders/${order._id}`)).statusCode, 401)
  const [mail] = await store.emailsTo(store.customer.email).then((mails) => mails.filter(({ subject }) => subject.startsWith('Order')))
  assert.match(mail?.subject ?? '', /^Order 1001: 3 products, \$375, not paid yet$/)
  for (const item of ['5 x Saw, $35', '3 x Drill, $90', '1 x Board, $250']) assert.ok(mail?.text.includes(item), mail?.text)
})

test("each line of an order is a purchase of the specification's calls, under one order number", async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const order = await place(store, [
    [drill, 1],
    [saw, 2],
  ])

  const listed = await purchasesOf(store)
  assert.deepEqual(
    listed.map(({ _id, number, productName, productCost, state }) => [_id, number, productName, productCost, state]),
    order.lines.map(({ _id, productName, totalCents }) => [_id, 1001, productName, totalCents / 100, 'open']),
  )
  assert.deepEqual(
    (await store.admin.request('GET', '/bookings')).json().map(({ _id }: PurchaseForViewer) => _id),
    order.lines.map(({ _id }) => _id),
  )
  assert.equal((await purchase(store, order._id)).productName, 'Drill', 'the id of the order shows its first line')
  for (const call of ['cancel', 'refund'])
    assert.equal((await store.admin.request('POST', `/purchase/${order._id}/${call}`, {})).statusCode, 404, 'and ends none of them')
  const one = await place(store, [[drill, 1]])
  assert.equal((await purchase(store, one._id)).productName, 'Drill', 'the only line of an order goes by its id too')
})

test('where a line is short nothing is placed, and the answer names every short line with what there is', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, board] = await createProducts(store)

  const refused = await send(store.customer, [
    [drill, 41],
    [board, 1],
    [saw, 45],
  ])

  assert.equal(refused.statusCode, 409)
  const { code, message, lines } = refused.json()
  assert.equal(code, 'stock_too_low')
  assert.match(message, /Drill \(40 of 41\), Saw \(40 of 45\)/)
  assert.deepEqual(lines, [
    { productId: drill, asked: 41, available: 40 },
    { productId: saw, asked: 45, available: 40 },
  ])
  assert.deepEqual([await getStock(store, drill), await getStock(store, board), await getStock(store, saw)], [40, 40, 40])
  assert.deepEqual(await purchasesOf(store), [])
})

test('a product is one line however its id is written: nobody orders, and gives back, more pieces than there are', async () => {
  await using store = await anEmptyStore()
  const [drill] = await createProducts(store)
  const ids = [drill, drill.toUpperCase(), drill.slice(0, 18).toUpperCase() + drill.slice(18)]
  const refused = await send(
    store.customer,
    ids.map((id) => [id, 20]),
    { expectedTotalCents: 180_000 },
  )
  assert.deepEqual([refused.statusCode, refused.json().lines], [409, [{ productId: drill, asked: 60, available: 40 }]])
  const placed = await send(
    store.customer,
    ids.map((id) => [id, 2]),
    { expectedTotalCents: 18_000 },
  )
  assert.deepEqual(
    placed.json().lines.map(({ productId, quantity }: { productId: string; quantity: number }) => [productId, quantity]),
    [[drill, 6]],
  )
  await store.customer.request('POST', `/orders/${placed.json()._id}/cancel`, {})
  assert.equal(await getStock(store, drill), 40)
})

test('another total than the buyer was shown is refused with the new one, and an order without one costs what the catalogue says', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const lines: Asked = [
    [drill, 1],
    [saw, 2],
  ]
  const refused = await send(store.customer, lines, { expectedTotalCents: 4300 })
  assert.deepEqual(
    [refused.statusCode, refused.json()],
    [409, { code: 'total_changed', message: 'The order now costs $44', totalCents: 4400 }],
  )
  assert.equal((await place(store, lines)).totalCents, 4400)
})

test('an order sent again with its key is the same order, and its key with another body is refused', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const lines: Asked = [
    [drill, 1],
    [saw, 2],
  ]
  const [first, again] = [
    await send(store.customer, lines, {}, { 'idempotency-key': 'a' }),
    await send(store.customer, lines, {}, { 'idempotency-key': 'a' }),
  ]
  assert.deepEqual([again.statusCode, again.json()], [201, first.json()])
  assert.equal((await send(store.customer, [[drill, 1]], {}, { 'idempotency-key': 'a' })).statusCode, 422)
  assert.equal(await getStock(store, drill), 39)
})

test('an order has 1 to 100 lines of products that are for sale, each from its minimum up', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const unknown = crypto.randomUUID()
  for (const [lines, status, said] of [
    [[], 400, /at least one line/],
    [Array.from({ length: 101 }, (): [string, number] => [drill, 1]), 400, /at most 100 lines/],
    [[[unknown, 1]], 404, /no such product/],
    [
      [
        [drill, 1],
        [saw, 1],
      ],
      400,
      /You must have to order 2 pieces/,
    ],
    [[[drill, 0]], 400, /whole number of pieces/],
    [[[drill, -3]], 400, /whole number of pieces/],
    [[[drill, 1.5]], 400, /whole number of pieces/],
  ] as [Asked, number, RegExp][]) {
    const refused = await send(store.customer, lines)
    assert.equal(refused.statusCode, status, refused.body)
    assert.match(refused.body, said)
  }
  await store.admin.request('DELETE', `/tools/${saw}`)
  const removed = await send(store.customer, [
    [drill, 1],
    [saw, 2],
  ])
  assert.equal(removed.statusCode, 404)
  assert.equal(
    (
      await place(
        store,
        Array.from({ length: 20 }, () => [drill, 1]),
      )
    ).lines.length,
    1,
  )
})

test('the limits of a buyer count all lines of an order', async () => {
  await using store = await anEmptyStore({ buyerLimits: { openOrders: 10, heldPieces: 10, heldDollars: 100, ordersPerHour: 30 } })
  const [drill, saw] = await createProducts(store)
  const refused = await send(store.customer, [
    [drill, 1],
    [saw, 11],
  ])
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'over_buyer_limit'])
  const worth = await send(store.customer, [
    [drill, 3],
    [saw, 2],
  ])
  assert.match(worth.json().message, /\$104 more is too much/)
  await place(store, [
    [drill, 2],
    [saw, 5],
  ])
  assert.match((await send(store.customer, [[saw, 4]])).json().message, /hold 7 pieces/)
})

test('one payment pays all lines: it is opened by the id of the order or of a line, and takes the total', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await place(store, [
    [drill, 1],
    [saw, 2],
  ])
  const [, second] = order.lines
  const wrong = await store.customer.request('POST', '/create-payment-intent', { orderId: second?._id, productCost: 14 })
  assert.deepEqual([wrong.statusCode, wrong.json().code, wrong.json().message], [409, 'amount_mismatch', 'This order costs $44'])

  const intentId = await pay(store, order, second?._id)

  assert.equal((await store.cards.stripe.paymentIntents.retrieve(intentId)).amount_received, 4400)
  const paid = await show(store.customer, order._id)
  assert.deepEqual([paid.orderStatus, paid.paymentStatus, paid.transectionId], ['placed', 'paid', intentId])
  assert.deepEqual(
    (await purchasesOf(store)).map(({ paid, transectionId, refundable }) => [paid, transectionId, refundable]),
    [
      [true, intentId, { cents: 3000, pieces: 1 }],
      [true, intentId, { cents: 1400, pieces: 2 }],
    ],
  )
  await waitForWebhooks(store)
})

test('a buyer cancels one line of an unpaid order: its pieces return, the rest is paid with a new intent, and the last line ends the order', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  const order = await place(store, [
    [drill, 1],
    [saw, 2],
    [board, 1],
  ])
  const [first, second, third] = order.lines
  assert.ok(first && second && third)
  const opened = await store.customer.request('POST', '/create-payment-intent', { orderId: order._id, productCost: 294 })
  const oldIntent = intentIdFromSecret(opened.json().clientSecret)

  const cancelled = await cancelPurchase(store.customer, third)

  assert.deepEqual([cancelled.statusCode, cancelled.json().state], [200, 'cancelled'], cancelled.body)
  assert.equal(await getStock(store, board), 40)
  assert.equal((await store.cards.stripe.paymentIntents.retrieve(oldIntent)).status, 'canceled')
  const now = await show(store.customer, order._id)
  assert.deepEqual([now.orderStatus, now.totalCents, now.lines.map(({ cancelled }) => cancelled)], ['open', 4400, [0, 0, 1]])
  assert.equal((await cancelPurchase(store.customer, third)).statusCode, 409)
  await pay(store, now)
  assert.deepEqual(
    (await purchasesOf(store)).map(({ state, productCost }) => [state, productCost]),
    [
      ['paid', 30],
      ['paid', 14],
      ['cancelled', 250],
    ],
  )
  const rows: AdminPurchase[] = (await store.admin.request('GET', '/bookings')).json()
  assert.deepEqual(
    rows.map((row) => orderDateGetters.paid(row).length),
    [1, 1, 0],
    'a line that was cancelled before is not paid',
  )
  const other = await place(store, [
    [drill, 1],
    [saw, 2],
  ])
  for (const line of other.lines) assert.equal((await cancelPurchase(store.customer, line)).statusCode, 200)
  assert.equal((await show(store.customer, other._id)).orderStatus, 'cancelled')
  assert.deepEqual(await getOrderEventNames(store, other), ['placed', 'line cancelled', 'cancelled'])
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [39, 38])
  await waitForWebhooks(store)
  const mails = (await store.emailsTo(store.customer.email)).map(({ subject }) => subject)
  assert.ok(mails.includes('A part of order 1001 is cancelled: $44 is left to pay'), mails.join('\n'))
})

test('an admin cancels one line of a paid order: the money and pieces of just that line go back, and the last one ends the order', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await place(store, [
    [drill, 2],
    [saw, 2],
  ])
  const intentId = await pay(store, order)
  const [first, second] = order.lines
  assert.ok(first && second)

  assert.equal((await cancelPurchase(store.customer, first)).statusCode, 409)
  assert.equal((await cancelPurchase(store.admin, first, { reason: 'Discontinued' })).json().state, 'cancelled')

  const now = await show(store.admin, order._id)
  assert.deepEqual([now.orderStatus, now.paymentStatus, now.refundedCents], ['placed', 'partly_refunded', 6000])
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [40, 38])
  assert.deepEqual(
    [(await purchase(store, second._id)).state, (await purchase(store, second._id)).refundable],
    ['paid', { cents: 1400, pieces: 2 }],
  )
  assert.equal((await cancelPurchase(store.admin, second)).json().state, 'cancelled')
  assert.deepEqual([(await show(store.admin, order._id)).orderStatus, await getStock(store, saw)], ['cancelled', 40])
  const back = await store.cards.stripe.refunds.list({ payment_intent: intentId })
  assert.deepEqual(back.data.map(({ amount }) => amount).sort(), [1400, 6000])
  await waitForWebhooks(store)
})

test('a whole order is cancelled at once, unpaid by its buyer and paid by an admin, with all money and pieces that are left', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const lines: Asked = [
    [drill, 2],
    [saw, 3],
  ]
  const unpaid = await place(store, lines)
  const cancel = (actor: Actor, order: Order) => actor.request('POST', `/orders/${order._id}/cancel`, {})
  assert.equal((await cancel(store.otherCustomer, unpaid)).statusCode, 404)
  assert.equal((await cancel(store.customer, unpaid)).json().orderStatus, 'cancelled')
  assert.equal((await cancel(store.customer, unpaid)).statusCode, 409)
  const paid = await place(store, lines)
  await pay(store, paid)
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
  const order = await place(store, [
    [drill, 3],
    [saw, 7],
  ])
  await pay(store, order)
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
    const order = await place(store, [
      [drill, 1],
      [saw, 2],
    ])
    await pay(store, order)
    const [first, second] = order.lines
    assert.ok(first && second)
    assert.equal((await refundPurchase(store.admin, second)).json().state, 'refunded')
    if (end === 'line') assert.equal((await cancelPurchase(store.admin, first)).statusCode, 200)
    else assert.equal((await store.admin.request('POST', `/orders/${order._id}/cancel`, {})).statusCode, 200)
    const now = await show(store.admin, order._id)
    assert.deepEqual([now.orderStatus, now.paymentStatus], end === 'line' ? ['completed', 'refunded'] : ['cancelled', 'refunded'])
  }
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [40, 38])
  await waitForWebhooks(store)
})

test('the money of a cancelled line whose refund failed is given back by the line again', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await place(store, [
    [drill, 1],
    [saw, 2],
  ])
  const opened = await store.customer.request('POST', '/create-payment-intent', { orderId: order._id, productCost: 44 })
  const intentId = intentIdFromSecret(opened.json().clientSecret)
  await confirmIntent(store, intentId, 'pm_card_refundFail')
  await recordPayment(store.customer, order.lines[0] as never, intentId)
  const [first] = order.lines
  assert.ok(first)
  assert.equal((await cancelPurchase(store.admin, first)).statusCode, 200)
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)

  const failed = await show(store.admin, order._id)
  assert.deepEqual([failed.refundedCents, failed.lines[0]?.cancelled, failed.lines[0]?.refundable.cents], [0, 1, 3000])
  assert.equal((await refundPurchase(store.admin, first, { amountCents: 3000 })).statusCode, 200)
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
})

test('pieces of refunds that wait for the provider count: together no more goes back than the line has, and all of it can', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await place(store, [
    [drill, 3],
    [saw, 2],
  ])
  await pay(store, order)
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
  const now = await show(store.admin, order._id)
  assert.deepEqual([now.refundedCents, now.lines[0]?.cancelled, await getStock(store, drill)], [9000, 3, 40])
})

test("money that the owner gives back in the provider's dashboard is for no line of an order of several, and leaves so much less to refund", async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await place(store, [
    [drill, 1],
    [saw, 2],
  ])
  const intentId = await pay(store, order)
  await store.cards.stripe.refunds.create({ payment_intent: intentId, amount: 2000 })
  await waitForWebhooks(store)

  const now = await show(store.admin, order._id)
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
  const order = await place(store, [
    [drill, 1],
    [saw, 2],
  ])
  const opened = await store.customer.request('POST', '/create-payment-intent', { orderId: order._id, productCost: 44 })
  const intentId = intentIdFromSecret(opened.json().clientSecret)
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  await store.db.execute(sql`update payments set intent_id = null`) // its answer was lost
  await store.db.execute(sql`update orders set hold_until = now()`)
  assert.equal(await endOverdueOrders(store.db, store.cards), 1)
  await store.jobs.runAllOnce()
  await store.jobs.runAllOnce()

  const now = await show(store.admin, order._id)
  assert.deepEqual([now.orderStatus, now.paymentStatus, now.refundedCents], ['expired', 'refunded', 4400])
  assert.deepEqual(
    now.lines.map(({ refundedCents }) => refundedCents),
    [3000, 1400],
  )
})

test('orders are listed by pages, filtered, searched and sorted: a buyer sees their own, an admin those of everybody', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  const own = []
  for (const quantity of [1, 5, 3, 2, 4]) own.push(await place(store, [[drill, quantity]]))
  const others = (
    await send(store.otherCustomer, [
      [saw, 2],
      [board, 1],
    ])
  ).json()
  await pay(store, own[1] as Order)
  type Page = { orders: Order[]; next: string | null }
  const list = async (actor: Actor, query: string): Promise<Page> => {
    const listed = await actor.request('GET', `/orders?${query}`)
    assert.equal(listed.statusCode, 200, listed.body)
    return listed.json()
  }
  const numbers = ({ orders }: Page) => orders.map(({ number }) => number - 1000)
  const all = async (query: string) => {
    const found: number[] = []
    for (let next: string | null | undefined; next !== null; ) {
      const page: Page = await list(store.admin, `${query}&limit=2${next ? `&cursor=${next}` : ''}`)
      found.push(...numbers(page))
      next = page.next
    }
    return found
  }

  assert.deepEqual(numbers(await list(store.customer, '')), [5, 4, 3, 2, 1])
  assert.deepEqual(numbers(await list(store.customer, `buyerEmail=${store.otherCustomer.email}`)), [])
  assert.deepEqual(await all('sort=newest'), [6, 5, 4, 3, 2, 1])
  assert.deepEqual(await all('sort=oldest'), [1, 2, 3, 4, 5, 6])
  assert.deepEqual(await all('sort=highest'), [6, 2, 5, 3, 4, 1])
  assert.deepEqual(await all('sort=lowest'), [1, 4, 3, 5, 2, 6])
  assert.deepEqual(await all('paymentStatus=paid'), [2])
  assert.deepEqual(await all('orderStatus=open&sort=oldest'), [1, 3, 4, 5, 6])
  for (const [q, found] of [
    ['1002', [2]],
    ['board', [6]],
    ['bob@', [6]],
    ['100%25', []],
    ['1_', []],
  ] as const)
    assert.deepEqual(await all(`q=${q}`), found, q)
  const today = new Date().toISOString().slice(0, 10)
  assert.equal((await all(`from=${today}&to=${today}`)).length, 6)
  assert.deepEqual(await all('to=2020-01-01'), [])
  assert.deepEqual(
    (await list(store.admin, 'q=board')).orders[0]?.lines.map(({ productName }) => productName),
    others.lines.map(({ productName }: { productName: string }) => productName),
  )
  for (const wrong of [
    'sort=wildest',
    'limit=101',
    'cursor=x',
    'sort=highest&cursor=5',
    'from=yesterday',
    'orderStatus=lost',
    'cursor=9999999999',
    'sort=highest&cursor=9999999999.1',
    'from=0000-01-01',
    'to=0000-01-01',
  ])
    assert.equal((await store.admin.request('GET', `/orders?${wrong}`)).statusCode, 400, wrong)
  await waitForWebhooks(store)
})
