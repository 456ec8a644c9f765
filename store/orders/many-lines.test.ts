import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { addProducts } from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import {
  type AskedLines,
  createProducts,
  listPurchases,
  payOrder,
  placeLines,
  sendLines,
  showOrder,
  showPurchase,
} from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, getStock, waitForWebhooks } from '#test/order-actions.ts'
import { anEmptyStore } from '#test/store.ts'
import type { PurchaseForViewer } from './contract.ts'

test('several products are one order: one total, one payment to come, and a line for each, in the order in which they were asked for', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, board] = await createProducts(store)

  const order = await placeLines(
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
  assert.deepEqual(await showOrder(store.customer, order._id), order)
  assert.deepEqual(await showOrder(store.customer, order.lines[1]?._id ?? ''), order, 'also by the id of a line')
  assert.equal((await store.otherCustomer.request('GET', `/orders/${order._id}`)).statusCode, 404)
  assert.equal((await store.visitor.request('GET', `/orders/${order._id}`)).statusCode, 401)
  const [mail] = await store.emailsTo(store.customer.email).then((mails) => mails.filter(({ subject }) => subject.startsWith('Order')))
  assert.match(mail?.subject ?? '', /^Order 1001: 3 products, \$375, not paid yet$/)
  for (const item of ['5 x Saw, $35', '3 x Drill, $90', '1 x Board, $250']) assert.ok(mail?.text.includes(item), mail?.text)
  assert.ok(mail?.text.includes('is placed: 5 x Saw, 3 x Drill, 1 x Board for $375.'), mail?.text)
})

test("each line of an order is a purchase of the specification's calls, under one order number", async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2 })

  const listed = await listPurchases(store)
  assert.deepEqual(
    listed.map(({ _id, number, productName, productCost, state }) => [_id, number, productName, productCost, state]),
    order.lines.map(({ _id, productName, totalCents }) => [_id, 1001, productName, totalCents / 100, 'open']),
  )
  assert.deepEqual(
    (await store.admin.request('GET', '/bookings')).json().map(({ _id }: PurchaseForViewer) => _id),
    order.lines.map(({ _id }) => _id),
  )
  assert.equal((await showPurchase(store, order._id)).productName, 'Drill', 'the id of the order shows its first line')
  for (const call of ['cancel', 'refund'])
    assert.equal((await store.admin.request('POST', `/purchase/${order._id}/${call}`, {})).statusCode, 404, 'and ends none of them')
  const one = await placeLines(store, { [drill]: 1 })
  assert.equal((await showPurchase(store, one._id)).productName, 'Drill', 'the only line of an order goes by its id too')
})

test('where a line is short nothing is placed, and the answer names every short line with what there is and when more arrives', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, board] = await createProducts(store)

  const incoming = { quantity: 1200, date: '2999-12-12' }
  await store.db.update(products).set({ incoming }).where(eq(products._id, saw))

  const refused = await sendLines(store.customer, { [drill]: 41, [board]: 1, [saw]: 45 })

  assert.equal(refused.statusCode, 409)
  const { code, message, errors, lines } = refused.json()
  assert.equal(code, 'stock_too_low')
  assert.equal(message, 'Less is in stock than you ask for: Drill (40 of 41), Saw (40 of 45, 1,200 more arrive on 12 Dec 2999)')
  assert.deepEqual(errors, {
    'lines.0.quantity': "You can't order more than 40 pieces",
    'lines.2.quantity': "You can't order more than 40 pieces. 1,200 more arrive on 12 Dec 2999",
  })
  assert.deepEqual(lines, [
    { productId: drill, asked: 41, available: 40 },
    { productId: saw, asked: 45, available: 40, incoming },
  ])
  assert.deepEqual([await getStock(store, drill), await getStock(store, board), await getStock(store, saw)], [40, 40, 40])
  assert.deepEqual(await listPurchases(store), [])
})

test('a product is one line however its id is written: nobody orders, and gives back, more pieces than there are', async () => {
  await using store = await anEmptyStore()
  const [drill] = await createProducts(store)
  const ids = [drill, drill.toUpperCase(), drill.slice(0, 18).toUpperCase() + drill.slice(18)]
  const refused = await sendLines(
    store.customer,
    ids.map((id) => [id, 20]),
    { expectedTotalCents: 180_000 },
  )
  assert.deepEqual([refused.statusCode, refused.json().lines], [409, [{ productId: drill, asked: 60, available: 40 }]])
  const placed = await sendLines(
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
  const lines = { [drill]: 1, [saw]: 2 }
  const refused = await sendLines(store.customer, lines, { expectedTotalCents: 4300 })
  assert.deepEqual(
    [refused.statusCode, refused.json()],
    [409, { code: 'total_changed', message: 'The order now costs $44', totalCents: 4400 }],
  )
  assert.equal((await placeLines(store, lines)).totalCents, 4400)
})

test('an order sent again with its key is the same order, and its key with another body is refused', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const lines = { [drill]: 1, [saw]: 2 }
  const [first, again] = [
    await sendLines(store.customer, lines, {}, { 'idempotency-key': 'a' }),
    await sendLines(store.customer, lines, {}, { 'idempotency-key': 'a' }),
  ]
  assert.deepEqual([again.statusCode, again.json()], [201, first.json()])
  assert.equal((await sendLines(store.customer, { [drill]: 1 }, {}, { 'idempotency-key': 'a' })).statusCode, 422)
  assert.equal(await getStock(store, drill), 39)
})

