import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { carts } from '#store/cart/table.ts'
import { deliveryMethods } from '#store/delivery/table.ts'
import { taxRates } from '#store/tax/table.ts'
import { cartIn, changeProduct, openBrowser, quantitiesIn, signInWith } from '#test/cart-actions.ts'
import { askEstimate, berlin, checkOut, putIntoCart, sendCheckout, setUpTaxAndDelivery, typed } from '#test/checkout-actions.ts'
import { createProducts, payOrder, showOrder } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  expireHold,
  getOrderEventNames,
  getOrderHistory,
  getStock,
  intentIdFromSecret,
  openPaymentIntent,
  recordPayment,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore } from '#test/store.ts'

const refusalOf = (response: ApiResponse) => [response.statusCode, response.json().code]
const cartOf = async (actor: Pick<Actor, 'request'>) => quantitiesIn(cartIn(await actor.request('GET', '/cart')))

test('an invoice that goes to a country that nothing is delivered to changes neither tax nor delivery', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  const [drill] = await createProducts(store)
  await putIntoCart(store.customer, { [drill]: 2 })
  const estimated = await askEstimate(store.customer)
  const billTo = { country: 'CH', line1: 'Bahnhofstrasse 1', city: 'Zürich', postalCode: '8001' }
  const placed = await checkOut(store.customer, { billTo })
  assert.deepEqual([placed.totals.totalCents, placed.taxCents > 0], [estimated.totals.totalCents, true])
  const delivered = await sendCheckout(store.customer, { deliverTo: billTo })
  assert.deepEqual(refusalOf(delivered), [409, 'not_deliverable'])
})

test('a checkout orders all that is in the basket, for the address as it is written in its country, and keeps what was typed', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  await putIntoCart(store.customer, { [drill]: 2, [saw]: 3 })

  const placed = await checkOut(store.customer, {
    phone: '+49 30 1234567',
    billTo: { country: 'US', line1: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701' },
    company: 'Analytical Engines',
    vatId: 'de 136 695 976',
    poNumber: 'PO-7',
    buyerReference: '',
    partNumbers: [
      { productId: drill, partNumber: 'D-99' },
      { productId: saw, partNumber: '' },
      { productId: crypto.randomUUID(), partNumber: 'not ordered' },
    ],
  })

  assert.deepEqual(
    placed.lines.map(({ productName, quantity }) => [productName, quantity]),
    [
      ['Drill', 2],
      ['Saw', 3],
    ],
  )
  assert.equal(placed.buyerAddress, 'Ada Byron\nAnalytical Engines\nInvalidenstraße 116\n10115 Berlin\nGermany')
  assert.deepEqual([placed.country, placed.totalCents, placed.totals.totalCents, placed.buyerName], ['DE', 8100, 8100, 'Ada'])
  const detailsFor = (actor: Actor, id = placed._id) => actor.request('GET', `/orders/${id}/details`)
  const expected = {
    name: 'Ada Byron',
    deliverTo: berlin,
    billTo: { country: 'US', line1: '1 Main St', city: 'Springfield', postalCode: '62701', state: 'IL' },
    company: 'Analytical Engines',
    vatId: 'DE136695976',
    poNumber: 'PO-7',
    buyerReference: null,
    deliveryMethod: null,
    partNumbers: [{ productId: drill, partNumber: 'D-99' }],
  }
  assert.deepEqual((await detailsFor(store.customer)).json(), { details: expected })
  assert.deepEqual((await detailsFor(store.admin, placed.lines[1]?._id)).json(), { details: expected })
  assert.equal((await detailsFor(store.otherCustomer)).statusCode, 404)
  const without = await store.customer.request('POST', '/orders', { lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road' })
  assert.deepEqual((await detailsFor(store.customer, without.json()._id)).json(), { details: null })
})

test('a customer who comes back is told what they typed last, and a new one their name', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const defaults = async (actor: Actor) => (await actor.request('GET', '/checkout/defaults')).json()
  const empty = { phone: null, deliverTo: null, billTo: null, company: null, vatId: null, buyerReference: null, ofCompany: null }
  assert.deepEqual(await defaults(store.customer), { name: 'Ada', ...empty })

  await putIntoCart(store.customer, { [drill]: 1 })
  const billTo = { ...berlin, line1: 'Chausseestraße 1' }
  await checkOut(store.customer, { phone: '+49 30 1234567', billTo, company: 'Engines', poNumber: 'PO-1', buyerReference: 'Lab' })
  const told = {
    phone: '+49 30 1234567',
    deliverTo: berlin,
    billTo,
    company: 'Engines',
    vatId: null,
    buyerReference: 'Lab',
    ofCompany: null,
  }
  const known = { name: 'Ada Byron', ...told }
  assert.deepEqual(await defaults(store.customer), known)
  assert.deepEqual(await defaults(store.otherCustomer), { name: 'Bob', ...empty })
})

test('an empty basket is not ordered, nor one with a line that cannot be, nor one that has changed unless its total is expected', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  assert.deepEqual(refusalOf(await sendCheckout(store.customer)), [409, 'cart_empty'])

  await putIntoCart(store.customer, { [drill]: 10, [saw]: 10, [board]: 1 })
  await changeProduct(store, drill, { pieces: 9 })
  await changeProduct(store, saw, { pieces: 2 })
  const short = await sendCheckout(store.customer)
  assert.deepEqual(refusalOf(short), [409, 'cart_changed'])
  assert.equal(short.json().message, '2 lines cannot be ordered as they stand: Drill (Only 9 left), Saw (Only 2 left)')
  assert.deepEqual(short.json().lines, [
    { productId: drill, asked: 10, available: 9 },
    { productId: saw, asked: 10, available: 2 },
  ])
  assert.equal(await getStock(store, board), 40, 'nothing was ordered')

  await store.customer.request('DELETE', `/cart/lines/${drill}`)
  await store.customer.request('DELETE', `/cart/lines/${saw}`)
  await changeProduct(store, board, { price: 260 })
  const unseen = await sendCheckout(store.customer)
  assert.deepEqual(refusalOf(unseen), [409, 'cart_changed'])
  assert.equal(unseen.json().message, 'Your basket has changed: Board: Was $250, now $260')
  const another = await sendCheckout(store.customer, { expectedTotalCents: 25_000 })
  assert.deepEqual([...refusalOf(another), another.json().totalCents], [409, 'total_changed', 26_000])
  assert.equal((await checkOut(store.customer, { expectedTotalCents: 26_000 })).totalCents, 26_000)
  assert.deepEqual(cartIn(await store.customer.request('GET', '/cart')).lines[0]?.notices, [], 'the new price has been seen')
})

