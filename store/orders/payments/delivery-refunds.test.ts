import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '#store/orders/order-contract.ts'
import { checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { payOrder, showOrder } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderHistory,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'

/** Two drills for $10 and a saw for $5, delivered for $4.90, all with 19 % tax: 2380, 595 and 583 cents. */
async function aPaidOrder(store: Store): Promise<Order> {
  const [drill, saw] = [await createProduct(store, { dollars: 10 }), await createProduct(store, { name: 'Saw', dollars: 5 })]
  await putIntoCart(store.customer, { [drill]: 2, [saw]: 1 })
  const placed = await checkOut(store.customer)
  await payOrder(store, placed)
  return showOrder(store.admin, placed._id)
}

async function aTaxedStore(): Promise<Store> {
  const store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  return store
}

const refund = (store: Store, { _id }: Order, body: object) => store.admin.request('POST', `/orders/${_id}/refunds`, body)
const backAt = async (store: Store, { transectionId }: Order) =>
  (await store.cards.stripe.refunds.list({ payment_intent: transectionId ?? '', limit: 100 })).data.reduce(
    (sum, { amount }) => sum + amount,
    0,
  )
const linesOf = ({ lines: [drills, saw] }: Order) => {
  assert.ok(drills && saw)
  return { drills, saw }
}

test('the delivery goes back where that is ticked, alone or with pieces of lines, and once', async () => {
  await using store = await aTaxedStore()
  const order = await aPaidOrder(store)
  const { drills, saw } = linesOf(order)
  assert.deepEqual([order.totalCents, order.chargedDeliveryCents, order.refundableDeliveryCents], [3558, 583, 583])

  const first = await refund(store, order, { lines: [{ _id: drills._id, quantity: 1 }], delivery: true })
  assert.deepEqual([first.statusCode, first.json().refundedCents, first.json().refundableDeliveryCents], [200, 1190 + 583, 0], first.body)
  assert.equal(first.json().refundedDeliveryCents, 583)
  assert.deepEqual(first.json().refundedTaxes, [{ ratePpm: 190_000, netCents: 1490, taxCents: 283 }])
  for (const body of [{ delivery: true }, { lines: [{ _id: saw._id, quantity: 1 }], delivery: true }]) {
    const again = await refund(store, order, body)
    assert.deepEqual([again.statusCode, again.json().code], [409, 'nothing_to_refund'])
  }
  const nothing = await refund(store, order, {})
  assert.deepEqual([nothing.statusCode, nothing.json().errors], [400, { lines: 'A refund has at least one line, or is for the delivery' }])
  assert.deepEqual(
    (await getOrderHistory(store, order)).flatMap(({ items }) => items ?? []),
    ['1 x Drill ($11.90), Delivery ($5.83)'],
  )

  const other = await aPaidOrder(store)
  const alone = await refund(store, other, { delivery: true, reason: 'Came late' })
  assert.deepEqual([alone.statusCode, alone.json().refundedCents, alone.json().orderStatus], [200, 583, 'placed'], alone.body)
  const rest = await store.admin.request('POST', `/orders/${other._id}/cancel`, {})
  assert.deepEqual([rest.json().refundedCents, rest.json().orderStatus], [3558, 'cancelled'], rest.body)
  assert.deepEqual([await backAt(store, order), await backAt(store, other)], [1773, 3558])
  await waitForWebhooks(store)
})

test('an amount of a line goes back with the delivery where that is ticked, or nothing of it', async () => {
  await using store = await aTaxedStore()
  const order = await aPaidOrder(store)
  const { drills, saw } = linesOf(order)
  const nothing = await refundPurchase(store.admin, saw, { amountCents: 0 })
  assert.deepEqual([nothing.statusCode, nothing.json().errors], [400, { amountCents: 'At least one cent' }])
  assert.equal((await refundPurchase(store.admin, saw, { amountCents: 100, delivery: true })).statusCode, 200)
  assert.equal((await showOrder(store.admin, order._id)).refundedCents, 683)
  assert.deepEqual((await refundPurchase(store.admin, drills, { amountCents: 0, delivery: true })).json().code, 'nothing_to_refund')

  const other = await aPaidOrder(store)
  const alone = await refundPurchase(store.admin, linesOf(other).drills, { amountCents: 0, delivery: true })
  assert.deepEqual([alone.statusCode, alone.json().refundedCents], [200, 0], alone.body)
  assert.equal((await showOrder(store.admin, other._id)).refundedCents, 583)
  await waitForWebhooks(store)
})

test('with the last line of a paid order that is cancelled the delivery goes back, unless something was packed', async () => {
  await using store = await aTaxedStore()
  const order = await aPaidOrder(store)
  const { drills, saw } = linesOf(order)
  assert.equal((await cancelPurchase(store.admin, drills)).statusCode, 200)
  assert.equal((await showOrder(store.admin, order._id)).refundedCents, 2380)
  assert.equal((await cancelPurchase(store.admin, saw)).statusCode, 200)
  const cancelled = await showOrder(store.admin, order._id)
  assert.deepEqual([cancelled.refundedCents, cancelled.orderStatus, cancelled.paymentStatus], [3558, 'cancelled', 'refunded'])
  assert.deepEqual(cancelled.refundedTaxes, cancelled.taxes, 'with all of the money all of the tax')

  const restocked = await aPaidOrder(store)
  const { drills: back, saw: last } = linesOf(restocked)
  const given = await refundPurchase(store.admin, back, { amountCents: 2380, restock: back.quantity })
  assert.equal(given.statusCode, 200, given.body)
  assert.equal((await cancelPurchase(store.admin, last)).statusCode, 200)
  assert.equal((await showOrder(store.admin, restocked._id)).refundableDeliveryCents, 0, 'nothing of it is left to be sent')

  const packed = await aPaidOrder(store)
  await store.db.execute(`update order_lines set packed = 1 where id = '${linesOf(packed).drills._id}'`)
  assert.equal((await cancelPurchase(store.admin, linesOf(packed).drills)).statusCode, 200)
  assert.equal((await cancelPurchase(store.admin, linesOf(packed).saw)).statusCode, 200)
  assert.equal((await showOrder(store.admin, packed._id)).refundableDeliveryCents, 583)
  await waitForWebhooks(store)
})

test('refunds of the delivery that are asked for at one moment give it back once, and never more than was paid', async () => {
  await using store = await aTaxedStore()
  const order = await aPaidOrder(store)
  const { drills, saw } = linesOf(order)
  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  const answers = await Promise.all([
    refund(store, order, { delivery: true }),
    refund(store, order, { lines: [{ _id: drills._id, quantity: 2 }], delivery: true }),
    refundPurchase(store.admin, saw, { amountCents: 595, delivery: true }),
    refundPurchase(store.admin, saw, { amountCents: 0, delivery: true }),
  ])
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409], 'also while the provider has answered none')
  away.remove()
  await store.db.execute(`update refunds set next_try_at = now()`)
  await store.jobs.runAllOnce()
  await waitForWebhooks(store)
  const { refundedCents, refundableDeliveryCents } = await showOrder(store.admin, order._id)
  assert.deepEqual([refundableDeliveryCents, await backAt(store, order)], [0, refundedCents])
})