test('an order has 1 to 100 lines of products that are for sale, each from its minimum up', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const unknown = crypto.randomUUID()
  for (const [lines, status, said] of [
    [[], 400, /at least one line/],
    [Array.from({ length: 101 }, (): [string, number] => [drill, 1]), 400, /at most 100 lines/],
    [{ [unknown]: 1 }, 404, /no such product/],
    [{ [drill]: 1, [saw]: 1 }, 400, /You must have to order 2 pieces/],
    [{ [drill]: 0 }, 400, /whole number of pieces/],
    [[[drill, -3]], 400, /whole number of pieces/],
    [[[drill, 1.5]], 400, /whole number of pieces/],
  ] as [AskedLines, number, RegExp][]) {
    const refused = await sendLines(store.customer, lines)
    assert.equal(refused.statusCode, status, refused.body)
    assert.match(refused.body, said)
  }
  await store.admin.request('DELETE', `/tools/${saw}`)
  const removed = await sendLines(store.customer, { [drill]: 1, [saw]: 2 })
  assert.equal(removed.statusCode, 404)
})

test('the limits of a buyer count all lines of an order', async () => {
  await using store = await anEmptyStore({ buyerLimits: { openOrders: 10, heldPieces: 10, heldCents: 10_000, ordersPerHour: 30 } })
  const [drill, saw] = await createProducts(store)
  const refused = await sendLines(store.customer, { [drill]: 1, [saw]: 11 })
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'over_buyer_limit'])
  const worth = await sendLines(store.customer, { [drill]: 3, [saw]: 2 })
  assert.match(worth.json().message, /\$104 more is too much/)
  await placeLines(store, { [drill]: 2, [saw]: 5 })
  assert.match((await sendLines(store.customer, { [saw]: 4 })).json().message, /hold 7 pieces/)
  const washer = await createProduct(store, { name: 'Washer', dollars: 0.05 })
  const least = await sendLines(store.customer, { [washer]: 10 })
  assert.match(least.json().message, /hold 7 pieces/, 'also of an order of the least that a card can pay')
})

test('one payment pays all lines: it is opened by the id of the order or of a line, and takes the total', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 1, [saw]: 2 })
  const [, second] = order.lines
  const wrong = await store.customer.request('POST', '/create-payment-intent', { orderId: second?._id, productCost: 14 })
  assert.deepEqual([wrong.statusCode, wrong.json().code, wrong.json().message], [409, 'amount_mismatch', 'This order costs $44'])

  const intentId = await payOrder(store, order, { id: second?._id })

  assert.equal((await store.cards.stripe.paymentIntents.retrieve(intentId)).amount_received, 4400)
  const paid = await showOrder(store.customer, order._id)
  assert.deepEqual([paid.orderStatus, paid.paymentStatus, paid.transectionId], ['placed', 'paid', intentId])
  assert.deepEqual(
    (await listPurchases(store)).map(({ paid, transectionId, refundable }) => [paid, transectionId, refundable]),
    [
      [true, intentId, { cents: 3000, pieces: 1 }],
      [true, intentId, { cents: 1400, pieces: 2 }],
    ],
  )
  await waitForWebhooks(store)
})

test('an order of a hundred different products is one order', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const rows = Array.from({ length: 100 }, (_, nth) => ({
    sku: `P-${nth}`,
    name: `Part ${nth}`,
    description: '',
    minimum_order_quantity: 1,
  }))
  await addProducts(
    store.db,
    rows.map((row, nth) => ({ ...row, price: 1 + nth, available_quantity: 5 })),
  )
  const all: { _id: string }[] = (await store.visitor.request('GET', '/tools')).json()
  const order = await placeLines(store, Object.fromEntries(all.map(({ _id }) => [_id, 2])))
  assert.deepEqual([order.lines.length, order.totalCents], [100, 2 * 100 * 5050])
  assert.deepEqual(await showOrder(store.customer, order._id), order)
  const mail = (await store.emailsTo(store.customer.email)).find(({ subject }) => subject.startsWith('Order 1001'))
  const first = order.lines.slice(0, 3).map(({ productName }) => `2 x ${productName}`)
  assert.ok(mail?.text.includes(`is placed: ${first.join(', ')} and 97 more for $10,100.`), mail?.text)
})

test('a product that a purchase names in upper case is the same, also where the purchase is refused', async () => {
  await using store = await anEmptyStore()
  const [drill] = await createProducts(store)
  const buy = (quantity: number) =>
    store.customer.request('POST', '/purchase', {
      ...{
        toolId: drill.toUpperCase(),
        productName: 'Drill',
        productQuantity: quantity,
        productCost: 30 * quantity,
        buyerAddress: '1 Road',
      },
    })
  assert.deepEqual([(await buy(1)).statusCode, (await buy(41)).json().code], [201, 'stock_too_low'])
})
