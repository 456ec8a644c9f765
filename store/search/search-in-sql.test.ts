import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import * as catalogue from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import type { Store } from '#test/store.ts'
import { SearchQuery } from './contract.ts'
import { parseSearchQuery } from './parsed-query.ts'
import { searchInSql } from './search-in-sql.ts'
import { aStoreWithProducts, find, givenProducts, names, part } from './search-test-actions.ts'

const inBoth = async (store: Store, question: Record<string, string | string[]>) => {
  const asked = parseSearchQuery(SearchQuery.parse({ sort: 'name', ...question }))
  const inMemory = store.search.search(asked)
  const { total, ids } = await searchInSql(store.db, asked)
  assert.deepEqual([total, ids], [inMemory?.total, inMemory?.ids], JSON.stringify(question))
  return inMemory?.productsJson.map((json): string => JSON.parse(json).name)
}

test('a price with cents is found, counted and sorted to the cent, by the index and by the database', async () => {
  await using store = await aStoreWithProducts()
  const prices = [12.3, 12.34, 12.35, 12.36, 1.15, 0.05]
  await catalogue.addProducts(
    store.db,
    prices.map((price) => ({ ...part, sku: `C-${price}`, name: `Screw ${price}`, category: 'screw', specs: {}, price })),
  )
  await store.search.catchUp()
  for (const [bounds, expected] of [
    [{ 'price.min': '12.34', 'price.max': '12.35' }, [12.34, 12.35]],
    [{ 'price.max': '1.15' }, [0.05, 1.15]],
    [{ 'price.min': '1.15', 'price.max': '12.30' }, [1.15, 12.3]],
    [{ 'price.min': '12.345', 'price.max': '12.355' }, [12.35]],
    [{ 'price.min': '12.36' }, [12.36]],
    [{}, [0.05, 1.15, 12.3, 12.34, 12.35, 12.36]],
  ] as const) {
    const asked = { category: 'screw', ...bounds }
    const { total, tools, facets } = await find(store, `${new URLSearchParams({ ...asked, sort: 'price' })}`)
    assert.deepEqual(
      tools.map(({ price }) => price),
      expected,
    )
    const facet = facets.find(({ key }) => key === 'price')
    assert.ok(facet?.kind === 'number')
    assert.deepEqual([facet.least, facet.most], [0.05, 12.36], 'of all prices, in dollars')
    assert.equal(
      facet.histogram?.counts.reduce((sum, count) => sum + count),
      6,
      'each product is in the histogram once',
    )
    for (const sort of ['price', '-price']) {
      const parsed = parseSearchQuery(SearchQuery.parse({ ...asked, sort }))
      const { productsJson } = await searchInSql(store.db, parsed)
      const pricesInSql = productsJson.map((json) => JSON.parse(json).price)
      assert.deepEqual(pricesInSql, sort === 'price' ? expected : expected.toReversed())
      assert.deepEqual(store.search.search(parsed)?.ids.length, total)
    }
  }
})

test('words that must not stand in names leave out what has them all, whole, in the index and in the database', async () => {
  await using store = await aStoreWithProducts()
  await catalogue.addProducts(
    store.db,
    ['Gale 5070Ti', 'Gale 5070 Tiny', 'Gale 2.5 Ti', 'Storm 5070', 'Stormy 15070'].map((name, nth) => ({
      ...{ ...part, sku: `N-${nth}`, name, category: 'screw', specs: {}, description: 'ti gale' },
    })),
  )
  await store.search.catchUp()
  const withoutWords = (...words: string[]) => inBoth(store, { category: 'screw', 'q.not': words })
  assert.deepEqual(await withoutWords('TI'), ['Gale 5070 Tiny', 'Storm 5070', 'Stormy 15070'])
  assert.deepEqual(await withoutWords('gale 5070'), ['Gale 2.5 Ti', 'Storm 5070', 'Stormy 15070'], 'only both together')
  assert.deepEqual(await withoutWords('2.5', 'storm'), ['Gale 5070 Tiny', 'Gale 5070Ti', 'Stormy 15070'])
  assert.equal((await withoutWords('!', ''))?.length, 5, 'signs are no words')
  const { statusCode } = await store.app.inject(`/api/search?${'&q.not=a'.repeat(11)}`)
  assert.equal(statusCode, 400)
})

