import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import type { ProductHistoryEntry } from '#store/catalogue/product-history-contract.ts'
import { products, stockMovements } from '#store/catalogue/table.ts'
import { anEmptyStore } from '#test/store.ts'
import { sampleSize } from '../../proof/full-run.ts'
import {
  countsOfReport,
  csv,
  drill,
  fetchPublicProducts,
  findProduct,
  getImportByApi,
  importProducts,
  ndjson,
  saw,
  uploadAndCheck,
} from './import-test-actions.ts'
import { importFileChunks } from './table.ts'

test('a file of products is checked first, which changes nothing, and then imported', async () => {
  await using store = await anEmptyStore()

  const found = await uploadAndCheck(store, ndjson(drill, saw))
  assert.deepEqual(countsOfReport(found.report), { rows: 2, create: 2, update: 0, unchanged: 0, wrong: 0 })
  assert.deepEqual(await fetchPublicProducts(store), [])

  assert.equal((await store.admin.request('POST', `/imports/${found._id}/run`, {})).json().state, 'importing')
  await store.jobs.whenIdle()
  const [first, second] = await fetchPublicProducts(store)
  assert.deepEqual([first?.name, first?.price, first?.available_quantity, second?.name], ['Drill', 30, 25, 'Saw'])
  const { brand, mpn, category, specs } = (await findProduct(store, 'D-1')) ?? {}
  assert.deepEqual({ brand, mpn, category, specs }, { brand: 'Bosch', mpn: '0611', category: 'cpu', specs: { cores: 4 } })
})

test('the same file a second time changes nothing', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  const before = await store.db.select().from(stockMovements)

  const again = await importProducts(store, ndjson(drill, saw))

  assert.deepEqual(countsOfReport(again.report), { rows: 2, create: 0, update: 0, unchanged: 2, wrong: 0 })
  assert.deepEqual(await store.db.select().from(stockMovements), before)
})

test('a price in a file has cents, in JSON and in a table, and the check and the history say it in dollars', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson({ ...drill, price: 12.35 }, { ...saw, price: '0.05' }))
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ price }) => price),
    [12.35, 0.05],
  )

  const { _id, report } = await uploadAndCheck(store, csv('sku,price', 'D-1,19.90', 'S-1,0.05'))
  assert.deepEqual(countsOfReport(report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  assert.deepEqual(report.changes, [{ sku: 'D-1', field: 'price', before: '12.35', after: '19.9' }])
  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()

  const [first] = await fetchPublicProducts(store)
  assert.equal(first?.price, 19.9)
  const history: ProductHistoryEntry[] = (await store.admin.request('GET', `/tools/${first?._id}/history`)).json()
  assert.deepEqual(
    history.map(({ field, before, after }) => [field, before, after]),
    [['price', '12.35', '19.9']],
  )
})

test('a check names what would change, field by field, as it is and as it would be', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))

  const { report } = await uploadAndCheck(store, ndjson({ ...drill, price: 35, specs: { cores: 8 } }, saw))

  assert.deepEqual(countsOfReport(report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  assert.deepEqual(report.changes, [
    { sku: 'D-1', field: 'price', before: '30', after: '35' },
    { sku: 'D-1', field: 'specs.cores', before: '4', after: '8' },
  ])
  assert.deepEqual(report.warnings, [])
  assert.equal((await findProduct(store, 'D-1'))?.priceCents, 3000)
})

test('what a file does not say stays as it is, and what it says is empty is gone', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))

  await importProducts(store, csv('sku,price', 'D-1,31'))
  const { priceCents, brand, specs } = (await findProduct(store, 'D-1')) ?? {}
  assert.deepEqual({ priceCents, brand, specs }, { priceCents: 3100, brand: 'Bosch', specs: { cores: 4 } })

  await importProducts(store, csv('sku,brand,mpn,description,specs', 'D-1,,,,'))
  const emptied = await findProduct(store, 'D-1')
  assert.deepEqual(
    [emptied?.brand, emptied?.mpn, emptied?.description, emptied?.specs, emptied?.priceCents],
    [null, null, 'Drill', {}, 3100],
  )

  await importProducts(store, csv('sku,name', 'D-1,Better drill'))
  assert.equal((await findProduct(store, 'D-1'))?.description, 'Better drill', 'the name stands where there is no description')
})

