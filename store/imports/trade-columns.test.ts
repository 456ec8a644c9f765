import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductHistoryEntry } from '#store/catalogue/product-history-contract.ts'
import { anEmptyStore } from '#test/store.ts'
import {
  countsOfReport,
  csv,
  drill,
  exportProducts,
  findProduct,
  getImportByApi,
  importProducts,
  ndjson,
  saw,
  uploadAndCheck,
} from './import-test-actions.ts'

/* The columns that the trade needs: price breaks, packs, incoming stock, weight, and the numbers of bar codes and customs. */

const brackets = {
  ...drill,
  sku: 'B-1',
  name: 'Brackets',
  price: 11.9,
  minimum_order_quantity: 5,
  order_multiple: 5,
  price_breaks: [
    { min_quantity: 25, price: 11.3 },
    { min_quantity: 100, price: 10 },
  ],
  ...{
    incoming: { quantity: 200, date: '2026-12-12' },
    weight_g: 210,
    gtin: '4006381333931',
    hs_code: '847330',
    origin_country: 'TW',
    tax_class: 'reduced',
  },
}

test('price breaks, packs, incoming stock, weight and numbers come in by NDJSON and CSV, go out the same, and are cleared by an empty cell', async () => {
  await using store = await anEmptyStore()
  const { report } = await importProducts(store, ndjson(brackets, drill))
  assert.deepEqual(countsOfReport(report), { rows: 2, create: 2, update: 0, unchanged: 0, wrong: 0 })
  const kept = await findProduct(store, 'B-1')
  assert.deepEqual(
    [
      kept?.order_multiple,
      kept?.price_breaks,
      kept?.incoming,
      kept?.weightGrams,
      kept?.gtin,
      kept?.hs_code,
      kept?.origin_country,
      kept?.tax_class,
    ],
    [
      5,
      [
        { min_quantity: 25, price_cents: 1130 },
        { min_quantity: 100, price_cents: 1000 },
      ],
      { quantity: 200, date: '2026-12-12' },
      ...[210, '4006381333931', '847330', 'TW', 'reduced'],
    ],
  )
  const shown = (await store.visitor.request('GET', `/products/${kept?._id}`)).json().part
  assert.deepEqual([shown.order_multiple, shown.price_breaks, shown.incoming], [5, brackets.price_breaks, brackets.incoming])

  const table = await exportProducts(store, 'csv')
  assert.match(table, /,"25: 11\.30; 100: 10",5,5,25,25,200 on 2026-12-12,210,4006381333931,847330,TW,reduced,/)
  for (const file of [table, await exportProducts(store, 'ndjson')])
    assert.deepEqual(countsOfReport((await uploadAndCheck(store, file)).report), { rows: 2, create: 0, update: 0, unchanged: 2, wrong: 0 })

  const cleared = csv(
    'sku,price_breaks,order_multiple,incoming,weight_g,gtin,hs_code,origin_country,tax_class',
    'B-1,,,,,,,,',
    'D-1,,,,,,,,',
  )
  assert.deepEqual(countsOfReport((await importProducts(store, cleared)).report), { rows: 2, create: 0, update: 1, unchanged: 1, wrong: 0 })
  const after = await findProduct(store, 'B-1')
  assert.deepEqual(
    [
      after?.order_multiple,
      after?.price_breaks,
      after?.incoming,
      after?.weightGrams,
      after?.gtin,
      after?.hs_code,
      after?.origin_country,
      after?.tax_class,
    ],
    [1, [], null, null, null, null, null, 'standard'],
  )
  const history: ProductHistoryEntry[] = (await store.admin.request('GET', `/tools/${kept?._id}/history`)).json()
  assert.deepEqual(Object.fromEntries(history.map(({ field, before, after }) => [field, [before, after]])), {
    price_breaks: ['25: 11.30; 100: 10', null],
    order_multiple: ['5', '1'],
    incoming: ['200 on 2026-12-12', null],
    weight_g: ['210', null],
    gtin: ['4006381333931', null],
    hs_code: ['847330', null],
    origin_country: ['TW', null],
    tax_class: ['reduced', 'standard'],
  })
})

