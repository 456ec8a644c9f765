import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { drill, importProducts, ndjson, uploadAndCheck } from '#store/imports/import-test-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { categoryOf } from '../categories.ts'
import { addProducts } from '../rules.ts'
import { products } from '../table.ts'
import type { Definitions } from './contract.ts'
import { attribute, category, changed, exportDefinitions, importDefinitions } from './definition-test-actions.ts'
import { createDefinitionsReader } from './definitions-reader.ts'
import { mendDueProducts } from './mend-products.ts'
import { adoptOriginalDefinitions } from './rules.ts'
import { originalDefinitions } from './stored-definitions.ts'
import { catalogueDefinitions } from './table.ts'

const aStart = { revision: 0, definitions: originalDefinitions }

const search = async (store: Store, query: string) => (await store.visitor.request('GET', `/search?${query}`)).json()

test('the definitions are exported, changed and imported, and used at once, without a restart: by questions, filters and names of categories', async () => {
  await using store = await anEmptyStore()
  await importProducts(
    store,
    ndjson({ ...drill, specs: { cores: 4, glow: 'Warm' } }, { ...drill, sku: 'D-2', mpn: '0612', specs: { cores: 8, glow: 'Cold' } }),
  )
  const exported = await exportDefinitions(store)
  assert.deepEqual(exported, aStart)
  assert.deepEqual((await search(store, 'q=thinkers')).understood, [])
  const definitions = changed(exported, (all) => {
    const cpu = category(all, 'cpu')
    cpu.label = 'Thinking chips'
    cpu.words.push('thinker')
    cpu.attributes.push({ key: 'glow', label: 'Glow', kind: 'choice', filter: true, asked: { named: true } })
  })
  const report = await importDefinitions(store, { ...exported, definitions })
  assert.deepEqual(report, {
    revision: 1,
    changes: [
      { category: 'cpu', attribute: null, change: 'changed', fields: ['label', 'words'], products: 2 },
      { category: 'cpu', attribute: 'glow', change: 'added', fields: [], products: 2 },
    ],
    mends: [],
    mendedProducts: 0,
  })
  let answer = await search(store, 'q=warm thinkers')
  for (; answer.understood.length < 2; answer = await search(store, 'q=warm thinkers')) await sleep(20) // until the index is built anew
  const { understood, total } = answer
  assert.equal(total, 1)
  assert.deepEqual(
    understood.map(({ label }: { label: string }) => label),
    ['Thinking chips', 'Glow: Warm'],
  )
  assert.equal((await search(store, 'category=cpu&spec.glow=Cold')).total, 1)
})

test('a dry run says how many products a change touches, and changes nothing', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson({ ...drill, category: 'storage', specs: { form_factor: 'M.2-2280', capacity_gb: 500 } }))
  const exported = await exportDefinitions(store)
  const definitions = changed(exported, (all) => {
    attribute(all, 'storage', 'form_factor').spellings = { 'Two to eighty': ['M.2 2280'] }
    category(all, 'cpu').attributes = category(all, 'cpu').attributes.filter(({ key }) => key !== 'l2_mb')
  })
  const report = await importDefinitions(store, { ...exported, definitions }, true)
  assert.deepEqual(
    report.changes.find((change) => change.attribute === 'form_factor'),
    {
      ...{ category: 'storage', attribute: 'form_factor', change: 'changed', fields: ['spellings'], products: 1 },
    },
  )
  assert.equal(report.mendedProducts, 1)
  assert.deepEqual(
    report.mends.map(({ before: _, ...mend }) => mend),
    [{ field: 'specs.form_factor', category: 'storage', after: 'Two to eighty', products: 1 }],
  )
  await store.jobs.whenIdle()
  assert.deepEqual(await exportDefinitions(store), exported)
})

