import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { expectStripeError } from '../test-sandbox.ts'
import { type ContractTests, createConfirmedIntent, createIntent, intentParams, listEventsFor, pollUntil } from './contract-tests.ts'

export const idempotency: ContractTests = {
  'one key makes one intent, and answers the same again': async (stripe) => {
    const idempotencyKey = randomUUID()
    const first = await stripe.paymentIntents.create(intentParams, { idempotencyKey })
    const again = await stripe.paymentIntents.create(intentParams, { idempotencyKey })
    assert.equal(JSON.stringify(again), JSON.stringify(first))
    assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true')
  },
  'the answer stays as it was, whatever has happened since': async (stripe) => {
    const idempotencyKey = randomUUID()
    const { id } = await stripe.paymentIntents.create(intentParams, { idempotencyKey })
    await stripe.paymentIntents.cancel(id)
    assert.equal((await stripe.paymentIntents.create(intentParams, { idempotencyKey })).status, 'requires_payment_method')
  },
  'a decline is answered again, without a second charge': async (stripe) => {
    const { id } = await createIntent(stripe)
    const idempotencyKey = randomUUID()
    const declined = () =>
      expectStripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }, { idempotencyKey }))
    const [first, again] = [await declined(), await declined()]
    assert.deepEqual([again.statusCode, again.code, again.charge], [402, 'card_declined', first.charge])
    assert.equal((await stripe.charges.list({ payment_intent: id })).data.length, 1)
  },
  'a key that was used with other parameters is refused': async (stripe) => {
    const idempotencyKey = randomUUID()
    await stripe.paymentIntents.create(intentParams, { idempotencyKey })
    const error = await expectStripeError(stripe.paymentIntents.create({ ...intentParams, amount: 4100 }, { idempotencyKey }))
    assert.partialDeepStrictEqual(error, { type: 'StripeIdempotencyError', statusCode: 400, rawType: 'idempotency_error' })
  },
  'a key that was used for another call is refused': async (stripe) => {
    const idempotencyKey = randomUUID()
    const { id } = await stripe.paymentIntents.create(intentParams, { idempotencyKey })
    const error = await expectStripeError(stripe.paymentIntents.cancel(id, {}, { idempotencyKey }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, rawType: 'idempotency_error' })
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'requires_payment_method')
  },
  'one key at one moment makes one intent; who comes too early is told that it is in use': async (stripe) => {
    const idempotencyKey = randomUUID()
    const asked = Array.from({ length: 8 }, () => stripe.paymentIntents.create(intentParams, { idempotencyKey }))
    const answers = await Promise.allSettled(asked)
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []))
    assert.equal(new Set(made).size, 1)
    for (const answer of answers) {
      if (answer.status === 'rejected')
        assert.partialDeepStrictEqual({ ...answer.reason }, { statusCode: 409, code: 'idempotency_key_in_use' })
    }
  },
  'a call that was refused as wrong leaves its key free': async (stripe) => {
    const idempotencyKey = randomUUID()
    await expectStripeError(stripe.paymentIntents.create({ ...intentParams, amount: 1 }, { idempotencyKey }))
    assert.equal((await stripe.paymentIntents.create(intentParams, { idempotencyKey })).amount, 4000)
  },
  'a key of more than 255 letters is refused': async (stripe) => {
    assert.equal((await expectStripeError(stripe.paymentIntents.create(intentParams, { idempotencyKey: 'k'.repeat(256) }))).statusCode, 400)
  },
}

/** Creates three intents. @returns their ids in the order of creation */
async function three(stripe: Stripe): Promise<[string, string, string]> {
  const { id: first, created } = await createIntent(stripe)
  const { id: second } = await createIntent(stripe)
  const { id: third } = await createIntent(stripe)
  assert.ok(created > 0)
  return [first, second, third]
}

