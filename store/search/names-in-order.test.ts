import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../proof/random-queries.ts'
import { buildIndex } from './search-index.ts'
import { testProduct } from './test-product.ts'

test('names stay in order however many are added at one place, each before the one added last', async () => {
  const index = await buildIndex(['Board A', 'Board B', 'Board Z'].map((name) => testProduct('motherboard', name, {})))
  const added = Array.from({ length: 150 }, (_, nth) => `Board M ${999 - nth}`)
  for (const name of added) await index.put([testProduct('motherboard', name, {})])
  const { productsJson } = index.search({ ...emptyQuery, sort: 'name', limit: 200 })
  const names = productsJson.map((json): string => JSON.parse(json).name)
  assert.deepEqual(names, ['Board A', 'Board B', ...added.toReversed(), 'Board Z'])
})
