import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestSandbox, expectStripeError, startWebhookReceiver } from './test-sandbox.ts'

const shop = await startWebhookReceiver({ after })
const it = await createTestSandbox({ after }, shop.url)
const { bank, webhooks } = it.sandbox.controls
await bank.pause()

async function paidWith(payment_method: string) {
  const { id, latest_charge } = await it.stripe.paymentIntents.create({ amount: 4000, currency: 'usd', payment_method, confirm: true })
  assert.ok(typeof latest_charge === 'string')
  return { id, charge: latest_charge }
}

/** What the shop has been told about an object, in the order of the ledger. */
async function told(id: string) {
  await webhooks.waitUntilDelivered()
  const arrived = shop.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.object.id === id)
  const { data } = await it.stripe.events.list({ limit: 100 })
  return data
    .toReversed()
    .filter((event) => arrived.some(({ id }) => id === event.id))
    .map(({ type, data, request }) => ({ type, previous: data.previous_attributes, request }))
}

test('money goes back whole, and the charge says so', async () => {
  const { id, charge } = await paidWith('pm_card_visa')
  const refund = await it.stripe.refunds.create(
    { payment_intent: id, reason: 'requested_by_customer', metadata: { order_id: 'o-1' } },
    { idempotencyKey: 'refund-1' },
  )
  assert.match(refund.id, /^re_/)
  assert.partialDeepStrictEqual(refund, {
    object: 'refund',
    amount: 4000,
    status: 'succeeded',
    charge,
    payment_intent: id,
    reason: 'requested_by_customer',
    metadata: { order_id: 'o-1' },
  })
  assert.partialDeepStrictEqual(await it.stripe.charges.retrieve(charge), { amount_refunded: 4000, refunded: true })
  assert.equal((await it.stripe.paymentIntents.retrieve(id)).status, 'succeeded')
  assert.partialDeepStrictEqual(await told(refund.id), [{ type: 'refund.created', request: { idempotency_key: 'refund-1' } }])
  assert.partialDeepStrictEqual((await told(charge)).at(-1), { type: 'charge.refunded', previous: { amount_refunded: 0, refunded: false } })
})

test('twenty refunds at one moment never give back more than was paid', async () => {
  const { id, charge } = await paidWith('pm_card_visa')
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => it.stripe.refunds.create({ payment_intent: id, amount: 900 })))
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 4)
  assert.partialDeepStrictEqual(await it.stripe.charges.retrieve(charge), { amount_refunded: 3600, refunded: false })
})

test('a refund that is on its way arrives later', async () => {
  const { id, charge } = await paidWith('pm_card_pendingRefund')
  const refund = await it.stripe.refunds.create({ payment_intent: id })
  assert.equal(refund.status, 'pending')
  await bank.runPendingSteps()
  assert.equal((await it.stripe.refunds.retrieve(refund.id)).status, 'succeeded')
  assert.equal((await it.stripe.charges.retrieve(charge)).amount_refunded, 4000)
  assert.partialDeepStrictEqual(await told(refund.id), [
    { type: 'refund.created' },
    { type: 'refund.updated', previous: { status: 'pending' }, request: { id: null, idempotency_key: null } },
  ])
})

test('a refund that the bank sends back is failed, and its money is the shop’s again', async () => {
  const { id, charge } = await paidWith('pm_card_refundFail')
  const refund = await it.stripe.refunds.create({ payment_intent: id, amount: 1500 })
  assert.equal(refund.status, 'succeeded')
  await bank.runPendingSteps()
  assert.equal((await it.stripe.refunds.retrieve(refund.id)).status, 'failed')
  assert.partialDeepStrictEqual(await it.stripe.charges.retrieve(charge), { amount_refunded: 0, refunded: false })
  assert.deepEqual(
    (await told(refund.id)).map(({ type }) => type),
    ['refund.created', 'refund.updated', 'refund.failed'],
  )
})

test('what the bank does later happens by itself, and once', async (t) => {
  const own = await createTestSandbox(t, shop.url)
  const intent = await own.stripe.paymentIntents.create({
    amount: 4000,
    currency: 'usd',
    payment_method: 'pm_card_pendingRefund',
    confirm: true,
  })
  const { id } = await own.stripe.refunds.create({ payment_intent: intent.id })
  const updates = () => shop.received.filter(({ body, type }) => type === 'refund.updated' && body.includes(id)).length
  while (updates() === 0) await shop.arrived(shop.received.length + 1)
  await own.sandbox.controls.bank.runPendingSteps()
  await own.sandbox.controls.webhooks.waitUntilDelivered()
  assert.equal(updates(), 1)
})

for (const [token, reason] of [
  ['pm_card_createDispute', 'fraudulent'],
  ['pm_card_createDisputeProductNotReceived', 'product_not_received'],
] as const) {
  test(`a charge of ${token} is disputed later, and cannot be refunded then`, async () => {
    const { id, charge } = await paidWith(token)
    await bank.runPendingSteps()
    const [dispute] = (await it.stripe.disputes.list({ payment_intent: id })).data
    assert.partialDeepStrictEqual(dispute, { charge, amount: 4000, reason, status: 'needs_response' })
    assert.ok(dispute)
    assert.equal((await it.stripe.charges.retrieve(charge)).disputed, true)
    assert.partialDeepStrictEqual(await expectStripeError(it.stripe.refunds.create({ charge })), {
      statusCode: 400,
      code: 'charge_disputed',
    })
    assert.equal((await it.stripe.disputes.close(dispute.id)).status, 'lost')
    assert.deepEqual(
      (await told(dispute.id)).map(({ type }) => type),
      ['charge.dispute.created', 'charge.dispute.closed'],
    )
  })
}
