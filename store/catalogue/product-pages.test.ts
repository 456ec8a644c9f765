import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { Comparison } from './compare-contract.ts'
import type { Product } from './contract.ts'
import type { ProductPage } from './product-page-contract.ts'
import { findProductsByIds } from './product-pages.ts'
import * as catalogue from './rules.ts'

const memory = {
  name: 'Vengeance 32 GB',
  description: 'Two modules.',
  category: 'memory',
  brand: 'Corsair',
  mpn: 'CMK32GX5M2B6000C36',
  price: 120,
  minimum_order_quantity: 2,
  available_quantity: 50,
  specs: { capacity_gb: 32 },
}

test('parts are read in the order in which they are asked for, without those that have left', async () => {
  await using store = await anEmptyStore()
  await catalogue.addProducts(
    store.db,
    ['A', 'B', 'C', 'D'].map((name, place) => ({ ...memory, name, specs: place === 1 ? null : memory.specs })),
  )
  const tools: { _id: string; name: string }[] = (await store.visitor.request('GET', '/tools')).json()
  const ids = tools.map(({ _id }) => _id).reverse()
  await store.admin.request('DELETE', `/tools/${ids[1]}`)

  const parts = await findProductsByIds(store.db, ids)

  assert.deepEqual(
    parts.map(({ name, specs }) => [name, specs]),
    [
      ['D', { capacity_gb: 32 }],
      ['B', {}],
      ['A', { capacity_gb: 32 }],
    ],
  )
})

type Given = Partial<catalogue.ProductRecord> & { name: string }
/** Adds parts, each like the memory above but for what is given; answers with their ids by name. */
async function shelved(store: Store, given: Given[]): Promise<Record<string, string>> {
  await catalogue.addProducts(
    store.db,
    given.map((part) => ({ ...memory, ...part })),
  )
  const all: Product[] = (await store.visitor.request('GET', '/tools')).json()
  return Object.fromEntries(all.map(({ name, _id }) => [name, _id]))
}

test('a product without a description of its own is described by its attributes, with their labels and units', async () => {
  await using store = await anEmptyStore()
  const specs = { speed_mts: 5600, capacity_gb: 32, ecc: false, made_for: 'servers', note: 'x'.repeat(41) }
  const unknown = { category: null, brand: null, mpn: null }
  const ids = await shelved(store, [
    { name: 'Vengeance', description: 'Vengeance', specs },
    { name: 'Bare', description: 'Bare', specs: null, ...unknown },
    { name: 'Whirl', description: 'Whirl', ...unknown, category: 'case-fan', specs: { size_mm: 120 } },
    {
      name: 'Lens No.',
      description: 'Lens No.',
      ...unknown,
      brand: 'Acme Inc.',
      specs: { size: 1, made: true, DPort: 3, grade: 4, other: 5 },
    },
  ])
  const describe = async (name: string) => (await store.visitor.request('GET', `/products/${ids[name]}`)).json<ProductPage>()
  const { part, description } = await describe('Vengeance')

  assert.equal(part.description, 'Vengeance', 'as it is stored, for those who change it')
  assert.equal(
    description,
    "Memory by Corsair: Vengeance. Performance: capacity 32 GB; speed 5,600 MT/s. Fits: error correction (ECC): no. Further: made for Servers. The maker's part number is CMK32GX5M2B6000C36.",
  )
  assert.equal((await describe('Whirl')).description, 'Case fans: Whirl. Size: 120 mm.')
  assert.equal((await describe('Bare')).description, 'Bare')
  assert.equal((await describe('Lens No.')).description, 'Lens No., made by Acme Inc. It has: made: yes; size 1; DPort 3; grade 4.')
})

test('a product without a description of its own stays so when it is renamed', async () => {
  await using store = await anEmptyStore()
  const { Board } = await shelved(store, [{ name: 'Board', description: 'Board' }])
  const { price, minimum_order_quantity, available_quantity } = memory

  const details = { name: 'Board Two', description: 'Board' } // as a form sends both
  await store.admin.request('PUT', `/tools/${Board}`, { price, minimum_order_quantity, available_quantity, details })

  const { part } = (await store.visitor.request('GET', `/products/${Board}`)).json<ProductPage>()
  assert.deepEqual([part.name, part.description], ['Board Two', 'Board Two'])
})

test('a product page says all that is known of a part, in words', async () => {
  await using store = await anEmptyStore()
  const { Vengeance } = await shelved(store, [{ name: 'Vengeance', specs: { speed_mts: 5600, ecc: null, capacity_gb: 32, rgb: false } }])

  const shown = await store.visitor.request('GET', `/products/${Vengeance}`)

  assert.equal(shown.statusCode, 200, shown.body)
  const { part, category, details, related }: ProductPage = shown.json()
  assert.equal(part.mpn, 'CMK32GX5M2B6000C36')
  assert.match(part.sku, /./)
  assert.match(part.img, new RegExp(`^/drawings/${Vengeance}\\.svg\\?v=`))
  assert.deepEqual(category, { value: 'memory', label: 'Memory' })
  assert.deepEqual(
    details.map(({ label, text }) => [label, text]),
    [
      ['Capacity', '32 GB'],
      ['Speed', '5,600 MT/s'],
      ['Price per GB', '$3.75'],
      ['RGB lighting', 'No'],
    ],
  )
  assert.deepEqual(related, [])
})