test('a wrong address, a wrong VAT id and a wrong discount code are refused at their fields, and nothing is ordered', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 1 })
  const errorsOf = async (more: object) => {
    const refused = await sendCheckout(store.customer, more)
    assert.equal(refused.statusCode, 400, refused.body)
    return refused.json().errors
  }
  assert.deepEqual(await errorsOf({ deliverTo: { ...berlin, postalCode: '1011' } }), {
    'deliverTo.postalCode': 'This is no postal code of Germany',
  })
  assert.deepEqual(Object.keys(await errorsOf({ billTo: { country: 'US', line1: '1 Main St', city: 'Springfield' } })).sort(), [
    'billTo.postalCode',
    'billTo.state',
  ])
  const vatIdFaults = {
    DE136695975: 'This is no VAT id of Germany: DE is right, but a digit of the rest is wrong',
    FR1: 'This is no VAT id of France: FR is right, but the rest does not have its form',
    EL1: 'This is no VAT id of Greece: EL is right, but the rest does not have its form',
    136695976: 'This is no VAT id: it begins with the letters of its country, such as DE136695976',
  }
  for (const [vatId, message] of Object.entries(vatIdFaults)) assert.deepEqual(await errorsOf({ vatId }), { vatId: message })
  assert.deepEqual(await errorsOf({ discountCode: 'NONE' }), { discountCode: 'There is no code NONE' })
  assert.equal((await sendCheckout(store.visitor)).statusCode, 400)
  assert.equal(await getStock(store, drill), 40)
})