test('products that are there are mended by changed definitions, and their history says what they had', async () => {
  await using store = await anEmptyStore()
  await importProducts(
    store,
    ndjson(
      { ...drill, brand: 'Bosh', category: 'storage', specs: { interface: 'Serial-ATA 3' } },
      { ...drill, sku: 'D-2', mpn: '0612', category: 'storage', specs: { interface: ['U.2', 'serial ata 3'] } },
    ),
  )
  await store.db
    .update(products)
    .set({ specs: { interface: 'Serial-ATA 3', capacity_gb: 'two' } })
    .where(eq(products.sku, 'D-1'))
  const exported = await exportDefinitions(store)
  const definitions = changed(exported, (all) => {
    attribute(all, 'storage', 'interface').spellings = { 'SATA III': ['Serial ATA 3'] }
    all.questionWords.makers.push({ brand: 'Bosch', words: ['Bosh'] })
  })
  const { mendedProducts } = await importDefinitions(store, { ...exported, definitions })
  assert.equal(mendedProducts, 2)
  await store.jobs.whenIdle()
  const found = await store.db.select().from(products).orderBy(products.sku)
  assert.deepEqual(
    found.map(({ sku, brand, specs }) => [sku, brand, specs]),
    [
      ['D-1', 'Bosch', { interface: 'SATA III', capacity_gb: 'two' }],
      ['D-2', 'Bosch', { interface: ['U.2', 'SATA III'] }],
    ],
  )
  const history = (await store.admin.request('GET', `/tools/${found[0]?._id}/history`)).json()
  assert.ok(
    history.some(({ field, before }: { field: string; before: string }) => field === 'specs.interface' && before === 'Serial-ATA 3'),
  )
  assert.equal((await store.admin.request('PUT', '/catalogue-definitions', { revision: 1, definitions })).json().mendedProducts, 0)
})

test('a product that is changed while products are mended keeps the change, and is not mended over it', async () => {
  await using store = await anEmptyStore()
  const drive = { ...drill, brand: 'Bosh', category: 'storage', specs: { interface: 'Serial-ATA 3' } }
  await addProducts(
    store.db,
    ['A', 'B', 'C', 'D'].map((sku) => ({ ...drive, sku, mpn: sku })),
  )
  const definitions = changed(aStart, (all) => {
    attribute(all, 'storage', 'interface').spellings = { 'SATA III': ['Serial ATA 3'] }
    all.questionWords.makers.push({ brand: 'Bosch', words: ['Bosh'] })
  })
  await store.db.insert(catalogueDefinitions).values({ revision: 1, definitions, isOriginal: false })
  const changeMeanwhile = async () => {
    await store.db.update(products).set({ brand: 'Makita' }).where(eq(products.sku, 'A'))
    await store.db.update(products).set({ category: 'cpu' }).where(eq(products.sku, 'B'))
    await store.db
      .update(products)
      .set({ specs: { interface: 'Serial-ATA 3', capacity_gb: 500 } })
      .where(eq(products.sku, 'C'))
  }
  const db = new Proxy(store.db, {
    get: (target, name) =>
      // what writes what is mended, of products that were read before it
      name === 'transaction'
        ? (write: Parameters<typeof target.transaction>[0]) => changeMeanwhile().then(() => target.transaction(write))
        : Reflect.get(target, name, target),
  })
  assert.ok(await mendDueProducts(db))
  assert.deepEqual(
    (await store.db.select().from(products).orderBy(products.sku)).map(({ brand, category, specs }) => [brand, category, specs]),
    [
      ['Makita', 'storage', { interface: 'Serial-ATA 3' }],
      ['Bosh', 'cpu', { interface: 'Serial-ATA 3' }],
      ['Bosh', 'storage', { interface: 'Serial-ATA 3', capacity_gb: 500 }],
      ['Bosch', 'storage', { interface: 'SATA III' }],
    ],
  )
})

