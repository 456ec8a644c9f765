import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestSandbox, expectStripeError, payAsBrowser, postForm, runSql, stripeClientFor } from './test-sandbox.ts'

const it = await createTestSandbox({ after })

async function newIntent() {
  const { id, client_secret } = await it.stripe.paymentIntents.create({
    amount: 40_000,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    metadata: { order_id: 'o-1' },
  })
  return { id, clientSecret: client_secret ?? '' }
}

for (const [number, brand] of [
  ['4242424242424242', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['378282246310005', 'amex'],
] as const) {
  test(`the card ${number} (${brand}) pays`, async () => {
    const { id, clientSecret } = await newIntent()
    const { status, content } = await payAsBrowser(it.sandbox, clientSecret, { number, cvc: brand === 'amex' ? '1234' : '123' })
    assert.equal(status, 200)
    assert.equal(content.status, 'succeeded')

    const intent = await it.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    assert.partialDeepStrictEqual(intent, { status: 'succeeded', amount_received: 40_000, last_payment_error: null })
    assert.partialDeepStrictEqual(intent.latest_charge, {
      object: 'charge',
      paid: true,
      status: 'succeeded',
      amount: 40_000,
      payment_intent: id,
      metadata: { order_id: 'o-1' },
      billing_details: { name: 'Ada Byron', email: 'ada@example.com' },
      payment_method_details: { type: 'card', card: { brand, last4: number.slice(-4), exp_month: 12, exp_year: 2040 } },
    })
  })
}

for (const [number, code, decline_code, message] of [
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000009987', 'card_declined', 'lost_card', 'Your card was declined.'],
  ['4000000000009979', 'card_declined', 'stolen_card', 'Your card was declined.'],
  [
    '4000000000006975',
    'card_declined',
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ],
  ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
  ['4000000000000119', 'processing_error', 'processing_error', 'An error occurred while processing your card. Try again in a little bit.'],
  ['4000000000000341', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4100000000000019', 'card_declined', 'fraudulent', 'Your card was declined.'],
] as const) {
  test(`the card ${number} is declined: ${decline_code}`, async () => {
    const { id, clientSecret } = await newIntent()
    const { status, content } = await payAsBrowser(it.sandbox, clientSecret, { number })
    assert.equal(status, 402)
    assert.partialDeepStrictEqual(content.error, { type: 'card_error', code, decline_code, message })
    assert.equal(content.error.doc_url, `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`)
    assert.partialDeepStrictEqual(content.error.payment_intent, { id, status: 'requires_payment_method', last_payment_error: { code } })
    assert.partialDeepStrictEqual(content.error.payment_method, { object: 'payment_method', card: { last4: number.slice(-4) } })

    const intent = await it.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    assert.partialDeepStrictEqual(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      amount_received: 0,
      last_payment_error: { type: 'card_error', code, decline_code, message, charge: content.error.charge },
    })
    assert.partialDeepStrictEqual(intent.latest_charge, { id: content.error.charge, paid: false, status: 'failed', failure_code: code })
  })
}

test('after a decline another card pays the same intent', async () => {
  const { id, clientSecret } = await newIntent()
  assert.equal((await payAsBrowser(it.sandbox, clientSecret, { number: '4000000000000002' })).status, 402)
  assert.equal((await payAsBrowser(it.sandbox, clientSecret, { number: '4242424242424242' })).status, 200)
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.retrieve(id), { status: 'succeeded', last_payment_error: null })
})

test('the shop gets the same decline by a test token as the error of its SDK', async () => {
  const { id } = await newIntent()
  const error = await expectStripeError(
    it.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' }),
  )
  assert.partialDeepStrictEqual(error, {
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'insufficient_funds',
  })
  assert.partialDeepStrictEqual(error.payment_intent, { id, status: 'requires_payment_method', metadata: { order_id: 'o-1' } })
})

test('a number whose check digit is wrong is an incorrect number', async () => {
  const { id, clientSecret } = await newIntent()
  const { status, content } = await payAsBrowser(it.sandbox, clientSecret, { number: '4242424242424241' })
  assert.equal(status, 402)
  assert.partialDeepStrictEqual(content.error, { type: 'card_error', code: 'incorrect_number', message: 'Your card number is incorrect.' })
  assert.partialDeepStrictEqual(content.error.payment_intent, { id, status: 'requires_payment_method', last_payment_error: null })
})

test('a card that is not in the table is refused without a charge and leaves no trace', async () => {
  const { id, clientSecret } = await newIntent()
  const number = '4111111111111111'
  const { status, content } = await payAsBrowser(it.sandbox, clientSecret, { number }, { 'idempotency-key': 'real-card' })
  assert.equal(status, 402)
  assert.partialDeepStrictEqual(content.error, { type: 'card_error', code: 'card_declined', decline_code: 'test_mode_live_card' })
  assert.match(content.error.message, /not a test card of this sandbox/)
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.retrieve(id), { latest_charge: null, last_payment_error: null })
  assert.ok(!(await everythingKept()).includes(number))
  assert.ok(!(await everythingKept()).includes('real-card'))
})