test("money given back in the provider's dashboard leaves so much less for lines and delivery together, and of one line its delivery last", async () => {
  await using store = await aTaxedStore()
  const order = await aPaidOrder(store)
  await store.cards.stripe.refunds.create({ payment_intent: order.transectionId ?? '', amount: 3000 })
  await waitForWebhooks(store)
  const left = await showOrder(store.admin, order._id)
  assert.deepEqual([left.refundable.cents, left.refundableDeliveryCents], [558, 558])
  const { saw } = linesOf(order)
  const both = await refund(store, order, { lines: [{ _id: saw._id, quantity: 1 }] })
  assert.deepEqual([both.statusCode, both.json().code], [400, 'refund_exceeds_rest'])
  assert.deepEqual((await refund(store, order, { delivery: true })).json().refundedCents, 3558)

  const drill = await createProduct(store, { dollars: 10 })
  await putIntoCart(store.customer, { [drill]: 1 })
  const placed = await checkOut(store.customer)
  await payOrder(store, placed)
  dropWebhooks(store)
  await store.cards.stripe.refunds.create({ payment_intent: (await showOrder(store.admin, placed._id)).transectionId ?? '', amount: 1200 })
  await store.jobs.runAllOnce()
  const one = await showOrder(store.admin, placed._id)
  assert.deepEqual([one.lines[0]?.refundedCents, one.refundableDeliveryCents], [1190, 583 - 10])
})