test('a page says how many there are in all and where the next one begins', async () => {
  await using store = await aStoreWithProducts()
  const first = await find(store, 'limit=2&sort=name')
  assert.deepEqual([first.total, first.tools.length, first.next], [5, 2, '2'])
  const last = await find(store, `limit=3&sort=name&cursor=${first.next}`)
  assert.equal(last.next, null)
  assert.equal(new Set([...first.tools, ...last.tools].map(({ _id }) => _id)).size, 5)
  assert.deepEqual(await inBoth(store, { cursor: '10' }), [], 'beyond the last page, where the total is the same')
})

test('a value that a product must not have is excluded by the index and by the database, and what is not known fits', async () => {
  await using store = await aStoreWithProducts()
  const fans = ['Red', 'Blue', undefined].map((led, nth) => ({
    ...{ ...part, sku: `F-${nth}`, name: `Fan ${nth}`, category: 'case-fan' },
    specs: { ...(led !== undefined && { led }) },
  }))
  await catalogue.addProducts(store.db, [...fans, { ...part, sku: 'F-3', name: 'Thing' }])
  await store.search.catchUp()
  assert.deepEqual(await names(store, 'category=case-fan&spec.led.not=Red&sort=name'), ['Fan 1', 'Fan 2'])
  const asked = parseSearchQuery(SearchQuery.parse({ category: 'case-fan', 'spec.led.not': 'Red', sort: 'name' }))
  assert.deepEqual((await searchInSql(store.db, asked)).ids, store.search.search(asked)?.ids)
  const others = [...givenProducts.map(({ name }) => name), 'Fan 1', 'Fan 2', 'Thing'].sort()
  assert.deepEqual(await inBoth(store, { 'spec.led.not': 'Red' }), others, 'what is of another kind, or of none, fits')
})

test('each way to ask for each kind of attribute finds the same in the index and in the database', async () => {
  await using store = await aStoreWithProducts()
  const products = [
    { category: 'monitor', specs: { resolution: [1920, 1080], size_in: 24, curved: true } },
    { category: 'monitor', specs: { resolution: [2560, 1440], size_in: 27.5, curved: false } },
    { category: 'monitor', specs: { resolution: '1920 x 1080', size_in: '27' } },
    { category: 'storage', specs: { capacity_gb: 1000, form_factor: 'M.2-2280', size_in: 24, color: 'Black' }, price: 80 },
    { category: 'storage', specs: { capacity_gb: 2000, form_factor: ['M.2-2280', 'M.2-22110'] }, price: 100 },
    { category: 'storage', specs: { capacity_gb: 2 }, price: 2.01 },
    { category: 'storage', specs: { capacity_gb: 1e9 }, price: 0.01 },
    { category: 'telescope', specs: { capacity_gb: 1000, resolution: [1920, 1080], color: 'Black', size_in: 24 } },
    { category: null, specs: { capacity_gb: 1000, color: 'Black' } },
    { category: 'video-card', specs: { outputs: { hdmi_2_1: 2 }, vram_gb: 8, color: ['Black', 'White'] } },
  ].map((one, nth) => ({ ...part, sku: `K-${nth}`, name: `Kind ${nth}`, ...one }))
  await catalogue.addProducts(store.db, products)
  await store.search.catchUp()
  const values = ['1920 x 1080', '24', '27.5', '24.0', 'Yes', '1000', 'M.2 2280', 'Black', 'hdmi_2_1', '0.08', '8', '1.01']
  const found = new Set<string>()
  for (const key of [
    'resolution',
    'size_in',
    'curved',
    'capacity_gb',
    'price_per_gb',
    'form_factor',
    'color',
    'outputs',
    'vram_gb',
    'no_such',
  ]) {
    const name = `spec.${key}`
    const asked = [
      ...values.flatMap((value) => [{ [name]: value }, { [`${name}.not`]: value }, { [name]: value, [`${name}.unknown`]: 'yes' }]),
      ...[{ [`${name}.min`]: '0.05' }, { [`${name}.max`]: '1000' }, { [name]: '24', [`${name}.max`]: '1000' }],
      ...[
        { [`${name}.unknown`]: 'yes' },
        { [`${name}.stated`]: 'yes' },
        { [`${name}.min`]: '25', [`${name}.unknown`]: 'yes' },
        { sort: name, [`${name}.min`]: '0' },
      ],
    ]
    for (const one of asked) for (const product of (await inBoth(store, one)) ?? []) found.add(`${Object.keys(one)[0]} ${product}`)
  }
  for (const brand of ['Noctua', 'MSI'])
    for (const one of [{ 'brand.not': brand }, { 'brand.not': [brand, 'Corsair'] }]) await inBoth(store, one)
  assert.ok(found.has('spec.resolution Kind 0') && found.has('spec.price_per_gb Kind 3') && found.has('spec.outputs Kind 9'))
})

