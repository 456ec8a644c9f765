import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Purchase } from '#store/orders/contract.ts'
import { webhookEvents } from '#store/orders/payments/table.ts'
import {
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderAsAdmin,
  getOrderEventNames,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  recordPayment,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { snapshotBusinessTables } from './database-snapshot.ts'
import { fullRunOnly, sampleSize } from './full-run.ts'

/** The provider's event that this intent is paid. */
async function paidEvent({ cards }: Store, intentId: string): Promise<Stripe.Event> {
  for await (const event of cards.stripe.events.list({ type: 'payment_intent.succeeded', limit: 100 }))
    if ('id' in event.data.object && event.data.object.id === intentId) return event
  throw new Error(`The provider has no event of the payment ${intentId}`)
}

/** One payment, one mail, one record, however it came about. */
async function assertPaidOnce(store: Store, order: Purchase, intentId: string) {
  const { state, paid, transectionId } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, paid, transectionId }, { state: 'paid', paid: true, transectionId: intentId })
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid'])
  const receipts = (await store.emailsTo(store.customer.email)).filter(
    ({ subject }) => subject === `Receipt for order ${order.number}: $30 paid`,
  )
  assert.equal(receipts.length, 1)
  const charges = (await store.cards.stripe.charges.list({ payment_intent: intentId })).data
  assert.equal(charges.length, 1)
  const kept = await store.db
    .select()
    .from(webhookEvents)
    .where(eq(webhookEvents._id, (await paidEvent(store, intentId)).id))
  assert.ok(kept.length <= 1)
}

test('C3 a webhook three times, and a hundred times at one moment: one payment, one mail, one record', async (t) => {
  await using store = await createTestStoreWithCards()
  const { webhooks } = sandboxControls(store)
  const parallel = sampleSize(25, 100)
  for (const how of [{ copies: 3 }, { copies: parallel, inParallel: true }]) {
    const order = await placePurchase(store)
    const intentId = await openPaymentIntent(store, order)
    webhooks.inject({ type: 'payment_intent.succeeded' }, how)
    await confirmIntent(store, intentId)
    await waitForWebhooks(store)
    await assertPaidOnce(store, order, intentId)
    const again = await webhooks.post((await paidEvent(store, intentId)).id, { copies: parallel, inParallel: true })
    assert.deepEqual(new Set(again), new Set([200]), 'and the provider hears that it was taken')
    await waitForWebhooks(store)
    await assertPaidOnce(store, order, intentId)
  }
  t.diagnostic(`3 + ${parallel} deliveries, then ${2 * parallel} again`)
})

test("C3 webhooks in every order, and before, beside and after the browser's word: the same end", async (t) => {
  await using store = await createTestStoreWithCards()
  const { webhooks } = sandboxControls(store)
  const orders: ((events: Stripe.Event[]) => Stripe.Event[])[] = [
    (events) => events.toReversed(),
    (events) => [...events.slice(2), ...events.slice(0, 2)],
  ]
  for (const mixed of orders) {
    const order = await placePurchase(store)
    const held = webhooks.inject({ times: Infinity }, 'hold')
    const intentId = await openPaymentIntent(store, order)
    await assert.rejects(confirmIntent(store, intentId, 'pm_card_visa_chargeDeclined'))
    await confirmIntent(store, intentId)
    await webhooks.waitUntilDelivered()
    assert.equal((await getOrderAsAdmin(store, order)).state, 'open')
    await held.release(mixed)
    await waitForWebhooks(store)
    assert.equal((await getOrderAsAdmin(store, order)).state, 'paid')
    assert.deepEqual((await getOrderEventNames(store, order)).toSorted(), ['card declined', 'paid', 'placed'])
  }
  for (const when of ['before', 'beside', 'after'] as const) {
    const order = await placePurchase(store)
    const intentId = await openPaymentIntent(store, order)
    const held = webhooks.inject({ times: Infinity }, 'hold')
    await confirmIntent(store, intentId)
    await webhooks.waitUntilDelivered()
    if (when === 'after') assert.equal((await recordPayment(store.customer, order, intentId)).json().state, 'paid')
    const arrives = held.release()
    if (when === 'before') await arrives.then(() => waitForWebhooks(store))
    const told = await recordPayment(store.customer, order, intentId)
    await arrives
    await waitForWebhooks(store)
    assert.deepEqual([told.statusCode, told.json().state], [200, 'paid'], when)
    await assertPaidOnce(store, order, intentId)
  }
  t.diagnostic(`${orders.length} orders of 6 events, 3 moments of the browser's word`)
})

