import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { cartIn, changeProduct, openBrowser, quantitiesIn, signInWith } from '#test/cart-actions.ts'
import { setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { createProduct, createTestStoreWithCards, getStock } from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { deleteOldDrafts } from './drafts.ts'

const fields = {
  ...{ email: 'Gwen@Mail.example', name: 'Gwen Byron' },
  ...{ 'deliverTo.country': 'DE', 'deliverTo.line1': 'Ring 1', 'deliverTo.city': 'Berlin', 'deliverTo.postalCode': '10115' },
  key: 'a key of the page',
}

/** A browser without scripts, with a basket of these pieces. */
async function openBasket(store: Store, lines: Record<string, number>) {
  const browser = openBrowser(store.visitor)
  for (const [productId, quantity] of Object.entries(lines)) await browser.add(productId, quantity)
  const send = async (sent: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await store.app.inject({
      ...{ method: 'POST', url: '/checkout', payload: new URLSearchParams(sent).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: browser.cookie(), ...headers },
    })
    for (const { name, value } of response.cookies) browser.jar.set(name, value)
    assert.equal(response.statusCode, 303, response.body)
    return `${response.headers.location}`
  }
  const page = async () => (await browser.request('GET', '/checkout/form')).json()
  /** With the total that the page shows. */
  const order = async (sent: Record<string, string> = {}) => {
    const { estimate } = await page()
    return send({ ...fields, expectedTotalCents: `${estimate?.totals.totalCents}`, send: 'order', ...sent })
  }
  return { browser, send, page, order }
}

const orderPage = /^\/order\/[0-9a-f]{64}\?pay=1$/
const ordersIn = async (store: Store): Promise<{ number: number; order_status: string; total_cents: number }[]> =>
  (await store.db.execute(sql`select number, order_status, total_cents from orders order by number`)).rows as never

test('without a script a guest chooses a country, sees what it costs, orders at that total and is led to the page where it is paid', async () => {
  await using store = await createTestStoreWithCards()
  const { express } = await setUpTaxAndDelivery(store)
  await store.admin.request('POST', '/discount-codes', { code: 'TEN', percentOff: 10 })
  const drill = await createProduct(store, { dollars: 30 })
  const { browser, send, page, order } = await openBasket(store, { [drill]: 2 })
  assert.deepEqual([(await page()).typed.deliverTo.country, (await page()).estimate], ['', null])

  assert.equal(await send({ 'deliverTo.country': 'DE', name: 'Gwen', send: 'deliver-to' }), '/checkout#deliver-to')
  const chosen = await page()
  assert.deepEqual([chosen.typed.name, chosen.typed.deliverTo.country, chosen.refusal], ['Gwen', 'DE', null])
  assert.deepEqual(chosen.estimate.totals, { goodsCents: 6000, reductionCents: 0, deliveryCents: 490, taxCents: 1233, totalCents: 7723 })
  const more = { ...fields, deliveryMethod: express, discountCode: 'ten' }
  assert.equal(await send({ ...more, send: 'code' }), '/checkout#code')
  assert.equal((await page()).estimate.totals.totalCents, 8199)

  assert.match(await order(more), orderPage)
  assert.deepEqual(
    (await ordersIn(store)).map(({ order_status, total_cents }) => [order_status, total_cents]),
    [['open', 8199]],
  )
  assert.deepEqual(quantitiesIn(cartIn(await browser.request('GET', '/cart'))), { Drill: 2 }, 'the basket is kept until it is paid')
  assert.equal((await page()).typed.deliverTo.line1, 'Ring 1', 'and what was typed, for the way back')
})

test('a form that is refused keeps all that was typed, each wrong field with its message, and orders nothing', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  const drill = await createProduct(store, { dollars: 30 })
  const { send, page, order } = await openBasket(store, { [drill]: 2 })
  const wrong = {
    ...{ email: 'gwen', 'deliverTo.postalCode': '1011', vatId: 'DE1', 'deliverTo.city': 'Köln \0& <b>', phone: '1'.repeat(500) },
    ...{ billsElsewhere: 'yes', 'billTo.country': 'US', [`partNumbers.${drill}`]: 'D-1', 'partNumbers.none': 'x', discountCode: 'NONE' },
  }

  assert.equal(await send({ ...fields, ...wrong, send: 'deliver-to' }), '/checkout?refused=form#refused')
  const errors = {
    email: 'This is not an e-mail address',
    'deliverTo.postalCode': 'This is no postal code of Germany',
    vatId: 'This is no VAT id of Germany: DE is right, but the rest does not have its form',
    discountCode: 'There is no code NONE',
  }
  const seen = await page()
  assert.deepEqual({ ...seen.refusal.errors, phone: undefined }, { ...errors, phone: undefined }, 'of what is empty nothing is said yet')
  assert.ok(seen.refusal.errors.phone)
  assert.deepEqual(
    [seen.typed.deliverTo.city, seen.typed.deliverTo.postalCode, seen.typed.partNumbers],
    ['Köln & <b>', '1011', { [drill]: 'D-1' }],
  )
  assert.equal(seen.estimate.totals.totalCents, 7723, 'what it costs without the code')

  assert.equal(await order({ ...wrong, name: '' }), '/checkout?refused=form#refused')
  const all = (await page()).refusal.errors
  assert.deepEqual(
    [all.name, all['billTo.line1'], all['deliverTo.postalCode']],
    ['Enter your full name', 'Enter the address', errors['deliverTo.postalCode']],
  )
  assert.equal(await order({ discountCode: 'NONE' }), '/checkout?refused=form#refused')
  assert.deepEqual((await page()).refusal.errors, { discountCode: errors.discountCode })
  assert.deepEqual(await ordersIn(store), [])
})