test('codes that cannot be used are counted, at the checkout and where its cost is estimated', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 1 })
  for (let nth = 0; nth < 10; nth++) {
    assert.equal((await sendCheckout(store.customer, { discountCode: `GUESS${nth}` })).statusCode, 400)
    assert.equal((await store.customer.request('GET', `/checkout/estimate?country=DE&discountCode=ESTIMATE${nth}`)).statusCode, 400)
  }
  assert.equal((await sendCheckout(store.customer, { discountCode: 'MORE' })).statusCode, 429)
  assert.equal((await store.customer.request('GET', '/checkout/estimate?country=DE&discountCode=MORE')).statusCode, 429)
  assert.equal((await checkOut(store.customer)).totalCents, 3000, 'without a code it is ordered')
})

test("the buyer's own number of an order stands in lists of orders, and finds it in that of all", async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const place = async (more: object) => {
    await putIntoCart(store.customer, { [drill]: 1 })
    return checkOut(store.customer, more)
  }
  const numbered = await place({ poNumber: 'PO-2026/77' })
  await payOrder(store, numbered)
  const other = await place({})
  const numbersIn = (list: { number: number; poNumber?: string | null }[]) => list.map(({ number, poNumber }) => [number, poNumber ?? null])
  const all = [
    [other.number, null],
    [numbered.number, 'PO-2026/77'],
  ]
  assert.deepEqual(numbersIn((await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).json()), all)
  const searched = async (q: string) =>
    numbersIn((await store.admin.request('GET', `/bookings/page?q=${encodeURIComponent(q)}`)).json().orders)
  assert.deepEqual(await searched(''), all)
  for (const q of ['po-2026/77', `2026/77 ${store.customer.email}`]) assert.deepEqual(await searched(q), all.slice(1), q)
  assert.deepEqual(await searched('po-2027'), [])
})

test('the same key is the same order, however often it is sent, and with another body it is refused', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 2 })
  const key = { 'idempotency-key': 'one' }
  const sent = await Promise.all([1, 2, 3].map(() => checkOut(store.customer, {}, key)))
  assert.equal(new Set(sent.map(({ _id }) => _id)).size, 1)
  assert.equal(new Set(sent.map(({ clientSecret }) => clientSecret)).size, 1)
  assert.equal(await getStock(store, drill), 38)
  assert.deepEqual(refusalOf(await sendCheckout(store.customer, { poNumber: 'PO-2' }, key)), [422, 'idempotency_key_reused'])

  await putIntoCart(store.otherCustomer, { [drill]: 1 })
  const ofOther = await checkOut(store.otherCustomer, {}, key)
  assert.notEqual(ofOther._id, sent[0]?._id, "a key is of its cart, and finds nobody else's order")
})

test('placing a basket again replaces its unpaid order, whose pieces it may use; what is refused leaves that order as it is', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store, { pieces: 10 })
  await putIntoCart(store.customer, { [drill]: 8 })
  const first = await checkOut(store.customer)
  assert.deepEqual(cartIn(await store.customer.request('GET', '/cart')).problem, null, 'its own order does not stand in its way')

  assert.deepEqual(refusalOf(await sendCheckout(store.customer, { expectedTotalCents: 1 })), [409, 'total_changed'])
  assert.equal((await showOrder(store.customer, first._id)).orderStatus, 'open')
  await putIntoCart(store.customer, { [drill]: 1 })
  const second = await checkOut(store.customer, {}, { 'idempotency-key': 'two' })

  assert.equal((await showOrder(store.customer, first._id)).orderStatus, 'cancelled')
  assert.deepEqual(
    (await getOrderHistory(store, first)).flatMap(({ replacedBy }) => replacedBy ?? []),
    [{ _id: second._id, number: second.number }],
  )
  assert.deepEqual([second.lines[0]?.quantity, await getStock(store, drill)], [9, 1])
  const refused = await confirmIntent(store, intentIdFromSecret(first.clientSecret ?? '')).catch((error: Error) => error)
  assert.ok(refused instanceof Error, 'the card form of the first one charges nothing any more')
  const together = await Promise.all([sendCheckout(store.customer), sendCheckout(store.customer), sendCheckout(store.customer)])
  assert.deepEqual(new Set(together.map(({ statusCode }) => statusCode)), new Set([201]))
  const { orders } = (await store.customer.request('GET', '/orders?orderStatus=open')).json()
  assert.equal(orders.length, 1, 'a cart has one open order')
  assert.equal(await getStock(store, drill), 1)
})

