import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { users } from '#store/identity/table.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { orderHistory, payments } from '#store/orders/table.ts'
import {
  cancelPurchase,
  confirmIntent,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderHistory,
  intentIdFromSecret,
  openPaymentIntent,
  placePurchase,
  sandboxControls,
  getOrderAsAdmin as seenByAdmin,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { connectStripe } from './card-provider.ts'
import { recordPayment, settleUnresolvedPayments } from './rules.ts'
import { webhookEvents } from './table.ts'

/** As the payment page, or something else, asks. */
const open = (buyer: Actor, body: object) => buyer.request('POST', '/create-payment-intent', body)
const record = (buyer: Actor, orderId: string, transectionId: string) =>
  buyer.request('PATCH', `/purchase/${orderId}`, { pay: true, transectionId })

const seen = async (store: Store, order: Purchase): Promise<Pick<Purchase, 'paid' | 'transectionId'>> => {
  const { paid, transectionId } = await seenByAdmin(store, order)
  return { paid, transectionId }
}
const unpaid = { paid: false, transectionId: null }
/** What an answer to the paid order says, if it was paid after it was placed. */
const asPaid = (order: Purchase, transectionId: string, { paidAt }: Purchase): Purchase => {
  assert.ok(paidAt && paidAt > order.placedAt && Date.parse(paidAt) <= Date.now(), `paid at ${paidAt}`)
  const refundable = { cents: order.productCost * 100, pieces: order.productQuantity }
  return { ...order, paid: true, transectionId, paidAt, card: 'visa 4242', state: 'paid', refundable }
}

/** Asks until the order is paid; the test runner ends a test that waits in vain. */
async function untilPaid(store: Store, order: Purchase) {
  while (!(await seen(store, order)).paid) await new Promise((resolve) => setTimeout(resolve, 20))
}

const intentsMade = async (store: Store) =>
  (await store.cards.stripe.events.list({ type: 'payment_intent.created', limit: 100 })).data.length

test("the payment that is opened for an order is of the order's amount, and tells the browser what it needs", async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store, { dollars: 30 })

  const opened = await open(store.customer, { orderId: order._id, productCost: '30' })

  assert.equal(opened.statusCode, 200, opened.body)
  const { clientSecret, publishableKey, cardLibrary, ...rest } = opened.json()
  assert.deepEqual(rest, {})
  assert.match(clientSecret, /^pi_\w+_secret_\w+$/)
  assert.match(publishableKey, /^pk_test_/)
  assert.equal(new URL(cardLibrary).origin, store.cards.cspOrigins.script)
  const intent = await store.cards.stripe.paymentIntents.retrieve(intentIdFromSecret(clientSecret))
  assert.deepEqual([intent.amount, intent.currency, intent.status], [3000, 'usd', 'requires_payment_method'])
  assert.equal(intent.metadata.order_id, order._id)
})

test('however many tabs open the payment of an order, there is one', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => open(store.customer, { orderId: order._id, productCost: order.productCost })),
  )

  for (const { statusCode, body } of answers) assert.equal(statusCode, 200, body)
  assert.equal(new Set(answers.map((answer) => answer.json().clientSecret)).size, 1)
  assert.equal(await intentsMade(store), 1)
})

test('only the buyer opens the payment of an order, at its own cost', async () => {
  await using store = await createTestStoreWithCards()
  const { _id: orderId } = await placePurchase(store, { dollars: 30 })

  for (const productCost of [1, 29, 31, 0]) {
    const cheaper = await open(store.customer, { orderId, productCost })
    assert.deepEqual([cheaper.statusCode, cheaper.json().message], [409, 'This order costs $30'])
  }
  for (const actor of [store.otherCustomer, store.admin]) {
    const others = await open(actor, { orderId, productCost: 30 })
    const invented = await open(actor, { orderId: '00000000-0000-4000-8000-000000000000', productCost: 30 })
    assert.deepEqual([others.statusCode, others.json()], [404, { message: 'There is no such order', code: 'not_found' }])
    assert.deepEqual([invented.statusCode, invented.json()], [404, others.json()])
  }
  for (const productCost of ['3e1', '', 30.505, null]) assert.equal((await open(store.customer, { orderId, productCost })).statusCode, 400)
  assert.equal((await open(store.visitor, { orderId, productCost: 30 })).statusCode, 401)
  assert.equal(await intentsMade(store), 0)
})

