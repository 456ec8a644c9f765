import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { products } from '#store/catalogue/table.ts'
import { createProducts, payOrder, placeLines, sendLines, showOrder } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, waitForWebhooks } from '#test/order-actions.ts'
import type { Actor } from '#test/store.ts'
import type { Order } from './order-contract.ts'
import { orderLines } from './table.ts'

test('orders are listed by pages, filtered, searched and sorted: a buyer sees their own, an admin those of everybody', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  await store.db.update(products).set({ brand: 'Hacksmith', mpn: 'HS-4711', sku: 'P-77' }).where(eq(products._id, board))
  const own = []
  for (const quantity of [1, 5, 3, 2, 4]) own.push(await placeLines(store, [[drill, quantity]]))
  const others = (await sendLines(store.otherCustomer, { [saw]: 2, [board]: 1 })).json()
  await payOrder(store, own[1] as Order)
  type Page = { orders: Order[]; next: string | null }
  const list = async (actor: Actor, query: string): Promise<Page> => {
    const listed = await actor.request('GET', `/orders?${query}`)
    assert.equal(listed.statusCode, 200, listed.body)
    return listed.json()
  }
  const numbers = ({ orders }: Page) => orders.map(({ number }) => number - 1000)
  const all = async (query: string) => {
    const found: number[] = []
    for (let next: string | null | undefined; next !== null; ) {
      const page: Page = await list(store.admin, `${query}&limit=2${next ? `&cursor=${next}` : ''}`)
      found.push(...numbers(page))
      next = page.next
    }
    return found
  }

  assert.deepEqual(numbers(await list(store.customer, '')), [5, 4, 3, 2, 1])
  assert.deepEqual(numbers(await list(store.customer, `buyerEmail=${store.otherCustomer.email}`)), [])
  assert.deepEqual(await all('sort=newest'), [6, 5, 4, 3, 2, 1])
  assert.deepEqual(await all('sort=oldest'), [1, 2, 3, 4, 5, 6])
  assert.deepEqual(await all('sort=highest'), [6, 2, 5, 3, 4, 1])
  assert.deepEqual(await all('sort=lowest'), [1, 4, 3, 5, 2, 6])
  assert.deepEqual(await all('paymentStatus=paid'), [2])
  assert.deepEqual(await all('orderStatus=open&sort=oldest'), [1, 3, 4, 5, 6])
  for (const [q, found] of [
    ['1002', [2]],
    ['board', [6]],
    ['bob@', [6]],
    ['100%25', []],
    ['r_ll', []],
    ['ada drill', [5, 4, 3, 2, 1]],
    ['drill board', []],
    ['saw board', []], // of two lines: a search of all orders looks for an order and one of its lines
    ['bob@ road hs-4711 hacksmith 1006 shop example hs z', [6]], // the eight longest of them
    ['hs 47 11', [6]],
    ['p77', [6]],
    ['hacksmith', [6]],
    ['hs-4711', [6]],
    ['p-77', [6]],
  ] as const)
    assert.deepEqual(await all(`q=${q}`), found, q)
  const today = new Date().toISOString().slice(0, 10)
  assert.equal((await all(`from=${today}&to=${today}`)).length, 6)
  assert.deepEqual(await all('to=2020-01-01'), [])
  assert.deepEqual(
    (await list(store.admin, 'q=board')).orders[0]?.lines.map(({ productName }) => productName),
    others.lines.map(({ productName }: { productName: string }) => productName),
  )
  for (const wrong of [
    'sort=wildest',
    'limit=101',
    'cursor=x',
    'sort=highest&cursor=5',
    'from=yesterday',
    'orderStatus=lost',
    'cursor=9999999999',
    'sort=highest&cursor=9999999999.1',
    'from=0000-01-01',
    'to=0000-01-01',
  ])
    assert.equal((await store.admin.request('GET', `/orders?${wrong}`)).statusCode, 400, wrong)
  await waitForWebhooks(store)
})

test('an admin finds orders by number or by the phone number of the buyer in any spelling, the one with the number first; a buyer does not search phone numbers', async () => {
  await using store = await createTestStoreWithCards()
  const [drill] = await createProducts(store)
  for (const more of [{}, { phone_number: '+44 (0)20 7946-0018' }, { phone_number: '+49 171 98 10 01' }])
    await placeLines(store, { [drill]: 1 }, more)
  const find = async (actor: Actor, q: string): Promise<number[]> =>
    (await actor.request('GET', `/orders?${new URLSearchParams({ q })}`)).json().orders.map(({ number }: Order) => number)

  for (const q of ['+44 20 7946 0018', '02079460018', '020 7946']) {
    assert.deepEqual(await find(store.admin, q), [1002], q)
    assert.deepEqual(await find(store.customer, q), [], q)
  }
  assert.deepEqual(await find(store.admin, '0171 981001'), [1003])
  await placeLines(store, { [drill]: 1 }, { buyerAddress: '1002 Road' })
  assert.deepEqual(await find(store.admin, '1002'), [1002, 1004])
  for (const sort of ['newest', 'oldest', 'highest', 'lowest']) {
    const found: number[] = []
    for (let next: string | null = ''; next !== null; ) {
      const query = new URLSearchParams({ q: '1002', sort, limit: '1', ...(next && { cursor: next }) })
      const page: { orders: Order[]; next: string | null } = (await store.admin.request('GET', `/orders?${query}`)).json()
      found.push(...page.orders.map(({ number }) => number))
      next = page.next
    }
    assert.deepEqual(found, [1002, 1004], `${sort}, by pages: each once`)
  }
})

test('a list shows the first ten lines of an order and says how many it has', async () => {
  await using store = await createTestStoreWithCards()
  const ids = await Promise.all(Array.from({ length: 12 }, (_, nth) => createProduct(store, { name: `Part ${nth}`, dollars: nth + 1 })))
  const order = await placeLines(store, Object.fromEntries(ids.map((id) => [id, 1])))

  const [listed] = (await store.customer.request('GET', '/orders')).json().orders

  assert.equal(listed.lineCount, 12)
  assert.deepEqual(
    listed.lines,
    order.lines.slice(0, 10).map(({ _id, productId, productName, sku, quantity, totalCents, cancelled }) => ({
      _id,
      productId,
      productName,
      sku,
      quantity,
      totalCents,
      cancelled,
    })),
  )
  assert.deepEqual(
    listed.lines.map(({ productName }: { productName: string }) => productName),
    Array.from({ length: 10 }, (_, nth) => `Part ${nth}`),
  )
})

test('a line keeps the SKU that its product had when it was ordered, and one from before it was kept has none', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const setSku = (id: string, sku: string) => store.db.update(products).set({ sku }).where(eq(products._id, id))
  await setSku(drill, 'WR-1')
  await setSku(saw, 'SW-1')
  const order = await placeLines(store, { [drill]: 1, [saw]: 2 })
  await setSku(drill, 'WR-2')
  await store.db.update(orderLines).set({ sku: null }).where(eq(orderLines.toolId, saw))

  const skusOf = ({ lines }: Pick<Order, 'lines'>) => lines.map(({ sku }) => sku)
  assert.deepEqual(skusOf(order), ['WR-1', 'SW-1'])
  assert.deepEqual(skusOf(await showOrder(store.customer, order._id)), ['WR-1', null])
  const [listed] = (await store.customer.request('GET', '/orders')).json().orders
  assert.deepEqual(skusOf(listed), ['WR-1', null])
})
