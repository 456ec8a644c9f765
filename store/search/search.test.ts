import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import * as catalogue from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import { anEmptyStore } from '#test/store.ts'
import { SearchQuery } from './contract.ts'
import { openLiveSearchIndex } from './live-index.ts'
import { parseSearchQuery } from './parsed-query.ts'
import { aStoreWithProducts, find, names, part } from './search-test-actions.ts'

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