test("without orderId the caller's newest unpaid order of that cost is meant", async () => {
  await using store = await createTestStoreWithCards()
  await placePurchase(store)
  const newest = await placePurchase(store)
  await placePurchase(store, { dollars: 50 })
  await placePurchase(store, { buyer: store.otherCustomer })
  const meant = async () => {
    const opened = await open(store.customer, { productCost: 30 })
    return (await store.cards.stripe.paymentIntents.retrieve(intentIdFromSecret(opened.json().clientSecret))).metadata.order_id
  }

  assert.equal(await meant(), newest._id)
  await confirmIntent(store, await openPaymentIntent(store, newest))
  await untilPaid(store, newest)
  assert.notEqual(await meant(), newest._id, 'a paid order is no longer meant')

  const none = await open(store.customer, { productCost: 31 })
  assert.deepEqual([none.statusCode, none.json().message], [409, 'You have no unpaid order of $31'])
  assert.equal((await open(store.admin, { productCost: 30 })).statusCode, 409)
})

test('an order is paid once the card provider has taken the money and the browser says so', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await confirmIntent(store, intentId)

  const recorded = await record(store.customer, order._id, intentId)

  assert.equal(recorded.statusCode, 200, recorded.body)
  assert.deepEqual(recorded.json(), asPaid(order, intentId, recorded.json()))
  assert.deepEqual((await record(store.customer, order._id, intentId)).json(), recorded.json(), 'and stays so when it is said again')
})

test('the receipt is sent as soon as the browser says that the order is paid, also where no webhook comes', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  assert.equal((await record(store.customer, order._id, intentId)).statusCode, 200)
  const subjects = (await store.emailsTo(order.buyerEmail)).map(({ subject }) => subject)
  assert.equal(subjects.at(-1), `Receipt for order ${order.number}: $30 paid`)
})

test('what is only said again announces no change to anybody: neither a payment nor the placing of an order', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await confirmIntent(store, intentId)
  await record(store.customer, order._id, intentId)
  const { toolId, productName, productQuantity, productCost } = order
  const request = { toolId, productName, productQuantity, productCost, buyerAddress: '1 Road' }
  const place = () => store.customer.request('POST', '/purchase', request, { 'idempotency-key': 'one' })
  const placed = await place()
  await waitForWebhooks(store)
  const announced: string[] = []
  store.changes.subscribe((topic) => announced.push(topic))

  for (let nth = 0; nth < 5; nth++) {
    assert.equal((await record(store.customer, order._id, intentId)).statusCode, 200)
    const { statusCode, body } = await place()
    assert.deepEqual([statusCode, body], [201, placed.body])
  }

  assert.ok(!announced.includes('products'), announced.join())
  assert.equal((await store.customer.request('POST', '/purchase', request)).statusCode, 201)
  assert.ok(announced.includes('products'))
})

test('whatever the browser says in pay, or nothing, counts as the same hint', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  const hint = (said: object) => store.customer.request('PATCH', `/purchase/${order._id}`, { ...said, transectionId: intentId })
  const said = [{}, { pay: true }, { pay: false }, { pay: null }, { pay: 'yes' }, { pay: 30 }, { pay: { amount: 1 } }, { pay: [] }]

  for (const each of said) assert.equal((await hint(each)).statusCode, 402, JSON.stringify(each))
  assert.deepEqual(await seen(store, order), unpaid)
  await confirmIntent(store, intentId)
  for (const each of said) {
    const recorded = await hint(each)
    assert.deepEqual([recorded.statusCode, recorded.json()], [200, asPaid(order, intentId, recorded.json())], JSON.stringify(each))
  }
})

test('an order that is paid cannot be paid again', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await confirmIntent(store, intentId)

  const again = await open(store.customer, { orderId: order._id, productCost: order.productCost })

  assert.deepEqual([again.statusCode, again.json().message], [409, 'This order is paid already'])
  assert.deepEqual(await seen(store, order), { paid: true, transectionId: intentId }, 'the store has asked before it refused')
  assert.equal(await intentsMade(store), 1)
})

