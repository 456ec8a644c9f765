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

test('a call is answered with an error before anything is done, and once only', async (t) => {
  const { sandbox, stripe } = await createTestSandbox(t)
  for (const [answer, status] of [
    ['api_error', 500],
    ['rate_limit', 429],
    ['lock_timeout', 429],
    ['conflict', 409],
  ] as const) {
    const disturbance = sandbox.controls.calls.inject({ method: 'POST', path: '/v1/payment_intents' }, { answer })
    assert.equal((await expectStripeError(stripe.paymentIntents.create(order))).statusCode, status)
    assert.equal(disturbance.affected.length, 1)
  }
  assert.equal((await stripe.paymentIntents.list()).data.length, 0)
  await stripe.paymentIntents.create(order)
})

test('only the nth of the calls that match is disturbed', async (t) => {
  const { sandbox, stripe } = await createTestSandbox(t)
  sandbox.controls.calls.inject({ path: '/v1/payment_intents/:id', nth: 2 }, { answer: 'api_error' })
  const { id } = await stripe.paymentIntents.create(order)
  await stripe.paymentIntents.retrieve(id)
  assert.equal((await expectStripeError(stripe.paymentIntents.retrieve(id))).statusCode, 500)
  await stripe.paymentIntents.retrieve(id)
})

test('an error that came while a call was worked is answered under its key again', async (t) => {
  const { sandbox, stripe } = await createTestSandbox(t)
  sandbox.controls.calls.inject({ path: '/v1/payment_intents' }, { answer: 'api_error', at: 'kept' })
  for (const _ of [1, 2]) {
    assert.equal((await expectStripeError(stripe.paymentIntents.create(order, { idempotencyKey: 'k' }))).statusCode, 500)
  }
})

for (const [words, trouble] of [
  ['without an answer', { reset: 'committed' }],
  ['and answered with an error', { answer: 'api_error', at: 'committed' }],
] as const) {
  test(`a call that was done ${words} says so when it is asked again under its key`, async (t) => {
    const { sandbox, stripe } = await createTestSandbox(t)
    // The SDK tries a closed connection once more by itself.
    const times = 'reset' in trouble ? 2 : 1
    sandbox.controls.calls.inject({ path: '/v1/payment_intents', times }, trouble)
    await expectStripeError(stripe.paymentIntents.create(paid, { idempotencyKey: 'k' }))
    const { id } = await stripe.paymentIntents.create(paid, { idempotencyKey: 'k' })
    assert.deepEqual(
      (await stripe.paymentIntents.list()).data.map((intent) => intent.id),
      [id],
    )
  })
}

test('a connection that is reset before anything is done leaves nothing', async (t) => {
  const { sandbox, stripe } = await createTestSandbox(t)
  // The SDK tries a closed connection once more by itself.
  sandbox.controls.calls.inject({ path: '/v1/payment_intents', times: 2 }, { reset: 'before' })
  assert.equal((await expectStripeError(stripe.paymentIntents.create(order))).type, 'StripeConnectionError')
  assert.equal((await stripe.paymentIntents.list()).data.length, 0)
})

test('a call hangs until it is let go, and closing does not wait for one that never is', async (t) => {
  const { sandbox, stripe } = await createTestSandbox(t)
  const hanging = sandbox.controls.calls.inject({ path: '/v1/payment_intents' }, { hang: 'before' })
  const first = stripe.paymentIntents.create(order)
  await hanging.waitForAffected()
  assert.equal((await stripe.paymentIntents.list()).data.length, 0)
  hanging.remove()
  await first

  const forever = sandbox.controls.calls.inject({ path: '/v1/payment_intents', times: Infinity }, { hang: 'committed' })
  const second = expectStripeError(stripe.paymentIntents.create(order))
  await forever.waitForAffected()
  await sandbox.close()
  assert.equal((await second).type, 'StripeConnectionError')
})

test('a test is called before a call is worked, when it is committed and when it is answered', async (t) => {
  const { sandbox, stripe, connectionString } = await createTestSandbox(t)
  const beside = stripeClientFor(await startTestSandbox(t, connectionString, { webhookUrl: null }))
  const count = async () => (await beside.paymentIntents.list()).data.length
  const seen: [string, number][] = []
  const answered = Promise.withResolvers<void>()
  sandbox.controls.calls.inject(
    { method: 'POST' },
    {
      before: async () => seen.push(['before', await count()]),
      committed: async () => seen.push(['committed', await count()]),
      answered: () => answered.resolve(),
    },
  )
  await stripe.paymentIntents.create(order)
  await answered.promise
  assert.deepEqual(seen, [
    ['before', 0],
    ['committed', 1],
  ])
})

