import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { openBrowser, signInWith } from '#test/cart-actions.ts'
import { checkOut, putIntoCart, typed } from '#test/checkout-actions.ts'
import { createProducts, payOrder } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  intentIdFromSecret,
  placePurchase,
} from '#test/order-actions.ts'

test('a basket says its unpaid order with the way to pay it, and then that it is paid, for an hour with a link; of another nothing is said', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const lastOrder = async (of: Pick<typeof browser, 'request'> = browser) => (await of.request('GET', '/checkout/last-order')).json().order
  assert.equal(await lastOrder(), null)

  const place = async (name: string) => (await browser.request('POST', '/checkout', { ...typed, name, email: 'gwen@mail.example' })).json()
  await place('Gwen')
  const order = await place('Gwen Byron')
  const { pathname } = new URL(order.link)
  const { number } = order
  assert.deepEqual(await lastOrder(), { number, totalCents: 9000, isPaid: false, orderUrl: pathname, paymentUrl: `${pathname}?pay=1` })
  const bySession = browser.jar.get('nucleus.ordered') ?? ''
  assert.match(bySession, /^[0-9a-f]{64}$/)
  const later = openBrowser(store.visitor) // the same machine, once the browser was closed
  later.jar.set('nucleus.cart', browser.jar.get('nucleus.cart') ?? '')
  const withoutLink = { number, totalCents: 9000, isPaid: false, orderUrl: null, paymentUrl: null }
  assert.deepEqual(await lastOrder(later), withoutLink)
  later.jar.set(
    'nucleus.ordered',
    bySession.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  )
  assert.deepEqual(await lastOrder(later), withoutLink, 'nor with a token that the store has not made')
  assert.equal(await lastOrder(openBrowser(store.visitor)), null)
  assert.equal(await lastOrder(store.otherCustomer), null)

  const intentId = intentIdFromSecret(order.clientSecret)
  await confirmIntent(store, intentId)
  const byLink = { authorization: `Bearer order-${pathname.split('/').at(-1)}` }
  const paid = await store.visitor.request('PATCH', `/purchase/${order._id}`, { pay: true, transectionId: intentId }, byLink)
  assert.equal(paid.statusCode, 200, paid.body)
  assert.deepEqual(await lastOrder(), { number, totalCents: 9000, isPaid: true, orderUrl: pathname, paymentUrl: null })
  await store.db.execute(sql`update orders set placed_at = now() - interval '1 hour'`)
  assert.deepEqual(await lastOrder(), { number, totalCents: 9000, isPaid: true, orderUrl: null, paymentUrl: null })
})

test('the unpaid order of an account leads to pages that ask who it is, and one that is cancelled is no longer said', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const browser = await signInWith(openBrowser(store.visitor), store.customer)
  await browser.add(drill, 3)
  const { _id, number } = (await browser.request('POST', '/checkout', typed)).json()
  const { cookie } = browser
  const seen = async () => (await store.visitor.request('GET', '/checkout/last-order', undefined, { cookie: cookie() })).json().order
  const urls = { orderUrl: `/dashboard/myorder/${_id}`, paymentUrl: `/dashboard/payment/${_id}` }
  assert.deepEqual(await seen(), { number, totalCents: 9000, isPaid: false, ...urls })
  await cancelPurchase(store.customer, { _id })
  assert.equal(await seen(), null)
})

test('the basket of an account tells nothing of an order that a guest has placed with it before, whoever signs in there', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const guest = openBrowser(store.visitor)
  await guest.add(drill, 3)
  const placed = await guest.request('POST', '/checkout', { ...typed, email: 'gwen@mail.example' })
  assert.equal(placed.statusCode, 201, placed.body)
  const signedIn = await signInWith(guest, store.customer)
  await signedIn.add(drill, 1)
  assert.equal((await signedIn.request('GET', '/checkout/last-order')).json().order, null)
  assert.equal((await store.customer.request('GET', '/checkout/last-order')).json().order, null)
})

test('a paid order is not said to be the last one while a later one of other products waits for its payment', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw] = await createProducts(store)
  const last = async () => (await customer.request('GET', '/checkout/last-order')).json().order?.number
  await putIntoCart(customer, { [drill]: 1 })
  const paid = await checkOut(customer)
  await payOrder(store, paid)
  assert.equal(await last(), paid.number)
  await putIntoCart(customer, { [saw]: 2 })
  const open = await checkOut(customer)
  assert.equal(await last(), open.number)
  await customer.request('DELETE', `/cart/lines/${saw}`)
  assert.equal(await last(), undefined, 'the basket is empty, and there is something to pay')
  await payOrder(store, open)
  assert.equal(await last(), open.number)
})

test('a basket says which unpaid orders of an account ordering it does not replace, the newest three and how many there are', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw, board] = await createProducts(store)
  const others = async (of: Pick<typeof customer, 'request'> = customer) => (await of.request('GET', '/checkout/last-order')).json().others
  assert.deepEqual(await others(), { orders: [], count: 0 })
  await putIntoCart(customer, { [drill]: 1 })
  const ofDrill = await checkOut(customer)
  const nothing = { orders: [], count: 0 }
  assert.deepEqual(await others(), nothing, 'ordering the basket replaces it')
  await customer.request('DELETE', `/cart/lines/${drill}`)
  await putIntoCart(customer, { [saw]: 2 })
  const told = ({ _id, number, totalCents }: { _id: string; number: number; totalCents: number }) => ({
    ...{ number, totalCents },
    orderUrl: `/dashboard/myorder/${_id}`,
  })
  assert.deepEqual(await others(), { orders: [told(ofDrill)], count: 1 })
  assert.deepEqual(await others(store.otherCustomer), nothing)

  const more = []
  for (let nth = 0; nth < 3; nth++) {
    const { _id, number } = await placePurchase(store, { toolId: board, dollars: 250 }) // from the product's page, of no basket
    more.unshift(told({ _id, number, totalCents: 25000 }))
  }
  assert.deepEqual(await others(), { orders: more, count: 4 })
  for (const { orderUrl } of more) await cancelPurchase(customer, { _id: orderUrl.slice('/dashboard/myorder/'.length) })
  await payOrder(store, ofDrill)
  assert.deepEqual(await others(), nothing)
})

test('a basket tells a guest of the unpaid orders of that basket alone, and leads to one in the browser session that has placed it', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const order = (await browser.request('POST', '/checkout', { ...typed, email: 'gwen@mail.example' })).json()
  await browser.request('DELETE', `/cart/lines/${drill}`)
  await browser.add(saw, 2)
  const others = async (of: Pick<typeof browser, 'request'> = browser) => (await of.request('GET', '/checkout/last-order')).json().others
  const { number, totalCents } = order
  assert.deepEqual(await others(), { orders: [{ number, totalCents, orderUrl: new URL(order.link).pathname }], count: 1 })
  const later = openBrowser(store.visitor)
  later.jar.set('nucleus.cart', browser.jar.get('nucleus.cart') ?? '')
  assert.deepEqual(await others(later), { orders: [{ number, totalCents, orderUrl: null }], count: 1 })
  const another = openBrowser(store.visitor)
  await another.add(saw, 2)
  assert.deepEqual(await others(another), { orders: [], count: 0 })
  const signedIn = await signInWith(browser, store.customer)
  assert.deepEqual(await others(signedIn), { orders: [], count: 0 })
})
