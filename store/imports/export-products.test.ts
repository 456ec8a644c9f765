import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { anEmptyStore } from '#test/store.ts'
import { exportProducts as readCatalogue } from './export-products.ts'
import {
  countsOfReport,
  drill,
  exportProducts,
  fetchPublicProducts,
  importProducts,
  ndjson,
  saw,
  uploadAndCheck,
} from './import-test-actions.ts'

test('an export has all products, however many, in the order in which they were added, whatever was changed since', async () => {
  await using store = await anEmptyStore()
  const skus = Array.from({ length: 101 }, (_, nth) => `D-${nth}`)
  await importProducts(store, ndjson(...skus.map((sku) => ({ ...drill, sku }))))
  await store.db.execute(sql`update tools set description = 'Changed' where sku in ('D-0', 'D-50')`)
  const parts: string[][] = []
  for await (const part of readCatalogue(store.db, 'ndjson')) if (parts.push(part.trimEnd().split('\n')) > 2) break
  assert.deepEqual(
    parts.flat().map((line) => JSON.parse(line).sku),
    skus,
  )
  assert.deepEqual(
    parts.map((lines) => lines.length),
    [100, 1],
    'no more than a hundred are held in memory',
  )
})

test('an export is imported into another store and exported from there with the same bytes, as NDJSON and as CSV', async () => {
  await using store = await anEmptyStore()
  const odd = [
    drill,
    saw,
    { ...saw, sku: '=1+1', name: '@SUM(A1)', brand: "'-quoted", mpn: '-40', description: '\t"two",\r\nlines; of it', category: null },
    {
      ...saw,
      sku: "'=1",
      name: "''+x",
      price: 12.35,
      brand: null,
      mpn: '1E+05',
      img: 'https://pictures.example/a,b.png',
      category: 'nowhere',
    },
    {
      ...saw,
      sku: 'Ω-1',
      name: 'Größe 10 µm 電源',
      specs: { z: 1.5, a: [1, 'x', null, { b: true }], '0': -0.25, list: [], text: "=cmd|'/c'!A1" },
    },
  ]
  await importProducts(store, ndjson(...odd))
  for (const format of ['ndjson', 'csv'] as const) {
    await using other = await anEmptyStore()
    const first = await exportProducts(store, format)
    const { report } = await importProducts(other, first)
    assert.deepEqual(countsOfReport(report), { rows: 5, create: 5, update: 0, unchanged: 0, wrong: 0 })
    assert.match(first, format === 'csv' ? /,12\.35,/ : /"price":12\.35,/)
    assert.equal(await exportProducts(other, format), first)
    assert.deepEqual(countsOfReport((await uploadAndCheck(store, first)).report), { rows: 5, create: 0, update: 0, unchanged: 5, wrong: 0 })
    for (const formula of first.split(/[,\r\n]/)) if (format === 'csv') assert.doesNotMatch(formula, /^"?[=+@-]/)
  }
  assert.deepEqual(Object.keys(JSON.parse((await exportProducts(store, 'ndjson')).split('\n')[0] ?? '')), [
    ...['sku', 'name', 'brand', 'mpn', 'category', 'description', 'img', 'price', 'price_breaks', 'minimum_order_quantity'],
    ...['order_multiple', 'available_quantity', 'available_quantity_seen', 'incoming', 'weight_g', 'gtin', 'hs_code', 'origin_country'],
    ...['tax_class', 'specs'],
  ])
})

test('an export leaves out what is no longer for sale; imported again, it is for sale again', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(drill, saw))
  const all = await exportProducts(store, 'ndjson')
  const [first] = await fetchPublicProducts(store)
  await store.admin.request('DELETE', `/tools/${first?._id}`)
  assert.equal(await exportProducts(store, 'ndjson'), all.split('\n').slice(1).join('\n'))

  const { report } = await importProducts(store, all)

  assert.deepEqual(countsOfReport(report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  assert.equal((await fetchPublicProducts(store))[0]?._id, first?._id)
})