test('of an accepted card only brand, last four digits and expiry are kept', async () => {
  const { clientSecret } = await newIntent()
  const card = { number: '5555 5555 5555 4444', exp_month: '11', exp_year: '2041', cvc: '987' }
  assert.equal((await payAsBrowser(it.sandbox, clientSecret, card, { 'idempotency-key': 'kept-card' })).status, 200)
  const kept = await everythingKept()
  assert.match(kept, /kept-card/)
  assert.match(kept, /"last4": ?"4444"/)
  assert.doesNotMatch(kept, /5555 ?5555|"cvc": ?"/)
})

for (const [words, card, code, message] of [
  ['a month that is none', { exp_month: '13' }, 'invalid_expiry_month', "Your card's expiration month is invalid."],
  ['a year that is over', { exp_year: '2020' }, 'invalid_expiry_year', "Your card's expiration year is invalid."],
  ['a security code of two digits', { cvc: '12' }, 'invalid_cvc', "Your card's security code is invalid."],
] as const) {
  test(`a card with ${words} is refused`, async () => {
    const { clientSecret } = await newIntent()
    const { status, content } = await payAsBrowser(it.sandbox, clientSecret, card)
    assert.equal(status, 402)
    assert.partialDeepStrictEqual(content.error, { type: 'card_error', code, message })
  })
}

test('the shop cannot send a card number, because it must not have one', async () => {
  const { id } = await newIntent()
  const form = {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '40',
  }
  const authorization = `Bearer ${it.sandbox.secretKey}`
  const { status, content } = await postForm(it.sandbox, `/v1/payment_intents/${id}/confirm`, form, { authorization })
  assert.equal(status, 402)
  assert.equal(content.error.type, 'invalid_request_error')
})

test('a browser that does not know the client secret neither sees nor pays an intent', async () => {
  const { id } = await newIntent()
  const seen = `${it.sandbox.origin}/v1/payment_intents/${id}?key=${it.sandbox.publishableKey}`
  assert.equal((await fetch(seen)).status, 400)
  assert.equal((await fetch(`${seen}&client_secret=${id}_secret_guessed`)).status, 400)
  assert.equal((await payAsBrowser(it.sandbox, `${id}_secret_guessed`, {})).status, 400)
  assert.equal((await it.stripe.paymentIntents.retrieve(id)).status, 'requires_payment_method')
})

test('a browser sees of its intent what Stripe shows to a publishable key, from a page of any origin', async () => {
  const { id, clientSecret } = await newIntent()
  const response = await fetch(
    `${it.sandbox.origin}/v1/payment_intents/${id}?key=${it.sandbox.publishableKey}&client_secret=${clientSecret}`,
  )
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  const intent = await response.json()
  assert.partialDeepStrictEqual(intent, { id, amount: 40_000, status: 'requires_payment_method', client_secret: clientSecret })
  assert.ok(!('metadata' in intent))
})

test('a browser may ask beforehand whether it may send a header of somebody’s own', async () => {
  const { id } = await newIntent()
  const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-forwarded-for' }
  for (const path of [`/v1/payment_intents/${id}/confirm`, '/3d_secure/payatt_1']) {
    const response = await fetch(it.sandbox.origin + path, { method: 'OPTIONS', headers })
    assert.equal(response.status, 204)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(response.headers.get('access-control-allow-headers'), '*')
  }
})

test('a publishable key opens nothing that is the shop’s', async () => {
  const browser = stripeClientFor(it.sandbox, it.sandbox.publishableKey)
  const { id } = await newIntent()
  for (const call of [
    browser.paymentIntents.cancel(id),
    browser.paymentIntents.create({ amount: 50, currency: 'usd' }),
    browser.events.list(),
  ]) {
    assert.partialDeepStrictEqual(await expectStripeError(call), { statusCode: 401, code: 'secret_key_required' })
  }
})

/** Every row of every table of the sandbox, as text. */
async function everythingKept(): Promise<string> {
  const tables = await runSql<{ name: string }>(
    it.connectionString,
    `select table_name as name from information_schema.tables where table_schema = 'sandbox'`,
  )
  assert.ok(tables.length > 5)
  const rows = await Promise.all(
    tables.map(({ name }) => runSql<{ row: string }>(it.connectionString, `select t::text as row from sandbox.${name} t`)),
  )
  // A row's text doubles the quotes of what is in it.
  return rows
    .flat()
    .map(({ row }) => row.replaceAll('""', '"'))
    .join('\n')
}
