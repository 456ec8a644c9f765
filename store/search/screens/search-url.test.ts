import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facet } from '#store/search/contract.ts'
import { amountErrors, describeInvalidNumber, withoutInvalidNumbers } from './amount-errors.ts'
import { attributeTextWithoutUnit } from './attribute-texts.ts'
import { sortOptions } from './facet-options.ts'
import { listAppliedFilters } from './list-applied-filters.ts'
import { productsUrlWithParams, readPageNumber, readSearchParams, visiblePageNumbers } from './search-url.ts'

const capacity: Facet = {
  kind: 'number',
  key: 'spec.capacity_gb',
  label: 'Capacity',
  unit: 'GB',
  better: 'more',
  least: 4,
  most: 256,
  common: [],
  unknown: 2,
}
const type: Facet = {
  kind: 'choice',
  key: 'spec.memory_type',
  label: 'Memory type',
  choices: [{ value: 'ddr5', label: 'DDR5', count: 3 }],
  others: 0,
  unknown: 0,
}

test('an address asks in the names of the call, amounts as people type them, and nothing that is not said', () => {
  const search = new URLSearchParams(
    'q= ddr5 &brand=Corsair&brand=Kingston&price.max=$1,250&price.min=&look=table&page=3&limit=100&x=1&spec.capacity_gb.min=32',
  )
  assert.deepEqual(readSearchParams(search), {
    q: ['ddr5'],
    brand: ['Corsair', 'Kingston'],
    'price.max': ['1250'],
    'spec.capacity_gb.min': ['32'],
  })
})

test('of what can be asked once the first counts', () => {
  assert.deepEqual(readSearchParams(new URLSearchParams('q=one&q=two&sort=price&sort=name')), { q: ['one'], sort: ['price'] })
})

test('a changed filter begins at the first page and leaves all else as it is', () => {
  const search = new URLSearchParams('q=ddr5&brand=A&brand=B&page=4&look=table')
  assert.equal(productsUrlWithParams(search, { brand: ['A'] }), '/allproducts?brand=A&look=table&q=ddr5')
  assert.equal(productsUrlWithParams(search, { page: '2' }), '/allproducts?brand=A&brand=B&look=table&page=2&q=ddr5')
  assert.equal(productsUrlWithParams(search, { page: '1', q: undefined, brand: [], look: undefined }), '/allproducts')
})

test('every filter is said in words, with the labels and units of its facet', () => {
  const search = new URLSearchParams(
    'category=memory&q=x&in_stock=yes&pieces=1000&price.min=10&spec.memory_type=ddr5&spec.capacity_gb.min=1024&spec.some_thing=Y&sort=name',
  )
  assert.deepEqual(
    listAppliedFilters(search, [capacity, type]).map(({ label }) => label),
    ['In stock', '1,000 pieces', 'Price: $10 or more', 'Capacity: 1,024 GB or more', 'Memory type: DDR5', 'Some thing: Y'],
  )
})

test('what is not stated is said as a filter of its own, or beside what is asked for', () => {
  const labels = (query: string) => listAppliedFilters(new URLSearchParams(query), [capacity, type]).map(({ label }) => label)
  assert.deepEqual(labels('spec.capacity_gb.unknown=yes&brand.unknown=yes'), ['Brand: not stated', 'Capacity: not stated'])
  assert.deepEqual(labels('spec.capacity_gb.unknown=yes&spec.capacity_gb.max=32&spec.capacity_gb=64'), [
    'Capacity: 64 GB',
    'Capacity: 32 GB or less',
    'Capacity: or not stated',
  ])
})

test('a figure that follows from the price is said as an amount', () => {
  const perGb: Facet = { ...capacity, key: 'spec.price_per_gb', label: 'Price per GB', unit: undefined, price_per: 'capacity_gb' }
  assert.equal(attributeTextWithoutUnit({ specs: { capacity_gb: 1000 }, price: 83 }, perGb), '$0.083')
  assert.equal(attributeTextWithoutUnit({ specs: {}, price: 83 }, perGb), undefined)
  const [filter] = listAppliedFilters(new URLSearchParams('spec.price_per_gb.max=0.083'), [perGb])
  assert.equal(filter?.label, 'Price per GB: $0.083 or less')
})

