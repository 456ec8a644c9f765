import assert from 'node:assert/strict'
import { expectStripeError } from '../test-sandbox.ts'
import { type ContractTests, createConfirmedIntent, createIntent, intentParams, retrieveLatestCharge } from './contract-tests.ts'

const pays = (token: string, brand: string, last4: string): ContractTests => ({
  [`${token} pays`]: async (stripe) => {
    const intent = await createConfirmedIntent(stripe, token)
    assert.partialDeepStrictEqual(intent, { status: 'succeeded', amount_received: 4000, last_payment_error: null, next_action: null })
    assert.partialDeepStrictEqual(await retrieveLatestCharge(stripe, intent), {
      object: 'charge',
      amount: 4000,
      amount_captured: 4000,
      amount_refunded: 0,
      captured: true,
      currency: 'usd',
      disputed: false,
      failure_code: null,
      paid: true,
      payment_intent: intent.id,
      refunded: false,
      status: 'succeeded',
      outcome: { network_status: 'approved_by_network', type: 'authorized' },
      payment_method_details: { type: 'card', card: { brand, last4 } },
    })
  },
})

const declines = (token: string, code: string, decline_code?: string): ContractTests => ({
  [`${token} is declined: ${decline_code ?? code}`]: async (stripe) => {
    const intent = await createIntent(stripe)
    const error = await expectStripeError(stripe.paymentIntents.confirm(intent.id, { payment_method: token }))
    assert.partialDeepStrictEqual(error, { type: 'StripeCardError', statusCode: 402, rawType: 'card_error', code })
    if (decline_code) assert.equal(error.decline_code, decline_code)
    assert.partialDeepStrictEqual(error.payment_intent, { id: intent.id, status: 'requires_payment_method', last_payment_error: { code } })
    assert.partialDeepStrictEqual(await retrieveLatestCharge(stripe, intent), {
      id: error.charge,
      paid: false,
      status: 'failed',
      failure_code: code,
    })
  },
})

const asks = (token: string): ContractTests => ({
  [`${token} asks its buyer first`]: async (stripe) => {
    const intent = await createConfirmedIntent(stripe, token)
    assert.partialDeepStrictEqual(intent, { status: 'requires_action', amount_received: 0, next_action: { type: 'use_stripe_sdk' } })
    assert.equal(typeof intent.next_action?.use_stripe_sdk, 'object')
    assert.equal((await stripe.charges.list({ payment_intent: intent.id })).data.filter(({ paid }) => paid).length, 0)
  },
})

export const cards: ContractTests = {
  ...pays('pm_card_visa', 'visa', '4242'),
  ...pays('pm_card_mastercard', 'mastercard', '4444'),
  ...pays('pm_card_amex', 'amex', '0005'),
  ...pays('pm_card_threeDSecureOptional', 'visa', '3055'),

  ...declines('pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'),
  ...declines('pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'),
  ...declines('pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'),
  ...declines('pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'),
  ...declines('pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded'),
  ...declines('pm_card_chargeDeclinedExpiredCard', 'expired_card'),
  ...declines('pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'),
  ...declines('pm_card_chargeDeclinedProcessingError', 'processing_error'),
  ...declines('pm_card_radarBlock', 'card_declined'),

  'a card that has paid is found by its id': async (stripe) => {
    const { payment_method } = await createConfirmedIntent(stripe, 'pm_card_visa')
    const found = await stripe.paymentMethods.retrieve(String(payment_method))
    assert.partialDeepStrictEqual(found, { id: payment_method, object: 'payment_method', type: 'card', card: { last4: '4242' } })
  },
  'a decline says where to read about it': async (stripe) => {
    const { id } = await createIntent(stripe)
    const error = await expectStripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }))
    assert.match(error.doc_url ?? '', /card-declined/)
    assert.match(error.requestId ?? '', /^req_/)
  },
  'after a decline another card pays the same intent': async (stripe) => {
    const { id } = await createIntent(stripe)
    await expectStripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }))
    const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    assert.partialDeepStrictEqual(paid, { status: 'succeeded', last_payment_error: null })
    const { data } = await stripe.charges.list({ payment_intent: id })
    assert.deepEqual(
      data.map(({ status }) => status),
      ['succeeded', 'failed'],
    )
  },

  ...asks('pm_card_authenticationRequiredOnSetup'),
  ...asks('pm_card_authenticationRequired'),
  ...asks('pm_card_threeDSecure2Required'),
  ...asks('pm_card_threeDSecureRequiredChargeDeclined'),
  ...asks('pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'),

  'a shop that tells the way back gets an address to send its buyer to': async (stripe) => {
    const return_url = 'https://shop.example/back'
    const payment_method = 'pm_card_threeDSecure2Required'
    const { next_action } = await stripe.paymentIntents.create({ ...intentParams, payment_method, confirm: true, return_url })
    assert.partialDeepStrictEqual(next_action, { type: 'redirect_to_url', redirect_to_url: { return_url } })
    assert.ok(URL.canParse(next_action?.redirect_to_url?.url ?? ''))
  },
  'an intent that waits for its buyer is canceled': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_threeDSecure2Required')
    assert.partialDeepStrictEqual(await stripe.paymentIntents.cancel(id), { status: 'canceled', next_action: null })
  },
  'an intent that waits for its buyer is paid by another card': async (stripe) => {
    const { id } = await createConfirmedIntent(stripe, 'pm_card_threeDSecure2Required')
    const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    assert.partialDeepStrictEqual(paid, { status: 'succeeded', next_action: null })
  },
}
