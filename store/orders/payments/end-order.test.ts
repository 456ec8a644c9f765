import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import type { Purchase } from '#store/orders/contract.ts'
import { payments, refunds } from '#store/orders/table.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  expireHold,
  getOrderAsAdmin,
  getOrderEventNames,
  getOrderHistory,
  getStock,
  intentIdFromSecret,
  openPayment,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  recordPayment,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { endOverdueOrders } from './end-order.ts'

const statusOf = async (store: Store, intentId: string) => (await store.cards.stripe.paymentIntents.retrieve(intentId)).status

/** The provider makes the intent, and its answer gets lost each time. */
async function openPaymentWithoutAnswer(store: Store, order: Purchase) {
  const lost = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
  assert.equal((await openPayment(store.customer, order)).statusCode, 503)
  lost.remove()
}

test('an order that is not paid in time ends: nobody can pay it any more, and its pieces are back in stock', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const order = await placePurchase(store, { toolId, quantity: 3 })
  const intentId = await openPaymentIntent(store, order)
  await store.jobs.runAllOnce()
  assert.equal((await getOrderAsAdmin(store, order)).state, 'open', 'its hold is not over')

  await expireHold(store, order)
  const late = await openPayment(store.customer, order)
  assert.equal(late.statusCode, 409)
  assert.match(late.json().message, /^This order has expired/)
  const told: string[] = []
  store.changes.subscribe((topic) => told.push(topic))
  await store.jobs.runAllOnce()
  assert.ok(told.includes('products'), 'pages that show the stock are made anew')

  assert.equal((await getOrderAsAdmin(store, order)).state, 'expired')
  assert.equal(await statusOf(store, intentId), 'canceled')
  assert.equal(await getStock(store, toolId), 10)
  await assert.rejects(confirmIntent(store, intentId))
  for (const answer of [
    await openPayment(store.customer, order),
    await cancelPurchase(store.customer, order),
    await refundPurchase(store.admin, order),
  ])
    assert.equal(answer.statusCode, 409, answer.body)
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual([last?.event, last?.actor, last?.by], ['expired', 'store', null])
  await waitForWebhooks(store)
})

test('removing an account ends its unpaid orders: at the provider first, with their pieces back in stock and the reason in their history', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const order = await placePurchase(store, { toolId, quantity: 3 })
  const untried = await placePurchase(store, { toolId, quantity: 2 })
  const { order: paid } = await placePaidOrder(store, { toolId })
  const others = await placePurchase(store, { toolId, buyer: store.otherCustomer })
  const intentId = await openPaymentIntent(store, order)

  assert.equal((await store.admin.request('DELETE', `/user/${store.customer.email}`)).statusCode, 200)
  await store.emailsTo(store.customer.email) // what follows the removal is done

  for (const each of [order, untried]) {
    const last = (await getOrderHistory(store, each)).at(-1)
    assert.deepEqual([last?.event, last?.actor, last?.note], ['cancelled', 'store', 'The account was removed'])
  }
  assert.equal(await statusOf(store, intentId), 'canceled')
  assert.deepEqual([(await getOrderAsAdmin(store, paid)).state, (await getOrderAsAdmin(store, others)).state], ['paid', 'open'])
  assert.equal(await getStock(store, toolId), 8)
  await waitForWebhooks(store)
})

test('where the provider is away at the removal of an account, its orders end within the minute in which it is back', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const order = await placePurchase(store, { toolId, quantity: 3 })
  await openPaymentIntent(store, order)
  const away = sandboxControls(store).calls.inject({ times: Infinity }, { reset: 'before' })
  await store.admin.request('DELETE', `/user/${store.customer.email}`)
  await store.jobs.runAllOnce()
  assert.equal((await getOrderAsAdmin(store, order)).state, 'open')
  away.remove()
  await store.jobs.runAllOnce()
  assert.equal((await getOrderAsAdmin(store, order)).state, 'cancelled')
  assert.equal(await getStock(store, toolId), 10)
  await waitForWebhooks(store)
})

