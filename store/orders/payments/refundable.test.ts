import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Purchase } from '#store/orders/contract.ts'
import { refunds } from '#store/orders/table.ts'
import {
  cancelPurchase,
  createProduct,
  createTestStoreWithCards,
  getOrderAsAdmin,
  getOrderEventNames,
  getStock,
  placePaidOrder,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'

/** From now on the provider is away for refunds, until this is lifted. */
const providerIsAway = (store: Store) =>
  sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })

/** The provider is asked again for all that waits for it. */
async function askAgain(store: Store): Promise<void> {
  await store.db.update(refunds).set({ nextTryAt: sql`now()` })
  await store.jobs.runAllOnce()
  await waitForWebhooks(store)
}

const refundsAtProvider = async (store: Store, intentId: string) =>
  (await store.cards.stripe.refunds.list({ payment_intent: intentId, limit: 100 })).data.map(({ amount, status }) => `${status} ${amount}`)

test('of $60 with $10 asked for, $50 can still go back: the order and the rule say the same', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store, { dollars: 30, quantity: 2 })
  assert.deepEqual(order.refundable, { cents: 6000, pieces: 2 })
  const away = providerIsAway(store)

  const asked: Purchase = (await refundPurchase(store.admin, order, { amountCents: 1000, restock: 1, refundedCentsSeen: 0 })).json()

  assert.deepEqual([asked.refundedCents, asked.refundable], [1000, { cents: 5000, pieces: 1 }])
  for (const [body, field, code, message] of [
    [{ amountCents: 5001 }, 'amountCents', 'refund_exceeds_rest', 'At most $50 can go back'],
    [{ amountCents: 100, restock: 2 }, 'restock', 'restock_exceeds_rest', 'At most 1 pieces can go back into stock'],
  ] as const) {
    const tooMuch = await refundPurchase(store.admin, order, body)
    assert.deepEqual([tooMuch.statusCode, tooMuch.json()], [400, { message, errors: { [field]: message }, code }])
  }
  const rest = await refundPurchase(store.admin, order, { amountCents: 5000, restock: 1, refundedCentsSeen: asked.refundedCents })
  assert.deepEqual([rest.statusCode, rest.json().refundable], [200, { cents: 0, pieces: 0 }], rest.body)
  const nothing = await refundPurchase(store.admin, order, { amountCents: 1 })
  assert.deepEqual([nothing.statusCode, nothing.json().message], [409, 'All of the money is on its way back already'])

  away.remove()
  await askAgain(store)
  assert.deepEqual((await refundsAtProvider(store, intentId)).sort(), ['succeeded 1000', 'succeeded 5000'])
  const { state, refundable, restocked } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, refundable, restocked }, { state: 'refunded', refundable: { cents: 0, pieces: 0 }, restocked: 2 })
})

test('an order is cancelled with what is left of it, while a refund of a part waits for the provider', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const { order, intentId } = await placePaidOrder(store, { toolId, quantity: 3 })
  const away = providerIsAway(store)
  await refundPurchase(store.admin, order, { amountCents: 1000, restock: 1 })

  const cancelled = await cancelPurchase(store.admin, order)

  assert.equal(cancelled.statusCode, 200, cancelled.body)
  away.remove()
  await askAgain(store)
  assert.deepEqual((await refundsAtProvider(store, intentId)).sort(), ['succeeded 1000', 'succeeded 8000'])
  assert.deepEqual([(await getOrderAsAdmin(store, order)).restocked, await getStock(store, toolId)], [3, 10])
})

test('money of another payment of the same order that goes back takes nothing from what can be refunded', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  const away = providerIsAway(store)
  const [payment] = (await store.db.execute<{ id: string }>(sql`select payment_id as id from orders where id = ${order._id}`)).rows
  // An older intent of the order, of which the store had no answer, was paid as well: that money goes back by itself.
  const older = crypto.randomUUID()
  await store.db.execute(
    sql`insert into payments (id, amount_cents, currency, state) select ${older}, amount_cents, currency, 'canceled' from payments where id = ${payment?.id}`,
  )
  await store.cards.stripe.paymentIntents.create({
    amount: 3000,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    metadata: { payment_id: older, order_id: order._id },
    payment_method: 'pm_card_visa',
    confirm: true,
  })
  await waitForWebhooks(store)
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid', 'late payment'])

  assert.deepEqual((await getOrderAsAdmin(store, order)).refundable, { cents: 3000, pieces: 1 })
  assert.equal((await refundPurchase(store.admin, order, { amountCents: 3000 })).statusCode, 200)
  away.remove()
  await askAgain(store)
  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 3000'])
})