test('a price in an address has cents where there are some, and is said as prices are', () => {
  const labels = (query: string) => listAppliedFilters(new URLSearchParams(query), []).map(({ label }) => label)
  assert.deepEqual(labels('price.min=12.5&price.max=$1,000.50'), ['Price: $1,000.50 or less', 'Price: $12.50 or more'])
  assert.deepEqual(labels('price.min=12.345'), ['Price: $12.345 or more'])
  assert.deepEqual(labels('price.min=cheap'), ['Price: $cheap or more'])
  for (const [typed, spelled] of [
    ['12.50', '12.5'],
    ['12.00', '12'],
    ['12.05', '12.05'],
    ['$1,250.90 ', '1250.9'],
    ['100', '100'],
    ['12.50 $', '12.5'],
    ['12,50', '12.50'],
    ['1250,5', '1250.5'],
    ['1,250,5', '1250.5'],
    ['12,5050', '12,5050'],
    ['1.250,00', '1.250,00'],
    ['1.250,000', '1.250,000'],
    [',250', ',250'],
    ['1,234,567.50', '1234567.5'],
    ['(12.50', '(12.50'],
    ['0.05', '0.05'],
    ['12.x0', '12.x0'],
    ['1e3.0', '1e3.0'],
  ] as const)
    assert.deepEqual(readSearchParams(new URLSearchParams({ 'price.max': typed })), { 'price.max': [spelled] }, typed)
  assert.equal(
    productsUrlWithParams(new URLSearchParams('price.min=3.10'), { 'price.max': '12.50' }),
    '/allproducts?price.max=12.5&price.min=3.1',
  )
})

test('what is no amount is told in words', () => {
  assert.equal(describeInvalidNumber(new URLSearchParams('price.min=$1,000.50&pieces=25&spec.temp.max=-5')), undefined)
  assert.match(describeInvalidNumber(new URLSearchParams('price.min=cheap')) ?? '', /^"cheap" is no amount/)
  assert.match(describeInvalidNumber(new URLSearchParams('pieces=2.5')) ?? '', /^"2.5" is no number of pieces/)
  assert.match(describeInvalidNumber(new URLSearchParams('pieces=0')) ?? '', /^"0" is no number of pieces/)
})

test('a typed amount that cannot be searched for leaves what was searched for before, and reversed prices are told', () => {
  const typed = new URLSearchParams('pieces=abc&price.min=90&price.max=80&brand=Crucial')
  assert.deepEqual(Object.keys(amountErrors(typed)), ['pieces', 'price'])
  assert.equal(`${withoutInvalidNumbers(typed, new URLSearchParams('pieces=5&price.max=80'))}`, 'brand=Crucial&pieces=5&price.max=80')
  assert.equal(`${withoutInvalidNumbers(typed, typed)}`, 'brand=Crucial')
  assert.deepEqual(amountErrors(new URLSearchParams('pieces=1,250&price.min=$80&price.max=80')), {})
  const lengths = new URLSearchParams('spec.length_mm.min=20cm&spec.tdp_w.min=300&spec.tdp_w.max=200&spec.slots.max=2')
  assert.deepEqual(Object.keys(amountErrors(lengths)), ['spec.length_mm', 'spec.tdp_w'])
  assert.equal(`${withoutInvalidNumbers(lengths)}`, 'spec.slots.max=2')
})

test('a page is a whole number from 1, whatever the address says', () => {
  for (const [said, page] of [
    ['3', 3],
    ['0', 1],
    ['-2', 1],
    ['x', 1],
    ['2.9', 2],
    ['1e99', 400_000],
    ['', 1],
  ] as const)
    assert.equal(readPageNumber(new URLSearchParams({ page: said })), page, said)
})