test('a buyer cancels their own open order, and nobody but an admin that of another', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const order = await placePurchase(store, { toolId, quantity: 3 })
  const intentId = await openPaymentIntent(store, order)

  assert.equal((await cancelPurchase(store.otherCustomer, order)).statusCode, 404)
  assert.equal((await cancelPurchase(store.visitor, order)).statusCode, 401)
  assert.equal((await getOrderAsAdmin(store, order)).state, 'open')
  const cancelled = await cancelPurchase(store.customer, order, { reason: 'Changed my mind' })

  assert.deepEqual([cancelled.statusCode, cancelled.json().state, cancelled.json().restocked], [200, 'cancelled', 3], cancelled.body)
  assert.equal(await statusOf(store, intentId), 'canceled')
  assert.equal(await getStock(store, toolId), 10)
  await waitForWebhooks(store)
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual(
    [last?.event, last?.actor, last?.by, last?.note, last?.mail],
    ['cancelled', 'buyer', store.customer.email, 'Changed my mind', 'sent'],
  )
  const again = await cancelPurchase(store.customer, order)
  assert.deepEqual([again.statusCode, again.json().message], [409, 'This order is cancelled'])

  const others = await placePurchase(store, { toolId, buyer: store.otherCustomer })
  assert.equal((await cancelPurchase(store.admin, others)).json().state, 'cancelled', 'also one that nobody has begun to pay')
  assert.deepEqual([(await getOrderHistory(store, others)).at(-1)?.actor, await getStock(store, toolId)], ['admin', 10])
  await waitForWebhooks(store)
})

test('a buyer cannot cancel an order that is paid', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store)

  const refused = await cancelPurchase(store.customer, order)

  assert.deepEqual([refused.statusCode, refused.json().message], [409, 'This order is paid already'])
  const unheard = await placePurchase(store)
  dropWebhooks(store)
  await confirmIntent(store, await openPaymentIntent(store, unheard))
  const asked = await cancelPurchase(store.customer, unheard)
  assert.deepEqual([asked.statusCode, asked.json().message], [409, 'This order is paid already'], 'the provider is asked first')
  assert.equal((await getOrderAsAdmin(store, unheard)).state, 'paid')
})

test('while the provider is away no order ends; when it is back those whose hold is over do', async () => {
  await using store = await createTestStoreWithCards()
  const held = [await placePurchase(store), await placePurchase(store), await placePurchase(store), await placePurchase(store)]
  for (const order of held) await openPaymentIntent(store, order)
  for (const order of held) await expireHold(store, order)
  const away = sandboxControls(store).calls.inject({ times: Infinity }, { reset: 'before' })

  await store.jobs.runAllOnce()
  const cancelled = await cancelPurchase(store.customer, held[0] as Purchase)
  assert.equal(cancelled.statusCode, 503, cancelled.body)
  for (const order of held) assert.equal((await getOrderAsAdmin(store, order)).state, 'open')

  away.remove()
  await store.jobs.runAllOnce()
  for (const order of held) assert.equal((await getOrderAsAdmin(store, order)).state, 'expired')
  await waitForWebhooks(store)
})

test('while the provider cancels no payment, orders stay open, and their buyer and the log hear that it does not answer', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  await openPaymentIntent(store, order)
  const which = { method: 'POST', path: '/v1/payment_intents/:id/cancel', times: Infinity } as const
  const away = sandboxControls(store).calls.inject(which, { answer: 'api_error' })

  const asked = await cancelPurchase(store.customer, order)
  assert.equal(asked.statusCode, 503)
  assert.match(asked.json().message, /^The card provider does not answer/)
  await expireHold(store, order)
  await assert.rejects(endOverdueOrders(store.db, store.cards), /The card provider does not answer/)
  assert.equal((await getOrderAsAdmin(store, order)).state, 'open')

  away.remove()
  assert.equal(await endOverdueOrders(store.db, store.cards), 1)
  assert.equal((await getOrderAsAdmin(store, order)).state, 'expired')
  assert.equal(await endOverdueOrders(store.db, store.cards), 0, 'what has ended is not ended again')
  await waitForWebhooks(store)
})

test('orders whose payment the provider cannot bring to an end do not keep the others from ending', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const { stripe } = store.cards
  const strange = [await placePurchase(store), await placePurchase(store), await placePurchase(store)]
  dropWebhooks(store)
  for (const order of strange) {
    const intentId = await openPaymentIntent(store, order)
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
  const order = await placePurchase(store)
  await openPaymentIntent(store, order)
  for (const over of [...strange, order]) await expireHold(store, over)

  await store.jobs.runAllOnce()

  assert.equal((await getOrderAsAdmin(store, order)).state, 'expired')
  for (const { _id } of strange)
    assert.equal((await getOrderAsAdmin(store, { _id })).state, 'open', 'its money is there, though not what was asked for')
})

