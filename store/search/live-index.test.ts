import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import * as catalogue from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { SearchQuery } from './contract.ts'
import { openLiveSearchIndex } from './live-index.ts'
import { parseSearchQuery } from './parsed-query.ts'
import { searchInSql } from './search-in-sql.ts'
import { aStoreWithProducts, find, givenProducts, names, part } from './search-test-actions.ts'

test('what an admin changes is found so at once, and what leaves the catalogue is not found', async () => {
  await using store = await aStoreWithProducts()
  const added = await store.admin.request('POST', '/tools', { ...part, name: 'Ratchet of brass', img: '/drawings/pliers.svg' })
  assert.deepEqual(await names(store, 'q=brass ratchet'), ['Ratchet of brass'])
  const { _id } = added.json()
  await store.admin.request('PUT', `/tools/${_id}`, { price: 77, minimum_order_quantity: 1, available_quantity: 0 })
  assert.deepEqual(await names(store, 'price.min=77&price.max=77'), ['Ratchet of brass'])
  assert.deepEqual(await names(store, 'price.min=77&price.max=77&in_stock=yes'), [])
  await store.admin.request('DELETE', `/tools/${_id}`)
  assert.deepEqual(await names(store, 'q=brass ratchet'), [])
  assert.equal((await find(store, '')).total, givenProducts.length)
})

test('a question that is asked again after a change is answered anew', async () => {
  await using store = await aStoreWithProducts()
  const skus = async () => {
    await store.search.catchUp()
    const { tools } = (await store.visitor.request('GET', '/search?q=corsair')).json()
    return tools.map(({ sku }: { sku: string }) => sku).sort()
  }
  assert.deepEqual(await skus(), ['A-3', 'A-4', 'A-5'])
  const [gone] = await store.db.select({ _id: products._id }).from(products).where(eq(products.sku, 'A-3'))
  await store.admin.request('DELETE', `/tools/${gone?._id}`)
  assert.deepEqual(await skus(), ['A-4', 'A-5'])
  await catalogue.addProducts(store.db, [{ ...part, sku: 'A-6', name: 'Corsair SF750', brand: 'Corsair', category: 'power-supply' }])
  assert.deepEqual(await skus(), ['A-4', 'A-5', 'A-6'])
})

test('a change whose notice got lost, and one made by hand in the database, are found all the same, on every process', async () => {
  await using store = await aStoreWithProducts()
  await using other = await createSecondInstance(store)
  await other.search.ready
  await store.db.update(products).set({ name: 'Quiet giant', priceCents: 5500 }).where(eq(products.sku, 'A-3'))
  await Promise.all([store.search.catchUp(), other.search.catchUp()])
  for (const process of [store.search, other.search]) {
    assert.equal(process.search(parseSearchQuery(SearchQuery.parse({ q: 'quiet giant' })))?.total, 1)
    assert.equal(process.search(parseSearchQuery(SearchQuery.parse({ q: 'rm750x' })))?.total, 0)
    assert.equal(process.search(parseSearchQuery(SearchQuery.parse({ 'price.min': '55', 'price.max': '55' })))?.total, 1)
  }
})

test('a change is not missed whose transaction began before others and ended after them', async () => {
  await using store = await aStoreWithProducts()
  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const slow = store.db.transaction(async (tx) => {
    await tx.update(products).set({ priceCents: 50_100 }).where(eq(products.sku, 'A-1'))
    begun.resolve()
    await mayEnd.promise
  })
  await begun.promise
  await store.db.update(products).set({ priceCents: 50_200 }).where(eq(products.sku, 'A-2'))
  await store.search.catchUp()
  assert.equal((await find(store, 'price.min=501')).total, 1)
  mayEnd.resolve()
  await slow
  await store.search.catchUp()
  assert.equal((await find(store, 'price.min=501')).total, 2)
})

test('each process hears of exactly the product that has changed, and of the catalogue when more than price and stock is new', async () => {
  await using store = await aStoreWithProducts()
  const [cooler] = (await find(store, 'q=noctua')).tools
  const heard: string[] = []
  store.changes.subscribe((topic) => topic !== 'products' && heard.push(topic))
  await store.db.execute(sql`update tools set price_cents = 700 where sku = 'A-1'`)
  await store.search.catchUp()
  assert.deepEqual(heard.splice(0), [`product:${cooler?._id}`, 'search-results'])
  await store.db.execute(sql`update tools set name = 'Noctua NH-D16' where sku = 'A-1'`)
  await store.search.catchUp()
  assert.deepEqual(heard, ['listings', `product:${cooler?._id}`, 'search-results'])
})

test('until the index is built the database answers the same filters, orders and words', async () => {
  await using store = await aStoreWithProducts()
  for (const question of [
    { q: 'corsair rm750x' },
    { q: 'CP9020286NA' },
    { category: 'power-supply', sort: '-spec.wattage_w' },
    { 'spec.wattage_w.min': ['800'] },
    { brand: 'Corsair', in_stock: 'yes', 'price.max': '50' },
    { 'price.min': '39.99', 'price.max': '40.01' },
    { pieces: '100', sort: '-name', limit: '2', cursor: '1' },
    { sort: 'newest' },
  ]) {
    const asked = parseSearchQuery(SearchQuery.parse(question))
    const { total, ids } = await searchInSql(store.db, asked)
    const inMemory = store.search.search(asked)
    assert.deepEqual([total, ids], [inMemory?.total, inMemory?.ids], JSON.stringify(question))
  }
})