test('what the limits of a buyer or of a card refuse leaves the unpaid order of the basket as it is, too', async () => {
  const oneAnHour = { openOrders: 10, heldPieces: 5000, heldCents: 5_000_000, ordersPerHour: 1 }
  await using store = await anEmptyStore({ cards: true, buyerLimits: oneAnHour })
  const [drill, screw] = [await createProduct(store), await createProduct(store, { name: 'Screw', dollars: 0.1 })]
  await putIntoCart(store.customer, { [drill]: 1 })
  const first = await checkOut(store.customer)
  const again = await sendCheckout(store.customer, { phone: '+49 30 1234567' })
  assert.deepEqual(refusalOf(again), [429, 'over_buyer_limit'])
  await store.customer.request('DELETE', `/cart/lines/${drill}`)
  await putIntoCart(store.customer, { [screw]: 1 })
  assert.deepEqual(refusalOf(await sendCheckout(store.customer)), [400, 'costs_too_little'])
  assert.equal((await showOrder(store.customer, first._id)).orderStatus, 'open')
})

test('what the limits of a buyer or of a card refuse is refused in their words where the basket has no unpaid order, and changes nothing', async () => {
  const oneOpen = { openOrders: 1, heldPieces: 5000, heldCents: 5_000_000, ordersPerHour: 10 }
  await using store = await anEmptyStore({ cards: true, buyerLimits: oneOpen })
  const [drill, screw] = [await createProduct(store), await createProduct(store, { name: 'Screw', dollars: 0.1 })]
  await putIntoCart(store.customer, { [screw]: 1 })
  const versions = () => store.db.select({ version: carts.version }).from(carts)
  const before = await versions()
  assert.deepEqual(refusalOf(await sendCheckout(store.customer)), [400, 'costs_too_little'])
  const placed = await store.customer.request('POST', '/orders', { lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road' })
  assert.equal(placed.statusCode, 201, placed.body)
  await store.customer.request('DELETE', `/cart/lines/${screw}`)
  await putIntoCart(store.customer, { [drill]: 1 })
  const filled = await versions()
  assert.notDeepEqual(filled, before)
  assert.deepEqual(refusalOf(await sendCheckout(store.customer)), [409, 'over_buyer_limit'])
  assert.deepEqual(await versions(), filled)
})

test('an order of a basket that turns out to be paid is not replaced, and one that the card provider cannot end stays', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 2 })
  const placed = await checkOut(store.customer)
  const fault = sandboxControls(store).calls.inject({ times: Infinity }, { answer: 'api_error' })
  const away = await sendCheckout(store.customer, { poNumber: 'later' })
  assert.equal(away.statusCode, 503, away.body)
  fault.remove()
  assert.equal((await showOrder(store.customer, placed._id)).orderStatus, 'open')

  dropWebhooks(store)
  await confirmIntent(store, intentIdFromSecret(placed.clientSecret ?? ''))
  const late = await sendCheckout(store.customer, { poNumber: 'late' })
  assert.deepEqual(refusalOf(late), [409, 'order_not_open'])
  assert.equal(late.json().message, `Your basket is ordered and paid already, as order ${placed.number}`)
  assert.deepEqual(await cartOf(store.customer), {})
})

test('paying takes the ordered pieces out of the basket and leaves what was added meanwhile; ending the order leaves all', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  await putIntoCart(store.customer, { [drill]: 2, [saw]: 3 })
  const placed = await checkOut(store.customer)
  assert.deepEqual(await cartOf(store.customer), { Drill: 2, Saw: 3 }, 'an unpaid order takes nothing out')
  await putIntoCart(store.customer, { [drill]: 4, [board]: 1 })
  await store.customer.request('PUT', `/cart/lines/${saw}`, { quantity: 2 })
  await putIntoCart(store.otherCustomer, { [drill]: 2 })
  await confirmIntent(store, intentIdFromSecret(placed.clientSecret ?? ''))
  await waitForWebhooks(store)
  assert.deepEqual(await cartOf(store.customer), { Drill: 4, Board: 1 })
  assert.deepEqual(await cartOf(store.otherCustomer), { Drill: 2 })

  const expired = await checkOut(store.customer)
  await expireHold(store, expired)
  await store.jobs.runAllOnce()
  assert.equal((await showOrder(store.customer, expired._id)).orderStatus, 'expired')
  assert.deepEqual(await cartOf(store.customer), { Drill: 4, Board: 1 })
})

