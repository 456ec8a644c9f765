import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '#store/orders/order-contract.ts'
import { createProducts, payOrder, placeLines, showOrder } from '#test/many-lines-actions.ts'
import { createTestStoreWithCards, getOrderHistory } from '#test/order-actions.ts'
import { askToReturn, openReturnOf } from '#test/return-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { ApiResponse, Store } from '#test/store.ts'
import type { OrderReturns } from './contract.ts'

/** A paid order of 3 drills and 2 saws. */
async function placePaidLines(store: Store): Promise<Order> {
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
  await payOrder(store, order)
  return order
}

const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code, answer.json().message]
const returnsOf = async (store: Store, { _id }: Order): Promise<OrderReturns> =>
  (await store.customer.request('GET', `/orders/${_id}/returns`)).json()

test('a buyer asks for a return of pieces that were sent, gets a number, and reads it with the order', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  await sendPieces(store, order, 2, 1)
  const asked = await askToReturn(store, order._id, { pieces: [1], reason: 'damaged on the way', note: ' The box was wet. ' })
  assert.equal(asked.statusCode, 201, asked.body)
  const { number, status, cause, note, lines } = asked.json()
  assert.deepEqual(
    [number, status, cause, note, lines.map(({ productName, quantity, reason }: never) => [productName, quantity, reason])],
    [1001, 'open', 'asked', 'The box was wet.', [['Drill', 1, 'damaged on the way']]],
  )
  const { returns, returnable } = await returnsOf(store, order)
  assert.deepEqual(returns, [asked.json()])
  assert.deepEqual(
    returnable.map(({ productName, pieces }) => [productName, pieces]),
    [
      ['Drill', 1],
      ['Saw', 1],
    ],
  )
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual([last?.event, last?.note, last?.items, last?.actor], ['return asked', 'R1001', '1 x Drill', 'buyer'])
  await store.jobs.runAllOnce()
  assert.match(
    (await store.emailsTo(order.buyerEmail)).at(-1)?.subject ?? '',
    /^Return R1001 of order \d+: write the number on the parcel$/,
  )
})

test('no more is asked back than was sent and is not in a return already', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const ask = (...pieces: number[]) => askToReturn(store, order._id, { pieces })
  assert.deepEqual(refusalOf(await ask(1)), [409, 'more_than_sent', 'Nothing of Drill can be returned: it was not sent yet'])
  await sendPieces(store, order, 2, 2)
  await openReturnOf(store, order, 1)
  assert.deepEqual(refusalOf(await ask(2)), [409, 'more_than_sent', 'Only 1 of Drill can be returned: 2 sent, see return R1001'])
  assert.deepEqual((await returnsOf(store, order)).returns.length, 1, 'nothing of it is asked')
  const drills = order.lines[0]?._id
  const twice = [1, 1].map((quantity) => ({ _id: drills, quantity, reason: 'other' }))
  assert.equal((await store.customer.request('POST', `/orders/${order._id}/returns`, { lines: twice })).statusCode, 400)
  assert.equal((await showOrder(store.admin, order._id)).lines[0]?.returned, 0)
})