export const lists: ContractTests = {
  'intents are listed, the newest first': async (stripe) => {
    const made = await three(stripe)
    const { data, object } = await stripe.paymentIntents.list({ limit: 100 })
    assert.equal(object, 'list')
    assert.deepEqual(
      data.map(({ id }) => id).filter((id) => made.includes(id)),
      made.toReversed(),
    )
  },
  'a page ends at its limit and says that there is more': async (stripe) => {
    await three(stripe)
    const { data, has_more } = await stripe.paymentIntents.list({ limit: 2 })
    assert.deepEqual([data.length, has_more], [2, true])
  },
  'a page begins after the one that is named': async (stripe) => {
    const [first, second] = await three(stripe)
    const { data } = await stripe.paymentIntents.list({ starting_after: second, limit: 1 })
    assert.deepEqual(
      data.map(({ id }) => id),
      [first],
    )
  },
  'a page ends before the one that is named': async (stripe) => {
    const [, second, third] = await three(stripe)
    const { data } = await stripe.paymentIntents.list({ ending_before: second, limit: 1 })
    assert.deepEqual(
      data.map(({ id }) => id),
      [third],
    )
  },
  'a list is walked page by page': async (stripe) => {
    const made = await three(stripe)
    const walked: string[] = []
    for await (const { id } of stripe.paymentIntents.list({ limit: 1 })) {
      walked.push(id)
      if (id === made[0]) break
    }
    assert.deepEqual(
      walked.filter((id) => made.includes(id)),
      made.toReversed(),
    )
  },
  'a list keeps to the time that is asked for': async (stripe) => {
    const { id, created } = await createIntent(stripe)
    const listed = async (wish: Stripe.PaymentIntentListParams['created']) =>
      (await stripe.paymentIntents.list({ limit: 100, ...(wish !== undefined && { created: wish }) })).data.some(
        (intent) => intent.id === id,
      )
    assert.deepEqual(
      [
        await listed({ gte: created }),
        await listed({ lte: created }),
        await listed(created),
        await listed({ gt: created }),
        await listed({ lt: created }),
      ],
      [true, true, true, false, false],
    )
  },
  'a page has at most a hundred': async (stripe) => {
    assert.partialDeepStrictEqual(await expectStripeError(stripe.paymentIntents.list({ limit: 101 })), { statusCode: 400, param: 'limit' })
  },
  'a page cannot begin at what is not there': async (stripe) => {
    const error = await expectStripeError(stripe.paymentIntents.list({ starting_after: 'pi_nobody' }))
    assert.partialDeepStrictEqual(error, { code: 'resource_missing', param: 'starting_after' })
  },
  'the charges of an intent are listed': async (stripe) => {
    const { id, latest_charge } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const { data } = await stripe.charges.list({ payment_intent: id })
    assert.deepEqual(
      data.map((charge) => charge.id),
      [latest_charge],
    )
  },
  'a charge is found by its id, and one that nobody made is missing': async (stripe) => {
    const { id, latest_charge } = await createConfirmedIntent(stripe, 'pm_card_visa')
    assert.equal((await stripe.charges.retrieve(String(latest_charge))).payment_intent, id)
    assert.partialDeepStrictEqual(await expectStripeError(stripe.charges.retrieve('ch_nobody')), {
      statusCode: 404,
      code: 'resource_missing',
    })
  },
}

export const expanding: ContractTests = {
  'an intent shows its charge whole where it is asked to': async (stripe) => {
    const { id, latest_charge } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    assert.partialDeepStrictEqual(intent.latest_charge, { id: latest_charge, object: 'charge' })
  },
  'an intent shows its card whole where it is asked to': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const { payment_method } = await stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] })
    assert.partialDeepStrictEqual(payment_method, { object: 'payment_method', type: 'card', card: { brand: 'visa', last4: '4242' } })
  },
  'what is not there yet stays null where it is asked for whole': async (stripe) => {
    const { id } = await createIntent(stripe)
    assert.equal((await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })).latest_charge, null)
  },
  'a list shows the charges of its intents whole where it is asked to': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const { data } = await stripe.paymentIntents.list({ limit: 10, expand: ['data.latest_charge'] })
    assert.partialDeepStrictEqual(data.find((intent) => intent.id === id)?.latest_charge, { object: 'charge', paid: true })
  },
  'what cannot be shown whole is refused': async (stripe) => {
    const { id } = await createIntent(stripe)
    assert.partialDeepStrictEqual(await expectStripeError(stripe.paymentIntents.retrieve(id, { expand: ['amount'] })), { statusCode: 400 })
  },
}

