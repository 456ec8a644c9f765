import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drill, importProducts, ndjson } from '#store/imports/import-test-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { familyOf, maxCompared, maxFamilyMembers, memberLabel } from './families.ts'
import { addProducts } from './rules.ts'
import { products } from './table.ts'

const facts = (name: string, specs: Record<string, unknown> = {}, category = 'case-fan') => ({ name, brand: 'Apevia', category, specs })
const areOneFamily = (...all: ReturnType<typeof facts>[]) => new Set(all.map((one) => familyOf(one)?.key)).size === 1

test('parts of one maker are a family if their names differ by colours alone, and no attribute that is a filter differs', () => {
  assert.ok(areOneFamily(facts('Apevia X 120mm Black / Red'), facts('Apevia X 120mm White'), facts('Apevia X 120mm')))
  assert.ok(!areOneFamily(facts('Apevia X 120mm Black'), facts('Apevia X 140mm Black')))
  assert.ok(!areOneFamily(facts('Apevia X Black', { size_mm: 120 }), facts('Apevia X White', { size_mm: 140 })))
  assert.ok(!areOneFamily(facts('Apevia X Black', { size_mm: 120 }), facts('Apevia X White')))
  assert.ok(
    areOneFamily(facts('Apevia X Black', { color: ['BLACK'], note: 'a' }), facts('Apevia X White', { color: ['WHITE'], note: 'b' })),
  )
  assert.ok(!areOneFamily(facts('Apevia X Black'), { ...facts('Apevia X White'), brand: 'Antec' }))
})

test('parts of no category, or of one without a definition, are a family if all that they state but the colour agrees, on lists and pages', async () => {
  assert.ok(
    !areOneFamily(facts('Acme Cable Black', { length_m: 1 }, 'garden-hose'), facts('Acme Cable White', { length_m: 10 }, 'garden-hose')),
  )
  assert.ok(
    !areOneFamily(facts('Acme Cable Black', { length_m: 1 }, 'garden-hose'), facts('Acme Cable White', { width_m: 1 }, 'garden-hose')),
  )
  assert.ok(
    areOneFamily(
      facts('Acme Cable Black', { length_m: 1, color: 'black' }, 'garden-hose'),
      facts('Acme Cable White', { length_m: 1 }, 'garden-hose'),
    ),
  )
  await using store = await anEmptyStore()
  const cable = { ...drill, category: undefined, brand: 'Acme', specs: { length_m: 1 } }
  await importProducts(
    store,
    ndjson(
      { ...cable, sku: 'BLACK', mpn: 'C-1', name: 'Acme Cable Black' },
      { ...cable, sku: 'WHITE', mpn: 'C-2', name: 'Acme Cable White' },
      { ...cable, sku: 'LONG', mpn: 'C-3', name: 'Acme Cable Red', specs: { length_m: 10 } },
    ),
  )
  await store.search.catchUp()
  const { total, rows } = (await store.visitor.request('GET', '/search?q=acme+cable&families=yes')).json()
  assert.deepEqual([total, rows], [3, 2])
  assert.deepEqual(
    (await pageOf(store, 'BLACK')).family.map(({ sku }: { sku: string }) => sku),
    ['BLACK', 'WHITE'],
  )
})

test('a colour of switches, of lights or of a rating is no colour of the part, and colours of drives are lines of their own', () => {
  assert.ok(!areOneFamily(facts('Key MX Red', {}, 'keyboard'), facts('Key MX Brown', {}, 'keyboard')))
  assert.ok(!areOneFamily(facts('Apevia X Red LED'), facts('Apevia X Blue LED')))
  assert.ok(!areOneFamily(facts('Power 500W 80+ Gold', {}, 'power-supply'), facts('Power 500W 80+ Silver', {}, 'power-supply')))
  assert.equal(familyOf(facts('WD Blue 1TB', {}, 'storage')), undefined)
})

test('sizes tell mouse pads of one line apart, and a member is named by what differs', () => {
  assert.ok(areOneFamily(facts('Pad XL Black', { size: 'XL' }, 'mousepad'), facts('Pad L', { size: 'L' }, 'mousepad')))
  assert.equal(memberLabel(facts('Apevia X Black / Red')), 'Black / Red')
  assert.equal(memberLabel(facts('Apevia X', { color: ['WHITE', 'RGB'] })), 'White / RGB')
  assert.equal(memberLabel(facts('Apevia X')), 'Standard')
})

async function pageOf(store: Store, sku: string) {
  const [found] = (await store.db.select().from(products)).filter((one) => one.sku === sku)
  return (await store.visitor.request('GET', `/products/${found?._id}`)).json()
}

