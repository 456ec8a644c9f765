import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { RequestFault, RequestMatcher } from '#demo/card-sandbox/request-faults.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { refunds } from '#store/orders/table.ts'
import {
  confirmIntent,
  createProduct,
  dropWebhooks,
  getOrderAsAdmin,
  getOrderEventNames,
  getStock,
  intentIdFromSecret,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { createSecondInstance, type SecondInstance } from '#test/second-instance.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { isFullRun } from './full-run.ts'

/** Every way in which the provider fails to answer. */
const troubles: Record<string, RequestFault> = {
  'an error 500 before it does anything': { answer: 'api_error' },
  'an error 500 that it keeps': { answer: 'api_error', at: 'kept' },
  'an error 500 after it has done it': { answer: 'api_error', at: 'committed' },
  'too many requests': { answer: 'rate_limit' },
  'a lock that is taken': { answer: 'lock_timeout' },
  'no answer at all': { hang: 'before' },
  'no answer after it has done it': { hang: 'committed' },
  'a connection cut before': { reset: 'before' },
  'a connection cut after it has done it': { reset: 'committed' },
}

/**
 * The store, entered through a process that hears of nothing but its own calls: no webhook arrives. In a sample it waits a third of a
 * second for the provider; at full size it waits as long as it does in the shop.
 */
async function aStoreAndItsProcess() {
  const opened = new AsyncDisposableStack()
  const store = opened.use(await anEmptyStore({ cards: true, buyerLimits: 'off' }))
  dropWebhooks(store)
  const { sandbox, cards } = store
  assert.ok(sandbox)
  const { secretKey, host, port, protocol } = sandbox
  const impatient = new Stripe(secretKey, { host, port, protocol, maxNetworkRetries: 1, timeout: isFullRun ? 6000 : 300, telemetry: false })
  const shop = opened.use(await createSecondInstance(store, { cards: { ...cards, stripe: impatient } }))
  return { store, shop, toolId: await createProduct(store, { pieces: 1000 }), [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type Given = { store: Store; shop: SecondInstance; toolId: string }

/** As long as `during` takes, the provider answers calls of this kind so and not otherwise. */
async function troubled(store: Store, which: RequestMatcher, trouble: RequestFault, during: () => Promise<void>) {
  const disturbance = sandboxControls(store).calls.inject({ ...which, times: Infinity }, trouble)
  await during()
  assert.ok(disturbance.affected.length > 0, 'it was asked')
  disturbance.remove()
}

const charges = async ({ cards }: Store, intentId: string) => (await cards.stripe.charges.list({ payment_intent: intentId })).data.length
const intentsOf = async ({ cards }: Store, { _id }: Purchase) => {
  const found: string[] = []
  for await (const { id, metadata } of cards.stripe.paymentIntents.list({ limit: 100 })) if (metadata.order_id === _id) found.push(id)
  return found
}
const opening = (shop: SecondInstance, store: Store, { _id: orderId, productCost }: Purchase) =>
  shop.request(store.customer, 'POST', '/create-payment-intent', { orderId, productCost })

test('C6 the provider answers with errors, too late, not at all, or does what it was asked and does not say so: nothing is charged twice, and a minute later all is right', async (t) => {
  await using given = await aStoreAndItsProcess()
  for (const [nth, [what, trouble]] of Object.entries(troubles).entries()) {
    const began = performance.now()
    const asked = [opens, pays, ends, givesBack].filter((_, of) => isFullRun || (nth + of) % 4 === 0) // in a sample each trouble meets one
    for (const asks of asked)
      await asks(given, trouble).catch((error) => {
        throw new Error(`${what}, ${asks.name}`, { cause: error })
      })
    if (isFullRun) assert.deepEqual(await given.store.faults(), [], what) // a sample is looked at when its store ends
    t.diagnostic(`${what}: ${asked.map(({ name }) => name).join(', ')} in ${Math.round(performance.now() - began)} ms`)
  }
  await waitForWebhooks(given.store)
})

async function opens({ store, shop, toolId }: Given, trouble: RequestFault) {
  const order = await placePurchase(store, { toolId })
  await troubled(store, { method: 'POST', path: '/v1/payment_intents' }, trouble, async () => {
    const { statusCode, body, json } = await opening(shop, store, order)
    assert.equal(statusCode, 503, body)
    assert.match(json().message, /^The card provider does not answer at the moment. You have not been charged twice/)
  })
  const opened = await opening(shop, store, order)
  assert.equal(opened.statusCode, 200, opened.body)
  const intentId = intentIdFromSecret(opened.json().clientSecret)
  assert.deepEqual(await intentsOf(store, order), [intentId], 'one intent')
  await confirmIntent(store, intentId)
  const told = await shop.request(store.customer, 'PATCH', `/purchase/${order._id}`, { transectionId: intentId })
  assert.equal(told.json().state, 'paid')
}

async function pays({ store, shop, toolId }: Given, trouble: RequestFault) {
  const order = await placePurchase(store, { toolId })
  const intentId = await openPaymentIntent(store, order)
  await confirmIntent(store, intentId)
  await troubled(store, { method: 'GET', path: `/v1/payment_intents/${intentId}` }, trouble, async () => {
    const told = await shop.request(store.customer, 'PATCH', `/purchase/${order._id}`, { transectionId: intentId })
    assert.deepEqual(
      [told.statusCode, told.json().message],
      [503, 'Your payment is being checked. You need not pay again: look here in a minute'],
    )
    assert.match(`${told.headers['retry-after']}`, /^\d+$/)
    const { state, paid, checking } = await getOrderAsAdmin(store, order)
    assert.deepEqual({ state, paid, checking }, { state: 'open', paid: false, checking: true })
    assert.equal((await opening(shop, store, order)).statusCode, 503, 'nobody is asked to pay again')
    await shop.jobs.runAllOnce()
    assert.equal((await getOrderAsAdmin(store, order)).checking, true)
  })
  await workNow(store)
  await shop.jobs.runAllOnce()
  const { state, checking } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, checking }, { state: 'paid', checking: false })
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid'])
  assert.equal(await charges(store, intentId), 1)
}

async function ends({ store, shop, toolId }: Given, trouble: RequestFault) {
  const before = await getStock(store, toolId)
  const order = await placePurchase(store, { toolId, quantity: 2 })
  const intentId = await openPaymentIntent(store, order)
  const cancelling = () => shop.request(store.customer, 'POST', `/purchase/${order._id}/cancel`, {})
  await troubled(store, { method: 'POST', path: `/v1/payment_intents/${intentId}/cancel` }, trouble, async () => {
    assert.equal((await cancelling()).statusCode, 503)
    assert.equal((await getOrderAsAdmin(store, order)).state, 'open')
  })
  assert.equal((await cancelling()).json().state, 'cancelled')
  assert.equal((await store.cards.stripe.paymentIntents.retrieve(intentId)).status, 'canceled')
  assert.equal(await getStock(store, toolId), before)
}

async function givesBack({ store, shop, toolId }: Given, trouble: RequestFault) {
  const { order, intentId } = await placePaidOrder(store, { toolId })
  await troubled(store, { method: 'POST', path: '/v1/refunds' }, trouble, async () => {
    const asked = await shop.request(store.admin, 'POST', `/purchase/${order._id}/refund`, { refundedCentsSeen: 0 })
    assert.deepEqual([asked.statusCode, asked.json().refundedCents], [200, 3000], asked.body)
    const again = await shop.request(store.admin, 'POST', `/purchase/${order._id}/refund`, { refundedCentsSeen: 0 })
    assert.equal(again.statusCode, 409)
  })
  await workNow(store)
  await shop.jobs.runAllOnce()
  await shop.jobs.runAllOnce() // the provider's events about it
  const back = (await store.cards.stripe.refunds.list({ payment_intent: intentId })).data.map(({ amount, status }) => `${status} ${amount}`)
  assert.deepEqual(back, ['succeeded 3000'])
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid', 'refund asked', 'refunded'])
}

/** What waits for its next try has waited long enough: what is tried again after seconds is so within the minute. */
async function workNow({ db }: Store) {
  const { rows } = await db.execute<{ longest: number }>(
    sql`select coalesce(max(extract(epoch from next_try_at - now())), 0)::float as longest from (select next_try_at from refunds where state in ('asked', 'pending')
      union all select next_try_at from webhook_events where worked_at is null) waiting`,
  )
  assert.ok((rows[0]?.longest ?? 0) < 60, `tried again within a minute, not ${rows[0]?.longest} s`)
  await db.update(refunds).set({ nextTryAt: sql`now()` })
  await db.execute(sql`update webhook_events set next_try_at = now() where worked_at is null`)
}
