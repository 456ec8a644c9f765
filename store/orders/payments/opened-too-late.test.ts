import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPurchase, createTestStoreWithCards, openPayment, placePurchase, sandboxControls } from '#test/order-actions.ts'

test('of two tabs that open the payment of an order while it is cancelled, both are told that it has ended', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const [bothAsk, first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const turns = [first, second]
  const creating = sandboxControls(store).calls.inject(
    { method: 'POST', path: '/v1/payment_intents', times: 2 },
    {
      before: () => {
        const turn = turns.shift()
        if (turns.length === 0) bothAsk.resolve()
        return turn?.promise
      },
    },
  )
  const tabs = [openPayment(store.customer, order), openPayment(store.customer, order)]
  await bothAsk.promise
  assert.equal((await cancelPurchase(store.customer, order)).statusCode, 200)
  first.resolve()
  await Promise.race(tabs)
  second.resolve()
  for (const tab of await Promise.all(tabs)) assert.deepEqual([tab.statusCode, tab.json().code], [409, 'order_not_open'], tab.body)
  creating.remove()
})