test('the page of a product shows the same part in other colours, each with its SKU, price and stock, but not those that are sold no more', async () => {
  await using store = await anEmptyStore()
  const fan = { ...drill, category: 'case-fan', brand: 'Apevia', specs: { size_mm: 120 } }
  await importProducts(
    store,
    ndjson(
      { ...fan, sku: 'BLACK', mpn: 'X-1', name: 'Apevia X Black', price: 9.5, minimum_order_quantity: 5, available_quantity: 4 },
      { ...fan, sku: 'WHITE', mpn: 'X-2', name: 'Apevia X White', price: 8 },
      { ...fan, sku: 'OTHER', mpn: 'X-3', name: 'Apevia Y White' },
      { ...fan, sku: 'TWIN-1', mpn: 'X-5', name: 'Apevia Z Red' },
      { ...fan, sku: 'TWIN-2', mpn: 'X-6', name: 'Apevia Z Red' },
      { ...fan, sku: 'ALIAS-1', mpn: 'X-7', name: 'Apevia W Red', category: 'fan' },
      { ...fan, sku: 'ALIAS-2', mpn: 'X-8', name: 'Apevia W Blue', category: 'fan' },
      { ...fan, sku: 'BIG', mpn: 'X-4', name: 'Apevia X Red', specs: { size_mm: 140 } },
    ),
  )
  const beside = async (sku: string) => (await pageOf(store, sku)).related.map(({ name }: { name: string }) => name)
  assert.deepEqual(await beside('ALIAS-1'), ['Apevia Y White', 'Apevia Z Red', 'Apevia Z Red', 'Apevia X Red'], 'the versions stand once')
  assert.equal((await beside('BLACK')).length, 6, 'where only a version has about its price, those at any price')
  const family = (page: { family: Record<string, unknown>[] }) => page.family.map(({ _id, ...member }) => member)
  assert.deepEqual(family(await pageOf(store, 'BLACK')), [
    { sku: 'WHITE', price: 8, available_quantity: 25, in_stock: true, label: 'White' },
    { sku: 'BLACK', price: 9.5, available_quantity: 4, in_stock: false, label: 'Black' },
  ])
  assert.deepEqual(family(await pageOf(store, 'OTHER')), [])
  assert.deepEqual(family(await pageOf(store, 'TWIN-1')), [], 'what no label tells apart is no family')
  assert.equal(family(await pageOf(store, 'ALIAS-1')).length, 2)
  const { _id } = (await pageOf(store, 'WHITE')).part
  assert.equal((await store.admin.request('DELETE', `/tools/${_id}`)).statusCode, 200)
  assert.deepEqual(family(await pageOf(store, 'BLACK')), [])
})

test('the family of a product is found among more products of its maker than are compared', async () => {
  await using store = await anEmptyStore()
  const fan = { ...drill, category: 'case-fan', brand: 'Apevia' }
  const addOthers = (line: string) =>
    addProducts(
      store.db,
      Array.from({ length: maxCompared }, (_, nth) => ({ ...fan, name: `Apevia ${line}${nth}`, sku: `${line}-${nth}` })),
    )
  await addOthers('M')
  await addProducts(
    store.db,
    ['Black', 'White'].map((colour) => ({ ...fan, name: `Apevia X ${colour}`, sku: colour.toUpperCase() })),
  )
  await addOthers('N')
  assert.deepEqual(
    (await pageOf(store, 'WHITE')).family.map(({ sku }: { sku: string }) => sku),
    ['BLACK', 'WHITE'],
  )
})

test('of a family with more members than a page names, the product that is shown is always among them', async () => {
  await using store = await anEmptyStore()
  const fan = { ...drill, category: 'case-fan', brand: 'Apevia', name: 'Apevia X' }
  await addProducts(
    store.db,
    Array.from({ length: maxFamilyMembers + 1 }, (_, nth) => ({
      ...{ ...fan, sku: `F-${nth}`, mpn: `X-${nth}`, price: 10 + nth, specs: { color: [`Shade ${nth}`] } },
    })),
  )
  const shownFor = async (sku: string) => (await pageOf(store, sku)).family.map((member: { sku: string }) => member.sku)
  const cheapest = Array.from({ length: maxFamilyMembers }, (_, nth) => `F-${nth}`)
  assert.deepEqual(await shownFor('F-1'), cheapest)
  assert.deepEqual(await shownFor(`F-${maxFamilyMembers}`), [`F-${maxFamilyMembers}`, ...cheapest.slice(1)])
})
