import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { products } from '#store/catalogue/table.ts'
import { createProduct } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { CostPreview } from './cost-preview-contract.ts'

const preview = (store: Store, body: object) => store.admin.request('POST', '/cost-preview', body)

async function aShopInGermany(store: Store) {
  const bodies: [method: 'POST' | 'PUT', path: string, body: object][] = [
    ['PUT', '/tax/settings', { country: 'DE', state: null, pricesIncludeTax: false }],
    ['POST', '/tax/rate-sets', { set: 'eu-vat' }],
    ['PUT', '/delivery/settings', { timeZone: 'Europe/Berlin', unknownWeightGrams: 500 }],
  ]
  for (const [method, path, body] of bodies) assert.equal((await store.admin.request(method, path, body)).statusCode, 200)
  const zone = (
    await store.admin.request('POST', '/delivery/zones', { name: 'World', countries: [], states: [], postalPrefixes: [] })
  ).json()
  const method = {
    ...{
      carrier: null,
      pricedBy: 'weight',
      freeFromCents: null,
      cutOff: null,
      handlingDays: 0,
      notForCategories: [],
      daysFrom: 1,
      daysTo: 2,
    },
    steps: [{ upTo: 31_500, priceCents: 490 }],
  }
  const added = []
  for (const [name, priceCents] of [
    ['Parcel', 490],
    ['Express', 1490],
    ['Letter', 100],
  ] as const) {
    const steps = [{ upTo: name === 'Letter' ? 100 : 31_500, priceCents }]
    added.push((await store.admin.request('POST', `/delivery/zones/${zone._id}/methods`, { ...method, name, steps })).json())
  }
  return added
}

test('a basket is previewed with delivery, tax by rate and total for each method that fits, and why others do not', async () => {
  await using store = await anEmptyStore()
  await aShopInGermany(store)
  const [drill, book] = [await createProduct(store, { dollars: 100 }), await createProduct(store, { dollars: 20, name: 'Book' })]
  const set = (id: string, fields: object) => store.db.update(products).set(fields).where(eq(products._id, id))
  await set(drill, { sku: 'D-1', price_breaks: [{ min_quantity: 3, price_cents: 9000 }] })
  await set(book, { sku: 'B-1', tax_class: 'reduced', weightGrams: 300 })
  const basket = {
    lines: [
      { sku: 'D-1', quantity: 3 },
      { sku: 'B-1', quantity: '1' },
    ],
  }

  const found: CostPreview = (await preview(store, { ...basket, country: 'DE' })).json()

  assert.deepEqual(found.lines, [
    { sku: 'D-1', name: 'Drill', quantity: 3, unitPriceCents: 9000, totalCents: 27_000, taxClass: 'standard', weightGrams: null },
    { sku: 'B-1', name: 'Book', quantity: 1, unitPriceCents: 2000, totalCents: 2000, taxClass: 'reduced', weightGrams: 300 },
  ])
  assert.deepEqual([found.goodsCents, found.pricesIncludeTax, found.vatIdCountry], [29_000, false, null])
  assert.deepEqual(
    found.totals.map(({ method, deliveryCents, tax, totalCents }) => [method?.name, deliveryCents, tax.byRate, totalCents]),
    [
      [
        'Parcel',
        490, // 4.56 of it with the drills, 0.34 with the book
        [
          { ratePpm: 190_000, netCents: 27_456, taxCents: 5217 },
          { ratePpm: 70_000, netCents: 2034, taxCents: 142 },
        ],
        34_849,
      ],
      [
        'Express',
        1490,
        [
          { ratePpm: 190_000, netCents: 28_387, taxCents: 5394 },
          { ratePpm: 70_000, netCents: 2103, taxCents: 147 },
        ],
        36_031,
      ],
    ],
  )
  assert.deepEqual(found.refusals, [{ code: 'too_heavy', message: 'Letter: up to 100 g, and this weighs 1.8 kg' }])

  const abroad = async (fields: object): Promise<CostPreview> => (await preview(store, { ...basket, ...fields })).json()
  const [austrian] = (await abroad({ country: 'AT' })).totals
  assert.deepEqual(
    austrian?.tax.byRate.map(({ ratePpm }) => ratePpm),
    [200_000, 100_000],
  )
  const business = await abroad({ country: 'AT', vatId: 'ATU13585627' })
  assert.deepEqual([business.vatIdCountry, business.totals[0]?.tax.kind, business.totals[0]?.totalCents], ['AT', 'reverse charge', 29_490])
  assert.equal((await abroad({ country: 'AT', vatId: 'ATU1' })).vatIdCountry, null)
  assert.match((await abroad({ country: 'CH' })).totals[0]?.tax.sentence ?? '', /^Export/)
})

test('a basket is previewed for the state and the postal code that are asked', async () => {
  await using store = await anEmptyStore()
  await aShopInGermany(store)
  const id = await createProduct(store)
  await store.db.update(products).set({ sku: 'D-1', weightGrams: 50 }).where(eq(products._id, id))
  for (const zone of [
    { states: ['BY'], postalPrefixes: [] },
    { states: [], postalPrefixes: ['27'] },
  ])
    await store.admin.request('POST', '/delivery/zones', { name: `Closed ${zone.states}`, countries: ['DE'], ...zone })
  const methodsTo = async (place: object) => {
    const found: CostPreview = (await preview(store, { lines: [{ sku: 'D-1', quantity: 1 }], country: 'DE', ...place })).json()
    return found.totals.length
  }
  assert.deepEqual(
    [
      await methodsTo({}),
      await methodsTo({ state: 'HE', postalCode: '60311' }),
      await methodsTo({ state: 'BY' }),
      await methodsTo({ postalCode: '27498' }),
    ],
    [3, 3, 0, 0],
  )
})

test('before anything is set up a basket costs its goods', async () => {
  await using store = await anEmptyStore()
  const id = await createProduct(store, { dollars: 12.35 })
  await store.db.update(products).set({ sku: 'D-1' }).where(eq(products._id, id))
  const found: CostPreview = (
    await preview(store, { lines: [{ sku: 'D-1', quantity: 2 }], country: 'US', state: 'CA', postalCode: '94016' })
  ).json()
  assert.deepEqual(found.totals, [
    { method: null, deliveryCents: 0, tax: { kind: 'none', sentence: null, byRate: [], taxCents: 0, netCents: 2470 }, totalCents: 2470 },
  ])
})

test('a preview of products that are not for sale, or that cost more than an order can, is refused in words', async () => {
  await using store = await anEmptyStore()
  const id = await createProduct(store, { dollars: 999_999 })
  await store.db.update(products).set({ sku: 'D-1' }).where(eq(products._id, id))
  const missing = await preview(store, {
    lines: [
      { sku: 'D-1', quantity: 1 },
      { sku: 'none', quantity: 1 },
    ],
    country: 'DE',
  })
  assert.deepEqual([missing.statusCode, missing.json().errors], [404, { 'lines.1.sku': 'No product for sale has this SKU' }])
  const costly = await preview(store, { lines: Array.from({ length: 100 }, () => ({ sku: 'D-1', quantity: 10_000_000 })), country: 'DE' })
  assert.deepEqual([costly.statusCode, costly.json().message], [400, 'An order costs at most $999,999'])
  assert.equal((await preview(store, { lines: [], country: 'DE' })).statusCode, 400)
  await store.admin.request('DELETE', `/tools/${id}`)
  assert.equal((await preview(store, { lines: [{ sku: 'D-1', quantity: 1 }], country: 'DE' })).statusCode, 404)
})