test('a form orders at no other total than the one that its page has shown, and by no other delivery', async () => {
  await using store = await createTestStoreWithCards()
  const { parcel } = await setUpTaxAndDelivery(store)
  const drill = await createProduct(store, { dollars: 30 })
  const { send, page, order } = await openBasket(store, { [drill]: 2 })
  assert.equal(await send({ ...fields, send: 'order' }), '/checkout?refused=form#refused')
  assert.deepEqual((await page()).refusal, { code: 'total_changed', message: 'This is what it costs', errors: {} }, 'no total was shown')

  await changeProduct(store, drill, { price: 40 })
  assert.equal(await order({ expectedTotalCents: '7723' }), '/checkout?refused=form#refused')
  assert.deepEqual([(await page()).refusal.code, (await page()).refusal.message], ['total_changed', 'The order now costs $101.03'])
  await store.admin.request('DELETE', `/delivery/methods/${parcel}`)
  const gone = 'This delivery is not offered for your basket any more: choose another one'
  await send({ ...fields, deliveryMethod: parcel, send: 'delivery' })
  assert.deepEqual((await page()).refusal.errors, { deliveryMethod: gone })
  await order({ deliveryMethod: parcel })
  assert.deepEqual((await page()).refusal.errors, { deliveryMethod: gone })
  assert.deepEqual(await ordersIn(store), [])
  assert.match(await order(), orderPage)
})

test('a form that is sent twice is one order; changed on the way back it replaces the unpaid one', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store, { dollars: 30 })
  const { send, page, order } = await openBasket(store, { [drill]: 2 })
  await send({ ...fields, send: 'deliver-to' })

  const [one, two] = await Promise.all([order(), order()])
  assert.match(one, orderPage)
  assert.equal(one, two)
  assert.equal((await page()).refusal, null)
  assert.notEqual(await order({ name: 'Gwen Lovelace' }), one)
  assert.deepEqual(
    (await ordersIn(store)).map(({ order_status }) => order_status),
    ['cancelled', 'open'],
  )
  assert.equal(await getStock(store, drill), 38)
})