test('an intent that the provider does not know, as one made with other keys, stands in the way of nothing', async () => {
  await using store = await createTestStoreWithCards()
  const [abandoned, wanted, unwanted] = [await placePurchase(store), await placePurchase(store), await placePurchase(store)]
  for (const order of [abandoned, wanted, unwanted]) {
    const intentId = await openPaymentIntent(store, order)
    await store.db
      .update(payments)
      .set({ intentId: `${intentId}elsewhere` })
      .where(eq(payments.intentId, intentId))
  }
  await expireHold(store, abandoned)
  const others = await placePurchase(store, { buyer: store.otherCustomer })
  const intentOfOthers = await openPaymentIntent(store, others, store.otherCustomer)

  await store.jobs.runAllOnce()
  assert.equal((await getOrderAsAdmin(store, abandoned)).state, 'expired')
  assert.equal((await cancelPurchase(store.customer, unwanted)).json().state, 'cancelled')
  const opened = await openPayment(store.customer, wanted)
  assert.equal(opened.statusCode, 200, opened.body)
  const intentId = intentIdFromSecret(opened.json().clientSecret)
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(store.customer, wanted, intentId)).json().state, 'paid')
  assert.equal(
    await openPaymentIntent(store, others, store.otherCustomer),
    intentOfOthers,
    'the payment of another order is still the same one',
  )
  await waitForWebhooks(store)
})

test('the buyer of an order that turns out to be paid when it is cancelled, or paid again, gets the receipt without waiting for a poll', async () => {
  await using store = await createTestStoreWithCards()
  dropWebhooks(store)
  for (const [nth, refused] of [
    (order: Purchase) => cancelPurchase(store.customer, order),
    (order: Purchase) => store.customer.request('POST', `/orders/${order._id}/cancel`, {}),
    (order: Purchase) => openPayment(store.customer, order),
  ].entries()) {
    const order = await placePurchase(store)
    await confirmIntent(store, await openPaymentIntent(store, order))

    const answer = await refused(order)

    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'order_not_open'], answer.body)
    const receipts = (await store.emailsTo(store.customer.email)).filter(({ subject }) => subject.startsWith('Receipt'))
    assert.deepEqual([receipts.length, receipts.at(-1)?.subject], [nth + 1, `Receipt for order ${order.number}: $30 paid`])
  }
  const overdue = await placePurchase(store)
  await confirmIntent(store, await openPaymentIntent(store, overdue))
  await expireHold(store, overdue)
  assert.equal(await endOverdueOrders(store.db, store.cards), 1, 'the job is told that an order has changed')
  assert.equal((await getOrderAsAdmin(store, overdue)).state, 'paid')
})

test('of money that comes too late what has not gone back from the site of the provider goes back by itself', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  for (const alreadyCents of [1, 6000]) {
    const order = await placePurchase(store, { toolId, quantity: 2 })
    await openPaymentWithoutAnswer(store, order)
    await cancelPurchase(store.customer, order)
    const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
    const intentId = intent?.id ?? ''
    dropWebhooks(store)
    await confirmIntent(store, intentId)
    await store.cards.stripe.refunds.create({ payment_intent: intentId, amount: alreadyCents })
    await recordPayment(store.customer, order, intentId)
    for (let minutes = 0; minutes < 3; minutes++) {
      await store.db.update(refunds).set({ nextTryAt: sql`now()` })
      await store.jobs.runAllOnce()
    }

    assert.equal((await getOrderAsAdmin(store, order)).refundedCents, 6000)
    assert.ok(!(await getOrderEventNames(store, order)).includes('refund failed'))
    const back = await store.cards.stripe.refunds.list({ payment_intent: intentId })
    assert.equal(
      back.data.reduce((sum, { amount }) => sum + amount, 0),
      6000,
    )
  }
})

