import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { products } from '#store/catalogue/table.ts'
import { anEmptyStore } from '#test/store.ts'
import { csv, drill, importProducts, ndjson, uploadAndCheck } from './import-test-actions.ts'

test('units, lists and spellings of a file are mended by the definitions, and the report says which', async () => {
  await using store = await anEmptyStore()
  const cooler = { ...drill, category: 'cpu-cooler', brand: 'be quiet!' }
  await importProducts(store, ndjson({ ...cooler, sku: 'A' }))
  const { report } = await importProducts(
    store,
    ndjson(
      { ...cooler, sku: 'B', mpn: '1', brand: 'Be Quiet', specs: { height_mm: '16 cm', water_cooled: 'yes', noise_db_max: '24.6 dBA' } },
      { ...cooler, sku: 'C', mpn: '2', brand: 'BE QUIET!', category: 'storage', specs: { capacity_gb: '2 TB', rpm: '7200' } },
    ),
  )
  assert.deepEqual(report.mends?.map(({ column, count, example }) => [column, count, example.found]).sort(), [
    ['brand', 2, 'Be Quiet → be quiet!'],
    ['specs.capacity_gb', 1, '2 TB → 2000'],
    ['specs.height_mm', 1, '16 cm → 160'],
    ['specs.noise_db_max', 1, '24.6 dBA → 24.6'],
    ['specs.rpm', 1, '7200 → 7200'],
    ['specs.water_cooled', 1, 'yes → true'],
  ])
  const found = await store.db.select().from(products).orderBy(products.sku)
  assert.deepEqual(found.map(({ brand, specs }) => [brand, specs]).slice(1), [
    ['be quiet!', { height_mm: 160, water_cooled: true, noise_db_max: 24.6 }],
    ['be quiet!', { capacity_gb: 2000, rpm: 7200 }],
  ])
})

test('a table may give numbers with their unit, but in no unit that the attribute does not have', async () => {
  await using store = await anEmptyStore()
  const row = (sku: string, height: string) => `${sku},Tower,cpu-cooler,10,1,1,${height}`
  const { report } = await importProducts(
    store,
    csv(
      'sku,name,category,price,minimum_order_quantity,available_quantity,specs.height_mm',
      row('A', '6.3 in'),
      row('B', '6 GB'),
      row('C', '"1,000 mm"'),
    ),
    true,
  )
  assert.deepEqual(
    report.wrongRows.map(({ sku, expected }) => [sku, expected]),
    [
      ['B', 'a number such as 12 or 1.5, or with its unit: 12 mm'],
      ['C', 'a number such as 12 or 1.5, or with its unit: 12 mm'],
    ],
  )
  const [only] = await store.db.select().from(products)
  assert.deepEqual(only?.specs, { height_mm: 160.02 })
})

test('units of a scale that no question uses are converted too, and a text for a number is refused in each format', async () => {
  await using store = await anEmptyStore()
  const card = (sku: string, specs: object) => ({ ...drill, sku, mpn: sku, category: 'video-card', specs })
  const { report } = await importProducts(
    store,
    ndjson(
      card('A', { length_mm: '0.3 m', boost_mhz: '2.5 GHz', tdp_w: '200' }),
      card('B', { length_mm: 'long', boost_mhz: '2,500', vram_gb: '16384 MB', tdp_w: 200 }),
      { ...card('C', {}), category: 'cpu', specs: { boost_ghz: '3400 MHz', tdp_w: ' ' } },
      { ...card('D', {}), category: 'memory', specs: { capacity_gb: '16 Gb', modules: ['two'] } },
      { ...card('E', {}), category: 'network-card', specs: { speed_mbps: '1 GB/s' } },
      { ...card('F', {}), category: 'network-card', specs: { speed_mbps: '1 Gb/s' } },
    ),
    true,
  )
  assert.deepEqual(
    report.wrongRows.map(({ sku, column, expected }) => [sku, column, expected]),
    [
      ['B', 'specs.vram_gb', 'a number such as 12 or 1.5, or with its unit: 12 GB'],
      ['B', 'specs.length_mm', 'a number such as 12 or 1.5, or with its unit: 12 mm'],
      ['B', 'specs.boost_mhz', 'a number such as 12 or 1.5, or with its unit: 12 MHz'],
      ['D', 'specs.capacity_gb', 'a number such as 12 or 1.5, or with its unit: 12 GB'],
      ['D', 'specs.modules', 'a number such as 12 or 1.5'],
      ['E', 'specs.speed_mbps', 'a number such as 12 or 1.5, or with its unit: 12 Mb/s'],
    ],
  )
  const found = await store.db.select().from(products).orderBy(products.sku)
  assert.deepEqual(
    found.map(({ specs }) => specs),
    [{ length_mm: 300, boost_mhz: 2500, tdp_w: 200 }, { boost_ghz: 3.4, tdp_w: ' ' }, { speed_mbps: 1000 }],
  )
})