test('a test that ends the shop before a call is worked may cut the call off', async (t) => {
  const { sandbox, stripe } = await createTestSandbox(t)
  sandbox.controls.calls.inject({ method: 'POST', times: 2 }, { before: async () => 'cut' })
  assert.equal((await expectStripeError(stripe.paymentIntents.create(order))).type, 'StripeConnectionError')
  assert.equal((await stripe.paymentIntents.list()).data.length, 0)
})

test('closing does not wait for a test that does not come back', async (t) => {
  const { sandbox, stripe } = await createTestSandbox(t)
  const entered = sandbox.controls.calls.inject({ method: 'POST', times: 2 }, { committed: () => new Promise(() => {}) })
  const call = expectStripeError(stripe.paymentIntents.create(order))
  await entered.waitForAffected()
  await sandbox.close()
  assert.equal((await call).type, 'StripeConnectionError')
})

test('deliveries are held back and released in another order', async (t) => {
  const shop = await startWebhookReceiver(t)
  const { sandbox, stripe } = await createTestSandbox(t, shop.url)
  const held = sandbox.controls.webhooks.inject({ times: 3 }, 'hold')
  await stripe.paymentIntents.create(paid)
  await held.waitForAffected(3)
  await sandbox.controls.webhooks.waitUntilDelivered()
  assert.equal(shop.received.length, 0)
  await held.release((events) => events.sort((a, b) => (a.type < b.type ? 1 : -1)))
  assert.deepEqual(
    shop.received.map(({ type }) => type),
    ['payment_intent.succeeded', 'payment_intent.created', 'charge.succeeded'],
  )
})

test('an event is delivered several times, also at one moment, or never', async (t) => {
  const shop = await startWebhookReceiver(t)
  const { sandbox, stripe } = await createTestSandbox(t, shop.url)
  const { webhooks } = sandbox.controls
  webhooks.inject({ type: 'payment_intent.succeeded' }, { copies: 3 })
  webhooks.inject({ type: 'payment_intent.created' }, { copies: 20, inParallel: true })
  webhooks.inject({ type: 'charge.*' }, 'drop')
  await stripe.paymentIntents.create(paid)
  await webhooks.waitUntilDelivered()
  const count = (type: string) => shop.received.filter((one) => one.type === type).length
  assert.deepEqual([count('payment_intent.succeeded'), count('payment_intent.created'), count('charge.succeeded')], [3, 20, 0])
})

test('a delivery is signed wrongly, not at all or long ago', async (t) => {
  const shop = await startWebhookReceiver(t)
  const { sandbox, stripe } = await createTestSandbox(t, shop.url)
  const { webhooks } = sandbox.controls
  await webhooks.pause()
  await stripe.paymentIntents.create(order)
  const [event] = (await stripe.events.list()).data
  assert.ok(event)
  assert.equal(shop.received.length, 0)
  for (const how of [
    { sign: 'wrongly' },
    { sign: 'not' },
    { sign: { secondsAgo: 301 } },
    { sign: { secondsAgo: 299 } },
    { sign: 'rightly' },
  ] as const) {
    assert.deepEqual(await webhooks.post(event.id, how), [200])
  }
  const right = shop.received.map(({ body, signature }) => {
    try {
      return stripe.webhooks.constructEvent(body, signature, sandbox.webhookSecret).id === event.id
    } catch {
      return false
    }
  })
  assert.deepEqual(right, [false, false, false, true, true])
  webhooks.resume()
  await webhooks.waitUntilDelivered()
  assert.equal(shop.received.length, 6)
})

test('a delivery that was refused is tried again at once when it is hurried', async (t) => {
  const shop = await startWebhookReceiver(t, (nth) => (nth < 4 ? 500 : 200))
  const { sandbox, stripe } = await createTestSandbox(t, shop.url)
  await stripe.paymentIntents.create(order)
  for (const tries of [1, 2, 3]) {
    await shop.arrived(tries)
    await sandbox.controls.webhooks.pause()
    sandbox.controls.webhooks.resume()
    await sandbox.controls.webhooks.retryNow()
  }
  await sandbox.controls.webhooks.waitUntilDelivered()
  assert.equal(shop.received.length, 4)
})

test('a sandbox without an address to deliver to only answers', async (t) => {
  const sandbox = await startTestSandbox(t, await createTestDatabase(t), { webhookUrl: null })
  const stripe = stripeClientFor(sandbox)
  await stripe.paymentIntents.create(paid)
  assert.deepEqual(
    (await stripe.events.list()).data.map((event) => event.pending_webhooks),
    [1, 1, 1],
  )
})