test('the browser saying so does not make an order paid', async () => {
  await using store = await createTestStoreWithCards()
  const [order, cheaper] = [await placePurchase(store, { dollars: 50 }), await placePurchase(store, { dollars: 1 })]
  const others = await placePurchase(store, { buyer: store.otherCustomer })
  const [openId, cheapId, othersId] = [
    await openPaymentIntent(store, order),
    await openPaymentIntent(store, cheaper),
    await openPaymentIntent(store, others, store.otherCustomer),
  ]
  await confirmIntent(store, cheapId)
  await confirmIntent(store, othersId)

  for (const [buyer, transectionId, status, what] of [
    [store.customer, openId, 402, 'an intent that is not paid'],
    [store.customer, 'pi_invented', 409, 'an invented intent'],
    [store.customer, cheapId, 409, "the intent of one's own cheaper order"],
    [store.customer, othersId, 409, "the intent of somebody else's order"],
    [store.otherCustomer, othersId, 404, "somebody else's order"],
    [store.admin, openId, 404, 'an admin, who is not the buyer'],
    [store.visitor, openId, 401, 'nobody'],
    [store.customer, '', 400, 'no intent'],
  ] as const)
    assert.equal((await record(buyer, order._id, transectionId)).statusCode, status, what)

  assert.deepEqual(await seen(store, order), unpaid)
  assert.equal((await record(store.customer, (await placePurchase(store))._id, openId)).statusCode, 409, 'an order without any intent')
})

test('a declined card leaves the order unpaid, and another card then pays it by the same intent', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)

  for (const card of ['pm_card_visa_chargeDeclined', 'pm_card_visa_chargeDeclinedInsufficientFunds', 'pm_card_chargeDeclinedExpiredCard']) {
    await assert.rejects(confirmIntent(store, intentId, card), Stripe.errors.StripeCardError)
    assert.equal((await record(store.customer, order._id, intentId)).statusCode, 402)
    assert.deepEqual(await seen(store, order), unpaid)
  }

  assert.equal(await openPaymentIntent(store, order), intentId)
  await confirmIntent(store, intentId)
  const recorded: Purchase = (await record(store.customer, order._id, intentId)).json()
  assert.deepEqual(recorded, asPaid(order, intentId, recorded))
})

test('an order is paid by the word of the card provider alone, when the browser is gone', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)

  await confirmIntent(store, intentId)

  await untilPaid(store, order)
  assert.deepEqual(await seen(store, order), { paid: true, transectionId: intentId })
})

/**
 * An order that was paid while the provider's word about it got lost. With `changes` its payment stands at an intent that was made
 * elsewhere, which is not what was asked for.
 */
async function anOrderPaidUnheard(store: Store, changes?: Partial<Stripe.PaymentIntentCreateParams>, row: { currency?: string } = {}) {
  const { stripe } = store.cards
  const order = await placePurchase(store)
  dropWebhooks(store)
  const asked = await stripe.paymentIntents.retrieve(await openPaymentIntent(store, order))
  const right = { amount: asked.amount, currency: asked.currency, metadata: asked.metadata, payment_method: 'pm_card_visa', confirm: true }
  const intent = changes
    ? await stripe.paymentIntents.create({ ...right, ...changes })
    : await stripe.paymentIntents.confirm(asked.id, { payment_method: 'pm_card_visa' })
  assert.equal(intent.status, 'succeeded')
  await store.sandbox?.controls.webhooks.waitUntilDelivered()
  if (changes)
    await store.db
      .update(payments)
      .set({ intentId: intent.id, ...row })
      .where(eq(payments.intentId, asked.id))
  const [event] = (await stripe.events.list({ type: 'payment_intent.succeeded', limit: 1 })).data
  return { order, intentId: intent.id, event: JSON.stringify(event) }
}

function signed(store: Store, payload: string, { secret = store.cards.webhookSecret, age = 0 } = {}) {
  const timestamp = Math.floor(Date.now() / 1000) - age
  return store.cards.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

function deliver(store: Store, body: string, signature?: string) {
  const headers = { 'content-type': 'application/json', ...(signature !== undefined && { 'stripe-signature': signature }) }
  return fetch(`${store.origin}/webhooks/stripe`, { method: 'POST', body, headers })
}

test('money of another amount, currency or payment than was asked for does not pay an order, and the books say that it is there', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })

  const another: [string, Partial<Stripe.PaymentIntentCreateParams>, { currency?: string }?][] = [
    ['too little', { amount: 2999 }],
    ['too much', { amount: 3001 }],
    ['dollars where euros were asked for', {}, { currency: 'eur' }],
    ['the money of another payment', { metadata: { payment_id: '00000000-0000-4000-8000-000000000000' } }],
    ['money for nothing', { metadata: {} }],
  ]
  for (const [what, changes, row] of another) {
    const { order, intentId, event } = await anOrderPaidUnheard(store, changes, row)
    assert.equal((await record(store.customer, order._id, intentId)).statusCode, 402, what)
    assert.equal((await deliver(store, event, signed(store, event))).status, 200)
    await store.jobs.whenIdle()
    assert.deepEqual(await seen(store, order), unpaid, what)
    const { statusCode, body } = await store.admin.request('GET', `/purchase/${order._id}/history`)
    assert.equal(statusCode, 200)
    assert.equal(body.split('look at it there').length - 1, 1, 'the admin sees it, once')
    const isOurs = !changes.metadata || 'payment_id' in changes.metadata // the rest is other business on the same account
    if (isOurs)
      assert.match((await store.faults()).join(), new RegExp(`The provider took \\d+ cents by ${intentId}; the books do not know`))
  }
})

