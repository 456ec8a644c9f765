import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testProduct } from '#store/search/test-product.ts'
import { allCategories, setCategories } from './categories.ts'
import { findShownFirst, type ListParams, narrow } from './find-shown-first.ts'
import { findWhatGoesWith } from './what-goes-with.ts'

function searchesFor(params: ListParams, narrower: ListParams[]): ListParams[] {
  const asked: ListParams[] = []
  const find = (searched: ListParams) => {
    asked.push(searched)
    return { total: 0, rows: 0, products: [] }
  }
  findShownFirst(find, params, 1, { narrower, sort: undefined }, { price: 50, rank: 0.5 }, 3)
  return asked
}

test('what is shown first of what goes with a part is within the limits of all that fits', () => {
  const [first] = searchesFor({ 'spec.height_mm.max': ['100'], 'spec.width_mm.min': ['20'] }, [
    { 'spec.height_mm.max': ['109'], 'spec.width_mm.min': ['30'] },
  ])
  assert.deepEqual(first, { 'spec.height_mm.max': ['100'], 'spec.width_mm.min': ['30'] })
})

test('what is asked twice of one attribute is what both allow: nothing that fits by one alone is shown', () => {
  const ddr5 = { 'spec.memory_type': ['DDR5'], 'spec.capacity_gb.max': ['128'] }
  assert.deepEqual(narrow(ddr5, { 'spec.memory_type': ['DDR4', 'ddr5'], 'spec.capacity_gb.max': ['64'] }), {
    'spec.memory_type': ['DDR5'],
    'spec.capacity_gb.max': ['64'],
  })
  assert.equal(narrow(ddr5, { 'spec.memory_type': ['DDR3'] }), undefined)
  assert.deepEqual(
    searchesFor(ddr5, [{ 'spec.memory_type': ['DDR3'] }]).map((params) => params['spec.memory_type']),
    [['DDR5'], ['DDR5']],
  )
})

test('however many rules and preferences the definitions have, a product page asks a bounded number of searches', () => {
  const original = allCategories()
  const first = Array.from({ length: 20 }, (_, nth) => `S${nth}`)
  const ruleFor = (category: string, of: string) => ({ category, fits: [{ own: 'socket', is: 'same' as const, of, first }] })
  const others = Array.from({ length: 10 }, (_, nth) => `other-${nth}`)
  const [cpu, board] = ['cpu', 'motherboard'].map((key) => original.find((one) => one.key === key))
  if (!cpu || !board) throw new Error('The definitions have no processors and boards')
  setCategories([
    { ...cpu, goesWith: others.map((key) => ruleFor(key, 'socket')) },
    ...others.map((key) => ({ ...board, key, label: key, aliases: [], goesWith: [] })),
  ])
  try {
    let searches = 0
    const socket = first // a processor of many sockets takes each preference
    findWhatGoesWith(testProduct('cpu', 'Processor', { socket }), () => {
      searches++
      return { total: 5, rows: 5, products: [] }
    })
    assert.equal(searches, 60)
  } finally {
    setCategories(original)
  }
})
