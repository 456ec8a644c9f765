import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { cartIn, openBrowser } from '#test/cart-actions.ts'
import { createProduct } from '#test/order-actions.ts'
import { anEmptyStore } from '#test/store.ts'

test('a product is put into a basket without waiting for an order or a change that has locked it', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from tools where id = ${drill} for update`)
    cartIn(await browser.add(drill, 1))
    cartIn(await browser.request('PUT', `/cart/lines/${drill}`, { quantity: 2 }))
    cartIn(await browser.request('POST', '/cart/seen'))
  })
})