test('what is not stated is a value of every filter, alone or beside others, in the index and in the database alike', async () => {
  await using store = await aStoreWithProducts()
  const cards = [
    { length_mm: 300, color: ['BLACK'] },
    { length_mm: 340, outputs: { hdmi_2_1: 2, vga: 0 } },
    { length_mm: -1, color: 'Unknown', outputs: {} },
    { color: [] },
    { length_mm: 1e300, vram_gb: 1e-300 },
    { length_mm: -5, outputs: { unknown: 3 }, vram_gb: 1e308 },
  ].map((specs, nth) => ({ ...part, sku: `V-${nth}`, name: `Card ${nth}`, brand: nth === 0 ? 'MSI' : null, category: 'video-card', specs }))
  await catalogue.addProducts(store.db, cards)
  await store.search.catchUp()
  const category = 'video-card'
  for (const [asked, expected] of [
    [{ 'spec.length_mm.unknown': 'yes' }, ['Card 2', 'Card 3', 'Card 4', 'Card 5', 'MSI GeForce RTX 4070 Ventus']],
    [
      { 'spec.length_mm.unknown': 'yes', 'spec.length_mm.max': '320' },
      ['Card 0', 'Card 2', 'Card 3', 'Card 4', 'Card 5', 'MSI GeForce RTX 4070 Ventus'],
    ],
    [{ 'spec.color.unknown': 'yes', 'spec.length_mm.min': '1' }, ['Card 1']],
    [{ 'spec.color.unknown': 'yes', 'spec.color': 'Black', 'spec.length_mm.min': '1' }, ['Card 0', 'Card 1']],
    [{ 'spec.outputs.unknown': 'yes', 'brand.unknown': 'yes' }, ['Card 2', 'Card 3', 'Card 4', 'Card 5']],
    [{ 'spec.outputs': 'hdmi_2_1' }, ['Card 1']],
    [{ 'spec.outputs': 'vga' }, []],
    [{ brand: 'MSI', 'brand.unknown': 'yes', 'spec.length_mm.min': '300' }, ['Card 0', 'Card 1']],
    [{ 'spec.price_per_gb.unknown': 'yes', 'spec.length_mm.min': '1' }, ['Card 0', 'Card 1']],
    [{ 'spec.wattage_w.unknown': 'yes' }, []],
    [{ 'spec.price_per_gb.min': '0' }, ['MSI GeForce RTX 4070 Ventus']],
    [{ 'spec.length_mm.max': '999999999999' }, ['Card 0', 'Card 1']],
  ] as const)
    assert.deepEqual(await inBoth(store, { category, ...asked }), expected, JSON.stringify(asked))
  assert.deepEqual(await inBoth(store, { 'spec.wattage_w.unknown': 'yes' }), ['Corsair CX'], 'only of what has watts in its category')

  const { facets } = await find(store, 'category=video-card&spec.length_mm.max=350&brand.unknown=yes')
  const unknown = Object.fromEntries(facets.map((facet) => [facet.key, facet.unknown]))
  assert.deepEqual([unknown.brand, unknown['spec.length_mm'], unknown.price], [1, 4, 0], 'counted as choosing would show')
})

