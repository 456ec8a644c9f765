import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitInProportion, splitWithin } from './split-in-proportion.ts'

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

test('no part is more than its limit: what is beyond it is split among the others, and the parts add up', () => {
  assert.deepEqual(splitWithin(100, [1, 1, 2], [100, 100, 100]), [25, 25, 50])
  assert.deepEqual(splitWithin(100, [1, 1, 2], [100, 100, 20]), [40, 40, 20])
  assert.deepEqual(splitWithin(10, [8, 1, 1], [2, 2, 6]), [2, 2, 6], 'one after the other is full')
  assert.deepEqual(splitWithin(0, [3, 0], [0, 0]), [0, 0])
  assert.deepEqual(splitWithin(5, [10, 0], [5, 0]), [5, 0])
  const line = fc.nat({ max: 100_000 }).chain((weight) => fc.tuple(fc.constant(weight), fc.nat({ max: weight })))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.double({ min: 0, max: 1, noNaN: true }), (lines, share) => {
      const limits = lines.map(([, limit]) => limit)
      const amount = Math.floor(share * limits.reduce((sum, limit) => sum + limit, 0))
      const parts = splitWithin(
        amount,
        lines.map(([weight]) => weight),
        limits,
      )
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        amount,
      )
      assert.ok(parts.every((part, nth) => part >= 0 && part <= (limits[nth] ?? 0)))
    }),
  )
})