test('a decline of which the card provider does not say why is noted', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const object = { id: await openPaymentIntent(store, order), object: 'payment_intent', metadata: {}, last_payment_error: null }
  const event = JSON.stringify({
    id: 'evt_declined',
    object: 'event',
    created: Math.floor(Date.now() / 1000),
    type: 'payment_intent.payment_failed',
    data: { object },
  })
  assert.equal((await deliver(store, event, signed(store, event))).status, 200)
  await store.jobs.whenIdle()
  const declined = (await getOrderHistory(store, order)).filter(({ event }) => event === 'card declined')
  assert.deepEqual(
    declined.map(({ note }) => note),
    [''],
  )
})

test('a webhook is believed only with the right signature over its bytes, not older than five minutes', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId, event } = await anOrderPaidUnheard(store)
  const right = signed(store, event)

  for (const [what, body, signature] of [
    ['unsigned', event, undefined],
    ['with an empty signature', event, ''],
    ['with a signature that is none', event, 't=1,v1=00'],
    ['signed by somebody else', event, signed(store, event, { secret: 'whsec_somebody_else' })],
    ['signed with nothing', event, signed(store, event, { secret: '' })],
    ['with the signature of another event', event, signed(store, event.replace(intentId, 'pi_other'))],
    ['with one byte more', `${event} `, right],
    ['with other content', event.replace(intentId, 'pi_other'), right],
    ['301 seconds old', event, signed(store, event, { age: 301 })],
    ['without content', '', signed(store, '')],
    ['that is no JSON', '{', signed(store, '{')],
  ] as const) {
    const answer = await deliver(store, body, signature)
    assert.equal(answer.status, 400, what)
    assert.deepEqual(Object.keys(await answer.json()), ['message', 'code'], what)
    assert.deepEqual(await seen(store, order), unpaid, what)
  }
  const long = event + ' '.repeat(1_000_000)
  assert.equal((await deliver(store, long, signed(store, long))).status, 413)
  assert.deepEqual(await seen(store, order), unpaid)

  assert.equal((await deliver(store, event, right)).status, 200)
  await untilPaid(store, order)
  assert.deepEqual(await seen(store, order), { paid: true, transectionId: intentId })
})

test('a webhook that comes again and again pays an order once', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId, event } = await anOrderPaidUnheard(store)
  const settlements = () => store.db.select({ at: payments.settledAt }).from(payments).where(eq(payments.intentId, intentId))

  assert.equal((await deliver(store, event, signed(store, event))).status, 200)
  await untilPaid(store, order)
  const once = await settlements()
  const again = [1, 2, 3].map(() => deliver(store, event, signed(store, event)))
  for (const { status } of await Promise.all(again)) assert.equal(status, 200)
  await store.jobs.whenIdle()

  assert.deepEqual(await seen(store, order), { paid: true, transectionId: intentId })
  assert.deepEqual(await settlements(), once)
})

test('a webhook about what the store does not know is taken and changes nothing', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId, event } = await anOrderPaidUnheard(store)

  const another = event.replaceAll(JSON.parse(event).id, 'evt_another')
  for (const other of [
    another.replaceAll(intentId, 'pi_unknown').replaceAll('evt_another', 'evt_unknown'),
    another.replace('"payment_intent.succeeded"', '"payment_intent.created"'),
  ])
    assert.equal((await deliver(store, other, signed(store, other))).status, 200)
  await store.jobs.whenIdle()
  assert.deepEqual(await seen(store, order), unpaid)
  const kept = await store.db.select().from(webhookEvents)
  assert.deepEqual(
    kept.map(({ _id, createdAt, trouble }) => [_id, createdAt.getTime(), trouble]).sort(),
    ['evt_another', 'evt_unknown'].map((id) => [id, JSON.parse(event).created * 1000, null]),
  )

  await store.jobs.runAllOnce()
  assert.deepEqual(await seen(store, order), { paid: true, transectionId: intentId }, 'the store asks for what no webhook has brought')
})

