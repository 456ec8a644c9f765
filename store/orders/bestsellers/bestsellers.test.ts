import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { BuyersByProduct } from '#store/search/column-store.ts'
import { payAsGuest, placeGuestOrder } from '#test/guest-actions.ts'
import { payOrder, placeLines } from '#test/many-lines-actions.ts'
import { bookPayment, orderOnAccount, setUpAccount } from '#test/on-account-actions.ts'
import { createProduct, createTestStoreWithCards, placePaidOrder, placePurchase } from '#test/order-actions.ts'
import { openReturnOf, receiveAll } from '#test/return-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { Store } from '#test/store.ts'
import { followBuyers } from './rules.ts'

/** What a process that starts now says: the products that sell, and how many have bought each. */
async function countNow({ db }: Store) {
  const { promise, resolve, reject } = Promise.withResolvers<BuyersByProduct>()
  const following = followBuyers(db, { use: resolve, onError: reject })
  try {
    const buyers = await promise
    return { buyers, names: (await following.findBestsellers()).map(({ name }) => name) }
  } finally {
    await following.close()
  }
}

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

  const { buyers, names } = await countNow(store)
  assert.deepEqual(
    [loved, bulk, soldOut, unpaid, old].map((id) => buyers.get(id)),
    [2, 1, 2, undefined, undefined],
  )
  assert.deepEqual(names, ['Bought by two', 'Bought by one in bulk'])
})

test('guests of one network are one buyer, whatever e-mails they type', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  for (const [email, from] of [
    ['one@mail.example', '192.0.2.1'],
    ['two@mail.example', '192.0.2.1'],
    ['three@mail.example', '198.51.100.7'],
  ] as const)
    await payAsGuest(store, await placeGuestOrder(store, { [drill]: 1 }, { email, from }))
  assert.equal((await countNow(store)).buyers.get(drill), 2)
})

test('an order on account counts once some of it is paid, and a product that came back does not count', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000)
  const [onAccount, kept, returned] = [
    await createProduct(store, { name: 'On account' }),
    await createProduct(store, { name: 'Kept' }),
    await createProduct(store, { name: 'Returned' }),
  ]
  const owing = await orderOnAccount(store.customer, { [onAccount]: 1 })
  const order = await placeLines(store, [
    [kept, 1],
    [returned, 1],
  ])
  await payOrder(store, order)
  await sendPieces(store, order)
  await receiveAll(store, await openReturnOf(store, order, 0, 1))
  assert.deepEqual([...(await countNow(store)).buyers], [[kept, 1]])
  await bookPayment(store, owing, 100)
  assert.equal((await countNow(store)).buyers.get(onAccount), 1)
})

test('buyers are counted again after a pause, and after the least pause where that failed', async () => {
  await using store = await createTestStoreWithCards()
  const counts: BuyersByProduct[] = []
  const errors: unknown[] = []
  const pauses = { factor: 1e9, minMs: 20, maxMs: 40 }
  const following = followBuyers(store.db, { use: (buyers) => counts.push(buyers), onError: (error) => errors.push(error), pauses })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await until(() => counts.length >= 2)
  await store.db.execute(sql`alter table order_lines rename to lines_that_cannot_be_read`)
  await until(() => errors.length >= 2)
  await store.db.execute(sql`alter table lines_that_cannot_be_read rename to order_lines`)
  const before = counts.length
  await until(() => counts.length > before)
  await following.close()
})
