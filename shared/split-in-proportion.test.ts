import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitInProportion } from './split-in-proportion.ts'

test('an amount is split in proportion: the parts add up to it, and each is at most one unit away from its exact share', () => {
  assert.deepEqual(splitInProportion(100, [1, 1, 1]), [34, 33, 33])
  assert.deepEqual(splitInProportion(500, [0, 7, 3]), [0, 350, 150], 'also more than the weights are together')
  assert.deepEqual(splitInProportion(5, [1, 2, 7]), [1, 1, 3], 'of equal remainders the first')
  assert.deepEqual(splitInProportion(2, [1, 2, 4]), [0, 1, 1], 'the largest remainders')
  assert.deepEqual(splitInProportion(9, [0, 0]), [0, 0])
  assert.deepEqual(splitInProportion(9, []), [])
  const amount = fc.integer({ min: 0, max: 99_999_999_999 })
  fc.assert(
    fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 100 }), (whole, weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      fc.pre(total > 0)
      const parts = splitInProportion(whole, weights)
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        whole,
      )
      for (const [nth, part] of parts.entries()) {
        const distance = BigInt(part) * BigInt(total) - BigInt(whole) * BigInt(weights[nth] ?? 0)
        assert.ok(part >= 0 && distance < BigInt(total) && -distance < BigInt(total), 'less than one unit away')
      }
    }),
  )
})
