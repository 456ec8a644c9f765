import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestSandbox, expectStripeError, payAsBrowser, postForm, stripeClientFor } from './test-sandbox.ts'

const it = await createTestSandbox({ after })

const order = { amount: 16_000, currency: 'usd', allowed_payment_method_types: ['card' as const], metadata: { order_id: 'o-7' } }

test('a new intent asks for its amount and waits for a card', async () => {
  const intent = await it.stripe.paymentIntents.create({ ...order, receipt_email: 'ada@example.com' })
  assert.match(intent.id, /^pi_\w{20,}$/)
  assert.match(intent.client_secret ?? '', new RegExp(`^${intent.id}_secret_\\w{20,}$`))
  assert.partialDeepStrictEqual(intent, {
    object: 'payment_intent',
    amount: 16_000,
    amount_received: 0,
    amount_capturable: 0,
    currency: 'usd',
    status: 'requires_payment_method',
    payment_method_types: ['card'],
    metadata: { order_id: 'o-7' },
    receipt_email: 'ada@example.com',
    latest_charge: null,
    last_payment_error: null,
    next_action: null,
    livemode: false,
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    canceled_at: null,
  })
  assert.equal(intent.lastResponse.apiVersion, '2026-10-28.endive')
  assert.match(intent.lastResponse.requestId, /^req_/)
})

test('an intent is found again by its id', async () => {
  const { id, client_secret } = await it.stripe.paymentIntents.create(order)
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.retrieve(id), { id, client_secret, amount: 16_000 })
})

test('an intent that nobody made is not found', async () => {
  const error = await expectStripeError(it.stripe.paymentIntents.retrieve('pi_nobody'))
  assert.partialDeepStrictEqual(error, { statusCode: 404, code: 'resource_missing', param: 'intent', rawType: 'invalid_request_error' })
  assert.equal(error.message, "No such payment_intent: 'pi_nobody'")
})

for (const [amount, code] of [
  [49, 'amount_too_small'],
  [0, 'parameter_invalid_integer'],
  [-5, 'parameter_invalid_integer'],
  [100.5, 'parameter_invalid_integer'],
  [100_000_000, 'amount_too_large'],
] as const) {
  test(`an amount of ${amount} cents is refused as ${code}`, async () => {
    const error = await expectStripeError(it.stripe.paymentIntents.create({ ...order, amount }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, code, param: 'amount', rawType: 'invalid_request_error' })
  })
}

test('an amount from 50 cents to 999,999.99 dollars is taken', async () => {
  assert.equal((await it.stripe.paymentIntents.create({ ...order, amount: 50 })).amount, 50)
  assert.equal((await it.stripe.paymentIntents.create({ ...order, amount: 99_999_999 })).amount, 99_999_999)
})

test('an intent without an amount is refused by the name of what is missing', async () => {
  const { status, content } = await postForm(it.sandbox, '/v1/payment_intents', { currency: 'usd' }, bearer(it.sandbox.secretKey))
  assert.equal(status, 400)
  assert.partialDeepStrictEqual(content.error, { type: 'invalid_request_error', code: 'parameter_missing', param: 'amount' })
})

test('payment_method_types has left the request', async () => {
  const error = await expectStripeError(it.stripe.paymentIntents.create({ ...order, ...{ payment_method_types: ['card'] } }))
  assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'parameter_unknown', param: 'payment_method_types' })
  assert.equal(error.message, 'Received unknown parameter: payment_method_types')
})

test('amount and metadata can be changed while the intent is unpaid, and an empty value takes its key away', async () => {
  const { id } = await it.stripe.paymentIntents.create({ ...order, metadata: { order_id: 'o-7', note: 'x' } })
  const changed = await it.stripe.paymentIntents.update(id, { amount: 17_000, metadata: { note: '', buyer: 'Ada' } })
  assert.partialDeepStrictEqual(changed, { amount: 17_000, status: 'requires_payment_method' })
  assert.deepEqual(changed.metadata, { order_id: 'o-7', buyer: 'Ada' })
})

test('a paid intent keeps its amount', async () => {
  const { id } = await it.stripe.paymentIntents.create({ ...order, payment_method: 'pm_card_visa', confirm: true })
  const error = await expectStripeError(it.stripe.paymentIntents.update(id, { amount: 17_000 }))
  assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'payment_intent_unexpected_state' })
  assert.equal((await it.stripe.paymentIntents.retrieve(id)).amount, 16_000)
})

test('a canceled intent takes no card', async () => {
  const { id, client_secret } = await it.stripe.paymentIntents.create(order)
  const canceled = await it.stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
  assert.partialDeepStrictEqual(canceled, { status: 'canceled', cancellation_reason: 'abandoned' })
  assert.equal(typeof canceled.canceled_at, 'number')

  const { status, content } = await payAsBrowser(it.sandbox, client_secret ?? '', {})
  assert.equal(status, 400)
  assert.partialDeepStrictEqual(content.error, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    payment_intent: { id, status: 'canceled' },
  })
})

