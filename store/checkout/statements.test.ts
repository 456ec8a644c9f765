import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import pg from 'pg'
import { checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { cancelPurchase, createProduct } from '#test/order-actions.ts'
import { anEmptyStore } from '#test/store.ts'

/** What an order wakes goes on within its request: the search index, mails, other processes, and the card sandbox. */
const isOfWorkers = /^begin$|^commit$|sandbox|tool_changes|"specs"|"order_history" (inner|set)|"reminders"|pg_notify/

test('a basket is filled, pasted into and ordered with a few statements, however many lines it has', async (t) => {
  const statements = new AsyncLocalStorage<string[]>() // of one request, and not of the workers that run beside it
  const { query } = pg.Client.prototype
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args
    statements.getStore()?.push(typeof asked === 'string' ? asked : (asked as { text: string }).text)
    return Reflect.apply(query, this, args)
  })
  await using store = await anEmptyStore({ cards: true, connectsAnew: true })
  const ids = await Promise.all(Array.from({ length: 12 }, (_, nth) => createProduct(store, { name: `Part ${nth}` })))
  const [added = '', ...others] = ids
  await setUpTaxAndDelivery(store)
  await putIntoCart(store.customer, { [added]: 1 })
  for (const line of (await checkOut(store.customer)).lines) await cancelPurchase(store.customer, line) // from now on the settings are in memory
  const skus = await Promise.all(others.map(async (id) => (await store.visitor.request('GET', `/products/${id}`)).json().part.sku))
  const within = async (most: number, what: string, work: () => Promise<unknown>) => {
    const texts: string[] = []
    await statements.run(texts, work)
    const sent = texts.filter((text) => !isOfWorkers.test(text))
    assert.ok(sent.length <= most, `${what}: ${sent.map((text) => text.slice(0, 80)).join('\n')}`)
    t.diagnostic(`${what}: ${sent.length} statements`)
  }
  await within(6, 'a product put in', () => putIntoCart(store.customer, { [added]: 1 }))
  await within(10, '11 lines pasted', () => store.customer.request('POST', '/cart/paste', { text: skus.join('\n') }))
  await within(11, '12 lines ordered', () => checkOut(store.customer))
})
