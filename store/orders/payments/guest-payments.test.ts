import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { orderHistory } from '#store/orders/table.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { confirmIntent, createProduct, createTestStoreWithCards, intentIdFromSecret, waitForWebhooks } from '#test/order-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { settleUnresolvedPayments } from './rules.ts'

const guest = (nth: number, from?: string) => ({ email: `guest${nth}@mail${nth}.example`, ...(from && { from }) })
const open = (store: Store, order: Order): Promise<ApiResponse> =>
  holderOfLink(store, order).request('POST', '/create-payment-intent', { orderId: order._id, productCost: order.totalCents / 100 })
const intentOf = async (store: Store, order: Order) => {
  const opened = await open(store, order)
  assert.equal(opened.statusCode, 200, opened.body)
  return intentIdFromSecret(opened.json().clientSecret)
}
/** So many cards were declined for the order. */
const decline = (store: Store, { _id: orderId }: Order, times: number) =>
  store.db
    .insert(orderHistory)
    .values(Array(times).fill({ orderId, event: 'card declined', state: 'open', orderStatus: 'open', actor: 'card provider' }))
const statusOf = async (store: Store, intentId: string) => (await store.cards.stripe.paymentIntents.retrieve(intentId)).status

test('after five declined cards for an order of a guest it waits and its payment ends; those of other guests do not', async () => {
  for (const buyerLimits of [undefined, 'off'] as const) {
    await using store = await anEmptyStore({ cards: true, ...(buyerLimits && { buyerLimits }) })
    const toolId = await createProduct(store)
    const [order, other] = [
      await placeGuestOrder(store, { [toolId]: 1 }, guest(1)),
      await placeGuestOrder(store, { [toolId]: 1 }, guest(2)),
    ]
    const [intentId, othersIntent] = [await intentOf(store, order), await intentOf(store, other)]
    for (let nth = 0; nth < 5; nth++) {
      await assert.rejects(confirmIntent(store, intentId, 'pm_card_visa_chargeDeclined'))
      await waitForWebhooks(store)
    }
    assert.deepEqual([await statusOf(store, intentId), await statusOf(store, othersIntent)], ['canceled', 'requires_payment_method'])
    const refused = await open(store, order)
    assert.equal(refused.statusCode, 429)
    assert.match(refused.json().message, /^Too many cards were declined for this order: wait \d+ minutes, then try again$/)
    assert.equal((await open(store, other)).statusCode, 200)
    assert.equal((await store.admin.request('GET', `/purchase/${order._id}/decline-wait`)).json().of, 'order')
    await decline(store, other, 10)
    await settleUnresolvedPayments(store.db, store.cards)
    assert.equal(await statusOf(store, othersIntent), 'canceled', 'also where nobody has told of the last decline')
    assert.equal((await store.admin.request('GET', `/purchase/${other._id}/decline-wait`)).json().of, 'order')
  }
})

test('after twenty declined cards of guests in a network no guest there pays for an hour, and an account that has paid, is verified or comes from elsewhere does', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store)
  const [regular, unverified] = [store.newCustomer('Regular'), store.newCustomer('Newcomer')]
  const orderThere = async (buyer: Actor): Promise<Order> => {
    const body = { lines: [{ productId: toolId, quantity: 1 }], buyerAddress: '1 Road' }
    const authorization = `Bearer ${await buyer.token()}`
    return (await store.visitorFrom('192.0.2.1').request('POST', '/orders', body, { authorization })).json()
  }
  const openAs = (buyer: Actor, { _id: orderId }: Order) => buyer.request('POST', '/create-payment-intent', { orderId, productCost: 30 })
  const bought = await openAs(regular, await orderThere(regular))
  await confirmIntent(store, intentIdFromSecret(bought.json().clientSecret))
  await waitForWebhooks(store)

  for (let nth = 0; nth < 4; nth++) await decline(store, await placeGuestOrder(store, { [toolId]: 1 }, guest(nth)), 5)
  const waiting = await placeGuestOrder(store, { [toolId]: 1 }, guest(5))
  const refused = await open(store, waiting)
  assert.equal(refused.statusCode, 429)
  assert.match(
    refused.json().message,
    /^Too many cards were declined in your network: wait \d+ minutes, then try again, or order with an account whose e-mail is verified$/,
  )
  assert.equal((await store.admin.request('GET', `/purchase/${waiting._id}/decline-wait`)).json().of, 'network')
  assert.equal((await openAs(unverified, await orderThere(unverified))).statusCode, 429, 'a guest is an unverified buyer like any other')
  assert.equal((await openAs(regular, await orderThere(regular))).statusCode, 200)
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, unverified.email))
  assert.equal((await openAs(unverified, await orderThere(unverified))).statusCode, 200)
  assert.equal((await open(store, await placeGuestOrder(store, { [toolId]: 1 }, guest(6, '198.51.100.7')))).statusCode, 200)

  await decline(store, waiting, 40)
  const [verified, regularOrder] = [await orderThere(unverified), await orderThere(regular)]
  assert.equal((await openAs(unverified, verified)).statusCode, 429, 'after sixty all who have never paid wait')
  assert.equal((await openAs(regular, regularOrder)).statusCode, 200)
})

test('guests of a network make the store call the card provider as often as one account that has never paid, and for an order as often as a buyer', async () => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store)
  const placed: Order[] = []
  for (let nth = 0; nth < 4; nth++) placed.push(await placeGuestOrder(store, { [toolId]: 1 }, guest(nth)))
  const elsewhere = await placeGuestOrder(store, { [toolId]: 1 }, guest(9, '198.51.100.7'))
  const [first, , , last] = placed as [Order, Order, Order, Order]
  const statuses = async (order: Order, times: number) => {
    const all: number[] = []
    for (let nth = 0; nth < times; nth++) all.push((await open(store, order)).statusCode)
    return all
  }
  assert.deepEqual(await statuses(first, 21), [...Array(20).fill(200), 429])
  for (const order of placed.slice(1, 3)) assert.deepEqual(new Set(await statuses(order, 20)), new Set([200]))
  assert.deepEqual(await statuses(last, 1), [429])
  assert.deepEqual(await statuses(elsewhere, 1), [200])
  assert.equal(
    (await holderOfLink(store, last).request('POST', `/orders/${last._id}/cancel`, {})).statusCode,
    200,
    'each kind is counted apart',
  )
})
