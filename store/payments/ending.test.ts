import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import type { Order } from '#store/orders/contract.ts'
import { payments } from '#store/orders/table.ts'
import {
  anOrder,
  aPaidOrder,
  aStoreWithCards,
  cancel,
  controlsOf,
  eventsOf,
  heard,
  historyOf,
  holdEnds,
  intentIn,
  loseWebhooks,
  open,
  openIntent,
  payWith,
  record,
  refund,
  seen,
  sell,
  stockOf,
} from '#test/shopping.ts'
import { anEmptyStore, type Store } from '#test/store.ts'

const statusOf = async (store: Store, intentId: string) => (await store.cards.stripe.paymentIntents.retrieve(intentId)).status

test('an order that is not paid in time ends: nobody can pay it any more, and its pieces are back in stock', async () => {
  await using store = await aStoreWithCards()
  const toolId = await sell(store, { pieces: 10 })
  const order = await anOrder(store, { toolId, quantity: 3 })
  const intentId = await openIntent(store, order)
  await store.jobs.passAMinute()
  assert.equal((await seen(store, order)).state, 'open', 'its hold is not over')

  await holdEnds(store, order)
  const late = await open(store.customer, order)
  assert.equal(late.statusCode, 409)
  assert.match(late.json().message, /^This order has expired/)
  const told: string[] = []
  store.changes.on((topic) => told.push(topic))
  await store.jobs.passAMinute()
  assert.ok(told.includes('tools'), 'pages that show the stock are made anew')

  assert.equal((await seen(store, order)).state, 'expired')
  assert.equal(await statusOf(store, intentId), 'canceled')
  assert.equal(await stockOf(store, toolId), 10)
  await assert.rejects(payWith(store, intentId))
  for (const answer of [await open(store.customer, order), await cancel(store.customer, order), await refund(store.admin, order)])
    assert.equal(answer.statusCode, 409, answer.body)
  const last = (await historyOf(store, order)).at(-1)
  assert.deepEqual([last?.event, last?.actor, last?.by], ['expired', 'store', null])
  await heard(store)
})

test('removing an account ends its unpaid orders: at the provider first, with their pieces back in stock and the reason in their history', async () => {
  await using store = await aStoreWithCards()
  const toolId = await sell(store, { pieces: 10 })
  const order = await anOrder(store, { toolId, quantity: 3 })
  const untried = await anOrder(store, { toolId, quantity: 2 })
  const { order: paid } = await aPaidOrder(store, { toolId })
  const others = await anOrder(store, { toolId, buyer: store.otherCustomer })
  const intentId = await openIntent(store, order)

  assert.equal((await store.admin.ask('DELETE', `/user/${store.customer.email}`)).statusCode, 200)
  await store.mailsTo(store.customer.email) // what follows the removal is done

  for (const each of [order, untried]) {
    const last = (await historyOf(store, each)).at(-1)
    assert.deepEqual([last?.event, last?.actor, last?.note], ['cancelled', 'store', 'The account was removed'])
  }
  assert.equal(await statusOf(store, intentId), 'canceled')
  assert.deepEqual([(await seen(store, paid)).state, (await seen(store, others)).state], ['paid', 'open'])
  assert.equal(await stockOf(store, toolId), 8)
  await heard(store)
})

test('where the provider is away at the removal of an account, its orders end within the minute in which it is back', async () => {
  await using store = await aStoreWithCards()
  const toolId = await sell(store, { pieces: 10 })
  const order = await anOrder(store, { toolId, quantity: 3 })
  await openIntent(store, order)
  const away = controlsOf(store).calls.disturb({ times: Infinity }, { reset: 'before' })
  await store.admin.ask('DELETE', `/user/${store.customer.email}`)
  await store.jobs.passAMinute()
  assert.equal((await seen(store, order)).state, 'open')
  away.lift()
  await store.jobs.passAMinute()
  assert.equal((await seen(store, order)).state, 'cancelled')
  assert.equal(await stockOf(store, toolId), 10)
  await heard(store)
})