test("a visitor's basket that was filled before signing in is the one that is ordered, and paying empties it", async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const signedIn = openBrowser(store.customer)
  for (const [name, value] of browser.jar) signedIn.jar.set(name, value)
  const placed = await signedIn.request('POST', '/checkout', typed)
  assert.equal(placed.statusCode, 201, placed.body)
  const intentId = intentIdFromSecret(placed.json().clientSecret)
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment({ ...store.customer, request: signedIn.request }, placed.json(), intentId)).statusCode, 200)
  assert.equal(signedIn.jar.get('nucleus.cart-lines'), '0', 'the navigation bar knows')
  assert.deepEqual(await cartOf(await signInWith(browser, store.customer)), {})
})

test('where the card provider does not answer the order stands without a client secret, and can be paid later', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 1 })
  const fault = sandboxControls(store).calls.inject({ times: Infinity }, { answer: 'api_error' })
  const placed = await checkOut(store.customer)
  assert.deepEqual([placed.clientSecret, placed.orderStatus], [null, 'open'])
  fault.remove()
  assert.ok(await openPaymentIntent(store, { ...placed, productCost: placed.totalCents / 100 } as never))
  assert.deepEqual(await getOrderEventNames(store, placed), ['placed'])
})

test('a shop that has set a tax or a delivery takes no order that names no country, and says where to order', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const refusals = async () => {
    const single = { toolId: drill, productName: 'Drill', productPrice: 30, productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
    const bodies = { '/orders': { lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road' }, '/purchase': single }
    const sent = Object.entries(bodies).map(([path, body]) => store.customer.request('POST', path, body))
    return (await Promise.all(sent)).map(({ statusCode, json }) => (statusCode === 201 ? 'placed' : json().code))
  }
  assert.deepEqual(await refusals(), ['placed', 'placed'])
  await store.admin.request('PUT', '/tax/settings', { country: 'DE', state: null, pricesIncludeTax: false })
  assert.deepEqual(await refusals(), ['placed', 'placed'], 'no rate is set yet')
  await store.admin.request('POST', '/tax/rate-sets', { set: 'eu-vat' })
  assert.deepEqual(await refusals(), ['checkout_required', 'checkout_required'])
  await store.admin.request('PUT', '/tax/settings', { country: null, state: null, pricesIncludeTax: false })
  assert.deepEqual(await refusals(), ['placed', 'placed'])
  await setUpTaxAndDelivery(store)
  await store.db.delete(taxRates)
  assert.deepEqual(await refusals(), ['checkout_required', 'checkout_required'], 'delivery alone')
})

test('where a line of an unpaid order is cancelled, the delivery costs what it costs for the lines that are left', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const { parcel } = await setUpTaxAndDelivery(store)
  const byGoods = (priceCents: number) => [
    { upTo: 3000, priceCents },
    { upTo: 100_000, priceCents: 990 },
  ]
  await store.db
    .update(deliveryMethods)
    .set({ pricedBy: 'goods', steps: byGoods(290) })
    .where(eq(deliveryMethods._id, parcel))
  await putIntoCart(store.customer, { [drill]: 1, [saw]: 2 })
  const placed = await checkOut(store.customer, { deliveryMethod: parcel })
  assert.equal(placed.deliveryCents, 990)

  const lineOf = (product: string) => placed.lines.find(({ productId }) => productId === product)?._id ?? ''
  assert.equal((await cancelPurchase(store.customer, { _id: lineOf(saw) })).statusCode, 200)

  const { deliveryCents, taxCents, totalCents } = await showOrder(store.customer, placed._id)
  assert.deepEqual([deliveryCents, taxCents, totalCents], [290, 625, 3915])
})

test('where a line of an unpaid order is cancelled after its delivery method was removed, the delivery costs what it did, or stays free', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const { parcel, express } = await setUpTaxAndDelivery(store)
  const steps = [
    { upTo: 3000, priceCents: 290 },
    { upTo: 100_000, priceCents: 990 },
  ]
  await store.db.update(deliveryMethods).set({ pricedBy: 'goods', steps })
  await store.db.update(deliveryMethods).set({ freeFromCents: 4000 }).where(eq(deliveryMethods._id, express))
  const place = async (deliveryMethod: string) => {
    await putIntoCart(store.customer, { [drill]: 1, [saw]: 2 })
    const order = await checkOut(store.customer, { deliveryMethod })
    for (const product of [drill, saw]) await store.customer.request('DELETE', `/cart/lines/${product}`) // so that the next one replaces nothing
    return order
  }
  const costsWithoutSaws = async ({ _id, lines }: { _id: string; lines: { _id: string; productId: string }[] }) => {
    const saws = lines.find(({ productId }) => productId === saw)?._id ?? ''
    assert.equal((await cancelPurchase(store.customer, { _id: saws })).statusCode, 200)
    const { deliveryCents, totalCents } = await showOrder(store.customer, _id)
    return [deliveryCents, totalCents]
  }
  const charged = await place(parcel)
  assert.equal((await store.admin.request('DELETE', `/delivery/methods/${parcel}`)).statusCode, 200)
  assert.deepEqual(await costsWithoutSaws(charged), [990, 4748])
  const free = await place(express)
  assert.equal(free.deliveryCents, 0)
  assert.equal((await store.admin.request('DELETE', `/delivery/methods/${express}`)).statusCode, 200)
  assert.deepEqual(await costsWithoutSaws(free), [0, 3570])
})

