import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { createProduct, createTestStoreWithCards, placePaidOrder, placePurchase } from '#test/order-actions.ts'
import { countBuyers, findBestsellers } from './sales.ts'

test('what sells is what the most buyers have paid for in three months: pieces, unpaid orders and old ones do not count, and what is sold out is not shown', async () => {
  await using store = await createTestStoreWithCards()
  const product = (name: string, pieces = 40) => createProduct(store, { name, pieces })
  const [bulk, loved, unpaid, old, soldOut] = [
    await product('Bought by one in bulk'),
    await product('Bought by two'),
    await product('Not paid'),
    await product('Bought long ago'),
    await product('Sold out', 2),
  ]
  const { otherCustomer: buyer } = store
  await placePaidOrder(store, { toolId: bulk, quantity: 20 })
  await placePaidOrder(store, { toolId: bulk, quantity: 10 })
  for (const each of [{}, { buyer }]) {
    await placePaidOrder(store, { toolId: loved, ...each })
    await placePaidOrder(store, { toolId: soldOut, ...each })
  }
  await placePurchase(store, { toolId: unpaid, buyer })
  const { order } = await placePaidOrder(store, { toolId: old, buyer })
  await store.db.execute(sql`update orders set placed_at = now() - interval '91 days' where id = ${order._id}`)

  const sales = await countBuyers(store.db)
  assert.deepEqual([sales.get(loved), sales.get(bulk), sales.get(unpaid), sales.get(old)], [2, 1, undefined, undefined])
  assert.deepEqual(
    (await findBestsellers(store.db, sales)).map(({ name }) => name),
    ['Bought by two', 'Bought by one in bulk'],
  )
})