test('a choice is written as most products of its kind write it, and a maker that the catalogue does not have is named with the one that is like it', async () => {
  await using store = await anEmptyStore()
  const cpu = (sku: string, brand: string, socket: string, specs: object = {}) => ({
    ...{ ...drill, sku, mpn: sku, brand, category: 'cpu', specs: { socket, ...specs } },
  })
  await importProducts(store, ndjson(cpu('A', 'Intel', 'LGA1700'), cpu('B', 'Intel', 'LGA1700'), cpu('C', 'be quiet!', 'LGA 1700')))
  await store.db.update(products).set({ category: 'processor' }) // as products of earlier versions may say it
  const { report } = await importProducts(
    store,
    ndjson(
      cpu('D', 'Intell', 'lga-1700', { memory_types: ['DDR5'] }),
      cpu('E', 'be quite!', 'AM5'),
      cpu('F', 'Nobody', 'AM4'),
      cpu('G', 'INTEL', 'LGA1700'),
    ),
  )
  assert.deepEqual(
    report.warnings
      .filter(({ column }) => column === 'brand')
      .map(({ words, example }) => [words, example.found])
      .sort(),
    [
      ['a maker that the catalogue does not have', 'Nobody'],
      ['a maker that the catalogue does not have; it has Intel', 'Intell'],
      ['a maker that the catalogue does not have; it has be quiet!', 'be quite!'],
    ],
  )
  const found = await store.db.select().from(products).orderBy(products.sku)
  assert.deepEqual(
    found.slice(3).map(({ brand, specs }) => [brand, specs?.socket]),
    [
      ['Intell', 'LGA1700'],
      ['be quite!', 'AM5'],
      ['Nobody', 'AM4'],
      ['Intel', 'LGA1700'],
    ],
  )
})

test('a category is known by its key, an alias and its label in any spelling, and the report says so; only another one is new', async () => {
  await using store = await anEmptyStore()
  const part = (sku: string, category: string, specs: object = { cores: '8' }) => ({ ...drill, sku, mpn: sku, category, specs })
  const { report } = await importProducts(
    store,
    ndjson(
      part('A', 'cpu'),
      part('B', 'Processors'),
      part('C', ' processors '),
      part('D', 'Processor'),
      part('E', 'power  SUPPLIES', { wattage_w: '0.75 kW' }),
      part('F', 'Toys'),
    ),
  )
  assert.deepEqual(
    report.mends?.filter(({ column }) => column === 'category').map(({ count, example }) => [count, example.found]),
    [[4, 'Processors → cpu']],
  )
  assert.deepEqual(
    report.warnings.map(({ column, count, example }) => [column, count, example.sku]),
    [['category', 1, 'F']],
  )
  const found = await store.db.select().from(products).orderBy(products.sku)
  assert.deepEqual(
    found.map(({ category, specs }) => [category, specs]),
    [...Array(4).fill(['cpu', { cores: 8 }]), ['power-supply', { wattage_w: 750 }], ['Toys', { cores: '8' }]],
  )

  const head = 'sku,category,name,price,minimum_order_quantity,available_quantity,specs.cores'
  await importProducts(store, csv(head, 'G,PROCESSORS,Eight,10,1,1,8'))
  const inTable = (await store.db.select().from(products).orderBy(products.sku)).at(-1)
  assert.deepEqual([inTable?.category, inTable?.specs], ['cpu', { cores: 8 }])
})