test('what was typed without a script is seen by nobody else, in no later session of the browser, and for a day at most', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const { browser, send, page } = await openBasket(store, { [drill]: 2 })
  await send({ ...fields, send: 'deliver-to' })
  assert.equal((await page()).typed.name, 'Gwen Byron')
  const seenWith = async (cookie: string) => (await store.visitor.request('GET', '/checkout/form', undefined, { cookie })).json().typed.name
  const { jar } = browser
  for (const later of ['', `; nucleus.checkout=${'A'.repeat(32)}`])
    assert.equal(await seenWith(`nucleus.cart=${jar.get('nucleus.cart')}${later}`), '', 'a later session has another cookie, or none')
  assert.equal(await seenWith(`nucleus.checkout=${jar.get('nucleus.checkout')}`), '')
  const stranger = await openBasket(store, { [drill]: 1 })
  assert.equal(await seenWith(`${stranger.browser.cookie()}; nucleus.checkout=${jar.get('nucleus.checkout')}`), '')
  const [kept] = (await store.db.execute(sql`select token_hash from checkout_drafts`)).rows
  assert.ok(kept && !`${kept.token_hash}`.includes(`${jar.get('nucleus.checkout')}`))

  await store.db.execute(sql`update checkout_drafts set saved_at = now() - interval '1 day'`)
  assert.equal((await page()).typed.name, '')
  await deleteOldDrafts(store.db)
  assert.equal(await store.db.$count(sql`checkout_drafts`), 0)
})

test('the country that was estimated or ordered for last is where the next checkout begins', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  const drill = await createProduct(store, { dollars: 30 })
  const { browser, page } = await openBasket(store, { [drill]: 2 })
  const deliverTo = { country: 'AT', line1: 'Ring 1', city: 'Wien', postalCode: '1010' }
  browser.jar.set('nucleus.destination', 'country=US&tax=without')
  assert.equal((await page()).typed.deliverTo.country, '', 'nothing is delivered there')

  const placed = await browser.request('POST', '/checkout', { name: 'Gwen', email: 'gwen@mail.example', deliverTo })
  assert.equal(placed.statusCode, 201, placed.body)
  assert.equal(browser.jar.get('nucleus.destination'), 'country=AT&state=&postalCode=1010&tax=without')
  const { typed, estimate } = await page()
  assert.deepEqual([typed.deliverTo.country, typed.deliverTo.postalCode, typed.name], ['AT', '1010', ''])
  assert.equal(estimate.totals.taxCents, 1298)
})

test('a network that sends forms without end is refused in words, and what it has typed last is kept', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const { send, page } = await openBasket(store, { [drill]: 2 })
  await send({ ...fields, send: 'deliver-to' })
  const counted = await store.db.execute(sql`update limits set count = 10000 where key like 'checkout forms%'`)
  assert.ok(counted.rowCount)
  assert.equal(await send({ ...fields, name: 'Mallory', send: 'deliver-to' }), '/checkout?refused=too_many_requests')
  assert.equal((await page()).typed.name, 'Gwen Byron')
})

test('no page of another site, and nobody without the access token of an account, sends the form for somebody', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const { browser, send, page } = await openBasket(store, { [drill]: 2 })
  assert.equal(await send({ ...fields, send: 'order' }, { 'sec-fetch-site': 'cross-site' }), '/checkout?refused=forbidden')
  assert.equal(await send({ ...fields, send: 'order' }, { origin: 'https://evil.example' }), '/checkout?refused=forbidden')
  assert.equal((await page()).typed.name, '', 'nor is anything kept of it')

  await send({ ...fields, send: 'deliver-to' })
  const signedIn = await signInWith(browser, store.customer)
  for (const [name, value] of signedIn.jar) browser.jar.set(name, value)
  assert.equal(await send({ ...fields, expectedTotalCents: '6000', send: 'order' }), '/checkout')
  assert.deepEqual([(await page()).typed.name, (await page()).estimate], ['', null])
  assert.deepEqual(await ordersIn(store), [])
})