test('an intent is of any currency that a store may have, and its amount is at least what the provider takes in it', async () => {
  const { id } = await it.stripe.paymentIntents.create({ ...order, currency: 'EUR' })
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.update(id, { currency: 'czk' }), { currency: 'czk', amount: 16_000 })
  const tooLittle = await expectStripeError(it.stripe.paymentIntents.update(id, { amount: 1499 }))
  assert.partialDeepStrictEqual(tooLittle, {
    code: 'amount_too_small',
    param: 'amount',
    message: 'Amount must be at least CZK\u00a015.00 czk',
  })
  const unknown = await expectStripeError(it.stripe.paymentIntents.create({ ...order, currency: 'jpy' }))
  assert.partialDeepStrictEqual(unknown, { statusCode: 400, param: 'currency' })
})

test('a paid intent keeps its currency', async () => {
  const { id } = await it.stripe.paymentIntents.create({ ...order, payment_method: 'pm_card_visa', confirm: true })
  const refused = await expectStripeError(it.stripe.paymentIntents.update(id, { currency: 'eur' }))
  assert.partialDeepStrictEqual(refused, { statusCode: 400, code: 'payment_intent_unexpected_state' })
  assert.equal((await it.stripe.paymentIntents.retrieve(id)).currency, 'usd')
})

test('a paid intent cannot be canceled', async () => {
  const { id } = await it.stripe.paymentIntents.create({ ...order, payment_method: 'pm_card_visa', confirm: true })
  const error = await expectStripeError(it.stripe.paymentIntents.cancel(id))
  assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'payment_intent_unexpected_state' })
  assert.equal((await it.stripe.paymentIntents.retrieve(id)).status, 'succeeded')
})

test('an intent that was given a card waits to be confirmed, and then needs no other', async () => {
  const { id, status } = await it.stripe.paymentIntents.create({ ...order, payment_method: 'pm_card_mastercard' })
  assert.equal(status, 'requires_confirmation')
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.confirm(id), { status: 'succeeded', amount_received: 16_000 })
})

test('an intent without a card cannot be confirmed', async () => {
  const { id } = await it.stripe.paymentIntents.create(order)
  const error = await expectStripeError(it.stripe.paymentIntents.confirm(id))
  assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'payment_intent_unexpected_state' })
})

test('twenty confirmations at one moment take the money once', async () => {
  const { id, client_secret } = await it.stripe.paymentIntents.create(order)
  const answers = await Promise.all(Array.from({ length: 20 }, () => payAsBrowser(it.sandbox, client_secret ?? '', {})))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(400)])
  const { data } = await it.stripe.events.list({ type: 'charge.succeeded', limit: 100 })
  assert.equal(data.filter(({ data }) => 'payment_intent' in data.object && data.object.payment_intent === id).length, 1)
})

test('whoever comes with a wrong key is nobody', async () => {
  const error = await expectStripeError(stripeClientFor(it.sandbox, 'sk_test_wrong').paymentIntents.create(order))
  assert.partialDeepStrictEqual(error, { statusCode: 401, type: 'StripeAuthenticationError' })
  const { status, content } = await postForm(it.sandbox, '/v1/payment_intents', { amount: '50', currency: 'usd' })
  assert.equal(status, 401)
  assert.equal(content.error.type, 'invalid_request_error')
})

test('the key may also be the name of Basic authorization', async () => {
  const authorization = `Basic ${Buffer.from(`${it.sandbox.secretKey}:`).toString('base64')}`
  const { status } = await postForm(it.sandbox, '/v1/payment_intents', { amount: '50', currency: 'usd' }, { authorization })
  assert.equal(status, 200)
})

test('an unknown address is refused in the shape of an error', async () => {
  const response = await fetch(`${it.sandbox.origin}/v1/nothing?here=1`)
  assert.equal(response.status, 404)
  assert.deepEqual(await response.json(), {
    error: { type: 'invalid_request_error', message: 'Unrecognized request URL (GET: /v1/nothing).' },
  })
})

test('a body that is no form is refused, not misread', async () => {
  const headers = { ...bearer(it.sandbox.secretKey), 'content-type': 'application/json' }
  const response = await fetch(`${it.sandbox.origin}/v1/payment_intents`, {
    method: 'POST',
    headers,
    body: '{"amount":50,"currency":"usd"}',
  })
  assert.equal(response.status, 415)
  const { status } = await postForm(
    it.sandbox,
    '/v1/payment_intents',
    { amount: '50', currency: 'usd', '__proto__[x]': '1' },
    bearer(it.sandbox.secretKey),
  )
  assert.equal(status, 400)
})

function bearer(key: string) {
  return { authorization: `Bearer ${key}` }
}