test('C3 without any webhook and without the browser an order is paid by the next minute', async () => {
  await using store = await createTestStoreWithCards()
  dropWebhooks(store)
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await confirmIntent(store, intentId)
  await waitForWebhooks(store)
  assert.equal((await getOrderAsAdmin(store, order)).state, 'open')

  await store.jobs.runAllOnce()
  await assertPaidOnce(store, order, intentId)
  const next = await placePurchase(store)
  const nextIntentId = await openPaymentIntent(store, next)
  await confirmIntent(store, nextIntentId)
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  await assertPaidOnce(store, order, intentId)
  await assertPaidOnce(store, next, nextIntentId)
})

test(
  "C3 events are found in the provider's list page by page, and an answer that gets lost between two pages loses none of them",
  fullRunOnly,
  async (t) => {
    await using store = await createTestStoreWithCards()
    dropWebhooks(store)
    const others = sampleSize(100, 450)
    const toolId = await createProduct(store, { pieces: 1000 })
    const order = await placePurchase(store, { toolId })
    const intentId = await openPaymentIntent(store, order)
    await confirmIntent(store, intentId)
    // Other business on the same account: more than a page of newer events.
    for (let nth = 0; nth < others; nth += 10)
      await Promise.all(
        Array.from({ length: 10 }, () =>
          store.cards.stripe.paymentIntents.create({ amount: 5000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true }),
        ),
      )
    await waitForWebhooks(store)

    const cut = sandboxControls(store).calls.inject({ path: '/v1/events', nth: 2, times: 2 }, { reset: 'before' })
    await store.jobs.runAllOnce()
    assert.equal(cut.affected.length, 2, 'the second page, asked for twice')
    assert.equal((await getOrderAsAdmin(store, order)).state, 'open')
    await store.jobs.runAllOnce()
    await assertPaidOnce(store, order, intentId)
    t.diagnostic(`${others} payments of other shops`)
  },
)

test('C3 a webhook is taken while the provider answers nothing else', async (t) => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  const { id } = await paidEvent(store, intentId)
  await waitForWebhooks(store)
  const silent = sandboxControls(store).calls.inject({ times: Infinity }, { hang: 'before' })

  const before = performance.now()
  assert.deepEqual(await sandboxControls(store).webhooks.post(id, { copies: 20, inParallel: true }), Array(20).fill(200))
  const tookMs = performance.now() - before
  assert.equal((await getOrderAsAdmin(store, order)).state, 'open', 'the provider has not been heard yet')
  silent.remove()
  await waitForWebhooks(store)
  await assertPaidOnce(store, order, intentId)
  t.diagnostic(`20 at once were answered within ${Math.round(tookMs)} ms while the provider was silent`)
})

