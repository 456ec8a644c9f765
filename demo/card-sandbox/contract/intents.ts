import assert from 'node:assert/strict'
import { expectStripeError } from '../test-sandbox.ts'
import { type ContractTests, createConfirmedIntent, createIntent, intentParams } from './contract-tests.ts'

const refusedAmount = (amount: number, code: string): ContractTests[string] => {
  return async (stripe) => {
    const error = await expectStripeError(stripe.paymentIntents.create({ ...intentParams, amount }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, rawType: 'invalid_request_error', code, param: 'amount' })
  }
}

const unexpected = { statusCode: 400, rawType: 'invalid_request_error', code: 'payment_intent_unexpected_state' }

export const intents: ContractTests = {
  'a new intent carries its amount and waits for a card': async (stripe) => {
    const intent = await stripe.paymentIntents.create({ ...intentParams, metadata: { order_id: 'o-7' }, receipt_email: 'ada@example.com' })
    assert.match(intent.id, /^pi_/)
    assert.ok(intent.client_secret?.startsWith(`${intent.id}_secret_`))
    assert.partialDeepStrictEqual(intent, {
      object: 'payment_intent',
      amount: 4000,
      amount_received: 0,
      amount_capturable: 0,
      currency: 'usd',
      status: 'requires_payment_method',
      payment_method: null,
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
      cancellation_reason: null,
    })
    assert.ok(Math.abs(intent.created - Date.now() / 1000) < 300)
  },
  'the least amount is 50 cents': async (stripe) => {
    assert.equal((await stripe.paymentIntents.create({ ...intentParams, amount: 50 })).amount, 50)
  },
  'the greatest amount has eight digits': async (stripe) => {
    assert.equal((await stripe.paymentIntents.create({ ...intentParams, amount: 99_999_999 })).amount, 99_999_999)
  },
  '49 cents are too little': refusedAmount(49, 'amount_too_small'),
  'nine digits are too much': refusedAmount(100_000_000, 'amount_too_large'),
  'nothing is no amount': refusedAmount(0, 'parameter_invalid_integer'),
  'less than nothing is no amount': refusedAmount(-5, 'parameter_invalid_integer'),
  'a part of a cent is no amount': refusedAmount(100.5, 'parameter_invalid_integer'),
  'an intent needs an amount': async (stripe) => {
    const error = await expectStripeError(stripe.rawRequest('POST', '/v1/payment_intents', { currency: 'usd' }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'parameter_missing', param: 'amount' })
  },
  'an intent needs a currency': async (stripe) => {
    const error = await expectStripeError(stripe.rawRequest('POST', '/v1/payment_intents', { amount: 4000 }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'parameter_missing', param: 'currency' })
  },
  'a currency that is none is refused': async (stripe) => {
    const error = await expectStripeError(stripe.paymentIntents.create({ ...intentParams, currency: 'xxq' }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, rawType: 'invalid_request_error', param: 'currency' })
  },
  'a parameter that nobody knows is refused': async (stripe) => {
    const error = await expectStripeError(stripe.rawRequest('POST', '/v1/payment_intents', { amount: 4000, currency: 'usd', discount: 1 }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'parameter_unknown', param: 'discount' })
  },
  'a card that nobody has is refused': async (stripe) => {
    const error = await expectStripeError(stripe.paymentIntents.create({ ...intentParams, payment_method: 'pm_nobody' }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'resource_missing', param: 'payment_method' })
  },

  'an intent is found by its id': async (stripe) => {
    const intent = await createIntent(stripe)
    assert.deepEqual({ ...(await stripe.paymentIntents.retrieve(intent.id)) }, { ...intent })
  },
  'an intent that nobody made is missing': async (stripe) => {
    const error = await expectStripeError(stripe.paymentIntents.retrieve('pi_nobody'))
    assert.partialDeepStrictEqual(error, { statusCode: 404, rawType: 'invalid_request_error', code: 'resource_missing', param: 'intent' })
  },

  'the amount may change until it is paid': async (stripe) => {
    const { id } = await createIntent(stripe)
    assert.equal((await stripe.paymentIntents.update(id, { amount: 5000 })).amount, 5000)
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    const error = await expectStripeError(stripe.paymentIntents.update(id, { amount: 6000 }))
    assert.equal(error.statusCode, 400)
    assert.equal((await stripe.paymentIntents.retrieve(id)).amount, 5000)
  },
  'metadata is merged, and an empty value takes its key away': async (stripe) => {
    const { id } = await stripe.paymentIntents.create({ ...intentParams, metadata: { a: '1', b: '2' } })
    assert.deepEqual((await stripe.paymentIntents.update(id, { metadata: { b: '', c: '3' } })).metadata, { a: '1', c: '3' })
  },
  'a paid intent may still be given metadata': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    assert.deepEqual((await stripe.paymentIntents.update(id, { metadata: { order_id: 'o-9' } })).metadata, { order_id: 'o-9' })
  },

  'an intent with a card waits for confirmation': async (stripe) => {
    const intent = await stripe.paymentIntents.create({ ...intentParams, payment_method: 'pm_card_visa' })
    assert.equal(intent.status, 'requires_confirmation')
    assert.match(String(intent.payment_method), /^pm_/)
    assert.equal((await stripe.paymentIntents.confirm(intent.id)).status, 'succeeded')
  },
  'an intent may be given a card before it is confirmed': async (stripe) => {
    const { id } = await createIntent(stripe)
    assert.equal((await stripe.paymentIntents.update(id, { payment_method: 'pm_card_visa' })).status, 'requires_confirmation')
  },
  'without a card nothing is confirmed': async (stripe) => {
    const { id } = await createIntent(stripe)
    assert.partialDeepStrictEqual(await expectStripeError(stripe.paymentIntents.confirm(id)), unexpected)
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'requires_payment_method')
  },
  'a paid intent is not paid again': async (stripe) => {
    const { id, latest_charge } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const error = await expectStripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))
    assert.partialDeepStrictEqual(error, { ...unexpected, payment_intent: { id, status: 'succeeded' } })
    assert.equal((await stripe.paymentIntents.retrieve(id)).latest_charge, latest_charge)
  },

  'an open intent is canceled, with a reason and a time': async (stripe) => {
    const { id } = await createIntent(stripe)
    const canceled = await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
    assert.partialDeepStrictEqual(canceled, { status: 'canceled', cancellation_reason: 'abandoned' })
    assert.equal(typeof canceled.canceled_at, 'number')
  },
  'an intent that waits for confirmation is canceled': async (stripe) => {
    const { id } = await stripe.paymentIntents.create({ ...intentParams, payment_method: 'pm_card_visa' })
    assert.equal((await stripe.paymentIntents.cancel(id)).status, 'canceled')
  },
  'a reason that is none is refused': async (stripe) => {
    const { id } = await createIntent(stripe)
    const error = await expectStripeError(stripe.paymentIntents.cancel(id, { cancellation_reason: 'rain' }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, rawType: 'invalid_request_error', param: 'cancellation_reason' })
  },
  'a canceled intent is not canceled again': async (stripe) => {
    const { id } = await createIntent(stripe)
    await stripe.paymentIntents.cancel(id)
    assert.partialDeepStrictEqual(await expectStripeError(stripe.paymentIntents.cancel(id)), {
      ...unexpected,
      payment_intent: { status: 'canceled' },
    })
  },
  'a paid intent is not canceled': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    assert.partialDeepStrictEqual(await expectStripeError(stripe.paymentIntents.cancel(id)), {
      ...unexpected,
      payment_intent: { status: 'succeeded' },
    })
  },
  'a canceled intent takes no card': async (stripe) => {
    const { id } = await createIntent(stripe)
    await stripe.paymentIntents.cancel(id)
    assert.partialDeepStrictEqual(
      await expectStripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })),
      unexpected,
    )
    assert.equal((await stripe.paymentIntents.retrieve(id)).latest_charge, null)
  },
}