test('spellings of a value are one choice, found by any of them, in the index and in the database alike', async () => {
  await using store = await aStoreWithProducts()
  const drives = ['M.2-2280', 'M.2 2280', 'm.2 2280', 'M.2 22110', 'M.2 2280'].map((form_factor, nth) => ({
    ...{ ...part, sku: `D-${nth}`, name: `Drive ${nth}`, category: 'storage' },
    specs: { form_factor, ...(nth < 2 && { type: nth === 0 ? 'ssd' : 'SSD' }) },
  }))
  await catalogue.addProducts(store.db, drives)
  await store.search.catchUp()
  const asus = { ...part, sku: 'ASUS', name: 'Made by ASUS', brand: 'ASUS' }
  await catalogue.addProducts(store.db, [asus])
  await store.search.catchUp()
  assert.deepEqual(await inBoth(store, { brand: 'asus' }), ['Made by ASUS'])
  assert.equal((await inBoth(store, { 'brand.not': 'Asus', limit: '100' }))?.includes('Made by ASUS'), false)
  for (const spelling of ['M.2 2280', 'M.2-2280', 'M.2, 2280'])
    assert.deepEqual(await inBoth(store, { 'spec.form_factor': spelling }), ['Drive 0', 'Drive 1', 'Drive 2', 'Drive 4'], spelling)
  assert.deepEqual(await inBoth(store, { category: 'storage', 'spec.form_factor.not': 'M.2-2280' }), ['Drive 3'])
  const choices = async (question: string, key = 'spec.form_factor') => {
    const facet = (await find(store, question)).facets.find((one) => one.key === key)
    return facet?.kind === 'choice' ? facet.choices.map(({ value, count }) => `${value}: ${count}`) : []
  }
  assert.deepEqual(await choices('category=storage'), ['M.2 2280: 4', 'M.2 22110: 1'])
  assert.deepEqual(await choices('category=storage', 'spec.type'), ['SSD: 2'], 'of equally many the first in order')
  const asAsked = ['M.2-2280: 4', 'M.2 22110: 1']
  assert.deepEqual(await choices('category=storage&spec.form_factor=M.2-2280'), asAsked)
  assert.deepEqual(await choices('category=storage&spec.form_factor=M.2-2280&spec.form_factor=M.2 2280'), asAsked, 'once, however often')
})

test('boards are filtered by the M.2 drives that their slots take, in the index and in the database alike', async () => {
  await using store = await aStoreWithProducts()
  const slots = [
    ['2242-2280', 'M'],
    ['22110/2580', 'M'],
    ['2280', 'E'],
    ['2230 ,2242', 'B+M'],
    [null, 'M'],
    ['2280', null],
    ['', ''],
    [2280, 'M'],
    ['2280', ['M']],
  ].map(([size, key]) => ({ size, key, interface: 'PCIe x4' }))
  const boards = [...slots.map((slot) => ({ m2_slots: [slot] })), { m2_slots: slots }, { m2_slots: 'M.2 2280' }, {}].map((specs, nth) => ({
    ...{ ...part, sku: `B-${nth}`, name: `Board ${nth}`, category: 'motherboard', specs },
  }))
  await catalogue.addProducts(store.db, boards)
  await store.search.catchUp()
  for (const [drive, expected] of [
    ['M.2 2230', ['Board 3', 'Board 9']],
    ['M.2 2260', ['Board 0', 'Board 9']],
    ['M.2 2280', ['Board 0', 'Board 1', 'Board 10', 'Board 9']],
    ['M.2 22110', ['Board 1', 'Board 9']],
  ] as const)
    assert.deepEqual(await inBoth(store, { 'spec.m2_slots': drive }), expected, drive)
  const unknown = await inBoth(store, { category: 'motherboard', 'spec.m2_slots.unknown': 'yes' })
  assert.deepEqual(unknown, ['Board 11', 'Board 2', 'Board 4', 'Board 5', 'Board 6', 'Board 7', 'Board 8'])
})

