import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findShownFirst, type ListParams, narrow } from './find-shown-first.ts'

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

test('however much a definition prefers, a product page asks a bounded number of searches', () => {
  const narrower = Array.from({ length: 400 }, (_, nth) => ({ 'spec.socket': [`S${nth}`] }))
  assert.equal(searchesFor({}, narrower).length, 14)
})
