import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PurchaseListItem } from '#store/orders/contract.ts'
import type { PurchaseState } from '#store/orders/statuses.ts'
import { ordersOfLines, statusOfOrder, wholeOf } from './orders-of-lines.ts'

const line = (number: number, state: PurchaseState, more: Partial<PurchaseListItem> = {}) =>
  ({
    ...{ number, state, checking: false, productQuantity: 2, productCost: 10.1, refundedCents: 0, transectionId: null },
    ...more,
  }) as PurchaseListItem

test('the lines of an order are one entry, with the status of those that go on, their pieces and their cost', () => {
  const lines = [line(1002, 'cancelled'), line(1002, 'open', { productCost: 0.2 }), line(1002, 'open'), line(1001, 'expired')]
  const orders = ordersOfLines(lines)
  assert.deepEqual(
    orders.map((order) => [order.number, order.lines.length, statusOfOrder(order)]),
    [
      [1002, 3, 'open'],
      [1001, 1, 'expired'],
    ],
  )
  const [first] = orders
  assert.ok(first)
  const { productQuantity, productCost, state } = wholeOf(first)
  assert.deepEqual([productQuantity, productCost, state], [4, 10.3, 'open'], 'without what was cancelled before it was paid')
})

test('an order of which nothing goes on is cancelled, or refunded where a line was not cancelled, with all that went back', () => {
  const paid = { transectionId: 'pi_1', refundedCents: 1010 }
  const [cancelled] = ordersOfLines([line(1, 'cancelled', paid), line(1, 'cancelled', paid)])
  const [refunded] = ordersOfLines([line(1, 'cancelled', paid), line(1, 'refunded', paid)])
  const [part] = ordersOfLines([line(1, 'cancelled', paid), line(1, 'shipped', { transectionId: 'pi_1' })])
  assert.ok(cancelled && refunded && part)
  assert.deepEqual([statusOfOrder(cancelled), wholeOf(cancelled).refundedCents, wholeOf(cancelled).productCost], ['cancelled', 2020, 20.2])
  assert.deepEqual([statusOfOrder(refunded), wholeOf(refunded).refundedCents], ['refunded', 2020])
  assert.deepEqual([statusOfOrder(part), wholeOf(part).state, wholeOf(part).productCost], ['paid', 'shipped', 20.2])
})