test('a buyer cancels their own open order, and nobody but an admin that of another', async () => {
  await using store = await aStoreWithCards()
  const toolId = await sell(store, { pieces: 10 })
  const order = await anOrder(store, { toolId, quantity: 3 })
  const intentId = await openIntent(store, order)

  assert.equal((await cancel(store.otherCustomer, order)).statusCode, 404)
  assert.equal((await cancel(store.visitor, order)).statusCode, 401)
  assert.equal((await seen(store, order)).state, 'open')
  const cancelled = await cancel(store.customer, order, { reason: 'Changed my mind' })

  assert.deepEqual([cancelled.statusCode, cancelled.json().state, cancelled.json().restocked], [200, 'cancelled', 3], cancelled.body)
  assert.equal(await statusOf(store, intentId), 'canceled')
  assert.equal(await stockOf(store, toolId), 10)
  await heard(store)
  const last = (await historyOf(store, order)).at(-1)
  assert.deepEqual(
    [last?.event, last?.actor, last?.by, last?.note, last?.mail],
    ['cancelled', 'buyer', store.customer.email, 'Changed my mind', 'sent'],
  )
  const again = await cancel(store.customer, order)
  assert.deepEqual([again.statusCode, again.json().message], [409, 'This order is cancelled'])

  const others = await anOrder(store, { toolId, buyer: store.otherCustomer })
  assert.equal((await cancel(store.admin, others)).json().state, 'cancelled', 'also one that nobody has begun to pay')
  assert.deepEqual([(await historyOf(store, others)).at(-1)?.actor, await stockOf(store, toolId)], ['admin', 10])
  await heard(store)
})

test('a buyer cannot cancel an order that is paid', async () => {
  await using store = await aStoreWithCards()
  const { order } = await aPaidOrder(store)

  const refused = await cancel(store.customer, order)

  assert.deepEqual([refused.statusCode, refused.json().message], [409, 'This order is paid already'])
  const unheard = await anOrder(store)
  loseWebhooks(store)
  await payWith(store, await openIntent(store, unheard))
  const asked = await cancel(store.customer, unheard)
  assert.deepEqual([asked.statusCode, asked.json().message], [409, 'This order is paid already'], 'the provider is asked first')
  assert.equal((await seen(store, unheard)).state, 'paid')
})

test('while the provider is away no order ends; when it is back those whose hold is over do', async () => {
  await using store = await aStoreWithCards()
  const held = [await anOrder(store), await anOrder(store), await anOrder(store), await anOrder(store)]
  for (const order of held) await openIntent(store, order)
  for (const order of held) await holdEnds(store, order)
  const away = controlsOf(store).calls.disturb({ times: Infinity }, { reset: 'before' })

  await store.jobs.passAMinute()
  const cancelled = await cancel(store.customer, held[0] as Order)
  assert.equal(cancelled.statusCode, 503, cancelled.body)
  for (const order of held) assert.equal((await seen(store, order)).state, 'open')

  away.lift()
  await store.jobs.passAMinute()
  for (const order of held) assert.equal((await seen(store, order)).state, 'expired')
  await heard(store)
})

test('orders whose payment the provider cannot bring to an end do not keep the others from ending', async () => {
  await using store = await anEmptyStore({ cards: true, wrongBooks: true })
  const { stripe } = store.cards
  const strange = [await anOrder(store), await anOrder(store), await anOrder(store)]
  loseWebhooks(store)
  for (const order of strange) {
    const intentId = await openIntent(store, order)
    const { metadata } = await stripe.paymentIntents.retrieve(intentId)
    const other = await stripe.paymentIntents.create({
      amount: 2999,
      currency: 'usd',
      metadata,
      payment_method: 'pm_card_visa',
      confirm: true,
    })
    await store.db.update(payments).set({ intentId: other.id }).where(eq(payments.intentId, intentId))
  }
  const order = await anOrder(store)
  await openIntent(store, order)
  for (const over of [...strange, order]) await holdEnds(store, over)

  await store.jobs.passAMinute()

  assert.equal((await seen(store, order)).state, 'expired')
  for (const { _id } of strange)
    assert.equal((await seen(store, { _id })).state, 'open', 'its money is there, though not what was asked for')
})

test('an intent that the provider does not know, as one made with other keys, stands in the way of nothing', async () => {
  await using store = await aStoreWithCards()
  const [abandoned, wanted, unwanted] = [await anOrder(store), await anOrder(store), await anOrder(store)]
  for (const order of [abandoned, wanted, unwanted]) {
    const intentId = await openIntent(store, order)
    await store.db
      .update(payments)
      .set({ intentId: `${intentId}elsewhere` })
      .where(eq(payments.intentId, intentId))
  }
  await holdEnds(store, abandoned)
  const others = await anOrder(store, { buyer: store.otherCustomer })
  const intentOfOthers = await openIntent(store, others, store.otherCustomer)

  await store.jobs.passAMinute()
  assert.equal((await seen(store, abandoned)).state, 'expired')
  assert.equal((await cancel(store.customer, unwanted)).json().state, 'cancelled')
  const opened = await open(store.customer, wanted)
  assert.equal(opened.statusCode, 200, opened.body)
  const intentId = intentIn(opened.json().clientSecret)
  await payWith(store, intentId)
  assert.equal((await record(store.customer, wanted, intentId)).json().state, 'paid')
  assert.equal(await openIntent(store, others, store.otherCustomer), intentOfOthers, 'the payment of another order is still the same one')
  await heard(store)
})