test('a payment in question is asked after within the minute, also while the provider lists no events', async () => {
  await using store = await createTestStoreWithCards()
  dropWebhooks(store)
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  const other = await placePurchase(store)
  await openPaymentIntent(store, other)
  await confirmIntent(store, intentId)
  const { calls } = sandboxControls(store)
  const away = calls.inject({ times: Infinity }, { reset: 'before' })
  assert.equal((await record(store.customer, order._id, intentId)).statusCode, 503)
  assert.equal((await seenByAdmin(store, other)).checking, false, 'a payment that nobody has reported')
  away.remove()
  calls.inject({ path: '/v1/events', times: Infinity }, { answer: 'api_error' })
  assert.equal((await seenByAdmin(store, order)).checking, true)

  await store.jobs.runAllOnce()

  assert.deepEqual(await seen(store, order), { paid: true, transectionId: intentId })
})

test('of payments in question the one that has waited longest is asked after first, for an answer that fails ends the round', async (t) => {
  await using store = await createTestStoreWithCards()
  dropWebhooks(store)
  const [younger, older] = [await placePurchase(store), await placePurchase(store)]
  for (const [order, minutes] of [
    [younger, 1],
    [older, 2],
  ] as const) {
    const intentId = await openPaymentIntent(store, order)
    await confirmIntent(store, intentId)
    const checkingSince = sql`now() - make_interval(mins => ${minutes})`
    await store.db.update(payments).set({ checkingSince }).where(eq(payments.intentId, intentId))
  }
  const away = sandboxControls(store).calls.inject({ path: '/v1/payment_intents/:id', nth: 2, times: Infinity }, { answer: 'api_error' })

  await assert.rejects(settleUnresolvedPayments(store.db, store.cards))
  assert.deepEqual([(await seen(store, younger)).paid, (await seen(store, older)).paid], [false, true])
  const told = t.mock.method(store.events, 'paymentSettled')
  await store.jobs.runAllOnce()
  assert.equal(told.mock.callCount(), 1, 'the round tells of the settled ones also where it ends so')

  away.remove()
  await settleUnresolvedPayments(store.db, store.cards)
  assert.equal((await seen(store, younger)).paid, true)
})

test('a payment of which the provider does not speak leaves none open that declined cards have spoiled', async () => {
  await using store = await createTestStoreWithCards()
  const spoiled = await openPaymentIntent(store, await placePurchase(store))
  const { calls } = sandboxControls(store)
  const away = calls.inject({ path: '/v1/payment_intents/:id/cancel', times: Infinity }, { answer: 'api_error' })
  for (let nth = 0; nth < 5; nth++) await assert.rejects(confirmIntent(store, spoiled, 'pm_card_visa_chargeDeclined'))
  await waitForWebhooks(store)
  away.remove()
  const questioned = await openPaymentIntent(store, await placePurchase(store, { buyer: store.otherCustomer }), store.otherCustomer)
  await store.db.update(payments).set({ checkingSince: new Date() }).where(eq(payments.intentId, questioned))
  calls.inject({ path: `/v1/payment_intents/${questioned}`, times: Infinity }, { answer: 'api_error' })

  await assert.rejects(settleUnresolvedPayments(store.db, store.cards))

  assert.equal((await store.cards.stripe.paymentIntents.retrieve(spoiled)).status, 'canceled')
})

