import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestSandbox, expectStripeError, payAsBrowser, postForm } from './test-sandbox.ts'

const it = await createTestSandbox({ after })
const order = { amount: 16_000, currency: 'usd', metadata: { order_id: 'o-7' } }
const asking = '4000000000003220'

/** An intent that a browser has confirmed with a card whose bank asks first, and the address of the question. */
async function asked(number = asking) {
  const { id, client_secret } = await it.stripe.paymentIntents.create(order)
  const { status, content } = await payAsBrowser(it.sandbox, client_secret ?? '', { number })
  assert.equal(status, 200)
  assert.equal(content.status, 'requires_action')
  return { id, clientSecret: client_secret ?? '', question: questionOf(content) }
}

function questionOf({ next_action }: { next_action: { use_stripe_sdk: { stripe_js: string } } }): string {
  return new URL(next_action.use_stripe_sdk.stripe_js).pathname
}

const say = (question: string, outcome: 'passed' | 'failed') => postForm(it.sandbox, question, { outcome })

async function typesOf(id: string): Promise<string[]> {
  const { data } = await it.stripe.events.list({ limit: 100 })
  const about = data.filter(
    ({ data: { object } }) => ('payment_intent' in object && object.payment_intent === id) || ('id' in object && object.id === id),
  )
  return about.map(({ type }) => type).toReversed()
}

for (const number of ['4000002500003155', '4000002760003184', '4000000000003220']) {
  test(`the bank of ${number} asks before anything is charged, and then it pays`, async () => {
    const { id, question } = await asked(number)
    assert.partialDeepStrictEqual(await it.stripe.paymentIntents.retrieve(id), {
      status: 'requires_action',
      latest_charge: null,
      amount_received: 0,
      next_action: { type: 'use_stripe_sdk' },
    })
    const shown = await (await fetch(`${it.sandbox.origin}${question}/question`)).json()
    assert.deepEqual(shown, { object: 'challenge', amount: 16_000, currency: 'usd', brand: 'visa', last4: number.slice(-4) })

    assert.equal((await say(question, 'passed')).status, 200)
    const intent = await it.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    assert.partialDeepStrictEqual(intent, { status: 'succeeded', amount_received: 16_000, next_action: null })
    assert.partialDeepStrictEqual(intent.latest_charge, {
      payment_method_details: { card: { three_d_secure: { authentication_flow: 'challenge', result: 'authenticated' } } },
    })
    assert.deepEqual(await typesOf(id), [
      'payment_intent.created',
      'payment_intent.requires_action',
      'charge.succeeded',
      'payment_intent.succeeded',
    ])
  })
}

for (const [number, decline_code] of [
  ['4000008400001629', 'generic_decline'],
  ['4000008260003178', 'insufficient_funds'],
] as const) {
  test(`the card ${number} is declined after its bank was answered: ${decline_code}`, async () => {
    const { id, clientSecret, question } = await asked(number)
    await say(question, 'passed')
    const seen = await fetch(`${it.sandbox.origin}/v1/payment_intents/${id}?key=${it.sandbox.publishableKey}&client_secret=${clientSecret}`)
    assert.partialDeepStrictEqual(await seen.json(), {
      status: 'requires_payment_method',
      next_action: null,
      last_payment_error: { type: 'card_error', code: 'card_declined', decline_code },
    })
    assert.equal((await payAsBrowser(it.sandbox, clientSecret, {})).status, 200)
  })
}

test('a card whose bank cannot be asked is declined at once', async () => {
  const { id, client_secret } = await it.stripe.paymentIntents.create(order)
  const { status, content } = await payAsBrowser(it.sandbox, client_secret ?? '', { number: '4000008400001280' })
  assert.equal(status, 402)
  assert.partialDeepStrictEqual(content.error, { code: 'card_declined', payment_intent: { id, status: 'requires_payment_method' } })
})

test('a bank that may ask but need not does not ask', async () => {
  const { client_secret } = await it.stripe.paymentIntents.create(order)
  const { content } = await payAsBrowser(it.sandbox, client_secret ?? '', { number: '4000000000003055' })
  assert.equal(content.status, 'succeeded')
})

