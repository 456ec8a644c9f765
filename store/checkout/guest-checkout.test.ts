import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cartIn, openBrowser, quantitiesIn, signInWith } from '#test/cart-actions.ts'
import { setUpTaxAndDelivery, typed } from '#test/checkout-actions.ts'
import { confirmIntent, createProduct, createTestStoreWithCards, getStock, intentIdFromSecret } from '#test/order-actions.ts'
import { anEmptyStore } from '#test/store.ts'

const asGuest = { ...typed, email: 'Guest@Shop.example' }

test('a guest orders the basket with an e-mail, pays by the link, and the basket is empty', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)

  const withoutEmail = await browser.request('POST', '/checkout', typed)
  assert.deepEqual([withoutEmail.statusCode, withoutEmail.json().errors], [400, { email: 'Enter your e-mail' }])
  const placed = await browser.request('POST', '/checkout', asGuest)
  assert.equal(placed.statusCode, 201, placed.body)
  const order = placed.json()
  assert.deepEqual([order.buyerEmail, order.guest, order.totalCents], ['guest@shop.example', true, 9000])
  const [, token] = /\/order\/([0-9a-f]{64})$/.exec(order.link) ?? []
  assert.ok(token, order.link)

  const byLink = { authorization: `Bearer order-${token}` }
  assert.equal((await store.visitor.request('GET', `/orders/${order._id}`, undefined, byLink)).json().number, order.number)
  assert.equal((await store.visitor.request('GET', `/orders/${order._id}/details`, undefined, byLink)).json().details.name, typed.name)
  assert.equal((await store.visitor.request('GET', `/orders/${order._id}/details`)).statusCode, 401)
  const intentId = intentIdFromSecret(order.clientSecret)
  await confirmIntent(store, intentId)
  const paid = await store.visitor.request('PATCH', `/purchase/${order._id}`, { pay: true, transectionId: intentId }, byLink)
  assert.equal(paid.statusCode, 200, paid.body)
  assert.deepEqual(cartIn(await browser.request('GET', '/cart')).lines, [])
})

test('placing the basket of a guest again replaces the unpaid order, and the same key is the same order', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const place = (key: string) => browser.request('POST', '/checkout', asGuest, { 'idempotency-key': key })

  const first = (await place('one')).json()
  assert.equal((await place('one')).json()._id, first._id)
  assert.equal((await browser.request('POST', '/checkout', { ...asGuest, name: 'Bob' }, { 'idempotency-key': 'one' })).statusCode, 422)
  const second = (await place('two')).json()
  assert.notEqual(second._id, first._id)
  assert.equal(await getStock(store, drill), 37, 'the pieces of one of them are held')
})

test('an order that was placed as a guest is replaced when its basket is ordered after signing in, also under the same key', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const key = { 'idempotency-key': 'one' }
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const first = (await browser.request('POST', '/checkout', asGuest, key)).json()
  await store.customer.request('POST', '/cart/lines', { productId: drill, quantity: 1 })
  await store.customer.request('POST', '/checkout', typed, key)

  const signedIn = await signInWith(browser, store.customer)
  assert.deepEqual(quantitiesIn(cartIn(await signedIn.request('GET', '/cart'))), { Drill: 4 })
  const placed = await signedIn.request('POST', '/checkout', typed, { 'idempotency-key': 'two' })
  assert.equal(placed.statusCode, 201, placed.body)
  assert.equal(await getStock(store, drill), 36, 'the pieces of this order alone are held')
  assert.equal((await store.admin.request('GET', `/orders/${first._id}`)).json().orderStatus, 'cancelled')
})

test("the basket of an account is ordered by nobody who is not signed in, and a guest's by nobody else", async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const browser = await signInWith(openBrowser(store.visitor), store.customer)
  await browser.add(drill, 2)
  const refused = await store.visitor.request('POST', '/checkout', asGuest, { cookie: browser.cookie() })
  assert.deepEqual([refused.statusCode, refused.json().message], [401, 'This basket is that of an account: sign in to order it'])
  const stranger = await store.visitor.request('POST', '/checkout', asGuest)
  assert.deepEqual([stranger.statusCode, stranger.json().code], [409, 'cart_empty'])
  const guest = openBrowser(store.visitor)
  await guest.add(drill, 1)
  assert.equal((await guest.request('POST', '/checkout', asGuest, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
  assert.deepEqual(quantitiesIn(cartIn(await browser.request('GET', '/cart'))), { Drill: 2 })
})

test('a checkout is charged what its estimate said, with delivery and tax, to the cent, and the order keeps both', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  const drill = await createProduct(store, { dollars: 10.3 })
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 7)
  const { country, postalCode } = typed.deliverTo
  const estimate = (await browser.request('GET', `/checkout/estimate?country=${country}&postalCode=${postalCode}`)).json()
  assert.ok(estimate.totals.taxCents > 0 && estimate.totals.deliveryCents > 0)

  const order = (await browser.request('POST', '/checkout', { ...asGuest, expectedTotalCents: estimate.totals.totalCents })).json()
  assert.deepEqual(order.totals, estimate.totals)
  assert.deepEqual([order.totalCents, order.taxes], [estimate.totals.totalCents, estimate.taxes])
  const intent = await store.cards.stripe.paymentIntents.retrieve(intentIdFromSecret(order.clientSecret))
  assert.equal(intent.amount, estimate.totals.totalCents)
})