test('who changes definitions that somebody else has changed since overwrites nothing, and an earlier revision is brought back', async () => {
  await using store = await anEmptyStore()
  const exported = await exportDefinitions(store)
  const renamed = (label: string) => ({
    revision: 0,
    definitions: changed(exported, (all) => Object.assign(category(all, 'cpu'), { label: label })),
  })
  await importDefinitions(store, renamed('Chips'))
  const { statusCode, body } = await store.admin.request('PUT', '/catalogue-definitions', renamed('Brains'))
  assert.deepEqual([statusCode, JSON.parse(body).code], [409, 'definitions_changed'])
  const both = await Promise.all(
    ['One', 'Other'].map((label) => store.admin.request('PUT', '/catalogue-definitions', { ...renamed(label), revision: 1 })),
  )
  assert.deepEqual(both.map((answer) => answer.statusCode).sort(), [200, 409])
  const earlier = await exportDefinitions(store, 1)
  assert.deepEqual([earlier.revision, category(earlier.definitions, 'cpu').label], [2, 'Chips'])
  assert.equal((await importDefinitions(store, earlier)).revision, 3)
  assert.equal(category((await exportDefinitions(store)).definitions, 'cpu').label, 'Chips')
  assert.equal((await importDefinitions(store, await exportDefinitions(store))).revision, 3, 'what changes nothing is not written')
  assert.equal((await store.admin.request('GET', '/catalogue-definitions?revision=9')).statusCode, 404)
})

