import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createTestDatabase,
  createTestSandbox,
  expectStripeError,
  startTestSandbox,
  startWebhookReceiver,
  stripeClientFor,
} from './test-sandbox.ts'

const order = { amount: 16_000, currency: 'usd', metadata: { order_id: 'o-7' } }
const paid = { ...order, payment_method: 'pm_card_visa', confirm: true }

test('what happens to an intent arrives at the shop, signed', async (t) => {
  const shop = await startWebhookReceiver(t)
  const { stripe, sandbox } = await createTestSandbox(t, shop.url)
  const intent = await stripe.paymentIntents.create(paid, { idempotencyKey: 'k' })
  const arrived = await shop.arrived(3)
  assert.deepEqual(arrived.map(({ type }) => type).sort(), ['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded'])
  for (const { body, signature } of arrived) {
    const event = stripe.webhooks.constructEvent(body, signature, sandbox.webhookSecret)
    assert.match(event.id, /^evt_/)
    assert.partialDeepStrictEqual(event, {
      object: 'event',
      api_version: '2026-10-28.endive',
      livemode: false,
      request: { idempotency_key: 'k' },
    })
    assert.throws(() => stripe.webhooks.constructEvent(`${body} `, signature, sandbox.webhookSecret))
  }
  const succeeded = JSON.parse(arrived.find(({ type }) => type === 'payment_intent.succeeded')?.body ?? '{}')
  assert.partialDeepStrictEqual(succeeded.data.object, { id: intent.id, status: 'succeeded', metadata: { order_id: 'o-7' } })
})

test('a decline and a cancellation arrive too', async (t) => {
  const shop = await startWebhookReceiver(t)
  const { stripe } = await createTestSandbox(t, shop.url)
  const { id } = await stripe.paymentIntents.create(order)
  await expectStripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }))
  await stripe.paymentIntents.cancel(id)
  const types = (await shop.arrived(4)).map(({ type }) => type).sort()
  assert.deepEqual(types, ['charge.failed', 'payment_intent.canceled', 'payment_intent.created', 'payment_intent.payment_failed'])
})

test('a delivery that the shop does not take comes again, the same byte for byte and signed', async (t) => {
  const shop = await startWebhookReceiver(t, (nth) => (nth < 3 ? 500 : 200))
  const { stripe, sandbox } = await createTestSandbox(t, shop.url)
  await stripe.paymentIntents.create(order)
  const tries = await shop.arrived(3)
  assert.equal(new Set(tries.map(({ body }) => body)).size, 1)
  for (const { body, signature } of tries) stripe.webhooks.constructEvent(body, signature, sandbox.webhookSecret)
  await sandbox.close()
  assert.equal(shop.received.length, 3)
})

test('what could not be delivered before closing is delivered after the next opening', async (t) => {
  const connectionString = await createTestDatabase(t)
  const first = await startTestSandbox(t, connectionString)
  const { id } = await stripeClientFor(first).paymentIntents.create(order)
  await first.close()

  const shop = await startWebhookReceiver(t)
  await startTestSandbox(t, connectionString, { webhookUrl: shop.url })
  const [arrived] = await shop.arrived(1)
  assert.equal(JSON.parse(arrived?.body ?? '{}').data.object.id, id)
})

test('two processes on one ledger deliver each event once', async (t) => {
  const connectionString = await createTestDatabase(t)
  const shop = await startWebhookReceiver(t)
  const both = await Promise.all([0, 0].map((port) => startTestSandbox(t, connectionString, { port, webhookUrl: shop.url })))
  await Promise.all(both.flatMap((sandbox) => Array.from({ length: 15 }, () => stripeClientFor(sandbox).paymentIntents.create(order))))
  await shop.arrived(30)
  await Promise.all(both.map((sandbox) => sandbox.close()))
  assert.equal(new Set(shop.received.map(({ body }) => JSON.parse(body).id)).size, 30)
  assert.equal(shop.received.length, 30)
})

test('closing waits for the delivery that is under way', async (t) => {
  const slow = Promise.withResolvers<number>()
  const shop = await startWebhookReceiver(t, () => slow.promise)
  const connectionString = await createTestDatabase(t)
  const sandbox = await startTestSandbox(t, connectionString, { webhookUrl: shop.url })
  await stripeClientFor(sandbox).paymentIntents.create(order)
  await shop.arrived(1)

  let closed = false
  const closing = sandbox.close().then(() => {
    closed = true
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(closed, false)
  slow.resolve(200)
  await closing

  const again = await startTestSandbox(t, connectionString, { webhookUrl: shop.url })
  await stripeClientFor(again).paymentIntents.create(order)
  await shop.arrived(2)
  await again.close()
  assert.equal(new Set(shop.received.map(({ body }) => body)).size, 2)
})

test('events are kept, listed from the newest on, a page at a time, and found by id', async (t) => {
  const { stripe } = await createTestSandbox(t)
  const intent = await stripe.paymentIntents.create(paid)
  const page = await stripe.events.list({ limit: 2 })
  assert.deepEqual([page.data.map(({ type }) => type), page.has_more], [['payment_intent.succeeded', 'charge.succeeded'], true])
  const all = await stripe.events.list({ limit: 2 }).autoPagingToArray({ limit: 100 })
  assert.deepEqual(
    all.map(({ type }) => type),
    ['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created'],
  )
  const [created] = (await stripe.events.list({ type: 'payment_intent.created' })).data
  assert.ok(created)
  const event = await stripe.events.retrieve(created.id)
  assert.partialDeepStrictEqual(event, { id: created.id, type: 'payment_intent.created', data: { object: { id: intent.id } } })
  assert.partialDeepStrictEqual(await expectStripeError(stripe.events.retrieve('evt_nothing')), {
    statusCode: 404,
    code: 'resource_missing',
  })
})
