import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import * as orderBooks from '#store/orders/rules.ts'
import { payments, refunds } from '#store/orders/table.ts'
import {
  confirmIntent,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderAsAdmin,
  getOrderEventNames,
  openPayment,
  openPaymentIntent,
  placePurchase,
  recordPayment,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { connectStripe } from './card-provider.ts'
import { settlePayment } from './settle.ts'

/** Resolves once some statement waits for a lock that another transaction has. */
async function somebodyWaits({ db }: Store): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await db.execute(waiting)).rows.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

test('money for an order that ends at the same moment does not make it paid: it waits for the end, and goes back', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store, { quantity: 2 })
  const intentId = await openPaymentIntent(store, order)
  dropWebhooks(store)
  await confirmIntent(store, intentId)

  const ending = await store.db.transaction(async (tx) => {
    const locked = await orderBooks.lockOrder(tx, order._id)
    await orderBooks.endOrderInBooks(tx, locked, 'cancelled', { event: 'cancelled', doer: { actor: 'store' } })
    const settling = settlePayment(store.db, store.cards, intentId)
    await somebodyWaits(store)
    return { settling }
  })
  assert.equal(await ending.settling, 'succeeded')

  const { state, paid, restocked } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, paid, restocked }, { state: 'cancelled', paid: false, restocked: 2 })
  const back = await store.db.select({ amountCents: refunds.amountCents }).from(refunds).where(eq(refunds.orderId, order._id))
  assert.deepEqual(back, [{ amountCents: 6000 }])
  await store.jobs.runAllOnce()
  await waitForWebhooks(store)
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'cancelled', 'late payment', 'refunded'])
})

test('money that comes too late goes back as soon as the browser reports it, without waiting for a poll', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  await store.db.transaction(async (tx) => {
    const locked = await orderBooks.lockOrder(tx, order._id)
    await orderBooks.endOrderInBooks(tx, locked, 'cancelled', { event: 'cancelled', doer: { actor: 'store' } })
  })

  const reported = await recordPayment(store.customer, order, intentId)

  assert.deepEqual([reported.statusCode, reported.json().code], [409, 'late_payment'])
  const [mail] = (await store.emailsTo(store.customer.email)).filter(({ subject }) => subject.includes('goes back to you'))
  assert.equal(mail?.subject, `$30 of order ${order.number} goes back to you`)
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'cancelled', 'late payment', 'refunded'])
})

test('an intent that names the payment of an order, and is not the one that the store has opened for it, pays nothing', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  const { metadata } = await store.cards.stripe.paymentIntents.retrieve(intentId)
  const another = { amount: 3000, currency: 'usd', metadata, allowed_payment_method_types: ['card'] }

  const copied = await store.cards.stripe.paymentIntents.create({ ...another, payment_method: 'pm_card_visa', confirm: true })
  await waitForWebhooks(store)

  assert.equal(await settlePayment(store.db, store.cards, copied.id), 'unknown')
  const { paid, transectionId } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ paid, transectionId }, { paid: false, transectionId: null })
  assert.deepEqual(await store.db.select({ id: payments.intentId }).from(payments), [{ id: intentId }])
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(store.customer, order, intentId)).json().transectionId, intentId)
})

test('an order whose payment the provider is still processing is being checked, and paid once the money has come', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  const intent = await store.cards.stripe.paymentIntents.retrieve(intentId)
  // The card sandbox has no payment method that the provider processes for longer: this server answers as the provider then does.
  const provider = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...intent, status: 'processing' })),
  )
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  const { port } = provider.address() as AddressInfo
  const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' }
  const outcome = await settlePayment(store.db, connectStripe({ ...keys, apiUrl: `http://127.0.0.1:${port}` }), intentId)
  provider.closeAllConnections()
  provider.close()

  assert.equal(outcome, 'checking')
  const now = await getOrderAsAdmin(store, order)
  assert.deepEqual([now.state, now.checking, now.paid], ['open', true, false])
  await confirmIntent(store, intentId)
  await waitForWebhooks(store)
  const later = await getOrderAsAdmin(store, order)
  assert.deepEqual([later.state, later.checking, later.paid], ['paid', false, true])
})

test('of payments whose intents the provider did not answer with, the one that an intent was made for is settled', async () => {
  await using store = await createTestStoreWithCards()
  const [other, paid] = [await placePurchase(store), await placePurchase(store)]
  const lost = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
  for (const order of [other, paid]) assert.equal((await openPayment(store.customer, order)).statusCode, 503)
  lost.remove()
  const { data } = await store.cards.stripe.paymentIntents.list({ limit: 10 })
  const intent = data.find(({ metadata }) => metadata.order_id === paid._id)
  assert.ok(intent)
  await confirmIntent(store, intent.id)
  await waitForWebhooks(store)

  assert.deepEqual([(await getOrderAsAdmin(store, other)).paid, (await getOrderAsAdmin(store, paid)).paid], [false, true])
})
