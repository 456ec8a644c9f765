import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { payAsBrowser, postForm } from '#demo/card-sandbox/test-sandbox.ts'
import { users } from '#store/identity/table.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { orders } from '#store/orders/table.ts'
import {
  confirmIntent,
  createProduct,
  getOrderAsAdmin,
  getOrderHistory,
  getStock,
  intentIdFromSecret,
  openPayment,
  openPaymentIntent,
  placePurchase,
  recordPayment,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { isFullRun, sampleSize } from './full-run.ts'

const takes = [
  ['4242424242424242', 'pm_card_visa', 'visa 4242'],
  ['5555555555554444', 'pm_card_mastercard', 'mastercard 4444'],
  ['378282246310005', 'pm_card_amex', 'amex 0005'],
  ['4000000000003055', 'pm_card_threeDSecureOptional', 'visa 3055'],
  ['4000000000000259', 'pm_card_createDispute', 'visa 0259'],
  ['4000000000002685', 'pm_card_createDisputeProductNotReceived', 'visa 2685'],
  ['4000000000007726', 'pm_card_pendingRefund', 'visa 7726'],
  ['4000000000005126', 'pm_card_refundFail', 'visa 5126'],
] as const

const plain = 'Your card was declined.'
const declines = [
  ['4000000000000002', 'pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', plain],
  [
    '4000000000009995',
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'card_declined',
    'insufficient_funds',
    'Your card has insufficient funds.',
  ],
  ['4000000000009987', 'pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', plain],
  ['4000000000009979', 'pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', plain],
  [
    '4000000000006975',
    'pm_card_visa_chargeDeclinedVelocityLimitExceeded',
    'card_declined',
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ],
  ['4000000000000069', 'pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'Your card has expired.'],
  ['4000000000000127', 'pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
  [
    '4000000000000119',
    'pm_card_chargeDeclinedProcessingError',
    'processing_error',
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ],
  ['4000000000000341', 'pm_card_chargeCustomerFail', 'card_declined', 'generic_decline', plain],
  ['4100000000000019', 'pm_card_radarBlock', 'card_declined', 'fraudulent', plain],
  ['4000008400001280', 'pm_card_threeDSecureRequiredProcessingError', 'card_declined', 'generic_decline', plain],
] as const

/** Numbers that are no test card: refused before anything is charged, so there is no token for them. */
const refused = [
  ['4242424242424241', 'incorrect_number', undefined, 'Your card number is incorrect.'],
  ['4111111111111111', 'card_declined', 'test_mode_live_card', /test mode, but used a card that is not a test card/],
] as const

const asks = ['4000002500003155', '4000002760003184', '4000000000003220'] as const

/** Somebody for each order, of whom none has more than so many orders: an account may have ten cards declined in an hour. */
function newcomers(store: Store, ordersEach: number) {
  const known: Actor[] = []
  let count = 0
  return () => (known[Math.floor(count++ / ordersEach)] ??= store.newCustomer(`Buyer${known.length + 1}`))
}

/** What somebody who pays at the card form is told: nothing, or the refusal of the card. */
async function payByNumber(store: Store, clientSecret: string, number: string) {
  assert.ok(store.sandbox)
  const { content } = await payAsBrowser(store.sandbox, clientSecret, { number, cvc: number.startsWith('37') ? '1234' : '123' })
  return content.error ?? content
}
const payByToken = (store: Store, clientSecret: string, token: string) =>
  confirmIntent(store, intentIdFromSecret(clientSecret), token).catch((error) => {
    if (error instanceof Stripe.errors.StripeCardError) return error
    throw error
  })

test('C1 every test card, by number at the card form and by token: its documented code and text, and the order is paid or stays as it was', async (t) => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const toolId = await createProduct(store, { pieces: 1000 })
  const newcomer = newcomers(store, isFullRun ? 4 : 8)
  await sandboxControls(store).bank.pause()
  let tried = 0

  const begin = async (buyer: Actor) => {
    const order = await placePurchase(store, { toolId, buyer })
    const clientSecret: string = (await openPayment(buyer, order)).json().clientSecret
    return { order, clientSecret, tell: () => recordPayment(buyer, order, intentIdFromSecret(clientSecret)) }
  }

  /** Both ways of paying; in a sample one of them, in turn. */
  const ways = (nth: number) => (isFullRun ? [payByNumber, payByToken] : [nth % 2 ? payByNumber : payByToken])

  for (const [nth, [number, token, card]] of takes.entries())
    for (const pay of ways(nth)) {
      const { order, clientSecret, tell } = await begin(store.customer)
      assert.equal((await pay(store, clientSecret, pay === payByNumber ? number : token)).status, 'succeeded', number)
      assert.equal((await tell()).json().state, 'paid', number)
      const { rows } = await store.db.execute<{ card: string }>(
        sql`select card from payments join orders on payment_id = payments.id where orders.id = ${order._id}`,
      )
      assert.equal(rows[0]?.card, card)
      tried++
    }

  for (const [nth, [number, token, code, declineCode, message]] of declines.entries()) {
    const buyer = newcomer()
    const { order, clientSecret, tell } = await begin(buyer)
    for (const pay of ways(nth)) {
      const said = await pay(store, clientSecret, pay === payByNumber ? number : token)
      assert.deepEqual([said.code, said.decline_code, said.message], [code, declineCode, message], number)
      assert.equal((await tell()).statusCode, 402, number)
      tried++
    }
    const { state, paid } = await getOrderAsAdmin(store, order)
    assert.deepEqual([state, paid], ['open', false], number)
    await waitForWebhooks(store)
    const noted = (await getOrderHistory(store, order)).filter(({ event }) => event === 'card declined').map(({ note }) => note)
    assert.deepEqual(
      noted,
      ways(nth).map(() => `${declineCode}: ${message}`),
      number,
    )

    if (!isFullRun && nth > 0) continue
    assert.equal((await openPayment(buyer, order)).json().clientSecret, clientSecret, 'another card pays the same intent')
    assert.equal((await payByNumber(store, clientSecret, '4242424242424242')).status, 'succeeded')
    assert.equal((await tell()).json().state, 'paid', number)
  }

  for (const [number, code, declineCode, message] of refused) {
    const { clientSecret, tell } = await begin(newcomer())
    const said = await payByNumber(store, clientSecret, number)
    assert.deepEqual([said.code, said.decline_code], [code, declineCode], number)
    if (typeof message === 'string') assert.equal(said.message, message)
    else assert.match(said.message, message)
    assert.equal((await tell()).statusCode, 402)
    tried++
    if (!isFullRun) continue
    assert.equal((await payByNumber(store, clientSecret, '4242424242424242')).status, 'succeeded')
    assert.equal((await tell()).json().state, 'paid')
  }
  await waitForWebhooks(store)
  t.diagnostic(`${takes.length + declines.length + refused.length} cards, ${tried} payments tried`)
})

/** Pays with a card whose bank asks first, and where it asks. */
async function asked(store: Store, clientSecret: string, number: string): Promise<string> {
  const { status, next_action } = await payByNumber(store, clientSecret, number)
  assert.equal(status, 'requires_action', number)
  return new URL(next_action.use_stripe_sdk.stripe_js).pathname
}
async function answerBank(store: Store, question: string, outcome: 'passed' | 'failed') {
  assert.ok(store.sandbox)
  assert.equal((await postForm(store.sandbox, question, { outcome })).status, 200)
}

test("C2 a bank that asks: passed pays, failed can be tried again, declined afterwards is said, and without the browser's word the order is paid as well", async (t) => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const toolId = await createProduct(store)
  const newcomer = newcomers(store, 5)

  for (const number of asks) {
    const buyer = newcomer()
    const order = await placePurchase(store, { toolId, buyer })
    const clientSecret: string = (await openPayment(buyer, order)).json().clientSecret
    await answerBank(store, await asked(store, clientSecret, number), 'failed')
    const failed = await recordPayment(buyer, order, intentIdFromSecret(clientSecret))
    assert.equal(failed.statusCode, 402)
    assert.equal((await getOrderAsAdmin(store, order)).state, 'open')

    const question = await asked(store, clientSecret, number)
    assert.equal((await recordPayment(buyer, order, intentIdFromSecret(clientSecret))).statusCode, 402, 'not before the bank was answered')
    await answerBank(store, question, 'passed')
    await waitForWebhooks(store) // the tab was closed
    assert.equal((await getOrderAsAdmin(store, order)).state, 'paid')
    const codes = (await getOrderHistory(store, order))
      .filter(({ event }) => event === 'card declined')
      .map(({ note }) => note?.split(':')[0])
    assert.deepEqual(codes, ['payment_intent_authentication_failure'])
  }
  for (const [number, declineCode] of [
    ['4000008400001629', 'generic_decline'],
    ['4000008260003178', 'insufficient_funds'],
  ] as const) {
    const buyer = newcomer()
    const order = await placePurchase(store, { toolId, buyer })
    const clientSecret: string = (await openPayment(buyer, order)).json().clientSecret
    await answerBank(store, await asked(store, clientSecret, number), 'passed')
    await waitForWebhooks(store)
    assert.equal((await getOrderAsAdmin(store, order)).state, 'open')
    assert.match(`${(await getOrderHistory(store, order)).at(-1)?.note}`, new RegExp(`^${declineCode}`))
    assert.equal((await payByNumber(store, clientSecret, '4242424242424242')).status, 'succeeded')
    assert.equal((await recordPayment(buyer, order, intentIdFromSecret(clientSecret))).json().state, 'paid')
  }
  await waitForWebhooks(store)
  t.diagnostic(`${asks.length + 2} cards`)
})

test('C2 a bank that asks and is left without an answer: the order expires, its pieces come back, and an answer comes too late', async () => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const toolId = await createProduct(store, { pieces: 10 })
  const order = await placePurchase(store, { toolId, quantity: 3 })
  const clientSecret: string = (await openPayment(store.customer, order)).json().clientSecret
  const question = await asked(store, clientSecret, asks[0])
  await waitForWebhooks(store)
  assert.equal((await getOrderAsAdmin(store, order)).state, 'open')

  await store.db.update(orders).set({ holdUntil: sql`now()` }).where(eq(orders._id, order._id))
  await store.jobs.runAllOnce()

  assert.equal((await getOrderAsAdmin(store, order)).state, 'expired')
  assert.equal(await getStock(store, toolId), 10)
  assert.ok(store.sandbox)
  assert.equal((await postForm(store.sandbox, question, { outcome: 'passed' })).status, 404)
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  assert.deepEqual([(await getOrderAsAdmin(store, order)).state, (await getOrderAsAdmin(store, order)).paid], ['expired', false])
})