test('the estimate says goods, reduction, delivery, tax by rate and total of each method, and the checkout expects its total', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  await putIntoCart(store.customer, { [drill]: 2, [saw]: 3 })
  assert.deepEqual(await askEstimate(store.customer), {
    totals: { goodsCents: 8100, reductionCents: 0, deliveryCents: 0, taxCents: 0, totalCents: 8100 },
    ...{
      pricesIncludeTax: false,
      taxes: [],
      taxSentence: null,
      methods: [],
      chosenMethod: null,
      deliveryCentsWithoutCode: 0,
      problem: null,
      paymentMethods: [{ method: 'card', problem: null, holdDays: null }],
    },
  })
  const { parcel, express } = await setUpTaxAndDelivery(store)
  await store.admin.request('POST', '/discount-codes', { code: 'TEN', percentOff: 10 })

  const cheapest = await askEstimate(store.customer, { postalCode: '10115', discountCode: 'TEN' })
  assert.deepEqual(cheapest.totals, { goodsCents: 8100, reductionCents: 810, deliveryCents: 490, taxCents: 1478, totalCents: 9258 })
  assert.deepEqual(cheapest.taxes, [{ ratePpm: 190_000, netCents: 7780, taxCents: 1478 }])
  assert.deepEqual(
    cheapest.methods.map(({ id, name, carrier, priceCents }) => [id, name, carrier, priceCents]),
    [
      [parcel, 'Parcel', 'DHL', 490],
      [express, 'Express', 'DHL', 1490],
    ],
  )
  assert.equal(cheapest.chosenMethod, parcel)
  const faster = await askEstimate(store.customer, { deliveryMethod: express })
  assert.deepEqual([faster.chosenMethod, faster.totals.deliveryCents, faster.totals.totalCents], [express, 1490, 11_412])
  const business = await askEstimate(store.customer, { country: 'AT', vatId: 'ATU13585627' })
  assert.deepEqual([business.totals.taxCents, business.totals.totalCents], [0, 8590])
  assert.match(business.taxSentence ?? '', /reverse charge/)

  const order = { deliveryMethod: express, expectedTotalCents: faster.totals.totalCents }
  const placed = await checkOut(store.customer, order)
  const { details } = (await store.customer.request('GET', `/orders/${placed._id}/details`)).json()
  const { earliest, latest } = faster.methods[1] ?? {}
  assert.deepEqual(details.deliveryMethod, { id: express, name: 'Express', carrier: 'DHL', earliest, latest })
})