test('definitions that contradict themselves are refused in words, and nothing is changed', async () => {
  await using store = await anEmptyStore()
  const exported = await exportDefinitions(store)
  const refused = async (change: (all: Definitions) => unknown) => {
    const { statusCode, body } = await store.admin.request('PUT', '/catalogue-definitions', {
      revision: 0,
      definitions: changed(exported, change),
    })
    assert.equal(statusCode, 400)
    return body
  }
  assert.match(await refused((all) => void all.categories.push(category(all, 'cpu'))), /Two categories are called \\"cpu\\"/)
  assert.match(
    await refused((all) => void category(all, 'case-fan').words.push('Monitor')),
    /is a name of both case-fan and monitor/,
    'the search for monitors would find fans',
  )
  assert.match(
    await refused((all) => Object.assign(category(all, 'video-card'), { label: 'Memory' })),
    /is a name of both video-card and memory/,
  )
  const kind = { words: ['motherboard'], filters: [] }
  assert.match(
    await refused((all) => Object.assign(category(all, 'cpu'), { kinds: [kind] })),
    /mother ?board\\" is a name of both cpu and motherboard/,
    'the search for boards would find processors',
  )
  assert.match(
    await refused((all) => {
      const form = category(all, 'memory').attributes.find(({ key }) => key === 'memory_type')
      if (form) form.asked = { ...form.asked, better: 'less' }
    }),
    /memory_type\\" is no number and cannot be better or worse/,
  )
  assert.match(await refused((all) => void category(all, 'case-fan').words.push('the')), /is a word of any question/)
  assert.match(await refused((all) => void category(all, 'case-fan').words.push('')), /Write letters or digits/)
  const makers = [
    { brand: 'Beta', words: ['Gamma'] },
    { brand: 'Alpha', words: ['beta'] },
  ]
  assert.match(await refused((all) => Object.assign(all.questionWords, { makers })), /is a name of two makers/)
  const spelledAlike = ['X.Y.Zed', 'XYZed'].map((word, nth) => ({ brand: `Maker ${nth}`, words: [word] }))
  assert.match(await refused((all) => Object.assign(all.questionWords, { makers: spelledAlike })), /is a name of two makers/)
  assert.match(await refused((all) => void category(all, 'cpu').aliases.push('-')), /names nothing/)
  const reversed = { values: { few: [{ words: ['few'], min: 9, max: 1 }] } }
  assert.match(await refused((all) => Object.assign(all.questionWords.values, reversed.values)), /lower one is above the upper one/)
  assert.match(
    await refused((all) => void category(all, 'cpu').attributes.push({ ...attribute(all, 'cpu', 'cores'), key: 'CORES' })),
    /two attributes are called/,
  )
  const cutItself = { separator: ',', spellings: { 'AM4, AM5': ['both'] } }
  assert.match(await refused((all) => Object.assign(attribute(all, 'cpu', 'socket'), cutItself)), /at which it would be cut/)
  for (const asked of [{ bare: [9, 1] }, { values: [{ words: ['few'], min: 9, max: 1 }] }])
    assert.match(await refused((all) => Object.assign(attribute(all, 'cpu', 'cores'), { asked })), /lower one is above the upper one/)
  for (const aroundPercent of [-5, 1e300])
    assert.match(await refused((all) => Object.assign(all.questionWords, { aroundPercent })), /aroundPercent/)
  assert.match(await refused((all) => Object.assign(attribute(all, 'cpu', 'cores'), { asked: { tolerance: 1e300 } })), /tolerance/)
  assert.match(
    await refused((all) => void category(all, 'cpu').attributes.push(attribute(all, 'cpu', 'cores'))),
    /two attributes are called/,
  )
  assert.match(
    await refused((all) => Object.assign(attribute(all, 'cpu', 'cores'), { spellings: { one: [] } })),
    /is a number and has no spellings/,
  )
  assert.match(await refused((all) => void all.questionWords.notSold.push({ words: ['moon'], nearest: ['cheese'] })), /cheese/)
  assert.match(
    await refused((all) => Object.assign(attribute(all, 'cpu', 'cores'), { asked: { withoutWords: ['(a+)+'] } })),
    /withoutWords/,
  )
  assert.match(
    await refused((all) => Object.assign(attribute(all, 'cpu', 'socket'), { asked: { sharedValues: 'constructor' } })),
    /constructor/,
  )
  assert.match(
    await refused((all) => Object.assign(category(all, 'cpu'), { replacedBy: { same: ['lithography'] } })),
    /cpu: there is no filter \\"lithography\\"/,
  )
  const byChoices = { same: ['socket'], asGood: [{ key: 'stepping', worstFirst: ['A', 'B'] }] }
  assert.match(
    await refused((all) => Object.assign(category(all, 'cpu'), { replacedBy: byChoices })),
    /cpu: there is no filter \\"stepping\\"/,
  )
  assert.match(
    await refused((all) =>
      Object.assign(category(all, 'cpu'), {
        replacedBy: undefined,
        goesWith: [{ category: 'case', fits: [{ own: 'socket', is: 'same', of: 'socket' }] }],
      }),
    ),
    /cpu: there is no filter \\"socket\\" in case/,
  )
  const nearest = { category: 'motherboard', fits: [{ own: 'socket', is: 'same', of: 'socket', nearest: true }] }
  assert.match(
    await refused((all) => Object.assign(category(all, 'cpu'), { replacedBy: undefined, goesWith: [nearest] })),
    /cpu: .+\\"same\\", which has no/,
  )
  assert.match(await refused((all) => Object.assign(category(all, 'cpu'), { goesWith: [] })), /\\"fitting\\" names the category/)
  const values = (from: number) => Array.from({ length: 30 }, (_, nth) => `C${from + nth}`)
  const core = { own: 'igpu', is: 'paired', of: 'chipset' }
  const pairs = [
    { own: ['X'], of: values(0) },
    { own: ['x'], of: values(30) },
  ]
  const tooMany = { category: 'motherboard', fits: [{ ...core, pairs }] }
  assert.match(await refused((all) => category(all, 'cpu').goesWith?.push(tooMany as never)), /paired with more than 40 values/)
  for (const factor of [{ times: 1e-320 }, { roundTo: 1e-320 }]) {
    const wattage = { own: 'tdp_w', is: 'atLeast', of: 'wattage_w', ...factor }
    assert.match(
      await refused((all) => category(all, 'video-card').goesWith?.push({ category: 'power-supply', fits: [wattage] } as never)),
      new RegExp(Object.keys(factor).join()),
      'no limit without end',
    )
  }
  const paired = { category: 'motherboard', fits: [{ own: 'cores', is: 'paired', of: 'chipset' }] }
  assert.match(
    await refused((all) => Object.assign(category(all, 'cpu'), { replacedBy: undefined, goesWith: [paired] })),
    /no pairs of \\"cores\\" with \\"chipset/,
  )
  assert.match(
    await refused((all) => Object.assign(attribute(all, 'cpu', 'socket'), { spellings: { A: ['B'], C: ['b'] } })),
    /have the spelling/,
  )
  assert.match(
    await refused((all) => Object.assign(attribute(all, 'cpu', 'socket'), { spellings: { A: ['-'] } })),
    /neither letters nor digits/,
  )
  assert.match(await refused((all) => Object.assign(all.questionWords.units.mm ?? {}, { yard: 1e308 })), /yard/)
  assert.match(
    await refused((all) => void category(all, 'cpu').aliases.push(...Array.from({ length: 1000 }, (_, nth) => `${nth}`))),
    /aliases/,
  )
  assert.deepEqual(await exportDefinitions(store), aStart)
})

