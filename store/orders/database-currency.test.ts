import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { StartupError } from '#platform/startup-error.ts'
import { setStoreCurrency, storeCurrency } from '#shared/currency.ts'
import { createProduct, placePurchase } from '#test/order-actions.ts'
import { anEmptyStore } from '#test/store.ts'
import { adoptDatabaseCurrency } from './database-currency.ts'

const usd = storeCurrency()

test('a store sells in US dollars unless told otherwise, remembers what it was told, and changes it until the first order', async () => {
  await using store = await anEmptyStore({ cards: true })
  const startedWith = async (setting?: Parameters<typeof adoptDatabaseCurrency>[1]) => {
    setStoreCurrency(usd)
    await adoptDatabaseCurrency(store.db, setting)
    return storeCurrency().code
  }
  assert.deepEqual(
    [await startedWith(), await startedWith('eur'), await startedWith(), await startedWith('gbp')],
    ['usd', 'eur', 'eur', 'gbp'],
  )

  const order = await placePurchase(store, { dollars: 12, quantity: 2 })
  const intents = await store.customer.request('POST', '/create-payment-intent', { productCost: 24, orderId: order._id })
  assert.equal(intents.statusCode, 200, intents.body)
  const { rows } = await store.db.execute(
    sql`select o.currency as ordered, p.currency as asked from orders o join payments p on p.order_id = o.id`,
  )
  assert.deepEqual(rows, [{ ordered: 'gbp', asked: 'gbp' }])
  assert.equal((await store.cards.stripe.paymentIntents.list()).data[0]?.currency, 'gbp')

  assert.deepEqual([await startedWith(), await startedWith('gbp')], ['gbp', 'gbp'])
  const refused = { message: 'CURRENCY is EUR, but this store has orders in GBP, and the first order fixes the currency' }
  await assert.rejects(startedWith('eur'), (error) => error instanceof StartupError && error.message === refused.message)
  setStoreCurrency(usd)
})

test('a store from before there was a setting keeps the currency of its orders', async () => {
  await using store = await anEmptyStore()
  await placePurchase(store)
  await assert.rejects(adoptDatabaseCurrency(store.db, 'eur'), StartupError)
  await adoptDatabaseCurrency(store.db)
  assert.equal(storeCurrency().code, 'usd')
})

test('the least that a card can pay is that of the currency, and so is a refusal in words', async () => {
  await using store = await anEmptyStore()
  await adoptDatabaseCurrency(store.db, 'sek')
  const toolId = await createProduct(store, { dollars: 2 })
  const wish = (quantity: number) => ({
    productName: 'Drill',
    productQuantity: quantity,
    productCost: 2 * quantity,
    buyerAddress: '1 Road',
    toolId,
  })
  const tooLittle = await store.customer.request('POST', '/purchase', wish(1))
  assert.deepEqual(
    [tooLittle.statusCode, tooLittle.json().message],
    [400, 'An order costs at least kr\u00a03, the least that a card can pay'],
  )
  assert.equal((await store.customer.request('POST', '/purchase', wish(2))).statusCode, 201)
  setStoreCurrency(usd)
})

test('the books say when orders are in two currencies', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  await placePurchase(store)
  await placePurchase(store)
  assert.deepEqual(await store.faults(), [])
  await store.db.execute(sql`update orders set currency = 'eur' where number = (select min(number) from orders)`)
  assert.deepEqual(await store.faults(), ['There are orders in eur, usd'])
})