test('the price per GB follows the price: it is filtered and sorted by, in the index and in the database alike', async () => {
  await using store = await aStoreWithProducts()
  const drives = [1000, 2000, 24_000, undefined, 0].map((capacity_gb, nth) => ({
    ...{ ...part, price: 83.15, sku: `D-${nth}`, name: `Drive ${nth}`, category: 'storage' },
    specs: { ...(capacity_gb !== undefined && { capacity_gb }), price_per_gb: 5 },
  }))
  await catalogue.addProducts(store.db, drives)
  await store.search.catchUp()
  const found = (asked: Record<string, string>) => inBoth(store, { category: 'storage', ...asked })
  assert.deepEqual(await found({ sort: 'spec.price_per_gb' }), ['Drive 2', 'Drive 1', 'Drive 0', 'Drive 3', 'Drive 4'])
  assert.deepEqual(await found({ 'spec.price_per_gb.max': '0.0416' }), ['Drive 1', 'Drive 2'])
  assert.deepEqual(await found({ 'spec.price_per_gb.min': '0.0832' }), ['Drive 0'])
  const facet = (await find(store, 'category=storage')).facets.find(({ key }) => key === 'spec.price_per_gb')
  assert.ok(facet?.kind === 'number')
  assert.deepEqual([facet.least, facet.most, facet.unknown, facet.price_per], [0.00346, 0.0832, 2, 'capacity_gb'])
  assert.deepEqual((await find(store, 'q=drives by price per gb')).understood.at(-1)?.params, [
    { name: 'sort', value: 'spec.price_per_gb' },
  ])

  await store.db.update(products).set({ priceCents: 1_000 }).where(eq(products.sku, 'D-0'))
  await store.search.catchUp()
  assert.deepEqual(await found({ 'spec.price_per_gb.max': '0.01' }), ['Drive 0', 'Drive 2'], 'at once, in place')
})

test('who asks for a number of pieces finds what can be ordered in that quantity, and of packs only whole ones', async () => {
  await using store = await aStoreWithProducts()
  const totals = (...quantities: number[]) =>
    Promise.all(
      quantities.map(async (pieces) => {
        const asked = parseSearchQuery(SearchQuery.parse({ pieces: `${pieces}` }))
        return [store.search.search(asked)?.total, (await searchInSql(store.db, asked)).total]
      }),
    )
  await store.db.execute(sql`update tools set minimum_order_quantity = 5 where sku = 'A-1'`)
  await store.db.execute(sql`update tools set minimum_order_quantity = 4, order_multiple = 4 where sku = 'A-2'`)
  await store.search.catchUp()
  assert.deepEqual(await totals(1, 4, 5, 8, 101, 999_999_999), [
    [2, 2],
    [3, 3],
    [3, 3],
    [4, 4],
    [0, 0],
    [0, 0],
  ])
  await store.db.execute(sql`update tools set order_multiple = 2 where sku = 'A-2'`)
  await store.search.catchUp()
  assert.deepEqual(await totals(6, 7), [
    [4, 4],
    [3, 3],
  ])
})