test('any wrong row refuses the file, until it is said that the wrong rows are left out', async () => {
  await using store = await anEmptyStore()
  const { _id, report } = await uploadAndCheck(store, ndjson(drill, { ...saw, price: 'ten' }))
  assert.deepEqual(countsOfReport(report), { rows: 2, create: 1, update: 0, unchanged: 0, wrong: 1 })

  const refused = await store.admin.request('POST', `/imports/${_id}/run`, {})
  assert.equal(refused.statusCode, 409)
  assert.deepEqual(await fetchPublicProducts(store), [])

  assert.equal((await store.admin.request('POST', `/imports/${_id}/run`, { skipWrong: true })).statusCode, 200)
  await store.jobs.whenIdle()
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ name }) => name),
    ['Drill'],
  )
})

test('a file of a whole catalogue tells which of its rows are wrong and why, stores the rest when told so, and nothing the second time', async () => {
  await using store = await anEmptyStore()
  const rows = sampleSize(2_000, 46_803)
  const wrongRows = sampleSize(20, 200)
  const isWrong = (row: number) => row % Math.floor(rows / wrongRows) === 0 && row < wrongRows * Math.floor(rows / wrongRows)
  const file = csv(
    'sku,name,price,minimum_order_quantity,available_quantity,category',
    ...Array.from({ length: rows }, (_, row) => `W-${row},Part ${row},${isWrong(row) ? 'ten' : row + 1},1,5,cpu`),
  )
  const { report } = await importProducts(store, file, true)
  assert.deepEqual(countsOfReport(report), { rows, create: rows - wrongRows, update: 0, unchanged: 0, wrong: wrongRows })
  assert.equal(report.wrongRows.length, wrongRows)
  const expected = 'an amount in digits, with at most two decimals, such as 12 or 12.35, without signs, commas and spaces between'
  for (const { row, sku, column, found, expected: said } of report.wrongRows) {
    assert.ok(isWrong(row - 2), `row ${row}`) // the first row of the file is its head
    assert.deepEqual([sku, column, found, said], [`W-${row - 2}`, 'price', 'ten', expected])
  }
  assert.equal((await store.db.select({ count: sql<number>`count(*)::int` }).from(products))[0]?.count, rows - wrongRows)
  assert.deepEqual(countsOfReport((await importProducts(store, file, true)).report), {
    rows,
    create: 0,
    update: 0,
    unchanged: rows - wrongRows,
    wrong: wrongRows,
  })
})

test('a new product that lacks what a product needs is wrong; one that is there already is not', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))

  const { report } = await uploadAndCheck(store, ndjson({ sku: 'D-1', price: 31 }, { sku: 'N-1', price: 31 }))

  assert.deepEqual(countsOfReport(report), { rows: 2, create: 0, update: 1, unchanged: 0, wrong: 1 })
  assert.deepEqual(
    report.wrongRows.map(({ row, column, expected }) => [row, column, expected]),
    ['name', 'minimum_order_quantity', 'available_quantity'].map((column) => [
      ...[2, column],
      `a value for ${column}, as no product has this sku yet and a new one needs it`,
    ]),
  )
})

test('what a file would change is compared anew when it is imported', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const { _id } = await uploadAndCheck(store, ndjson({ ...drill, price: 40 }, saw))
  await importProducts(store, ndjson({ ...drill, price: 40 }))
  await importProducts(store, ndjson({ ...saw, price: 1 }))

  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()

  const { report } = await getImportByApi(store, _id)
  assert.ok(report)
  assert.deepEqual(countsOfReport(report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ price }) => price),
    [40, 12],
  )
})