test('money for an order that has ended meanwhile goes back by itself, once, and the order stays ended', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  for (const [end, state] of [
    [(order: Purchase) => cancelPurchase(store.customer, order), 'cancelled'],
    [(order: Purchase) => expireHold(store, order).then(() => store.jobs.runAllOnce()), 'expired'],
  ] as const) {
    const order = await placePurchase(store, { toolId, quantity: 2 })
    await openPaymentWithoutAnswer(store, order)
    await end(order)
    assert.equal((await getOrderAsAdmin(store, order)).state, state)
    const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
    assert.equal(intent?.status, 'requires_payment_method')

    await confirmIntent(store, intent?.id ?? '')
    await waitForWebhooks(store)

    const now = await getOrderAsAdmin(store, order)
    assert.deepEqual([now.state, now.paid, now.refundedCents, now.transectionId], [state, false, 6000, intent?.id])
    assert.deepEqual(await getOrderEventNames(store, order), ['placed', state, 'late payment', 'refunded'])
    const mails = (await store.emailsTo(store.customer.email)).filter(
      ({ subject, text }) => /goes back/.test(subject) && text.includes(`order ${order.number}`),
    )
    assert.equal(mails.length, 1)
    assert.match(
      mails[0]?.text ?? '',
      /your payment of \$60 came after order \d+ had ended. It goes back by itself to the card that you paid with/,
    )
    const told = await recordPayment(store.customer, order, intent?.id ?? '')
    assert.deepEqual(
      [told.statusCode, told.json().message],
      [409, 'This order had ended before your payment came. Your money goes back by itself'],
    )
  }
  assert.equal(await getStock(store, toolId), 10)
})

test('late money that the provider will not give back shows as a paid order, for the admin', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const lost = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
  await openPayment(store.customer, order)
  lost.remove()
  await cancelPurchase(store.customer, order)
  const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
  dropWebhooks(store)
  await confirmIntent(store, intent?.id ?? '', 'pm_card_createDispute')
  await sandboxControls(store).bank.runPendingSteps() // before the store hears of it, the bank takes the money back

  await store.jobs.runAllOnce()

  assert.deepEqual([(await getOrderAsAdmin(store, order)).state, (await getOrderAsAdmin(store, order)).paid], ['paid', true])
  assert.match(`${(await getOrderHistory(store, order)).find(({ event }) => event === 'refund failed')?.note}`, /charged back/)
})

test('the provider keeping an error of its own under a key does not keep an order from being paid', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/payment_intents' }, { answer: 'api_error', at: 'kept' })

  await openPayment(store.customer, order)
  const intentId = await openPaymentIntent(store, order)
  assert.equal(await openPaymentIntent(store, order), intentId)
  await confirmIntent(store, intentId)

  assert.equal((await recordPayment(store.customer, order, intentId)).json().state, 'paid')
  await waitForWebhooks(store)
})

test('ten declined cards end every payment that the buyer has begun, and the provider being away only delays it', async () => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const toolId = await createProduct(store)
  const begun: { order: Purchase; intentId: string }[] = []
  for (let nth = 0; nth < 12; nth++) {
    const order = await placePurchase(store, { toolId })
    begun.push({ order, intentId: await openPaymentIntent(store, order) })
  }
  const others = await placePurchase(store, { toolId, buyer: store.otherCustomer })
  const othersIntent = await openPaymentIntent(store, others, store.otherCustomer)
  const away = sandboxControls(store).calls.inject(
    { method: 'POST', path: '/v1/payment_intents/:id/cancel', times: Infinity },
    { answer: 'rate_limit' },
  )
  for (const { intentId } of begun.slice(0, 10)) await assert.rejects(confirmIntent(store, intentId, 'pm_card_visa_chargeDeclined'))
  await waitForWebhooks(store)
  away.remove()

  await store.jobs.runAllOnce()

  assert.deepEqual(await Promise.all(begun.map(({ intentId }) => statusOf(store, intentId))), Array(12).fill('canceled'))
  assert.equal(await statusOf(store, othersIntent), 'requires_payment_method', "another buyer's goes on")
  for (const { order } of begun) {
    const refused = await openPayment(store.customer, order)
    assert.equal(refused.statusCode, 429)
    assert.match(`${refused.headers['retry-after']}`, /^[1-9]\d{0,3}$/)
  }
  await waitForWebhooks(store)
})
