import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterAndSortRows, type ListQuery, listQueryString, loadListPage, paginate, parseListQuery } from './list-query.ts'

const parts = [
  { name: 'Cable 10 m', price: 9, mpn: 'CMK16GX4-M2/B' },
  { name: 'cable 2 m', price: 30, mpn: '05134 7' },
  { name: 'Fan', price: 12, mpn: '' },
]
const ways = {
  text: ({ name }: (typeof parts)[number]) => name,
  filters: { stock: { choices: ['out', 'low'], valuesOf: ({ price }: (typeof parts)[number]) => (price < 20 ? 'low' : 'out') } },
  sortKeys: { name: ({ name }: (typeof parts)[number]) => name, price: ({ price }: (typeof parts)[number]) => price },
}
const names = (view: Partial<ListQuery>) =>
  filterAndSortRows(parts, { q: '', filters: {}, sort: '', ...view }, ways).map(({ name }) => name)

test('a list is searched for all words, in any order and case', () => {
  assert.deepEqual(names({ q: ' M cAble ' }), ['Cable 10 m', 'cable 2 m'])
  assert.deepEqual(names({ q: 'cable fan' }), [])
  assert.deepEqual(names({ q: '  ' }), ['Cable 10 m', 'cable 2 m', 'Fan'])
})

test('a code is found in any spelling, beside other words too', () => {
  const codes = ({ mpn, price }: (typeof parts)[number]) => [mpn, `SKU-${price}`]
  const found = (q: string) => filterAndSortRows(parts, { q, filters: {}, sort: '' }, { ...ways, codes }).map(({ name }) => name)
  for (const q of ['sku 30', 'SKU30', 'cable sku-30']) assert.deepEqual(found(q), ['cable 2 m'], q)
  for (const q of ['CMK16GX4-M2/B', 'cmk 16gx4', 'cmk16gx4m2', 'cable gx4m2', ' 16GX4-M2 ']) assert.deepEqual(found(q), ['Cable 10 m'], q)
  assert.deepEqual(found('0513-47'), ['cable 2 m'])
  assert.deepEqual(found('cmk fan'), [])
  assert.deepEqual(found('-'), [])
})

test('the row of exactly the number that was typed stands first, however the list is sorted', () => {
  const orders = [
    { number: 1014, address: '1013 Road' },
    { number: 11013, address: '2 Road' },
    { number: 1013, address: '9 Road' },
    { number: 1012, address: '1 Road, 10130 Turku' },
  ]
  const ways = {
    text: ({ number, address }: (typeof orders)[number]) => `${number} ${address}`,
    number: ({ number }: (typeof orders)[number]) => number,
    sortKeys: { address: ({ address }: (typeof orders)[number]) => address },
  }
  const find = (q: string, sort = '') => filterAndSortRows(orders, { q, filters: {}, sort }, ways).map(({ number }) => number)
  assert.deepEqual(find('1013'), [1013, 1014, 11013, 1012])
  assert.deepEqual(
    find(' 1013 ', 'address'),
    [1013, 1012, 11013, 1014].toSorted((one, other) => Number(other === 1013) - Number(one === 1013)),
  )
  assert.deepEqual(find('101'), [1014, 11013, 1013, 1012])
  assert.deepEqual(find('road'), [1014, 11013, 1013, 1012])
})

test('a list shows the rows of one value of a filter, searched and sorted like all of it', () => {
  assert.deepEqual(names({ filters: { stock: 'low' } }), ['Cable 10 m', 'Fan'])
  assert.deepEqual(names({ filters: { stock: 'low' }, sort: '-name', q: 'a' }), ['Fan', 'Cable 10 m'])
  assert.deepEqual(names({ filters: { stock: 'no such level' } }), [])
})