test('an import that was checked before the definitions were changed is mended once it has run, and so is a file that leaves out the category', async () => {
  await using store = await anEmptyStore()
  const drive = { ...drill, category: 'storage', specs: { interface: 'Serial-ATA 3' } }
  const { _id } = await uploadAndCheck(store, ndjson(drive))
  const exported = await exportDefinitions(store)
  const definitions = changed(exported, (all) =>
    Object.assign(attribute(all, 'storage', 'interface'), { spellings: { 'SATA III': ['Serial ATA 3'] } }),
  )
  await importDefinitions(store, { ...exported, definitions })
  await store.jobs.whenIdle()
  assert.equal((await store.admin.request('POST', `/imports/${_id}/run`, {})).statusCode, 200)
  await store.jobs.whenIdle()
  const stored = async () => (await store.db.select().from(products)).map(({ specs }) => specs)
  assert.deepEqual(await stored(), [{ interface: 'SATA III' }])
  await importProducts(store, ndjson({ sku: drill.sku, specs: { interface: 'serial ata 3', capacity_gb: '2 TB' } }))
  assert.deepEqual(await stored(), [{ interface: 'SATA III', capacity_gb: 2000 }])
})

test('another process reads the definitions once they are others, and builds its search anew', async () => {
  await using store = await anEmptyStore()
  let others = 0
  const readNow = createDefinitionsReader(store.db, { onOther: () => void others++, onUnreadable: assert.fail })
  await readNow()
  const definitions = changed(aStart, (all) => Object.assign(category(all, 'cpu'), { label: 'Chips' }))
  await store.db.insert(catalogueDefinitions).values({ revision: 1, definitions, isOriginal: false })
  await readNow()
  await readNow()
  assert.deepEqual([categoryOf('cpu')?.label, others], ['Chips', 1])
})

test('a new version of the store brings its definitions along, unless an admin has changed them', async () => {
  await using store = await anEmptyStore()
  await adoptOriginalDefinitions(store.db)
  await adoptOriginalDefinitions(store.db)
  const first = await exportDefinitions(store)
  assert.deepEqual(first, { ...aStart, revision: 1 })
  await store.db.execute(
    `update catalogue_definitions set definitions = jsonb_set(definitions, '{categories,0,label}', '"Of an earlier version"')`,
  )
  await adoptOriginalDefinitions(store.db)
  assert.deepEqual(await exportDefinitions(store), { ...aStart, revision: 2 })
  const own = changed(first, (all) => Object.assign(category(all, 'cpu'), { label: 'Chips' }))
  await importDefinitions(store, { revision: 2, definitions: own })
  await adoptOriginalDefinitions(store.db)
  assert.deepEqual(await exportDefinitions(store), { revision: 3, definitions: own })
})