test('a network has a few forms of the checkout at a time: hundreds with made-up cookies keep nobody else waiting, and each counts', async () => {
  await using store = await createTestStoreWithCards()
  const send = (cookie: string) =>
    store.app.inject({
      ...{ method: 'POST', url: '/checkout', payload: 'send=order', remoteAddress: '198.51.100.7' },
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    })
  await store.customer.token() // signing in looks a basket up, too
  let sent: ReturnType<typeof send>[] = []
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table cart_tokens`) // whoever looks a basket up waits
    sent = Array.from({ length: 200 }, (_, nth) => send(`nucleus.cart=${`${nth}`.padStart(32, 'Z')}`))
    assert.equal((await store.customer.request('GET', '/orders')).statusCode, 200)
  })
  const pages = (await Promise.all(sent)).map(({ headers }) => headers.location)
  assert.deepEqual(new Set(pages), new Set(['/checkout', '/checkout?refused=overloaded']))
  const { rows } = await store.db.execute(sql`select max(count)::integer as counted from limits where key like 'checkout forms%'`)
  assert.deepEqual(rows, [{ counted: pages.filter((page) => page === '/checkout').length }])
})

test('what is cut off in the middle of a character, and a cookie that somebody has set before, change nothing of what is kept', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const { browser, send, page } = await openBasket(store, { [drill]: 2 })
  browser.jar.set('nucleus.checkout', 'A'.repeat(32))
  assert.equal(await send({ ...fields, poNumber: `${'a'.repeat(299)}😀`, send: 'delivery' }), '/checkout?refused=form#refused')
  assert.equal((await page()).typed.name, 'Gwen Byron')
  assert.notEqual(browser.jar.get('nucleus.checkout'), 'A'.repeat(32))
})

test('a form without a key is a request of its own each time: sent again it replaces the unpaid order', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const { page, send } = await openBasket(store, { [drill]: 2 })
  const { key: _, ...withoutKey } = fields
  assert.match(await send({ ...withoutKey, send: 'delivery' }), /^\/checkout/)
  const order = async () => {
    const { estimate } = await page()
    return send({ ...withoutKey, expectedTotalCents: `${estimate.totals.totalCents}`, send: 'order' })
  }
  const [first, second] = [await order(), await order()]
  assert.match(first, orderPage)
  assert.match(second, orderPage)
  assert.deepEqual(
    (await ordersIn(store)).map(({ order_status }) => order_status),
    ['cancelled', 'open'],
  )
})

test('PO number, discount code and delivery typed for one order are not those of the next basket, and name and address stay', async () => {
  await using store = await createTestStoreWithCards()
  const { express } = await setUpTaxAndDelivery(store)
  const [drill, saw] = [await createProduct(store, { dollars: 30 }), await createProduct(store, { name: 'Saw', dollars: 7 })]
  await store.admin.request('POST', '/discount-codes', { code: 'TEN', percentOff: 10 })
  const { browser, page, send } = await openBasket(store, { [drill]: 2 })
  const ofOrder = { poNumber: 'PO-77', discountCode: 'TEN', deliveryMethod: express }
  const sent = { ...fields, ...ofOrder }
  await send({ ...sent, send: 'delivery' })
  const { totals } = (await page()).estimate
  assert.match(await send({ ...sent, expectedTotalCents: `${totals.totalCents}`, send: 'order' }), orderPage)
  const kept = async () => {
    const { name, deliverTo, poNumber, discountCode, deliveryMethod } = (await page()).typed
    assert.deepEqual([name, deliverTo.city], ['Gwen Byron', 'Berlin'])
    return { poNumber, discountCode, deliveryMethod }
  }
  assert.deepEqual(await kept(), ofOrder, 'on the way back')
  await send({ ...sent, send: 'delivery' })
  assert.deepEqual(await kept(), ofOrder)

  await browser.request('DELETE', `/cart/lines/${drill}`)
  await browser.add(saw, 2)
  const nothing = { poNumber: '', discountCode: '', deliveryMethod: '' }
  assert.deepEqual(await kept(), nothing)
  await send({ ...fields, poNumber: 'PO-78', send: 'delivery' })
  assert.deepEqual(await kept(), { ...nothing, poNumber: 'PO-78' }, 'what was typed since')

  await browser.request('DELETE', `/cart/lines/${saw}`)
  await browser.add(drill, 1)
  await send({ ...sent, expectedTotalCents: '0', send: 'delivery' })
  assert.deepEqual(await kept(), ofOrder)
  const again = (await page()).estimate.totals.totalCents
  assert.match(await send({ ...sent, key: 'another', expectedTotalCents: `${again}`, send: 'order' }), orderPage)
  await store.db.execute(sql`update orders set hold_until = now() - interval '1 hour' where order_status = 'open'`)
  await store.jobs.runAllOnce()
  assert.deepEqual(await kept(), nothing, 'once that order has ended')
})