test('C7 a hundred declined cards from one account: after five on an order, or ten in an hour, no card reaches the provider any more', async (t) => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const [ofOne, cards] = [sampleSize(6, 8), sampleSize(6, 92)]
  const toolId = await createProduct(store, { pieces: 1000 })
  const thief = store.newCustomer('Mallory')
  const charged = async () => {
    let count = 0
    for await (const { status } of store.cards.stripe.charges.list({ limit: 100 })) if (status === 'failed') count++
    return count
  }
  const isClosed = (error: unknown) =>
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state'

  // One order, card after card.
  const first = await placePurchase(store, { toolId, buyer: thief })
  const intentId = await openPaymentIntent(store, first, thief)
  const untouched = await openPaymentIntent(store, await placePurchase(store, { toolId, buyer: thief }), thief)
  for (let nth = 1; nth <= ofOne; nth++) {
    await assert.rejects(confirmIntent(store, intentId, 'pm_card_visa_chargeDeclined'), (error) =>
      nth <= 5 ? error instanceof Stripe.errors.StripeCardError : isClosed(error),
    )
    await waitForWebhooks(store)
  }
  assert.equal(await charged(), 5)
  const statusOf = async (id: string) => (await store.cards.stripe.paymentIntents.retrieve(id)).status
  assert.deepEqual([await statusOf(intentId), await statusOf(untouched)], ['canceled', 'requires_payment_method'])
  const closed = await openPayment(thief, first)
  assert.equal(closed.statusCode, 429, closed.body)
  assert.match(closed.json().message, /^Too many cards were declined for this order: wait \d+ minutes, then try again$/)
  assert.ok(Number(closed.headers['retry-after']) > 3500 && Number(closed.headers['retry-after']) <= 3600)

  // One of the five is forgotten after the hour, however long ago the others were.
  await store.db.execute(sql`
    update order_history set at = at - interval '10 minutes' * (
      select count(*) from order_history later where later.event = 'card declined' and later.id > order_history.id)
    where event = 'card declined'`)
  const sooner = Number((await openPayment(thief, first)).headers['retry-after'])
  assert.ok(sooner > 1100 && sooner <= 1200, `${sooner}`)

  // Then as many orders as there are cards, their payments opened before.
  const begun: string[] = []
  for (let nth = 0; nth < cards; nth++)
    begun.push(await openPaymentIntent(store, await placePurchase(store, { toolId, buyer: thief }), thief))
  for (const each of begun) {
    await assert.rejects(confirmIntent(store, each, 'pm_card_visa_chargeDeclined'))
    await waitForWebhooks(store)
  }
  assert.equal(await charged(), 10)
  for (const each of begun) assert.equal((await store.cards.stripe.paymentIntents.retrieve(each)).status, 'canceled')
  const another = await placePurchase(store, { toolId, buyer: thief })
  const allClosed = await openPayment(thief, another)
  assert.equal(allClosed.statusCode, 429)
  assert.match(
    allClosed.json().message,
    /^Too many cards were declined for your orders, so none of them can be paid now: wait \d+ minutes, then try again$/,
  )

  // Nobody else is held up, and an hour later neither is this account.
  const others = await placePurchase(store, { toolId })
  await confirmIntent(store, await openPaymentIntent(store, others))
  await store.db.execute(sql`update order_history set at = at - interval '1 hour' where event = 'card declined'`)
  await confirmIntent(store, await openPaymentIntent(store, first, thief))
  await waitForWebhooks(store)
  assert.deepEqual([(await getOrderAsAdmin(store, others)).state, (await getOrderAsAdmin(store, first)).state], ['paid', 'paid'])
  t.diagnostic(`${cards + ofOne} cards tried, 10 reached the provider`)
})

