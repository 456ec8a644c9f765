import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as catalogue from '#store/catalogue/rules.ts'
import { importProducts, ndjson } from '#store/imports/import-test-actions.ts'
import { anEmptyStore } from '#test/store.ts'
import { FamilyIndex } from './family-index.ts'

test('a family is one row, that of its members which fits best, and names the others, with their own pages; calls that do not ask for rows find each', async () => {
  await using store = await anEmptyStore()
  const fan = (sku: string, colour: string, more: object = {}) => ({
    ...{ sku, mpn: sku, name: `Apevia X 120mm ${colour}`, brand: 'Apevia', category: 'case-fan', description: '', price: 10 },
    ...{ minimum_order_quantity: 1, available_quantity: 5, specs: { size_mm: 120, color: [colour.toUpperCase()] }, ...more },
  })
  await importProducts(
    store,
    ndjson(
      fan('F-1', 'Black'),
      fan('F-2', 'White', { price: 8 }),
      fan('F-3', 'Red', { price: 12, available_quantity: 1, minimum_order_quantity: 2 }),
      fan('F-4', 'Green', { specs: { size_mm: 80 } }),
    ),
  )
  await store.search.catchUp()
  const ask = async (query: string) => (await store.visitor.request('GET', `/search?families=yes&${query}`)).json()
  const skus = (found: { tools: { sku: string }[] }) => found.tools.map(({ sku }) => sku)
  const all = await ask('sort=price')
  assert.deepEqual([all.total, all.rows, skus(all)], [4, 2, ['F-2', 'F-4']])
  assert.deepEqual(
    all.families.map(({ members }: { members: { label: string; in_stock: boolean }[] }) =>
      members.map(({ label, in_stock }) => `${label}${in_stock ? '' : ', out of stock'}`).sort(),
    ),
    [['Black', 'Red, out of stock', 'White']],
  )
  assert.deepEqual(skus(await ask('q=apevia red')), ['F-3'])
  assert.deepEqual(skus(await ask('category=case-fan&spec.color=BLACK')), ['F-1'])
  assert.deepEqual(skus(await ask('sort=-price&limit=1')), ['F-3'])
  const separate = (await store.visitor.request('GET', '/search?sort=price')).json()
  assert.deepEqual([separate.total, separate.rows, separate.tools.length, separate.families], [4, 4, 4, []])
  const red = (await ask('q=apevia red')).tools[0]
  assert.equal((await store.admin.request('DELETE', `/tools/${red._id}`)).statusCode, 200)
  assert.deepEqual((await ask('sort=price')).families[0].members.length, 2)
})

test('two of one colour are one row with the rest of their family as soon as one of the two is sold no more', async () => {
  await using store = await anEmptyStore()
  const fan = { ...{ description: '', price: 10, minimum_order_quantity: 1, available_quantity: 5 }, brand: 'Apevia', category: 'case-fan' }
  await catalogue.addProducts(
    store.db,
    ['Black', 'Black', 'White'].map((colour) => ({ ...fan, name: `Apevia X 120mm ${colour}`, specs: { size_mm: 120 } })),
  )
  const findRows = async () => {
    await store.search.catchUp()
    return (await store.visitor.request('GET', '/search?families=yes')).json()
  }
  const { rows, tools } = await findRows()
  assert.equal(rows, 3)
  const twin = tools.find(({ name }: { name: string }) => name.endsWith('Black'))
  assert.equal((await store.admin.request('DELETE', `/tools/${twin._id}`)).statusCode, 200)
  assert.equal((await findRows()).rows, 1)
})

test('of a family the one that fits best is its row, of equals the first that was added, however they were found; what has no maker, or a twin, is a row of its own', () => {
  const families = new FamilyIndex()
  const add = (slot: number, name: string, brand: string | null) =>
    families.add(slot, {
      ...{
        _id: `${slot}`,
        position: slot,
        sku: '',
        name,
        brand,
        mpn: null,
        category: 'case-fan',
        description: '',
        img: '',
        price: 1,
        specs: {},
      },
      ...{ price_breaks: [], incoming: null, lowered: null, minimum_order_quantity: 1, order_multiple: 1, available_quantity: 1 },
    })
  add(0, 'X White', null)
  for (const [nth, colour] of ['Black', 'White', 'Green', 'Green'].entries()) add(nth + 1, `X ${colour}`, 'Apevia')
  const isLive = new Uint8Array(5).fill(1)
  const position = Int32Array.from(isLive.keys())
  const rows = (slots: number[], keys: number[]) => [
    ...families.collapse(Uint32Array.from(slots), { keys: Float64Array.from(keys), position }, isLive),
  ]
  assert.deepEqual(rows([0, 1, 2, 3, 4], [5, 3, 2, 9, 1]), [0, 2, 3, 4])
  assert.deepEqual(rows([4, 2, 1, 0, 3], [5, 3, 2, 9, 1]), [4, 2, 0, 3])
  assert.deepEqual(rows([2, 1], [5, 2, 2, 9, 1]), [1])
  assert.deepEqual(rows([1, 2], [5, 2, 2, 9, 1]), [1])
  const namedBy = (slot: number) => families.membersOf(slot, isLive).map(({ label }) => label)
  assert.deepEqual([0, 1, 2, 3].map(namedBy), [[], ['Black', 'White'], ['White', 'Black'], []])
})