test('money for an order that has ended meanwhile goes back by itself, once, and the order stays ended', async () => {
  await using store = await aStoreWithCards()
  const toolId = await sell(store, { pieces: 10 })
  for (const [end, state] of [
    [(order: Order) => cancel(store.customer, order), 'cancelled'],
    [(order: Order) => holdEnds(store, order).then(() => store.jobs.passAMinute()), 'expired'],
  ] as const) {
    const order = await anOrder(store, { toolId, quantity: 2 })
    // The provider made the intent, and its answer got lost each time.
    const lost = controlsOf(store).calls.disturb({ method: 'POST', path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
    assert.equal((await open(store.customer, order)).statusCode, 503)
    lost.lift()
    await end(order)
    assert.equal((await seen(store, order)).state, state)
    const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
    assert.equal(intent?.status, 'requires_payment_method')

    await payWith(store, intent?.id ?? '')
    await heard(store)
    await store.jobs.passAMinute()

    const now = await seen(store, order)
    assert.deepEqual([now.state, now.paid, now.refundedCents, now.transectionId], [state, false, 6000, intent?.id])
    assert.deepEqual(await eventsOf(store, order), ['placed', state, 'late payment', 'refunded'])
    const mails = (await store.mailsTo(store.customer.email)).filter(
      ({ subject, text }) => /go back/.test(subject) && text.includes(`order ${order.number}`),
    )
    assert.equal(mails.length, 1)
    assert.match(mails[0]?.text ?? '', /your payment of \$60 came after order \d+ had ended. It goes back to your card by itself/)
    const told = await record(store.customer, order, intent?.id ?? '')
    assert.deepEqual(
      [told.statusCode, told.json().message],
      [409, 'This order had ended before your payment came. Your money goes back by itself'],
    )
  }
  assert.equal(await stockOf(store, toolId), 10)
})

test('late money that the provider will not give back shows as a paid order, for the admin', async () => {
  await using store = await aStoreWithCards()
  const order = await anOrder(store)
  const lost = controlsOf(store).calls.disturb({ method: 'POST', path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
  await open(store.customer, order)
  lost.lift()
  await cancel(store.customer, order)
  const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
  loseWebhooks(store)
  await payWith(store, intent?.id ?? '', 'pm_card_createDispute')
  await controlsOf(store).bank.hurry() // before the store hears of it, the bank takes the money back

  await store.jobs.passAMinute()

  assert.deepEqual([(await seen(store, order)).state, (await seen(store, order)).paid], ['paid', true])
  assert.match(`${(await historyOf(store, order)).find(({ event }) => event === 'refund failed')?.note}`, /charged back/)
})

test('the provider keeping an error of its own under a key does not keep an order from being paid', async () => {
  await using store = await aStoreWithCards()
  const order = await anOrder(store)
  controlsOf(store).calls.disturb({ method: 'POST', path: '/v1/payment_intents' }, { answer: 'api_error', at: 'kept' })

  await open(store.customer, order)
  const intentId = await openIntent(store, order)
  assert.equal(await openIntent(store, order), intentId)
  await payWith(store, intentId)

  assert.equal((await record(store.customer, order, intentId)).json().state, 'paid')
  await heard(store)
})

test('ten declined cards end every payment that the buyer has begun, and the provider being away only delays it', async () => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const toolId = await sell(store)
  const begun: { order: Order; intentId: string }[] = []
  for (let nth = 0; nth < 12; nth++) {
    const order = await anOrder(store, { toolId })
    begun.push({ order, intentId: await openIntent(store, order) })
  }
  const others = await anOrder(store, { toolId, buyer: store.otherCustomer })
  const othersIntent = await openIntent(store, others, store.otherCustomer)
  const away = controlsOf(store).calls.disturb(
    { method: 'POST', path: '/v1/payment_intents/:id/cancel', times: Infinity },
    { answer: 'rate_limit' },
  )
  for (const { intentId } of begun.slice(0, 10)) await assert.rejects(payWith(store, intentId, 'pm_card_visa_chargeDeclined'))
  await heard(store)
  away.lift()

  await store.jobs.passAMinute()

  assert.deepEqual(await Promise.all(begun.map(({ intentId }) => statusOf(store, intentId))), Array(12).fill('canceled'))
  assert.equal(await statusOf(store, othersIntent), 'requires_payment_method', "another buyer's goes on")
  for (const { order } of begun) {
    const refused = await open(store.customer, order)
    assert.equal(refused.statusCode, 429)
    assert.match(`${refused.headers['retry-after']}`, /^[1-9]\d{0,3}$/)
  }
  await heard(store)
})