test('what is neither yes nor no is refused for an attribute of that kind, in each format', async () => {
  await using store = await anEmptyStore()
  const cooler = (sku: string, water_cooled: unknown) => ({ ...drill, sku, mpn: sku, category: 'cpu-cooler', specs: { water_cooled } })
  const lines = ndjson(...['maybe', 1, ['yes'], 'yes', 'No', true, false, null, ' '].map((value, nth) => cooler(`J-${nth}`, value)))
  const { report } = await importProducts(store, lines, true)
  const refused = ({ wrongRows }: typeof report) => wrongRows.map(({ sku, column, expected }) => [sku, column, expected])
  assert.deepEqual(
    refused(report),
    ['J-0', 'J-1', 'J-2'].map((sku) => [sku, 'specs.water_cooled', 'yes or no']),
  )
  const found = await store.db.select().from(products).orderBy(products.sku)
  assert.deepEqual(
    found.map(({ specs }) => specs?.water_cooled),
    [true, false, true, false, null, ' '],
  )
  const row = (sku: string, cell: string) => `${sku},Tower,cpu-cooler,10,1,1,${cell}`
  const head = 'sku,name,category,price,minimum_order_quantity,available_quantity'
  const oneColumn = await uploadAndCheck(store, csv(`${head},specs.water_cooled`, row('C-0', 'maybe'), row('C-1', 'YES')))
  const json = await uploadAndCheck(store, csv(`${head},specs`, row('C-0', '"{""water_cooled"": ""maybe""}"')))
  for (const { report } of [oneColumn, json]) assert.deepEqual(refused(report), [['C-0', 'specs.water_cooled', 'yes or no']])
})

test('a number below 0 is refused in each format, apart from temperatures', async () => {
  await using store = await anEmptyStore()
  const part = (sku: string, category: string, specs: object) => ({ ...drill, sku, mpn: sku, category, specs })
  const { report } = await importProducts(
    store,
    ndjson(
      part('A', 'cpu', { tdp_w: '-65 W' }),
      part('B', 'cpu', { tdp_w: -65 }),
      part('C', 'cpu', { tdp_w: 0 }),
      part('D', 'tester', { temp_min_c: '-20 °C', temp_max_c: -5 }),
    ),
    true,
  )
  const inTable = await uploadAndCheck(store, csv('sku,category,specs.tdp_w', 'C,cpu,-65', 'D,cpu,-65 W'))
  assert.deepEqual(
    [report, inTable.report].map(({ wrongRows }) => wrongRows.map(({ sku, column, expected }) => [sku, column, expected])),
    [
      ['A', 'B'],
      ['C', 'D'],
    ].map((skus) => skus.map((sku) => [sku, 'specs.tdp_w', 'a number of 0 or more, as only temperatures are below it'])),
  )
  const found = await store.db.select().from(products).orderBy(products.sku)
  assert.deepEqual(
    found.map(({ specs }) => specs),
    [{ tdp_w: 0 }, { temp_min_c: -20, temp_max_c: -5 }],
  )
})

test('a choice that no product of its kind has is named with the nearest one, where products share few', async () => {
  await using store = await anEmptyStore()
  const supply = (sku: string, specs: object) => ({ ...drill, sku, mpn: sku, category: 'power-supply', specs })
  const shared = ['80+ Gold', '80+ Bronze'].flatMap((efficiency, nth) =>
    Array.from({ length: 10 }, (_, place) =>
      supply(`${nth}-${place}`, { efficiency, modular: nth === 0 ? 'Full' : 'Semi', series: `Series ${nth} ${place}` }),
    ),
  )
  await importProducts(store, ndjson(...shared))
  const choices = async (...specs: object[]) => {
    const { report } = await uploadAndCheck(store, ndjson(...specs.map((one, nth) => supply(`N-${nth}`, one))))
    return report.warnings.flatMap(({ column, words, example }) => (column.startsWith('specs.') ? [[column, words, example.found]] : []))
  }
  const nearest = (value: string) => `a value that no product of the category has so far; the nearest is ${value}`
  assert.deepEqual(
    (await choices({ efficiency: '80 PLUS Gold' }, { modular: 'fully modular' }, { efficiency: ['80+ gold', 'Golden'] })).sort(),
    [
      ['specs.efficiency', nearest('80+ Gold'), '80 PLUS Gold'],
      ['specs.modular', nearest('Full'), 'fully modular'],
    ],
  )
  assert.deepEqual(await choices({ efficiency: '80+ gold', modular: 'semi' }, { series: 'Another', modular: ' ' }), [])
  await store.db.update(products).set({ removedAt: new Date() }).where(sql`sku like '1-_' and sku <> '1-0'`)
  assert.deepEqual(await choices({ efficiency: 'None at all' }), [], 'two values that 11 products share are too few products to tell')
})