export const events: ContractTests = {
  'a new intent is told of, with the key of its call': async (stripe) => {
    const idempotencyKey = randomUUID()
    const { id } = await stripe.paymentIntents.create(intentParams, { idempotencyKey })
    const [event] = await pollUntil(
      () => listEventsFor(stripe, id, 'payment_intent.created'),
      ({ length }) => length > 0,
    )
    assert.partialDeepStrictEqual(event, {
      object: 'event',
      type: 'payment_intent.created',
      livemode: false,
      data: { object: { id, status: 'requires_payment_method' } },
      request: { idempotency_key: idempotencyKey },
    })
    assert.match(event?.id ?? '', /^evt_/)
    assert.match(event?.request?.id ?? '', /^req_/)
  },
  'a payment is told of, with its charge': async (stripe) => {
    const { id, latest_charge } = await createConfirmedIntent(stripe, 'pm_card_visa')
    await pollUntil(
      () => listEventsFor(stripe, id, 'payment_intent.succeeded'),
      ({ length }) => length === 1,
    )
    await pollUntil(
      () => listEventsFor(stripe, String(latest_charge), 'charge.succeeded'),
      ({ length }) => length === 1,
    )
  },
  'a decline is told of, with its reason': async (stripe) => {
    const { id } = await createIntent(stripe)
    const { charge } = await expectStripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclinedLostCard' }))
    const [event] = await pollUntil(
      () => listEventsFor(stripe, id, 'payment_intent.payment_failed'),
      ({ length }) => length > 0,
    )
    assert.partialDeepStrictEqual(event?.data.object, { last_payment_error: { code: 'card_declined', decline_code: 'lost_card' } })
    await pollUntil(
      () => listEventsFor(stripe, String(charge), 'charge.failed'),
      ({ length }) => length === 1,
    )
  },
  'a cancellation is told of': async (stripe) => {
    const { id } = await createIntent(stripe)
    await stripe.paymentIntents.cancel(id)
    await pollUntil(
      () => listEventsFor(stripe, id, 'payment_intent.canceled'),
      ({ length }) => length === 1,
    )
  },
  'a buyer who is asked is told of': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_threeDSecure2Required')
    await pollUntil(
      () => listEventsFor(stripe, id, 'payment_intent.requires_action'),
      ({ length }) => length === 1,
    )
  },
  'an event is found by its id, and one that never was is missing': async (stripe) => {
    const { id } = await createIntent(stripe)
    const [event] = await pollUntil(
      () => listEventsFor(stripe, id, 'payment_intent.created'),
      ({ length }) => length > 0,
    )
    assert.ok(event)
    assert.partialDeepStrictEqual(await stripe.events.retrieve(event.id), { id: event.id, data: { object: { id } } })
    assert.partialDeepStrictEqual(await expectStripeError(stripe.events.retrieve('evt_nobody')), {
      statusCode: 404,
      code: 'resource_missing',
    })
  },
}

export const errors: ContractTests = {
  'every answer names its request and the version that it speaks': async (stripe) => {
    const { lastResponse } = await stripe.paymentIntents.create(intentParams)
    assert.match(lastResponse.requestId, /^req_/)
    assert.equal(lastResponse.apiVersion, Stripe.API_VERSION)
    assert.match((await expectStripeError(stripe.paymentIntents.retrieve('pi_nobody'))).requestId ?? '', /^req_/)
  },
  'a key that is none opens nothing': async (stripe) => {
    const error = await expectStripeError(stripe.paymentIntents.list({}, { apiKey: 'sk_test_nobody' }))
    assert.partialDeepStrictEqual(error, { type: 'StripeAuthenticationError', statusCode: 401, rawType: 'invalid_request_error' })
  },
  'an address that is none is not found': async (stripe) => {
    const error = await expectStripeError(stripe.rawRequest('GET', '/v1/nothing'))
    assert.partialDeepStrictEqual(error, { statusCode: 404, rawType: 'invalid_request_error' })
  },
}

const secret = 'whsec_ofthecontract'
const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' }, null, 2)
const now = () => Math.floor(Date.now() / 1000)
type Signature = Parameters<Stripe['webhooks']['generateTestHeaderString']>[0]

/** Signs an event and parses it with `constructEvent`. */
async function read(stripe: Stripe, wish: Partial<Signature>, body = payload, change = (header: string) => header) {
  const header = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: now(), ...wish })
  return stripe.webhooks.constructEvent(body, change(header), secret)
}

const rejected = { name: 'Error', type: 'StripeSignatureVerificationError' }

export const signatures: ContractTests = {
  'a signature is the hash of time and body': async (stripe) => {
    const timestamp = 1_800_000_000
    const header = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    const hash = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')
    assert.equal(header, `t=${timestamp},v1=${hash}`)
  },
  'an event that is signed rightly is read': async (stripe) => {
    assert.equal((await read(stripe, {})).id, 'evt_1')
  },
  'an event with one byte more is not read': async (stripe) => {
    await assert.rejects(read(stripe, {}, `${payload} `), rejected)
  },
  'an event that is signed with another secret is not read': async (stripe) => {
    await assert.rejects(read(stripe, { secret: 'whsec_other' }), rejected)
  },
  'an event without a signature is not read': async (stripe) => {
    await assert.rejects(
      read(stripe, {}, payload, () => ''),
      rejected,
    )
  },
  'an event that was signed over five minutes ago is not read': async (stripe) => {
    await assert.rejects(read(stripe, { timestamp: now() - 301 }), rejected)
  },
  'of several signatures one has to be right, as while a secret is rolled': async (stripe) => {
    const other = (header: string) => header.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`)
    assert.equal((await read(stripe, {}, payload, other)).id, 'evt_1')
  },
}