/** An order from the network of the card tester, and the answer to opening its payment. */
async function orderFromNetworkOfTester(store: Store, toolId: string, buyer: Actor) {
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
  const authorization = `Bearer ${await buyer.token()}`
  const order: Purchase = (await store.visitorFrom('192.0.2.7').request('POST', '/purchase', wish, { authorization })).json()
  return { order, answer: await openPayment(buyer, order) }
}

test('C7 a card tester who takes a new account after every ten declined cards: after twenty from one network no card of such an account reaches the provider, and who has paid before, has a verified e-mail or comes from elsewhere pays', async (t) => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store, { pieces: 1000 })
  const begin = (buyer: Actor) => orderFromNetworkOfTester(store, toolId, buyer)
  const regular = store.newCustomer('Regular')
  const before = await begin(regular)
  await confirmIntent(store, intentIdFromSecret(before.answer.json().clientSecret))
  await waitForWebhooks(store)

  const bystander = store.newCustomer('Bystander')
  const waiting = await begin(bystander)
  let reached = 0
  let refused: ApiResponse | undefined
  for (let nth = 0; nth < 4; nth++) {
    const thief = store.newCustomer(`Mallory${nth}`)
    for (let orders = 0; orders < 2; orders++) {
      const { answer } = await begin(thief)
      if (answer.statusCode !== 200) {
        refused = answer
        continue
      }
      for (let cards = 0; cards < 5; cards++) {
        await assert.rejects(
          confirmIntent(store, intentIdFromSecret(answer.json().clientSecret), 'pm_card_visa_chargeDeclined'),
          (error) => {
            if (error instanceof Stripe.errors.StripeCardError) reached++
            return true
          },
        )
        await waitForWebhooks(store)
      }
    }
  }
  assert.equal(reached, 20)
  assert.equal(refused?.statusCode, 429)
  assert.match(`${refused?.headers['retry-after']}`, /^3[56]\d\d$/)
  assert.match(
    refused?.json().message,
    /^Too many cards were declined in your network: wait \d+ minutes, then try again, or verify your e-mail$/,
  )
  const intent = await store.cards.stripe.paymentIntents.retrieve(intentIdFromSecret(waiting.answer.json().clientSecret))
  assert.equal(intent.status, 'canceled', 'what was opened before is closed, too: its secret may be in the hands of the tester')

  const shown = await store.admin.request('GET', `/purchase/${waiting.order._id}/decline-wait`)
  assert.equal(shown.json().of, 'network')

  for (const buyer of [regular, store.newCustomer('Elsewhere')])
    assert.equal(
      (buyer === regular ? (await begin(buyer)).answer : await openPayment(buyer, await placePurchase(store, { toolId, buyer })))
        .statusCode,
      200,
    )
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, bystander.email))
  assert.equal((await openPayment(bystander, waiting.order)).statusCode, 200)
  t.diagnostic(`four accounts of one network tried ${reached} declined cards of 40`)
})

