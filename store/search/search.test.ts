import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import * as catalogue from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { SearchQuery, SearchResponse } from './contract.ts'
import { openLiveSearchIndex } from './live-index.ts'
import { parseSearchQuery } from './parsed-query.ts'
import { searchInSql } from './search-in-sql.ts'

const part = { description: 'Of a parts shop.', price: 40, minimum_order_quantity: 1, available_quantity: 100 }
const givenProducts = [
  {
    ...part,
    sku: 'A-1',
    name: 'Noctua NH-D15 dual tower',
    brand: 'Noctua',
    mpn: 'NH-D15',
    category: 'cpu-cooler',
    specs: { height_mm: 165 },
  },
  {
    ...part,
    sku: 'A-2',
    name: 'MSI GeForce RTX 4070 Ventus',
    brand: 'MSI',
    mpn: 'V513-043R',
    category: 'video-card',
    specs: { vram_gb: 12 },
  },
  {
    ...part,
    sku: 'A-3',
    name: 'Corsair RM750x',
    brand: 'Corsair',
    mpn: 'CP-9020285-NA',
    category: 'power-supply',
    specs: { wattage_w: 750 },
    price: 90,
  },
  {
    ...part,
    sku: 'A-4',
    name: 'Corsair RM1000x',
    brand: 'Corsair',
    mpn: 'CP-9020286-NA',
    category: 'power-supply',
    specs: { wattage_w: 1000 },
    available_quantity: 0,
  },
  { ...part, sku: 'A-5', name: 'Corsair CX', brand: 'Corsair', mpn: null, category: 'power-supply', specs: {} },
]

async function aStoreWithProducts() {
  const store = await anEmptyStore()
  await catalogue.addProducts(store.db, givenProducts)
  await store.search.catchUp()
  return store
}

const find = async (store: Store, question: string) =>
  SearchResponse.parse((await store.visitor.request('GET', `/search?${question}`)).json())
const names = async (store: Store, question: string) => (await find(store, question)).tools.map(({ name }) => name)

test('categories come in the order of their definitions, and what has no definition comes last', async () => {
  await using store = await anEmptyStore()
  const categories = ['abacus', 'telescope', 'mouse', 'mouse', 'telescope', 'telescope', 'cpu', 'video-card']
  await catalogue.addProducts(
    store.db,
    categories.map((category, nth) => ({ ...part, name: `Part ${nth}`, category })),
  )
  await store.search.catchUp()

  const listed: { key: string; count: number }[] = (await store.visitor.request('GET', '/categories')).json()

  assert.deepEqual(
    listed.map(({ key, count }) => [key, count]),
    [
      ['video-card', 1],
      ['cpu', 1],
      ['mouse', 2],
      ['telescope', 3],
      ['abacus', 1],
    ],
  )
})

test('the categories in the header have what was added since they were last asked for, and no longer what was removed', async () => {
  await using store = await aStoreWithProducts()
  const keys = async () => {
    await store.search.catchUp()
    return (await store.visitor.request('GET', '/categories')).json().map(({ key }: { key: string }) => key)
  }
  assert.deepEqual(await keys(), ['video-card', 'power-supply', 'cpu-cooler'])
  await catalogue.addProducts(store.db, [{ ...part, name: 'Zowie EC2', category: 'mouse' }])
  assert.deepEqual(await keys(), ['video-card', 'power-supply', 'cpu-cooler', 'mouse'])
  const [cooler] = (await find(store, 'q=noctua')).tools
  await store.admin.request('DELETE', `/tools/${cooler?._id}`)
  assert.deepEqual(await keys(), ['video-card', 'power-supply', 'mouse'])
})

test('a part is found by its words in any order, their beginnings, its number in any spelling, and with a mistake', async () => {
  await using store = await aStoreWithProducts()
  for (const q of ['noctua d15', 'tower noct', 'nhd15', 'nh d 15', 'NH-D15', 'noctau', 'cooler 165mm'])
    assert.deepEqual(await names(store, `q=${q}`), ['Noctua NH-D15 dual tower'], q)
  for (const q of ['gefroce 4070', 'rtx4070', 'graphics card', 'V513043R', 'v513 043r'])
    assert.deepEqual(await names(store, `q=${q}`), ['MSI GeForce RTX 4070 Ventus'], q)
  assert.equal((await names(store, 'q=cp9020286na'))[0], 'Corsair RM1000x')
  assert.deepEqual(await names(store, 'q=zzzzzz'), [])
  assert.deepEqual(await names(store, 'q=%3F%21'), [], 'what is no word finds nothing')
})

