import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desc, eq } from 'drizzle-orm'
import { carts } from '#store/cart/table.ts'
import { products } from '#store/catalogue/table.ts'
import { deliveryMethods } from '#store/delivery/table.ts'
import { users } from '#store/identity/table.ts'
import type { PlaceInTurn } from '#store/orders/keyed-limiter.ts'
import { taxRates } from '#store/tax/table.ts'
import { cartIn, changeProduct } from '#test/cart-actions.ts'
import { askEstimate, checkOut, putIntoCart, setUpTaxAndDelivery, typed } from '#test/checkout-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  getStock,
  intentIdFromSecret,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { CheckoutBody } from './contract.ts'
import { placeCheckout } from './place-checkout.ts'

/** Orders the basket of the customer. Something changes while the first try, whose cost has been computed, waits for its place. */
async function checkOutWhile(store: Store, change: () => Promise<unknown>, more: object = {}) {
  const [account] = await store.db.select().from(users).where(eq(users.email, store.customer.email))
  assert.ok(account)
  let tries = 0
  const inTurn: PlaceInTurn = async (_lines, place) => {
    if (++tries === 1) await change()
    return place()
  }
  const endOrder = () => assert.fail('there is nothing to end')
  const context = { terms: store.orderPolicy, requestKey: undefined, network: '192.0.2.1', inTurn, endOrder }
  const visitor = { userId: account.id, token: undefined }
  const { order } = await placeCheckout(store.db, account, visitor, CheckoutBody.parse({ ...typed, ...more }), context)
  return { order, tries: () => tries }
}

test('an order is charged by the tax and the delivery of the moment when it is placed, also where they change after its cost was computed', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 100 })
  const { parcel } = await setUpTaxAndDelivery(store)
  await putIntoCart(store.customer, { [drill]: 1 })
  assert.equal((await askEstimate(store.customer)).totals.totalCents, 12_483)
  const setRate = (ratePpm: number) => store.db.update(taxRates).set({ ratePpm }).where(eq(taxRates.country, 'DE'))

  const taxed = await checkOutWhile(store, () => setRate(200_000))
  assert.deepEqual([taxed.order.taxCents, taxed.order.totalCents, taxed.tries()], [2098, 12_588, 2])
  await cancelPurchase(store.customer, taxed.order)
  const steps = [{ upTo: null, priceCents: 990 }]
  const raise = () => store.db.update(deliveryMethods).set({ steps }).where(eq(deliveryMethods._id, parcel))
  const delivered = await checkOutWhile(store, raise)
  assert.deepEqual([delivered.order.deliveryCents, delivered.order.totalCents, delivered.tries()], [990, 13_188, 2])
  await cancelPurchase(store.customer, delivered.order)

  const reclass = () => store.db.update(products).set({ tax_class: 'zero' })
  const untaxed = await checkOutWhile(store, reclass)
  assert.deepEqual([untaxed.order.taxCents, untaxed.tries()], [0, 2])
  await cancelPurchase(store.customer, untaxed.order)
  await store.db.update(deliveryMethods).set({ notForCategories: ['monitor'] })
  const moved = checkOutWhile(store, () => store.db.update(products).set({ category: 'monitor' }))
  await assert.rejects(moved, { code: 'not_deliverable' })
  await store.db.update(products).set({ tax_class: 'standard', category: null })

  const refused = checkOutWhile(store, () => setRate(210_000), { expectedTotalCents: 13_188 })
  await assert.rejects(refused, { code: 'total_changed', details: { totalCents: 13_298 } })
  assert.equal(await getStock(store, drill), 40)
})

test('what is set for tax and delivery is in the next estimate, whoever has set it', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 100 })
  await setUpTaxAndDelivery(store)
  await putIntoCart(store.customer, { [drill]: 1 })
  for (const [ratePpm, taxCents] of [
    [190_000, 1993],
    [70_000, 734],
    [160_000, 1678],
  ] as const) {
    await store.db.update(taxRates).set({ ratePpm }).where(eq(taxRates.country, 'DE')) // as another process would, which tells this one nothing
    assert.equal((await askEstimate(store.customer)).totals.taxCents, taxCents)
  }
  await store.db.delete(deliveryMethods)
  assert.deepEqual((await askEstimate(store.customer)).totals.totalCents, 11_600)
})

test('what changes in a basket or its prices while its order waits for a place is ordered as it is then, or refused', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store), await createProduct(store, { name: 'Saw', dollars: 7 })]
  await putIntoCart(store.customer, { [drill]: 2 })
  const { order, tries } = await checkOutWhile(store, () => putIntoCart(store.customer, { [saw]: 1 }))
  assert.deepEqual(
    [order.lines.map(({ productName, quantity }) => [productName, quantity]), order.totalCents, tries()],
    [
      [
        ['Drill', 2],
        ['Saw', 1],
      ],
      6700,
      2,
    ],
  )
  for (const line of order.lines) assert.equal((await cancelPurchase(store.customer, line)).statusCode, 200)
  await assert.rejects(
    checkOutWhile(store, () => changeProduct(store, drill, { price: 31 })),
    { code: 'cart_changed' },
  )
  const expected = checkOutWhile(store, () => changeProduct(store, drill, { price: 32 }), { expectedTotalCents: 6900 })
  await assert.rejects(expected, { code: 'total_changed', details: { totalCents: 7100 } })
  const other = checkOutWhile(store, () => store.customer.request('POST', '/checkout', { ...typed, expectedTotalCents: 7100 }), {
    expectedTotalCents: 7100,
  })
  await assert.rejects(other, { message: 'there is nothing to end' }, 'another request has placed the order of this basket meanwhile')
  assert.deepEqual([await getStock(store, drill), await getStock(store, saw)], [38, 39], 'the pieces of one order are held')
})

test('each change of a basket gives it another version, also the payment that takes its pieces out', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const versions = new Set<number | undefined>()
  const note = async () => {
    const [cart] = await store.db.select().from(carts).orderBy(desc(carts.version)) // the admin has one, too
    versions.add(cart?.version)
  }
  await putIntoCart(store.customer, { [drill]: 2 })
  await note()
  await store.customer.request('PUT', `/cart/lines/${drill}`, { quantity: 1 })
  await note()
  const { clientSecret } = await checkOut(store.customer)
  await note()
  await confirmIntent(store, intentIdFromSecret(clientSecret ?? ''))
  await waitForWebhooks(store)
  await note()
  assert.deepEqual(cartIn(await store.customer.request('GET', '/cart')).lines, [])
  assert.equal(versions.size, 4)
})
