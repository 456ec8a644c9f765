import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facet } from '#store/search/contract.ts'
import { tableAttributes } from './facet-options.ts'

const number = (key: string): Facet => ({ kind: 'number', key, label: key, unknown: 0, min: 1, max: 9, bars: [], common: [] })

test('the columns of a table are the first attributes, and before these that by which the list is sorted and those by which it is limited', () => {
  const facets = ['brand', 'spec.a', 'spec.b', 'spec.c', 'spec.d', 'spec.e', 'spec.f'].map(number)
  const columns = (params: Record<string, string[]>) => tableAttributes(facets, params).map(({ key }) => key.slice(-1))

  assert.deepEqual(columns({}), ['a', 'b', 'c', 'd'])
  assert.deepEqual(columns({ sort: ['-spec.f'] }), ['a', 'b', 'c', 'f'])
  assert.deepEqual(columns({ 'spec.e.max': ['5'], 'spec.f.min': ['1'], 'spec.b.min': ['1'] }), ['a', 'b', 'e', 'f'])
  assert.deepEqual(columns({ 'spec.a': ['x'], 'spec.c.min': ['1'], 'spec.d.min': ['1'], 'spec.e.max': ['5'], sort: ['spec.f'] }), [
    'a',
    'c',
    'd',
    'f',
  ])
})