test('filters go together, each facet counts what choosing would show, and what is not known fits no filter', async () => {
  await using store = await aStoreWithProducts()
  const { total, facets } = await find(store, 'category=power-supply&spec.wattage_w.min=750&in_stock=yes')
  assert.equal(total, 1)
  const watts = facets.find(({ key }) => key === 'spec.wattage_w')
  assert.ok(watts?.kind === 'number')
  assert.deepEqual([watts.least, watts.most], [750, 750], 'counted among what is in stock')
  const stock = facets.find(({ key }) => key === 'in_stock')
  assert.ok(stock?.kind === 'choice')
  assert.deepEqual(
    stock.choices.map(({ value, count }) => [value, count]),
    [['yes', 1]],
    'counted among all that have the watts, and without the choice that nobody can make',
  )
  assert.deepEqual(await names(store, 'category=power-supply&sort=-spec.wattage_w'), ['Corsair RM1000x', 'Corsair RM750x', 'Corsair CX'])
  assert.deepEqual(await names(store, 'category=power-supply&sort=spec.wattage_w'), ['Corsair RM750x', 'Corsair RM1000x', 'Corsair CX'])
  assert.deepEqual(await names(store, 'brand=MSI&brand=Noctua&sort=name'), ['MSI GeForce RTX 4070 Ventus', 'Noctua NH-D15 dual tower'])
})

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

test('a page says how many there are in all and where the next one begins', async () => {
  await using store = await aStoreWithProducts()
  const first = await find(store, 'limit=2&sort=name')
  assert.deepEqual([first.total, first.tools.length, first.next], [5, 2, '2'])
  const last = await find(store, `limit=3&sort=name&cursor=${first.next}`)
  assert.equal(last.next, null)
  assert.equal(new Set([...first.tools, ...last.tools].map(({ _id }) => _id)).size, 5)
  assert.deepEqual(await inBoth(store, { cursor: '10' }), [], 'beyond the last page, where the total is the same')
})

/** What the page refuses, the interface refuses, too. */
const unreadableFilters = [
  ...['spec.length_mm.min=abc', 'spec.length_mm.max=0x30', 'spec.length_mm.min=1e3', 'spec.length_mm.max=Infinity', 'spec.length_mm.min=+'],
  ...['spec.length_mm.mni=3', 'spec.length_mm.MIN=3', 'SPEC.length_mm=3', 'spec.length_mm.unknown=maybe', 'spec.=3'],
  ...['price.max=1e3', 'price.min=0x30', 'pieces=0', 'pieces=2.5', 'sort=Price', 'sort=SPEC.length_mm'],
]

test('a question that cannot be answered is refused in words', async () => {
  await using store = await aStoreWithProducts()
  for (const question of [
    'sort=colour',
    'limit=0',
    'limit=1000',
    'cursor=-1',
    `q=${'a'.repeat(201)}`,
    'price.min=cheap',
    ...unreadableFilters,
  ])
    assert.equal((await store.visitor.request('GET', `/search?${question}`)).statusCode, 400, question)
  for (const [question, message] of [
    ['price.min=cheap', 'This is no number: write figures, such as 250'],
    ['pieces=0', 'This is no number of pieces: write figures, such as 25'],
    [`q=${'a'.repeat(201)}`, 'Search with at most 200 characters'],
    [Array.from({ length: 41 }, (_, nth) => `brand=${nth}`).join('&'), 'There are more than 40 values of brand: choose fewer'],
  ] as const)
    assert.equal((await store.visitor.request('GET', `/search?${question}`)).json().message, message)
})