test('what cannot be delivered there is not ordered, nor by a method that is not offered', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 1 })
  const countriesOf = async () => (await store.visitor.request('GET', '/checkout/countries')).json().countries
  assert.ok((await countriesOf()).length > 200)
  await setUpTaxAndDelivery(store)
  assert.deepEqual(await countriesOf(), ['AT', 'DE'])

  const estimated = await askEstimate(store.customer, { country: 'FR' })
  assert.deepEqual([estimated.problem, estimated.methods], ['Nothing is delivered to France', []])
  const france = { country: 'FR', line1: '1 Rue', city: 'Paris', postalCode: '75001' }
  assert.deepEqual(refusalOf(await sendCheckout(store.customer, { deliverTo: france })), [409, 'not_deliverable'])
  const gone = await sendCheckout(store.customer, { deliveryMethod: crypto.randomUUID() })
  assert.deepEqual(refusalOf(gone), [409, 'not_deliverable'])
  assert.equal(await getStock(store, drill), 40)
  assert.equal((await checkOut(store.customer)).country, 'DE')
})

test('of prices with tax the tax is a part, and a state is known by its name or its code', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 119 })
  await putIntoCart(store.customer, { [drill]: 1 })
  await setUpTaxAndDelivery(store, { pricesIncludeTax: true })
  const gross = await askEstimate(store.customer)
  assert.deepEqual(gross.totals, { goodsCents: 11_900, reductionCents: 0, deliveryCents: 490, taxCents: 1978, totalCents: 12_390 })
  assert.equal(gross.pricesIncludeTax, true)

  await store.admin.request('PUT', '/tax/settings', { country: 'US', state: 'NY', pricesIncludeTax: false })
  await store.admin.request('POST', '/tax/rates', { country: 'US', state: 'CA', taxClass: 'standard', ratePpm: 72_500 })
  for (const state of ['California', 'CA', 'us-ca'])
    assert.deepEqual((await askEstimate(store.customer, { country: 'US', state })).taxes[0]?.ratePpm, 72_500, state)
  assert.deepEqual((await askEstimate(store.customer, { country: 'US', state: 'Nevada' })).taxes, [])
})

test('anybody can ask what their basket costs at a destination: a visitor by the cookie, and nobody else for it', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  await setUpTaxAndDelivery(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 2)
  const ofVisitor = await browser.request('GET', '/checkout/estimate?country=DE')
  assert.deepEqual([ofVisitor.json().totals.totalCents, ofVisitor.headers['cache-control']], [7723, 'no-store'])
  const empty = await askEstimate(store.visitor)
  assert.deepEqual([empty.totals.totalCents, empty.methods], [0, []])
})

test('a discount code of one use that the unpaid order of a basket holds can be used when the basket is placed again', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  await store.admin.request('POST', '/discount-codes', { code: 'ONCE', percentOff: 50, maxUses: 1 })
  await putIntoCart(store.customer, { [drill]: 1, [saw]: 2 })
  const first = await checkOut(store.customer, { discountCode: 'ONCE' })
  assert.deepEqual([first.totals.reductionCents, first.totalCents], [2200, 2200])
  assert.equal((await askEstimate(store.customer, { discountCode: 'ONCE' })).totals.totalCents, 2200)
  const second = await checkOut(store.customer, { discountCode: 'ONCE', poNumber: '2' })
  assert.equal(second.totalCents, 2200)
})

test('where a discount code makes the delivery dearer, the estimate says what it would cost without the code', async () => {
  await using store = await createTestStoreWithCards()
  const [drill] = await createProducts(store)
  const { parcel, express } = await setUpTaxAndDelivery(store)
  await store.db.update(deliveryMethods).set({ freeFromCents: 6000 }).where(eq(deliveryMethods._id, parcel))
  await store.admin.request('POST', '/discount-codes', { code: 'TEN', percentOff: 10 })
  await putIntoCart(store.customer, { [drill]: 2 })
  const told = async (query: object) => {
    const { totals, deliveryCentsWithoutCode } = await askEstimate(store.customer, { postalCode: '10115', ...query })
    return [totals.deliveryCents, deliveryCentsWithoutCode]
  }
  assert.deepEqual(await told({}), [0, 0])
  assert.deepEqual(await told({ discountCode: 'TEN' }), [490, 0])
  assert.deepEqual(await told({ discountCode: 'TEN', deliveryMethod: express }), [1490, 1490])
})