test('C7 a card tester whose accounts are all verified: after sixty declined cards from one network no card of an account that has never paid reaches the provider, and who has paid before or comes from elsewhere pays', async (t) => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store, { pieces: 1000 })
  const begin = (buyer: Actor) => orderFromNetworkOfTester(store, toolId, buyer)
  const aVerifiedBuyer = async (name: string) => {
    const buyer = store.newCustomer(name)
    await buyer.token()
    await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, buyer.email))
    return buyer
  }
  /** How many of these declined cards the provider was asked about. */
  const tryCards = async (answer: ApiResponse, cards: number) => {
    let reached = 0
    const intentId = intentIdFromSecret(answer.json().clientSecret)
    for (let nth = 0; nth < cards; nth++) {
      await assert.rejects(confirmIntent(store, intentId, 'pm_card_visa_chargeDeclined'), (error) => {
        if (error instanceof Stripe.errors.StripeCardError) reached++
        return true
      })
      await waitForWebhooks(store)
    }
    return reached
  }
  const pay = async (answer: ApiResponse) => {
    await confirmIntent(store, intentIdFromSecret(answer.json().clientSecret))
    await waitForWebhooks(store)
  }
  const regular = await aVerifiedBuyer('Regular')
  await pay((await begin(regular)).answer)
  const [regularWaiting, ofRegular] = [await begin(regular), await begin(regular)]
  assert.equal(await tryCards(ofRegular.answer, 5), 5, 'cards of who has paid before do not count in the network')
  const bystander = await aVerifiedBuyer('Bystander')
  const waiting = await begin(bystander)

  let reached = 0
  let refused: ApiResponse | undefined
  for (let nth = 0; nth < 7; nth++) {
    const thief = await aVerifiedBuyer(`Mallory${nth}`)
    for (const cards of nth === 0 ? [5, 4] : [5, 5]) {
      const { answer } = await begin(thief)
      if (answer.statusCode !== 200) {
        refused = answer
        continue
      }
      reached += await tryCards(answer, cards)
      if (cards === 4) await pay(answer) // a card that works does not make the declined ones before it undone
    }
  }
  assert.equal(reached, 60)
  assert.equal(refused?.statusCode, 429)
  const said =
    /^Too many cards were declined in your network: wait \d+ minutes, then try again\. Or order from another network, or write to us\.$/
  assert.match(refused?.json().message, said)
  const statusOf = async ({ answer }: { answer: ApiResponse }) =>
    (await store.cards.stripe.paymentIntents.retrieve(intentIdFromSecret(answer.json().clientSecret))).status
  assert.deepEqual([await statusOf(waiting), await statusOf(regularWaiting)], ['canceled', 'requires_payment_method'])
  const unverified = await begin(store.newCustomer('Unverified'))
  assert.equal(unverified.answer.statusCode, 429)
  assert.match(unverified.answer.json().message, said, 'who is not verified is not told to verify, which would not help')

  await pay(regularWaiting.answer)
  await pay((await begin(regular)).answer)
  assert.equal((await openPayment(bystander, await placePurchase(store, { toolId, buyer: bystander }))).statusCode, 200)
  await store.db.update(users).set({ limitsLiftedAt: sql`now()` }).where(eq(users.email, bystander.email))
  assert.equal((await openPayment(bystander, waiting.order)).statusCode, 200, 'an admin can let them go on')
  t.diagnostic(`seven verified accounts of one network tried ${reached} declined cards of 69`)
})