test('C4 an event that is not signed, wrongly, by somebody else, over other bytes, too old, from the future or too long changes nothing', async (t) => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  await waitForWebhooks(store)
  const event = JSON.stringify(await paidEvent(store, intentId))
  const before = await snapshotBusinessTables(store.db)
  const now = Math.floor(Date.now() / 1000)
  const sign = (payload: string, { secret = store.cards.webhookSecret, timestamp = now } = {}) =>
    store.cards.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  const future = sign(event, { timestamp: now + 3600 })
  const long = event + ' '.repeat(1_000_000)

  const tries: [what: string, status: number, body: string, signature?: string][] = [
    ['no signature', 400, event],
    ['an empty one', 400, event, ''],
    ['one that is none', 400, event, 'v1=00'],
    ['another secret', 400, event, sign(event, { secret: 'whsec_of_somebody_else' })],
    ['an empty secret', 400, event, sign(event, { secret: '' })],
    ['the signature of another body', 400, event, sign(`${event}!`)],
    ['one byte more', 400, `${event} `, sign(event)],
    ['one byte less', 400, event.slice(0, -1), sign(event)],
    ['another order', 400, event.replaceAll(order._id, crypto.randomUUID()), sign(event)],
    ['301 seconds old', 400, event, sign(event, { timestamp: now - 301 })],
    ['an hour from the future', 400, event, future],
    ['an hour from the future behind a time of today', 400, event, `t=${now},${future}`],
    ['an old one behind a time of today', 400, event, `t=${now},${sign(event, { timestamp: now - 301 })}`],
    ['another scheme', 400, event, sign(event).replace('v1=', 'v0=')],
    ['no JSON', 400, '{', sign('{')],
    ['nothing', 400, '', sign('')],
    ['1 MB', 413, long, sign(long)],
  ]
  for (const [what, status, body, signature] of tries) {
    const headers = { 'content-type': 'application/json', ...(signature !== undefined && { 'stripe-signature': signature }) }
    const answer = await fetch(`${store.origin}/webhooks/stripe`, { method: 'POST', body, headers })
    assert.equal(answer.status, status, what)
    const refusal = await answer.json()
    assert.deepEqual(Object.keys(refusal), ['message', 'code'], what)
    if (what === 'no JSON') assert.equal(refusal.message, 'This is not an event')
  }
  await waitForWebhooks(store)
  assert.deepEqual(await snapshotBusinessTables(store.db), before)

  const right = await fetch(`${store.origin}/webhooks/stripe`, {
    method: 'POST',
    body: event,
    headers: { 'stripe-signature': sign(event) },
  })
  assert.equal(right.status, 200)
  await waitForWebhooks(store)
  assert.equal((await getOrderAsAdmin(store, order)).state, 'paid')
  t.diagnostic(`${tries.length} bad ones refused`)
})

test("C5 PATCH with an invented transaction, another order's, another user's, a cheaper, an unpaid or a used one never makes an order paid", async (t) => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store, { dollars: 50 })
  const own = await openPaymentIntent(store, order)
  const { intentId: cheaper, order: cheap } = await placePaidOrder(store, { dollars: 1 })
  const { intentId: others } = await placePaidOrder(store, { dollars: 50, buyer: store.otherCustomer })
  const { intentId: used, order: usedFor } = await placePaidOrder(store, { dollars: 50 })
  const unpaid = await openPaymentIntent(store, await placePurchase(store, { dollars: 50 }))
  const elsewhere = await store.cards.stripe.paymentIntents.create({
    ...{ amount: 5000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
    metadata: { order_id: order._id },
  })
  await waitForWebhooks(store)
  const before = await snapshotBusinessTables(store.db)

  const tries = [
    ['an invented one', 409, 'pi_invented'],
    ['one that looks real', 409, own.slice(0, -1) + (own.endsWith('0') ? '1' : '0')],
    ["another order's", 409, unpaid],
    ["another user's", 409, others],
    ['a cheaper one', 409, cheaper],
    ['one that has paid another order', 409, used],
    ['its own, not paid', 402, own],
    ['one that was made and paid past the store', 409, elsewhere.id],
    ['no text', 400, 7],
    ['nothing', 400, ''],
  ] as const
  for (const [what, status, transectionId] of tries) {
    const answer = await store.customer.request('PATCH', `/purchase/${order._id}`, { pay: true, transectionId })
    assert.equal(answer.statusCode, status, `${what}: ${answer.body}`)
  }
  for (const actor of [store.otherCustomer, store.admin]) assert.equal((await recordPayment(actor, usedFor, used)).statusCode, 404)
  assert.equal((await recordPayment(store.visitor, usedFor, used)).statusCode, 401)
  await waitForWebhooks(store)
  assert.deepEqual(await snapshotBusinessTables(store.db), before)
  assert.equal((await recordPayment(store.customer, cheap, cheaper)).json().state, 'paid', 'what was true stays true')
  t.diagnostic(`${tries.length + 3} tries, no order paid`)
})