test('a part that is not there, or not any more, has no product page', async () => {
  await using store = await anEmptyStore()
  const { Vengeance } = await shelved(store, [{ name: 'Vengeance' }])
  await store.admin.request('DELETE', `/tools/${Vengeance}`)

  for (const id of [Vengeance, crypto.randomUUID(), 'none']) {
    const missing = await store.visitor.request('GET', `/products/${id}`)
    assert.equal(missing.statusCode, 404)
    assert.equal(missing.json().message, 'There is no such product')
  }
})

test('related are up to six others of the category at about the price, by whichever key they came in: in stock first, then the closest price; and at any price where there is none', async () => {
  await using store = await anEmptyStore()
  const { card, dear } = await shelved(store, [
    { name: 'card', category: 'video-card', price: 500 },
    ...[100, 330, 340, 480.02, 530, 600, 700, 750, 760].map((price) => ({ name: `at ${price}`, category: 'graphics-card', price })),
    { name: 'sold out', category: 'video-card', price: 501, available_quantity: 1 },
    { name: 'dear', category: 'video-card', price: 2000 },
    { name: 'memory', price: 500 },
    { name: 'of no category', category: null, price: 500 },
  ])
  const related = async (id = card): Promise<string[]> =>
    (await store.visitor.request('GET', `/products/${id}`)).json().related.map(({ name }: Product) => name)
  const remove = async (...names: string[]) => {
    const all: Product[] = (await store.visitor.request('GET', '/tools')).json()
    for (const { name, _id } of all) if (names.includes(name)) await store.admin.request('DELETE', `/tools/${_id}`)
  }

  assert.deepEqual(await related(), ['at 480.02', 'at 530', 'at 600', 'at 340', 'at 700', 'at 750'])
  assert.deepEqual(await related(dear), ['at 760', 'at 750', 'at 700', 'at 600', 'at 530', 'card'])

  await remove('at 340', 'at 700')
  assert.deepEqual(await related(), ['at 480.02', 'at 530', 'at 600', 'at 750', 'sold out'])
})

const compared = async (store: Store, ...ids: (string | undefined)[]) =>
  await store.visitor.request('GET', `/compare?${ids.map((id) => `id=${id}`).join('&')}`)

test('a comparison marks what differs and what is best, and never what is not known', async () => {
  await using store = await anEmptyStore()
  const { A, B, C } = await shelved(store, [
    { name: 'A', category: 'monitor', specs: { size_in: 27, refresh_hz: 144, response_ms: 4, panel: 'IPS', hdr: null, odd: 1 } },
    { name: 'B', category: 'monitor', specs: { size_in: 27, refresh_hz: 144, response_ms: 1, panel: 'VA', brightness_nits: 300 } },
    { name: 'C', category: 'monitor', specs: { size_in: 32, refresh_hz: 60, response_ms: -1, odd: 1 } },
  ])

  const answer = await compared(store, C, A, B, A)

  assert.equal(answer.statusCode, 200, answer.body)
  const { parts, rows }: Comparison = answer.json()
  assert.deepEqual(
    parts.map(({ name }) => name),
    ['C', 'A', 'B'],
  )
  assert.deepEqual(
    rows.map(({ label, texts, differs, best }) => [label, texts.join(' | '), differs, best]),
    [
      ['Refresh rate', '60 Hz | 144 Hz | 144 Hz', true, [1, 2]],
      ['Panel', ' | IPS | VA', true, []],
      ['Size', '32 in | 27 in | 27 in', true, []], // nobody can say which is better
      ['Response time', ' | 4 ms | 1 ms', true, [2]],
      ['Brightness', ' |  | 300 nits', false, []],
      ['Odd', '1 | 1 | ', false, []],
    ],
  )
})

test('compared parts have one scale if two of them at least are shown by their drawings, whatever the size of those with a photo', async () => {
  await using store = await anEmptyStore()
  const card = { category: 'video-card' }
  const photo = (name: string, length_mm: number) => ({
    ...card,
    name,
    specs: { length_mm, slots: 2 },
    img: `https://example.org/${name}.jpg`,
  })
  const { A, B, C, D, E } = await shelved(store, [
    { ...card, name: 'A', specs: { length_mm: 200, slots: 2 } },
    { ...card, name: 'B', specs: { length_mm: 250, slots: 2 } },
    photo('C', 400),
    photo('D', 300),
    { name: 'E', category: 'video-card', specs: {}, img: '/drawings/tool.svg' },
  ])
  const spanOf = async (...ids: (string | undefined)[]) => (await compared(store, ...ids)).json<Comparison>().span

  const span = await spanOf(A, B)
  assert.ok(span && span > 250, `${span}`)
  assert.equal(await spanOf(A, B, C), span, 'the longest has a photo')
  for (const ids of [[A], [A, C], [C, D], [C, D, E]]) assert.equal(await spanOf(...ids), null)
})

test('only parts of one category can be compared, up to four, and only those that are there', async () => {
  await using store = await anEmptyStore()
  const { A, B, C, D, E } = await shelved(store, [
    { name: 'A', category: 'storage' },
    { name: 'B', category: 'drive' },
    { name: 'C', category: 'storage' },
    { name: 'D', category: 'storage' },
    { name: 'E', category: 'monitor' },
  ])

  assert.equal((await compared(store, A, B, C, D)).statusCode, 200)
  for (const [ids, status, message] of [
    [[A, E], 400, 'Only products of one category can be compared: A is one of Drives, E is one of Monitors'],
    [[A, B, C, D, E], 400, 'Compare up to 4 products'],
    [[A, 'none'], 400, 'There is no such product'],
    [[A, crypto.randomUUID()], 404, 'There is no such product'],
  ] as const) {
    const refused = await compared(store, ...ids)
    assert.deepEqual([refused.statusCode, refused.json().message], [status, message])
  }
})
