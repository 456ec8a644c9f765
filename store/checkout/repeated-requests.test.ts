import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { putIntoCart, sendCheckout, setUpTaxAndDelivery, typed } from '#test/checkout-actions.ts'
import { sendLines } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, getOrderEventNames } from '#test/order-actions.ts'
import { type ApiResponse, anEmptyStore } from '#test/store.ts'
import { CheckoutBody } from './contract.ts'
import { placeCheckout } from './place-checkout.ts'

test('a checkout that is sent again while the first is being placed does not end the order of the first', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  await putIntoCart(store.customer, { [drill]: 2 })
  const [account] = await store.db.select().from(users).where(eq(users.email, store.customer.email))
  assert.ok(account)
  const isWaiting = async () => {
    const { rows } = await store.db.execute(sql`select from pg_locks where not granted and relation = 'orders'::regclass`)
    return rows.length > 0
  }

  let again: Promise<ApiResponse> | undefined
  const first = await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table orders in access exclusive mode`)
    again = sendCheckout(store.customer, {}, { 'idempotency-key': 'one' })
    while (!(await isWaiting())) await new Promise(setImmediate)
    const endOrder = () => assert.fail('there is nothing to end')
    const inTurn = <Placed>(_lineCount: number, place: () => Promise<Placed>) => place()
    const context = { terms: store.orderPolicy, requestKey: 'one', network: '192.0.2.1', endOrder, inTurn }
    return placeCheckout(tx, account, { userId: account.id, token: undefined }, CheckoutBody.parse(typed), context)
  })
  const repeated = await again
  assert.deepEqual([repeated?.statusCode, repeated?.json()._id, repeated?.json().orderStatus], [201, first.order._id, 'open'])
  assert.deepEqual(await getOrderEventNames(store, first.order), ['placed'])
})

test('an order that was placed before the shop set its first tax is answered again under its key, and no other is placed', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const single = { toolId: drill, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
  const sendPurchase = (key: string) => store.customer.request('POST', '/purchase', single, { 'idempotency-key': key })
  const sendOrder = (key: string) => sendLines(store.customer, { [drill]: 2 }, {}, { 'idempotency-key': key })
  const [purchase, order] = [await sendPurchase('one'), await sendOrder('two')]
  await setUpTaxAndDelivery(store)
  const [purchaseAgain, orderAgain] = [await sendPurchase('one'), await sendOrder('two')]
  assert.deepEqual([purchaseAgain.statusCode, purchaseAgain.json()], [201, purchase.json()])
  assert.deepEqual([orderAgain.statusCode, orderAgain.json()], [201, order.json()])
  for (const refused of [await sendPurchase('three'), await sendOrder('four')])
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'checkout_required'])
})
