import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestSandbox, expectStripeError, payAsBrowser, postForm, startTestSandbox } from './test-sandbox.ts'

const it = await createTestSandbox({ after })

const order = { amount: 16_000, currency: 'usd', allowed_payment_method_types: ['card' as const] }

function create(key: string, form: Record<string, string>, sandbox = it.sandbox) {
  return postForm(sandbox, '/v1/payment_intents', form, { authorization: `Bearer ${sandbox.secretKey}`, 'idempotency-key': key })
}

test('the same key makes one intent and answers the same, byte for byte', async () => {
  const first = await create('k1', { amount: '500', currency: 'usd', 'metadata[a]': '1' })
  const again = await create('k1', { currency: 'usd', 'metadata[a]': '1', amount: '500' })
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('original-request'), first.headers.get('request-id'))
  assert.deepEqual([again.status, again.text], [first.status, first.text])
})

test('a key that was used with other parameters is refused', async () => {
  await it.stripe.paymentIntents.create(order, { idempotencyKey: 'k2' })
  const error = await expectStripeError(it.stripe.paymentIntents.create({ ...order, amount: 17_000 }, { idempotencyKey: 'k2' }))
  assert.partialDeepStrictEqual(error, { type: 'StripeIdempotencyError', statusCode: 400, rawType: 'idempotency_error' })
  assert.match(error.message, /^Keys for idempotent requests can only be used with the same parameters they were first used with\./)
})

test('a key that was used for another call is refused', async () => {
  const { id } = await it.stripe.paymentIntents.create(order, { idempotencyKey: 'k3' })
  const error = await expectStripeError(it.stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'k3' }))
  assert.partialDeepStrictEqual(error, { statusCode: 400, rawType: 'idempotency_error' })
})

test('a decline is answered again, without a second charge', async () => {
  const { id, client_secret } = await it.stripe.paymentIntents.create(order)
  const pay = () => payAsBrowser(it.sandbox, client_secret ?? '', { number: '4000000000009995' }, { 'idempotency-key': 'k4' })
  const first = await pay()
  const again = await pay()
  assert.deepEqual([again.status, again.text], [402, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await it.stripe.paymentIntents.retrieve(id)).latest_charge, first.content.error.charge)
})

test('a refused request leaves its key unused', async () => {
  assert.equal((await create('k5', { amount: '1', currency: 'usd' })).status, 400)
  assert.equal((await create('k5', { amount: '500', currency: 'usd' })).status, 200)
})

test('twenty requests with one key at one moment make one intent; some may be told that the key is in use', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('k6', { amount: '500', currency: 'usd' })))
  const made = answers.filter(({ status }) => status === 200)
  assert.equal(new Set(made.map(({ content }) => content.id)).size, 1)
  for (const { status, content } of answers.filter((answer) => !made.includes(answer))) {
    assert.equal(status, 409)
    assert.equal(content.error.code, 'idempotency_key_in_use')
  }
})

test('a key is remembered by another process on the same ledger and after opening again', async (t) => {
  const first = await create('k7', { amount: '500', currency: 'usd' })
  const other = await startTestSandbox(t, it.connectionString)
  const again = await create('k7', { amount: '500', currency: 'usd' }, other)
  assert.equal(again.content.id, first.content.id)
})
