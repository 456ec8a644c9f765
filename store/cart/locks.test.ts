import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { cartIn, openBrowser, quantitiesIn } from '#test/cart-actions.ts'
import { createProduct } from '#test/order-actions.ts'
import { type ApiResponse, anEmptyStore } from '#test/store.ts'

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

test('a network has a few changes of baskets at a time: hundreds of one basket that wait for each other keep nobody else waiting', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { pieces: 1000 })
  const stranger = openBrowser(store.visitorFrom('198.51.100.7'))
  await stranger.add(drill, 1)
  let sent: Promise<ApiResponse>[] = []
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from carts for update`)
    sent = Array.from({ length: 300 }, () => stranger.add(drill, 1))
    cartIn(await openBrowser(store.visitor).add(drill, 1))
  })
  const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode)
  assert.deepEqual(new Set(statuses), new Set([200, 503]))
  const added = statuses.filter((status) => status === 200).length
  assert.deepEqual(quantitiesIn(cartIn(await stranger.request('GET', '/cart'))), { Drill: 1 + added })
})
