import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { users } from '#store/identity/table.ts'
import type { Purchase } from '#store/orders/contract.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  expireHold,
  getOrderAsAdmin,
  getOrderEventNames,
  getStock,
  openPayment,
  openPaymentIntent,
  placePurchase,
  recordPayment,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { fullRunOnly, isFullRun, sampleSize } from './full-run.ts'
import { seededRandom } from './seeded-random.ts'

/** The two ways in which an unpaid order ends. */
const endings = {
  cancelled: async (store: Store, order: Purchase) => {
    const { statusCode, body } = await cancelPurchase(store.customer, order)
    assert.ok([200, 409].includes(statusCode), body)
  },
  expired: async (store: Store, order: Purchase) => {
    await expireHold(store, order)
    await store.jobs.runAllOnce()
  },
}
type Ending = keyof typeof endings

/** The card form: pays, then tells the store so. True when the provider took the money. */
async function payAndTell(store: Store, order: Purchase, intentId: string): Promise<boolean> {
  const taken = await confirmIntent(store, intentId).then(
    () => true,
    () => false,
  )
  const told = await recordPayment(store.customer, order, intentId)
  assert.ok(taken ? [200, 409].includes(told.statusCode) : [402, 409].includes(told.statusCode), told.body)
  return taken
}

/** One winner: money taken and the order paid, or nothing taken, or given back, and the order ended with its pieces in stock. */
async function assertOneWinner(store: Store, order: Purchase, intentId: string, ending: Ending, taken: boolean) {
  const { state, paid, restocked } = await getOrderAsAdmin(store, order)
  const { status } = await store.cards.stripe.paymentIntents.retrieve(intentId)
  if (taken) assert.deepEqual({ state, paid, restocked, status }, { state: 'paid', paid: true, restocked: 0, status: 'succeeded' })
  else
    assert.deepEqual(
      { state, paid, restocked, status },
      { state: ending, paid: false, restocked: order.productQuantity, status: 'canceled' },
    )
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', taken ? 'paid' : ending])
}

test('A5 pay and end at the same moment, in every order of the two at the provider: one wins, and money is taken exactly when the order is paid', async (t) => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const toolId = await createProduct(store)
  const path = '/v1/payment_intents/:id/cancel'
  let [paid, ended] = [0, 0]

  for (const ending of ['cancelled', 'expired'] as const)
    for (const moment of ['before', 'committed'] as const) {
      const order = await placePurchase(store, { toolId, quantity: 2 })
      const intentId = await openPaymentIntent(store, order)
      let taken: boolean | undefined
      // The buyer pays while the store waits for the provider to end the intent: a moment before it does, or after.
      const step = async () => {
        taken = await confirmIntent(store, intentId).then(
          () => true,
          () => false,
        )
      }
      sandboxControls(store).calls.inject({ method: 'POST', path }, { [moment]: step })
      await endings[ending](store, order)

      assert.equal(taken, moment === 'before')
      await assertOneWinner(store, order, intentId, ending, taken)
      if (taken) paid++
      else ended++
    }
  await waitForWebhooks(store)
  assert.equal(await getStock(store, toolId), 40 - 2 * paid)
  t.diagnostic(`${paid} paid, ${ended} ended`)
})

test('A5 pay and end at the same moment, with chance in every step: one winner each time', fullRunOnly, async (t) => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const seeds = sampleSize(4, 400)
  await store.customer.token()
  await store.db.update(users).set({ emailVerified: true }) // who is told by mail of every end
  const toolId = await createProduct(store, { pieces: 1000 })
  const won = { paid: 0, cancelled: 0, expired: 0 }

  for (let seed = 1; seed <= seeds; seed++) {
    const { below, coin } = seededRandom(seed)
    const order = await placePurchase(store, { toolId, quantity: 1 + below(3) })
    const intentId = await openPaymentIntent(store, order)
    const wait = () => pause(below(12))
    const slow = sandboxControls(store).calls.inject({ times: Infinity }, { before: wait, committed: wait })
    const ending: Ending = coin() ? 'cancelled' : 'expired'

    const asked = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/payment_intents/:id/cancel' })
    const pays = coin() ? asked.waitForAffected() : pause(below(80)) // when the store is about to end it, or at any moment

    const [taken] = await Promise.all([
      pays.then(() => payAndTell(store, order, intentId)),
      wait().then(() => endings[ending](store, order)),
    ])
    asked.remove()
    slow.remove()
    await assertOneWinner(store, order, intentId, ending, taken).catch((error) => {
      throw new Error(`seed ${seed}, ${ending}`, { cause: error })
    })
    won[taken ? 'paid' : ending]++
  }
  await waitForWebhooks(store)
  assert.deepEqual(await store.faults(), [])
  const mails = await store.emailsTo(store.customer.email)
  assert.equal(mails.filter(({ subject }) => /^Receipt/.test(subject)).length, won.paid)
  assert.equal(mails.filter(({ subject }) => /has ended/.test(subject)).length, won.expired)
  t.diagnostic(`seeds 1 to ${seeds}: ${won.paid} paid, ${won.cancelled} cancelled, ${won.expired} expired`)
})