test('attributes that several files add to a product stay within what one product may have, in number and in length, and a product that has more can lose some', async () => {
  await using store = await anEmptyStore()
  const table = (sku: string, specs: Record<string, string>) => {
    const columns = Object.keys(specs).map((key) => `specs.${key}`)
    const head = ['sku', 'category', 'name', 'price', 'minimum_order_quantity', 'available_quantity', ...columns]
    return csv(head.join(','), [sku, 'cpu', 'Drill', '30', '1', '25', ...Object.values(specs)].join(','))
  }
  const attributes = (first: number, count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`key_${first + nth}`, value]))
  const wrong = async (sku: string, specs: Record<string, string>) =>
    (await uploadAndCheck(store, table(sku, specs))).report.wrongRows.map(({ row, column, found }) => [row, column, found])
  const specsOf = async (sku: string) => (await findProduct(store, sku))?.specs ?? {}

  await importProducts(store, table('D-1', attributes(0, 120, 'x')))
  assert.deepEqual(await wrong('D-1', attributes(120, 120, 'x')), [[2, 'specs', '240 attributes, 4 kB']])
  assert.deepEqual(await wrong('D-1', attributes(120, 1, 'x')), [[2, 'specs', '121 attributes, 2 kB']])
  await importProducts(store, table('D-1', { ...attributes(119, 1, ''), ...attributes(120, 1, 'x') }))
  assert.equal(Object.keys(await specsOf('D-1')).length, 120, 'one for another')

  assert.deepEqual(await wrong('D-2', attributes(0, 2, 'x'.repeat(40_000))), [[2, 'specs', '2 attributes, 79 kB']])
  await importProducts(store, table('D-2', attributes(0, 1, 'x'.repeat(40_000))))
  const { report } = await uploadAndCheck(store, table('D-2', attributes(1, 1, 'x'.repeat(40_000))))
  assert.deepEqual(report.reasons, [
    {
      ...{ column: 'specs', words: 'at most 120 attributes and 64 kB, together with what the product has already', count: 1 },
      example: { row: 2, sku: 'D-2', found: '2 attributes, 79 kB' },
    },
  ])

  await store.db
    .update(products)
    .set({ specs: attributes(0, 240, 'x') })
    .where(eq(products.sku, 'D-1'))
  await importProducts(store, table('D-1', attributes(0, 100, '')))
  assert.equal(Object.keys(await specsOf('D-1')).length, 140)

  const ofTwo = csv(table('D-2', attributes(1, 1, 'x'.repeat(40_000))), 'D-3,cpu,Drill,30,1,25,x')
  assert.equal((await importProducts(store, ofTwo, true)).report.wrong, 1)
  assert.deepEqual([Object.keys(await specsOf('D-2')), await specsOf('D-3')], [['key_0'], { key_1: 'x' }], 'the wrong row is left out')
})

test('rows that have become wrong since the check refuse the import', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  const { _id } = await uploadAndCheck(store, csv('sku,price', 'D-1,31', 'S-1,13'))
  await store.db.update(products).set({ sku: 'S-2' }).where(eq(products.sku, 'S-1'))
  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()

  const { state, trouble, report } = await getImportByApi(store, _id)
  assert.deepEqual([state, /has changed since/.test(`${trouble}`), report?.wrong], ['failed', true, 1])
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ price }) => price),
    [30, 12],
  )
})

test('a checked file is not read a second time when it is imported, whatever it changes', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill))
  const { _id } = await uploadAndCheck(store, ndjson({ ...drill, price: 31 }, saw))
  await store.db.delete(importFileChunks)
  await store.admin.request('POST', `/imports/${_id}/run`, {})
  await store.jobs.whenIdle()
  const { state, trouble } = await getImportByApi(store, _id)
  assert.deepEqual([state, trouble], ['done', null])
  assert.deepEqual(
    (await fetchPublicProducts(store)).map(({ price }) => price),
    [31, 12],
  )
})

test('a report tells what its own file would change, whatever other files wait', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  await uploadAndCheck(store, ndjson({ ...saw, price: 13 }))
  const { report } = await uploadAndCheck(store, ndjson({ ...drill, price: 31 }))
  assert.deepEqual([report.rows, report.update, report.unchanged], [1, 1, 0])
  assert.deepEqual(report.changes, [{ sku: 'D-1', field: 'price', before: '30', after: '31' }])
})

test('only an admin imports and exports', async () => {
  await using store = await anEmptyStore()
  const { _id } = await uploadAndCheck(store, ndjson(drill))
  for (const [actor, status] of [
    [store.visitor, 401],
    [store.customer, 403],
  ] as const) {
    for (const path of ['/imports', `/imports/${_id}`, '/export']) assert.equal((await actor.request('GET', path)).statusCode, status)
    for (const path of ['/imports', `/imports/${_id}/run`]) assert.equal((await actor.request('POST', path, {})).statusCode, status)
  }
  assert.equal((await store.admin.request('POST', '/imports', {})).statusCode, 400)
  assert.equal((await store.admin.request('GET', '/export?format=xml')).statusCode, 400)
})