test('an admin reads which order waits after five declined cards, that all of the buyer wait after ten, and how long', async () => {
  await using store = await createTestStoreWithCards()
  const [first, second] = [await placePurchase(store), await placePurchase(store)]
  const others = await placePurchase(store, { buyer: store.otherCustomer })
  const decline = (order: Purchase, minutesAgo: number) => {
    const at = new Date(Date.now() - minutesAgo * 60_000).toISOString()
    const declined = { orderId: order._id, event: 'card declined', state: 'open', orderStatus: 'open', actor: 'card provider', at } as const
    return store.db.insert(orderHistory).values(Array(5).fill(declined))
  }
  const waits = () =>
    Promise.all(
      [first, second, others].map(async ({ _id }) => {
        const { of, seconds } = (await store.admin.request('GET', `/purchase/${_id}/decline-wait`)).json()
        return [of, Math.ceil(seconds / 60)]
      }),
    )
  const free = [null, 0]
  assert.deepEqual(await waits(), [free, free, free])

  await decline(first, 20)
  assert.deepEqual(await waits(), [['order', 40], free, free])

  await decline(second, 10)
  assert.deepEqual(await waits(), [['buyer', 40], ['order', 50], free])
  assert.match((await open(store.customer, { orderId: second._id, productCost: 30 })).json().message, /for this order: wait 50 minutes/)
  const third = await placePurchase(store)
  assert.match(
    (await open(store.customer, { orderId: third._id, productCost: 30 })).json().message,
    /none of them can be paid now: wait 40/,
  )

  await cancelPurchase(store.customer, first)
  assert.deepEqual(await waits(), [free, ['order', 50], free])
})

test('while the provider is away three payments in question are asked after, not each of them', async () => {
  await using store = await createTestStoreWithCards()
  const intentIds: string[] = []
  for (let nth = 0; nth < 5; nth++) intentIds.push(await openPaymentIntent(store, await placePurchase(store)))
  await store.db.update(payments).set({ checkingSince: new Date() })
  const away = sandboxControls(store).calls.inject({ times: Infinity }, { reset: 'before' })
  await assert.rejects(settleUnresolvedPayments(store.db, store.cards))
  const asked = new Set(away.affected.map(({ path }) => path.split('/').at(-1)))
  assert.deepEqual([asked.size, intentIds.filter((id) => asked.has(id)).length], [3, 3])
  away.remove()
})

test('an order that is cancelled while its payment is being opened leaves no intent that could be paid', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  sandboxControls(store).calls.inject(
    { method: 'POST', path: '/v1/payment_intents' },
    { committed: async () => assert.equal((await cancelPurchase(store.customer, order)).statusCode, 200) },
  )

  const opened = await open(store.customer, { orderId: order._id, productCost: order.productCost })

  assert.deepEqual([opened.statusCode, opened.json().message], [409, 'This order has ended meanwhile'])
  const { data } = await store.cards.stripe.paymentIntents.list({ limit: 10 })
  assert.deepEqual(
    data.map(({ status }) => status),
    ['canceled'],
  )
})

test("a secret key that the card provider does not know is a fault of the store's, and puts no payment into question", async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const transectionId = await openPaymentIntent(store, order)
  const cards = connectStripe({ ...store.cards, secretKey: 'sk_test_of_another_shop', apiUrl: store.cards.cspOrigins.calls })
  const [buyer] = await store.db.select().from(users).where(eq(users.email, store.customer.email))
  assert.ok(buyer)

  const isCalled = () => assert.fail('nothing is settled')
  const hooks = { onSettled: isCalled, onPayerLost: isCalled }
  await assert.rejects(recordPayment(store.db, cards, buyer, { purchaseId: order._id, transectionId }, undefined, hooks), {
    type: 'StripeAuthenticationError',
  })

  assert.equal((await seenByAdmin(store, order)).checking, false)
})

test('a cost that no order can have is refused, not looked for', async () => {
  await using store = await anEmptyStore()
  for (const productCost of [99_999_999_999, -99_999_999_999, -1]) {
    const answer = await store.customer.request('POST', '/create-payment-intent', { productCost })
    assert.equal(answer.statusCode, 400)
    assert.ok(answer.json().errors.productCost)
  }
})

test('a payment that was canceled at the provider does not stand in the way of another', async () => {
  await using store = await createTestStoreWithCards()
  const { _id: orderId } = await placePurchase(store, { dollars: 30 })
  const first: string = (await open(store.customer, { orderId, productCost: 30 })).json().clientSecret
  await store.cards.stripe.paymentIntents.cancel(intentIdFromSecret(first))

  const second = await open(store.customer, { orderId, productCost: 30 })

  assert.equal(second.statusCode, 200, second.body)
  assert.notEqual(second.json().clientSecret, first)
  const { status, amount } = await store.cards.stripe.paymentIntents.retrieve(intentIdFromSecret(second.json().clientSecret))
  assert.deepEqual([status, amount], ['requires_payment_method', 3000])
})