test('A5 an order that everybody ends at the same moment ends once, and its pieces come back once', async (t) => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const toolId = await createProduct(store, { pieces: 50 })
  const times = sampleSize(1, 40)
  const ends = { cancelled: 0, expired: 0 }
  for (let nth = 0; nth < times; nth++) {
    const order = await placePurchase(store, { toolId, quantity: 3 })
    if (nth % 2) await openPaymentIntent(store, order)
    await expireHold(store, order)

    const asked = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/payment_intents/:id/cancel' })
    const minute = store.jobs.runAllOnce()
    if (nth % 2) await asked.waitForAffected() // the store is about to end it; else everybody begins together
    const answers = await Promise.all(
      [store.customer, store.admin, store.customer, store.admin].map((actor) => cancelPurchase(actor, order)),
    )
    await minute
    asked.remove()

    const cancelled = answers.filter(({ statusCode }) => statusCode === 200)
    for (const { statusCode, body } of answers) assert.ok(statusCode === 200 || statusCode === 409, body)
    const { state, restocked } = await getOrderAsAdmin(store, order)
    assert.ok(state === 'cancelled' || state === 'expired', state)
    assert.deepEqual([cancelled.length > 0, restocked], [state === 'cancelled', 3])
    assert.deepEqual(await getOrderEventNames(store, order), ['placed', state])
    assert.equal(await getStock(store, toolId), 50)
    ends[state]++
  }
  await waitForWebhooks(store)
  t.diagnostic(`${ends.cancelled} cancelled, ${ends.expired} expired`)
})

test('A5 money that comes by an intent whose answer got lost, after its order has ended, goes back by itself', async (t) => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const times = sampleSize(1, 40)
  const toolId = await createProduct(store, { pieces: 100 })
  for (let round = 0; round < times; round++) {
    const nth = isFullRun ? round : 3 * round // one of both endings, one of both moments
    const ending: Ending = nth % 2 ? 'cancelled' : 'expired'
    const order = await placePurchase(store, { toolId })
    const lost = sandboxControls(store).calls.inject(
      { method: 'POST', path: '/v1/payment_intents', times: Infinity },
      { reset: 'committed' },
    )
    assert.equal((await openPayment(store.customer, order)).statusCode, 503)
    lost.remove()
    const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
    assert.ok(intent?.metadata.order_id === order._id && intent.status === 'requires_payment_method')

    // At the same moment, or one after the other.
    if (nth % 4 < 2) await endings[ending](store, order)
    await Promise.all([confirmIntent(store, intent.id), nth % 4 < 2 ? undefined : endings[ending](store, order)])
    await waitForWebhooks(store)
    await store.jobs.runAllOnce()

    const { state, paid, refundedCents } = await getOrderAsAdmin(store, order)
    const back = (await store.cards.stripe.refunds.list({ payment_intent: intent.id })).data.map(({ amount }) => amount)
    if (state === 'paid') assert.deepEqual([paid, back], [true, []])
    else assert.deepEqual([state, paid, refundedCents, back], [ending, false, 3000, [3000]])
    if (nth % 4 < 2) assert.equal(state, ending)
    const mails = (await store.emailsTo(store.customer.email)).filter(
      ({ subject }) => subject === `$30 of order ${order.number} goes back to you`,
    )
    assert.equal(mails.length, state === 'paid' ? 0 : 1)
  }
  t.diagnostic(`${times} orders`)
})