test('the first, the last and the neighbouring pages are offered, and a gap is never a single page', () => {
  assert.deepEqual(visiblePageNumbers(1, 1), [1])
  assert.deepEqual(visiblePageNumbers(3, 5), [1, 2, 3, 4, 5])
  assert.deepEqual(visiblePageNumbers(1, 195), [1, 2, 0, 195])
  assert.deepEqual(visiblePageNumbers(100, 195), [1, 0, 99, 100, 101, 0, 195])
  assert.deepEqual(visiblePageNumbers(195, 195), [1, 0, 194, 195])
})

test('a number is sorted the way that is better, and both ways where nobody knows', () => {
  const values = (facets: Facet[]) =>
    sortOptions(facets, false)
      .map(({ value }) => value)
      .filter((value) => value.includes('spec.'))
  assert.deepEqual(values([capacity, type]), ['-spec.capacity_gb'])
  const { better, ...neutral } = capacity
  assert.deepEqual(values([neutral]), ['spec.capacity_gb', '-spec.capacity_gb'])
  assert.deepEqual(values([{ ...capacity, better: 'less' }]), ['spec.capacity_gb'])
})

test('what is counted, a list of sizes and a resolution are said as on the page of the product', () => {
  const text = (key: string, value: unknown) =>
    attributeTextWithoutUnit({ specs: { [key]: value }, price: 64 }, { ...type, key: `spec.${key}`, label: 'Any' })
  assert.equal(text('outputs', { hdmi_2_1: 1, displayport_1_4a: 3, dvi_d: 0 }), '1 x HDMI 2.1, 3 x DisplayPort 1.4a')
  assert.equal(text('outputs', {}), undefined)
  assert.equal(text('resolution', [2560, 1440]), '2560 x 1440')
  assert.equal(text('radiators', [120, 240]), '120, 240')
  assert.equal(text('m2_slots', [{ size: 'M.2 2280', key: 'M', interface: 'PCIe 4.0 x4' }]), '1 x M.2 2280 (M key, PCIe 4.0 x4)')
  assert.equal(text('wifi', true), 'Yes')
})

test('not known is never zero, and choices are said by their labels', () => {
  assert.equal(attributeTextWithoutUnit({ specs: {}, price: 64 }, capacity), undefined)
  assert.equal(attributeTextWithoutUnit({ specs: { capacity_gb: -1 }, price: 64 }, capacity), undefined)
  assert.equal(attributeTextWithoutUnit({ specs: { capacity_gb: 0 }, price: 64 }, capacity), '0')
  assert.equal(attributeTextWithoutUnit({ specs: { capacity_gb: 1024 }, price: 64 }, capacity), '1,024')
  assert.equal(attributeTextWithoutUnit({ specs: { memory_type: ['ddr5', 'DDR4'] }, price: 64 }, type), 'DDR5, DDR4')
  assert.equal(attributeTextWithoutUnit({ specs: { memory_type: 'unknown' }, price: 64 }, type), undefined)
  assert.equal(attributeTextWithoutUnit({ specs: { memory_type: 1e20 }, price: 64 }, type), undefined)
})

test('every filter that a question can be read as stays in the addresses of the list', () => {
  const filters = {
    ...{ brand: ['A', 'B'], 'brand.not': ['C', 'D'], 'brand.unknown': ['yes'], 'price.max': ['5'], pieces: ['3'], in_stock: ['yes'] },
    ...{
      'spec.isOEM': ['Yes'],
      'spec.color.not': ['Red', 'Blue'],
      'spec.igpu.stated': ['yes'],
      'spec.x.unknown': ['yes'],
      'spec.x.min': ['1'],
    },
  }
  const url = productsUrlWithParams(new URLSearchParams(), filters)
  assert.deepEqual(readSearchParams(new URL(url, 'http://shop.example').searchParams), filters)
})