test('what the search box offers says of a product what it is, by whom and for how much', async () => {
  await using store = await aStoreWithProducts()
  const { tools, categories } = (await store.visitor.request('GET', '/suggestions?q=ventus')).json()
  const [{ _id, img, ...said }] = tools
  assert.deepEqual([tools.length, said], [1, { name: 'MSI GeForce RTX 4070 Ventus', price: 40, brand: 'MSI', mpn: 'V513-043R' }])
  assert.match(img, /^\/drawings\//)
  assert.equal((await store.visitor.request('GET', `/tools/${_id}`)).statusCode, 200)
  assert.deepEqual(
    categories.map(({ value, count }: { value: string; count: number }) => [value, count]),
    [['video-card', 1]],
  )
})

test('while typing, the kinds, filters and makers that are meant are offered', async () => {
  await using store = await aStoreWithProducts()
  const offered = async (q: string) => (await store.visitor.request('GET', `/suggestions?q=${q}`)).json().shortcuts
  assert.deepEqual(await offered('psu 1000w'), [
    {
      label: 'Power supplies, Power: 1,000 W',
      params: [
        { name: 'category', value: 'power-supply' },
        { name: 'spec.wattage_w.min', value: '1000' },
        { name: 'spec.wattage_w.max', value: '1000' },
      ],
      count: 1,
    },
  ])
  assert.deepEqual(await offered('graph'), [{ label: 'Graphics cards', params: [{ name: 'category', value: 'video-card' }], count: 1 }])
  assert.deepEqual(await offered('noct'), [{ label: 'Noctua', params: [{ name: 'brand', value: 'Noctua' }], count: 1 }])
})

test('a question is answered as if its filters had been chosen, and the answer says how it was taken', async () => {
  await using store = await aStoreWithProducts()
  const { total, understood, left, exact } = await find(store, 'q=corsair psu at least 1000w under $50')
  assert.deepEqual([total, left, exact], [1, '', true])
  assert.deepEqual(
    understood.map(({ label }) => label),
    ['Power supplies', 'Corsair', 'Power: 1,000 W or more', 'Price: $50 or less'],
  )
  assert.deepEqual((await find(store, 'q=corsair psu&read=no')).understood, [])
  assert.equal((await find(store, 'q=gefroce 4070')).exact, false)
  assert.deepEqual((await find(store, 'q=noctua wifi7')).left_out, ['wifi7'])
  const excluded = await find(store, 'q=psu under 500w over 900w')
  assert.deepEqual([excluded.total, excluded.contradiction], [0, true])
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

const inBoth = async (store: Store, question: Record<string, string | string[]>) => {
  const asked = parseSearchQuery(SearchQuery.parse({ sort: 'name', ...question }))
  const inMemory = store.search.search(asked)
  const { total, ids } = await searchInSql(store.db, asked)
  assert.deepEqual([total, ids], [inMemory?.total, inMemory?.ids], JSON.stringify(question))
  return inMemory?.productsJson.map((json): string => JSON.parse(json).name)
}

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

test('words that were searched for before are in the same order beside a filter', async () => {
  await using store = await aStoreWithProducts()
  const names = ['A', 'B', 'C', 'Omega'].map((name, nth) => ({
    ...{ ...part, sku: `O-${nth}`, name: `${name} probe`, description: nth < 3 ? 'As good as an omega.' : 'A probe.' },
  }))
  await catalogue.addProducts(store.db, names)
  await store.search.catchUp()
  const shown = async (more = '') => (await find(store, `q=omega${more}`)).tools.map(({ name }) => name)
  const first = await shown()
  assert.equal(first[0], 'Omega probe')
  assert.deepEqual(await shown('&price.max=1000'), first)
})

test('a word that is longer than a term is found by itself alone, wherever its signs are cut', async () => {
  await using store = await aStoreWithProducts()
  const long = `${'内存'.repeat(19)}条𠮷𠮷`
  await catalogue.addProducts(store.db, [
    { ...part, sku: 'L-1', name: `First ${long}`, description: long },
    { ...part, sku: 'L-2', name: 'Zzyzx', description: long },
  ])
  await store.search.catchUp()
  const shown = async (q: string) => (await find(store, `q=${encodeURIComponent(q)}`)).tools.map(({ name }) => name)
  assert.deepEqual(await shown('zzyzx'), ['Zzyzx'])
  assert.equal((await shown(long)).length, 2)
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

test('a search of all categories has the filters of the one that most of what was found is of', async () => {
  await using store = await aStoreWithProducts()
  const keys = async (question: string) =>
    (await find(store, question)).facets.flatMap(({ key, category }) => (category === undefined ? [] : `${category} ${key}`))
  for (const question of ['q=corsair', 'brand=Corsair'])
    assert.deepEqual(await keys(question), ['power-supply spec.wattage_w', 'power-supply spec.price_per_w'], question)
  assert.deepEqual(await keys(''), [], 'the list of everything has none')
  assert.deepEqual(await keys('category=power-supply'), [], 'those of a chosen category are no others')
  const asked = parseSearchQuery(SearchQuery.parse({ q: 'corsair' }))
  assert.equal(
    store.search.search({ ...asked, hasFacetsOfLargest: false })?.facets.some(({ key }) => key.startsWith('spec.')),
    false,
  )
})

test('the filters of the kind that most of what was found is of count what was found of it, and nothing else', async () => {
  await using store = await aStoreWithProducts() // whose oldest product is a cooler of 165 mm
  const cooler = { ...part, category: 'cpu-cooler' }
  await catalogue.addProducts(store.db, [
    { ...cooler, name: 'Thermalright Assassin', specs: { height_mm: 155 } },
    { ...cooler, name: 'Thermalright Phantom', specs: { height_mm: 150 } },
    { ...part, name: 'Thermalright fan', category: 'case-fan' },
  ])
  await store.search.catchUp()
  const heights = (await find(store, 'q=thermalright')).facets.find(({ key }) => key === 'spec.height_mm')
  assert.ok(heights?.kind === 'number')
  assert.deepEqual([heights.least, heights.most], [150, 155])
})

test('of what fits equally well what is newer comes first, and a product that is edited stays where it was', async () => {
  await using store = await aStoreWithProducts()
  const fans = ['Alpha', 'Bravo', 'Gamma'].map((word, nth) => ({
    ...{ ...part, sku: `F-${nth}`, name: `${word} Airflow fan`, category: 'case-fan', specs: nth === 2 ? { released_year: 2024 } : {} },
  }))
  await catalogue.addProducts(store.db, fans)
  await store.search.catchUp()
  const order = ['Gamma Airflow fan', 'Alpha Airflow fan', 'Bravo Airflow fan']
  assert.deepEqual(await names(store, 'q=airflow+fan'), order)
  await store.db.execute(sql`update tools set description = 'Written anew.' where sku = 'F-0'`)
  await store.search.catchUp()
  assert.deepEqual(await names(store, 'q=airflow+fan'), order)
  assert.deepEqual(await names(store, 'category=case-fan&sort=price'), ['Alpha Airflow fan', 'Bravo Airflow fan', 'Gamma Airflow fan'])
})

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

test('of what is as new, what has more buyers comes first, also as an order of its own; a product keeps its buyers when it changes, and when the index is built anew', async () => {
  await using store = await aStoreWithProducts()
  const search = openLiveSearchIndex(store.db, store.changes, (error) => console.error(error))
  await search.ready
  await catalogue.addProducts(store.db, [
    { ...part, sku: 'A-6', name: 'Corsair SF', brand: 'Corsair', mpn: null, category: 'power-supply', specs: { released_year: 2020 } },
  ])
  const ids = new Map((await store.db.select().from(products)).map(({ name, _id }) => [name, _id]))
  const named = (asked: object) => {
    const found = search.answer(parseSearchQuery(SearchQuery.parse({ category: 'power-supply', ...asked })))
    return found?.productsJson.map((json) => JSON.parse(json).name)
  }
  const buyersOf = (names: Record<string, number>) => new Map(Object.entries(names).map(([name, buyers]) => [ids.get(name) ?? '', buyers]))
  await search.catchUp()
  assert.deepEqual(named({}), ['Corsair SF', 'Corsair RM750x', 'Corsair CX', 'Corsair RM1000x'])
  search.setBuyers(buyersOf({ 'Corsair CX': 2, 'Corsair RM1000x': 7 }))
  const byBuyers = ['Corsair SF', 'Corsair CX', 'Corsair RM750x', 'Corsair RM1000x']
  assert.deepEqual(named({}), byBuyers, 'newer comes first, and what is out of stock last')
  assert.deepEqual(named({ sort: 'bestselling', limit: '2' }), ['Corsair RM1000x', 'Corsair CX'])
  await store.db.update(products).set({ description: 'Of another shop.' })
  await search.catchUp()
  assert.deepEqual(named({}), byBuyers)
  const rebuilt = new Promise<void>((resolve) => store.changes.subscribe((topic) => topic === '*' && resolve()))
  search.rebuild()
  await rebuilt
  assert.deepEqual(named({}), byBuyers)
  search.setBuyers(new Map())
  assert.deepEqual(named({}), ['Corsair SF', 'Corsair RM750x', 'Corsair CX', 'Corsair RM1000x'])
  await search.close()
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
