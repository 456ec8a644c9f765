import assert from 'node:assert/strict'
import { expectStripeError } from '../test-sandbox.ts'
import {
  type ContractTests,
  createConfirmedIntent,
  createIntent,
  listEventsFor,
  pollUntil,
  retrieveLatestCharge,
} from './contract-tests.ts'

export const refunds: ContractTests = {
  'a payment goes back whole': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_visa')
    const refund = await stripe.refunds.create({
      payment_intent: intent.id,
      reason: 'requested_by_customer',
      metadata: { order_id: 'o-7' },
    })
    assert.match(refund.id, /^re_/)
    const charge = await retrieveLatestCharge(stripe, intent)
    assert.partialDeepStrictEqual(refund, {
      object: 'refund',
      amount: 4000,
      currency: 'usd',
      status: 'succeeded',
      reason: 'requested_by_customer',
      payment_intent: intent.id,
      charge: charge.id,
      metadata: { order_id: 'o-7' },
    })
    assert.partialDeepStrictEqual(charge, { amount_refunded: 4000, refunded: true, status: 'succeeded' })
    assert.partialDeepStrictEqual(await stripe.refunds.retrieve(refund.id), { id: refund.id, status: 'succeeded' })
  },
  'an intent stays succeeded when its money went back': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    await stripe.refunds.create({ payment_intent: id })
    assert.partialDeepStrictEqual(await stripe.paymentIntents.retrieve(id), { status: 'succeeded', amount_received: 4000 })
  },
  'a payment goes back in parts, and the last part is what is left': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_visa')
    assert.equal((await stripe.refunds.create({ payment_intent: intent.id, amount: 1500 })).amount, 1500)
    assert.partialDeepStrictEqual(await retrieveLatestCharge(stripe, intent), { amount_refunded: 1500, refunded: false })
    assert.equal((await stripe.refunds.create({ payment_intent: intent.id })).amount, 2500)
    assert.partialDeepStrictEqual(await retrieveLatestCharge(stripe, intent), { amount_refunded: 4000, refunded: true })
  },
  'a charge is given back as its intent would be': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_visa')
    const charge = await retrieveLatestCharge(stripe, intent)
    assert.equal((await stripe.refunds.create({ charge: charge.id, amount: 500 })).payment_intent, intent.id)
  },
  'more than was paid does not go back': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const error = await expectStripeError(stripe.refunds.create({ payment_intent: id, amount: 4001 }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, rawType: 'invalid_request_error', param: 'amount' })
    assert.match(error.message, /greater than/)
  },
  'more than is left does not go back': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_visa')
    await stripe.refunds.create({ payment_intent: intent.id, amount: 3000 })
    const error = await expectStripeError(stripe.refunds.create({ payment_intent: intent.id, amount: 1001 }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, rawType: 'invalid_request_error', param: 'amount' })
    assert.match(error.message, /greater than unrefunded amount on charge/)
    assert.equal((await retrieveLatestCharge(stripe, intent)).amount_refunded, 3000)
  },
  'what went back whole does not go back again': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_visa')
    await stripe.refunds.create({ payment_intent: intent.id })
    const error = await expectStripeError(stripe.refunds.create({ payment_intent: intent.id }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'charge_already_refunded' })
    assert.equal((await retrieveLatestCharge(stripe, intent)).amount_refunded, 4000)
  },
  'nothing is no refund': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const error = await expectStripeError(stripe.refunds.create({ payment_intent: id, amount: 0 }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, code: 'parameter_invalid_integer', param: 'amount' })
  },
  'a refund needs something to give back': async (stripe) => {
    assert.partialDeepStrictEqual(await expectStripeError(stripe.refunds.create({})), { statusCode: 400, rawType: 'invalid_request_error' })
  },
  'what nobody paid does not go back': async (stripe) => {
    const { id } = await createIntent(stripe)
    assert.partialDeepStrictEqual(await expectStripeError(stripe.refunds.create({ payment_intent: id })), { statusCode: 400 })
  },
  'an intent that nobody made is not refunded': async (stripe) => {
    const error = await expectStripeError(stripe.refunds.create({ payment_intent: 'pi_nobody' }))
    assert.partialDeepStrictEqual(error, { code: 'resource_missing', param: 'payment_intent' })
  },
  'a reason for a refund that is none is refused': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const error = await expectStripeError(stripe.refunds.create({ payment_intent: id, reason: 'rain' }))
    assert.partialDeepStrictEqual(error, { statusCode: 400, param: 'reason' })
  },
  'a refund that nobody made is missing': async (stripe) => {
    assert.partialDeepStrictEqual(await expectStripeError(stripe.refunds.retrieve('re_nobody')), {
      statusCode: 404,
      code: 'resource_missing',
    })
  },
  'the refunds of an intent are listed, the newest first': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    for (const amount of [100, 200, 300]) await stripe.refunds.create({ payment_intent: id, amount })
    const { data, has_more } = await stripe.refunds.list({ payment_intent: id, limit: 2 })
    assert.deepEqual([data.map(({ amount }) => amount), has_more], [[300, 200], true])
  },
  'a refund names its charge and its intent whole where it is asked to': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const refund = await stripe.refunds.create({ payment_intent: id, amount: 700, expand: ['charge', 'payment_intent'] })
    assert.partialDeepStrictEqual(refund.charge, { object: 'charge', amount_refunded: 700 })
    assert.partialDeepStrictEqual(refund.payment_intent, { id, object: 'payment_intent' })
  },
  'one key gives money back once': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_visa')
    const again = () => stripe.refunds.create({ payment_intent: intent.id, amount: 700 }, { idempotencyKey: `refund ${intent.id}` })
    assert.equal((await again()).id, (await again()).id)
    assert.equal((await retrieveLatestCharge(stripe, intent)).amount_refunded, 700)
  },
  'a refund is told of, with its charge': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_visa')
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 700 })
    const [created] = await pollUntil(
      () => listEventsFor(stripe, refund.id, 'refund.created'),
      ({ length }) => length > 0,
    )
    assert.partialDeepStrictEqual(created?.data.object, { object: 'refund', amount: 700 })
    const [refunded] = await pollUntil(
      () => listEventsFor(stripe, String(refund.charge), 'charge.refunded'),
      ({ length }) => length > 0,
    )
    assert.partialDeepStrictEqual(refunded?.data, { object: { amount_refunded: 700 }, previous_attributes: { amount_refunded: 0 } })
  },
  'a refund that is pending arrives by and by': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_pendingRefund')
    const refund = await stripe.refunds.create({ payment_intent: id })
    assert.equal(refund.status, 'pending')
    await pollUntil(
      () => stripe.refunds.retrieve(refund.id),
      ({ status }) => status === 'succeeded',
    )
    await pollUntil(
      () => listEventsFor(stripe, refund.id, 'refund.updated'),
      ({ length }) => length > 0,
    )
  },
  'a refund that the bank sends back has failed, and its money is not given back': async (stripe) => {
    const intent = await createConfirmedIntent(stripe, 'pm_card_refundFail')
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    await pollUntil(
      () => stripe.refunds.retrieve(refund.id),
      ({ status }) => status === 'failed',
    )
    await pollUntil(
      () => listEventsFor(stripe, refund.id, 'refund.failed'),
      ({ length }) => length > 0,
    )
    await pollUntil(
      () => retrieveLatestCharge(stripe, intent),
      ({ amount_refunded, refunded }) => amount_refunded === 0 && !refunded,
    )
  },
}
