import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyStore } from '#test/store.ts'
import { isDocumentUrl, productDocuments } from './product-documents.ts'
import type { ProductPage } from './product-page-contract.ts'
import * as catalogue from './rules.ts'

const board = {
  ...{ name: 'Board B650', description: 'A board.', category: 'motherboard', brand: 'ASUS', mpn: 'B650', sku: 'B-1' },
  ...{ price: 120, minimum_order_quantity: 1, available_quantity: 5 },
}

test('attributes that are https addresses are documents of the product: links by their names, neither read as attributes nor searched', async () => {
  await using store = await anEmptyStore()
  const specs = {
    socket: 'AM5',
    datasheet_url: 'https://maker.example/b650.pdf',
    manuals: ['https://maker.example/de/zebra.pdf', 'https://maker.example/en/zebra.pdf'],
    site: 'maker.example',
  }
  await catalogue.addProducts(store.db, [{ ...board, specs }])
  await store.search.catchUp()
  const [{ _id } = { _id: '' }] = (await store.visitor.request('GET', '/tools')).json()

  const shown: ProductPage = (await store.visitor.request('GET', `/products/${_id}`)).json()
  assert.deepEqual(shown.documents, [
    { label: 'Datasheet', url: 'https://maker.example/b650.pdf', host: 'maker.example' },
    { label: 'Manuals 1', url: 'https://maker.example/de/zebra.pdf', host: 'maker.example' },
    { label: 'Manuals 2', url: 'https://maker.example/en/zebra.pdf', host: 'maker.example' },
  ])
  assert.deepEqual(
    shown.details.map(({ key }) => key),
    ['socket', 'site'],
  )
  const found = async (words: string) => (await store.visitor.request('GET', `/search?q=${words}`)).json().total
  assert.deepEqual([await found('AM5'), await found('zebra')], [1, 0])
})

test('a document is named once, in the order of names and numbers, and at most fifty are', () => {
  const of = (specs: Record<string, unknown>) => productDocuments(specs).map(({ label }) => label)
  const many = (count: number) => Array.from({ length: count }, (_, nth) => `https://maker.example/${nth}`)
  assert.deepEqual(of({ manual: many(11) }).slice(8), ['Manual 9', 'Manual 10', 'Manual 11'])
  assert.deepEqual(of({ datasheet_URL: many(1), site: many(1), _url: 'https://maker.example/other' }), ['Datasheet', 'Document'])
  assert.deepEqual(of({ mixed: ['https://maker.example/1', 'see page 2'] }), [], 'a text beside an address is a text')
  assert.equal(of({ manual: many(60) }).length, 50)
})

test('what is no plain https address is a text, never a link', () => {
  for (const url of [
    'http://maker.example/sheet.pdf',
    'javascript:alert(1)',
    'https://user:password@maker.example/sheet.pdf',
    'https://',
    'https://maker.example/a sheet.pdf',
    'see https://maker.example/sheet.pdf',
    `https://maker.example/${'a'.repeat(2000)}`,
    7,
    null,
  ])
    assert.equal(isDocumentUrl(url), false, `${url}`)
})