test('until the index is built an answer to a question says that it is of the words alone', async (t) => {
  await using store = await aStoreWithProducts()
  const ask = (q: string) => find(store, `q=${encodeURIComponent(q)}`)
  assert.equal((await ask('corsair under $50')).unread, false)
  t.mock.method(store.search, 'answer', () => undefined)
  const answer = await ask('corsair under $50')
  assert.deepEqual([answer.unread, answer.understood, answer.total], [true, [], 0])
  assert.equal((await ask('')).unread, false)
})

test('what was shown while the index was being built, without facets, is not kept once it is there', async () => {
  await using store = await aStoreWithProducts()
  const heard: string[] = []
  store.changes.subscribe((topic) => heard.push(topic))
  const search = openLiveSearchIndex(store.db, store.changes, (error) => console.error(error))
  assert.equal(search.search(parseSearchQuery(SearchQuery.parse({}))), undefined)
  await search.ready
  await search.close()
  assert.ok(heard.includes('*'))
})

test('a catalogue that is larger than all that was there is found in the database at once, and by the index once it is built', async () => {
  await using store = await aStoreWithProducts()
  const search = openLiveSearchIndex(store.db, store.changes, assert.ifError)
  await search.ready
  const insert = (sku: string, count: number) =>
    store.db.execute(sql`
      insert into tools (id, sku, name, description, price_cents, minimum_order_quantity, available_quantity)
      select gen_random_uuid(), ${sku} || n, 'Vengeance ' || n, '', 100, 1, 0 from generate_series(1, ${count}::integer) as n`)
  const vengeance = parseSearchQuery(SearchQuery.parse({ q: 'vengeance' }))
  const categories = search.categoryCounts()
  await insert('N-', 3100)
  await search.catchUp()
  assert.deepEqual([search.search(vengeance), search.answer(vengeance)], [undefined, undefined])
  assert.deepEqual(search.categoryCounts(), categories, 'the kinds in the header stay')
  assert.equal((await searchInSql(store.db, vengeance)).total, 3100)
  const total = () => search.search(vengeance)?.total
  while (total() === undefined) await sleep(20) // hangs, and is red by the time of its file, if it is never built
  assert.equal(total(), 3100)
  await insert('M-', 3050)
  await search.catchUp()
  assert.equal(total(), 3100, 'an index that has more than it lacks goes on answering')
  while (total() !== 6150) await sleep(20)
  await search.close()
})

test('an index that could not be built anew is built later, and none of the changes that called for it is lost', async () => {
  await using store = await aStoreWithProducts()
  const errors: unknown[] = []
  const search = openLiveSearchIndex(store.db, store.changes, (error) => errors.push(error))
  await search.ready
  const many = Array.from({ length: 5200 }, (_, nth) => ({ ...part, sku: `M-${nth}`, name: `Screw ${nth}`, specs: {} }))
  await store.db.transaction(async (tx) => {
    for (let at = 0; at < many.length; at += 400) await catalogue.addProducts(tx, many.slice(at, at + 400))
    await tx.execute(sql`alter table tools rename to tools_that_cannot_be_read`)
  })
  await search.catchUp()
  while (errors.length === 0) await search.catchUp()
  await store.db.execute(sql`alter table tools_that_cannot_be_read rename to tools`)

  const found = () => search.search(parseSearchQuery(SearchQuery.parse({ q: 'screw' })))?.total
  for (const until = Date.now() + 60_000; found() !== 5200 && Date.now() < until; ) await search.catchUp()
  assert.equal(found(), 5200)
  await search.close()
})

test('while the index is built anew, after a change of very many, single changes are found at once, and none is lost by it', async () => {
  await using store = await aStoreWithProducts()
  const many = Array.from({ length: 5200 }, (_, nth) => ({ ...part, sku: `M-${nth}`, name: `Screw ${nth}`, specs: {} }))
  let built = 0 // told when it begins and when it has ended
  store.changes.subscribe((topic) => topic === '*' && built++)
  // All at once: the index follows changes by itself, and of some of them alone it would not be built anew.
  await store.db.transaction(async (tx) => {
    for (let at = 0; at < many.length; at += 400) await catalogue.addProducts(tx, many.slice(at, at + 400))
  })
  await store.search.catchUp()
  const priced = async (price: number) => {
    const asked = parseSearchQuery(SearchQuery.parse({ 'price.min': `${price}`, 'price.max': `${price}` }))
    return (store.search.search(asked) ?? (await searchInSql(store.db, asked))).total
  }
  let changed = 0
  while (built < 2 || changed < 5) {
    await store.db
      .update(products)
      .set({ priceCents: 100 * (1000 + changed) })
      .where(eq(products.sku, `M-${changed}`))
    await store.search.catchUp()
    assert.equal(await priced(1000 + changed), 1, `change ${changed} at once`)
    changed++
  }
  await store.search.catchUp()
  for (let nth = 0; nth < changed; nth++) assert.equal(await priced(1000 + nth), 1, `change ${nth} of ${changed} in the new index`)
})