test('a row may have several values of a filter, and is found by each; a filter that a list does not have includes all', () => {
  const several = {
    ...ways,
    filters: {
      attention: {
        choices: ['cheap', 'dear', 'costly'],
        valuesOf: ({ price }: (typeof parts)[number]) => [price < 20 ? 'cheap' : 'dear', price > 10 ? 'costly' : ''],
      },
    },
  }
  const find = (attention: string) =>
    filterAndSortRows(parts, { q: '', filters: { attention, status: 'paid' }, sort: '' }, several).map(({ name }) => name)
  assert.deepEqual(
    [find('cheap'), find('costly')],
    [
      ['Cable 10 m', 'Fan'],
      ['cable 2 m', 'Fan'],
    ],
  )
})

test('a list is sorted up and down, numbers by their size, also within words, and by an unknown column not at all', () => {
  assert.deepEqual(names({ sort: 'price' }), ['Cable 10 m', 'Fan', 'cable 2 m'])
  assert.deepEqual(names({ sort: '-price' }), ['cable 2 m', 'Fan', 'Cable 10 m'])
  assert.deepEqual(names({ sort: 'name' }), ['cable 2 m', 'Cable 10 m', 'Fan'])
  assert.deepEqual(names({ sort: '__proto__' }), ['Cable 10 m', 'cable 2 m', 'Fan'])
})

test('a list is turned page by page, and a page beyond the last is the last', () => {
  const all = Array.from({ length: 45 }, (_, place) => place)
  assert.deepEqual(paginate(all, { page: 1, limit: 20 }).rows, all.slice(0, 20))
  assert.deepEqual(paginate(all, { page: 9, limit: 20 }), { page: 3, pages: 3, first: 40, rows: all.slice(40) })
  assert.deepEqual(paginate([], { page: 2, limit: 20 }), { page: 1, pages: 1, first: 0, rows: [] })
})

test('a page beyond the last of a list that the server pages is the last', async () => {
  for (const [page, total, asked] of [
    [2, 40, [2]],
    [3, 40, [3, 2]],
    [9, 0, [9]],
  ] as const) {
    const pages: number[] = []
    const loaded = await loadListPage({ page, limit: 20 }, async (paging) => {
      pages.push(paging.page)
      return { ...paging, total }
    })
    assert.deepEqual([pages, loaded.page, loaded.limit], [asked, asked.at(-1), 20])
  }
})

test('an address says what is in view and leaves out what goes without saying', () => {
  const days = { date: 'placed', from: '2026-11-01', to: '2026-11-22' }
  const view = { q: 'soldering iron', filters: { status: 'open' }, ...days, sort: '-price', page: 2, limit: 50 }
  assert.equal(listQueryString(view), '?q=soldering+iron&status=open&date=placed&from=2026-11-01&to=2026-11-22&sort=-price&page=2&limit=50')
  assert.deepEqual(parseListQuery(new URLSearchParams(listQueryString(view)), { status: ['open', 'paid'] }), view)
  const nothing = { q: '', filters: {}, date: '', from: '', to: '', sort: '', page: 1, limit: 20 }
  assert.equal(listQueryString(nothing), '?')
  for (const nonsense of ['', '?from=yesterday&to=22', '?page=0', '?page=-3', '?page=x', '?limit=1000', '?status=open'])
    assert.deepEqual(parseListQuery(new URLSearchParams(nonsense)), nothing)
})

test('a filter has only the values that its list knows', () => {
  const choices = { status: ['open', 'paid'], stock: ['out'] }
  const filters = (query: string) => parseListQuery(new URLSearchParams(query), choices).filters
  assert.deepEqual(filters('status=paid&stock=out'), { status: 'paid', stock: 'out' })
  assert.deepEqual(filters('status=zzz&stock=&attention=out&__proto__=open'), {})
})

test('what is no day, also while its year is being typed, is none, and no page is beyond all lists', () => {
  for (const from of ['0002-11-24', '0202-11-24', '2026-02-31', '2026-13-01', 'yesterday'])
    assert.equal(parseListQuery(new URLSearchParams({ from })).from, '', from)
  assert.equal(parseListQuery(new URLSearchParams({ from: '2028-02-29' })).from, '2028-02-29')
  assert.equal(parseListQuery(new URLSearchParams({ page: 'Infinity' })).page, 1_000_000)
})