test('who fails at the bank pays nothing and may try again', async () => {
  const { id, clientSecret, question } = await asked()
  await say(question, 'failed')
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.retrieve(id), {
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: null,
    next_action: null,
    last_payment_error: { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
  })
  assert.deepEqual((await typesOf(id)).at(-1), 'payment_intent.payment_failed')

  const { content } = await payAsBrowser(it.sandbox, clientSecret, { number: asking })
  await say(questionOf(content), 'passed')
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.retrieve(id), { status: 'succeeded', last_payment_error: null })
})

test('who never answers leaves the intent waiting: another card may pay it, and the old question is over', async () => {
  const { id, clientSecret, question } = await asked()
  assert.equal((await payAsBrowser(it.sandbox, clientSecret, {})).content.status, 'succeeded')
  assert.equal((await say(question, 'passed')).status, 404)
  assert.equal((await it.stripe.charges.list({ payment_intent: id })).data.length, 1)
})

test('an intent that waits for its buyer can be canceled, and then the answer comes too late', async () => {
  const { id, question } = await asked()
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.cancel(id), { status: 'canceled', next_action: null })
  assert.equal((await say(question, 'passed')).status, 404)
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.retrieve(id), { status: 'canceled', latest_charge: null })
})

test('an answer given twenty times at one moment charges once', async () => {
  const { id, question } = await asked()
  const answers = await Promise.all(Array.from({ length: 20 }, () => say(question, 'passed')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(404)])
  assert.equal((await it.stripe.charges.list({ payment_intent: id })).data.length, 1)
})

test('another amount asks anew', async () => {
  const { id, question } = await asked()
  assert.partialDeepStrictEqual(await it.stripe.paymentIntents.update(id, { amount: 17_000 }), {
    status: 'requires_confirmation',
    next_action: null,
  })
  assert.equal((await say(question, 'passed')).status, 404)
  assert.equal((await it.stripe.paymentIntents.confirm(id)).status, 'requires_action')
})

test('a shop that has told the way back gets a page to send its buyer to', async () => {
  const { id, next_action } = await it.stripe.paymentIntents.create({
    ...order,
    payment_method: 'pm_card_threeDSecure2Required',
    confirm: true,
    return_url: 'https://shop.example/back?order=7',
  })
  const { url = '', return_url } = next_action?.redirect_to_url ?? {}
  assert.equal(return_url, 'https://shop.example/back?order=7')
  const { content } = await say(new URL(url ?? '').pathname, 'passed')
  const back = new URL(content.return_url)
  assert.equal(back.origin + back.pathname, 'https://shop.example/back')
  assert.partialDeepStrictEqual(Object.fromEntries(back.searchParams), { order: '7', payment_intent: id, redirect_status: 'succeeded' })
})

test('an answer that is none is refused, and so is a question that nobody asked', async () => {
  const { id, question } = await asked()
  assert.equal((await postForm(it.sandbox, question, { outcome: 'perhaps' })).status, 400)
  assert.equal((await say('/3d_secure/payatt_invented', 'passed')).status, 404)
  assert.equal((await fetch(`${it.sandbox.origin}/3d_secure/payatt_invented/question`)).status, 404)
  assert.equal((await it.stripe.paymentIntents.retrieve(id)).status, 'requires_action')
})

test('the bank’s page runs its own script and style and nothing else, and only pages on this machine may show it', async () => {
  const { question } = await asked()
  const response = await fetch(`${it.sandbox.origin}${question}`)
  const page = await response.text()
  const policy = response.headers.get('content-security-policy') ?? ''
  for (const element of ['script', 'style']) {
    const [, text = ''] = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page) ?? []
    assert.ok(policy.includes(`${element}-src 'sha256-${createHash('sha256').update(text).digest('base64')}';`))
  }
  assert.match(policy, /default-src 'none'; /)
  assert.match(policy, /connect-src 'self'; /)
  assert.match(policy, /frame-ancestors http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*$/)
  assert.doesNotMatch(page, /src="|href="|https?:\/\/(?!\\)[a-z]/)
})

test('an intent that waits for its buyer cannot be refunded', async () => {
  const { id } = await asked()
  assert.equal((await expectStripeError(it.stripe.refunds.create({ payment_intent: id }))).statusCode, 400)
})