test('columns that a file leaves out stay as they are', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(brackets))
  await importProducts(store, csv('sku,price', 'B-1,12'))
  const kept = await findProduct(store, 'B-1')
  assert.deepEqual(
    [kept?.priceCents, kept?.order_multiple, kept?.price_breaks.length, kept?.weightGrams, kept?.tax_class],
    [1200, 5, 2, 210, 'reduced'],
  )
})

test('wrong price breaks, packs, numbers and days are told with what was expected', async () => {
  await using store = await anEmptyStore()
  const wrong = [
    { price_breaks: '25 at 11' },
    { price_breaks: [{ min_quantity: 1, price: 5 }] },
    {
      price_breaks: [
        { min_quantity: 25, price: 5 },
        { min_quantity: 20, price: 4 },
      ],
    },
    { order_multiple: 0 },
    { incoming: '200 on 2026-02-30' },
    { incoming: 'soon' },
    { weight_g: 1.5 },
    { gtin: '4006381333932' },
    { gtin: '123' },
    { hs_code: '84.73' },
    { origin_country: 'Taiwan' },
    { tax_class: 'luxury' },
    { minimum_order_quantity: 7, order_multiple: 5 },
  ]
  const { report } = await uploadAndCheck(store, ndjson(...wrong.map((fields, nth) => ({ ...saw, sku: `W-${nth}`, ...fields }))))
  assert.equal(report.wrong, wrong.length)
  const expected = report.wrongRows.map(({ column, expected }) => [column, expected])
  assert.deepEqual(expected.slice(0, 4), [
    [
      'price_breaks',
      'quantities and prices, such as 25: 11.30; 100: 10.83, or in JSON a list such as [{"min_quantity": 25, "price": 11.3}]',
    ],
    ...Array(2).fill([
      'price_breaks',
      'at most 10 price breaks, from 2 pieces on, each at more pieces and at a lower price than the one before, with prices from $0.01 on',
    ]),
    ['order_multiple', 'a whole number from 1 to 10,000,000'],
  ])
  assert.deepEqual(
    expected.slice(4).map(([column]) => column),
    ['incoming', 'incoming', 'weight_g', 'gtin', 'gtin', 'hs_code', 'origin_country', 'tax_class', 'minimum_order_quantity'],
  )
  assert.equal(report.wrongRows.at(-1)?.found, '7 pieces in packs of 5')
})

test('a file whose product is sold in other packs since the check leaves out that row, or imports nothing', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(brackets))
  const { _id: product } = (await findProduct(store, 'B-1')) ?? { _id: '' }
  const file = csv('sku,minimum_order_quantity,name,price,available_quantity', 'B-1,10,Brackets,9,25', 'C-1,1,Clamp,3,7')
  for (const skipWrong of [false, true]) {
    const { _id } = await uploadAndCheck(store, file)
    const packs = { price: 11.9, minimum_order_quantity: skipWrong ? 4 : 8, available_quantity: 25, order_multiple: skipWrong ? 4 : 8 }
    assert.equal((await store.admin.request('PUT', `/tools/${product}`, packs)).statusCode, 200)
    await store.admin.request('POST', `/imports/${_id}/run`, { skipWrong, stock: 'keep' })
    await store.jobs.whenIdle()
    const { state, trouble } = await getImportByApi(store, _id)
    assert.equal(state, skipWrong ? 'done' : 'failed', `${trouble}`)
    assert.equal((await findProduct(store, 'C-1'))?.priceCents, skipWrong ? 300 : undefined)
  }
})

test('a file that would break the packs of a product is told so, whichever of both figures it changes', async () => {
  await using store = await anEmptyStore()
  await importProducts(store, ndjson(brackets))
  for (const file of [csv('sku,minimum_order_quantity', 'B-1,6'), csv('sku,order_multiple', 'B-1,4')]) {
    const { report } = await uploadAndCheck(store, file)
    assert.deepEqual([report.wrong, report.wrongRows[0]?.column], [1, 'minimum_order_quantity'])
  }
})
