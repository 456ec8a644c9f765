import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../proof/random-queries.ts'
import { buildIndex } from './search-index.ts'
import { testProduct } from './test-product.ts'

test('digits of a short code are not corrected, also after a longer question in which they were', async () => {
  const index = await buildIndex([testProduct('motherboard', 'Tomahawk B450 board', {})])
  const total = (q: string) => index.search({ ...emptyQuery, q }).total
  assert.deepEqual([total('tomahawk b451 board'), total('b451'), total('b450')], [1, 0, 1])
})
