import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sliceSortedByKey } from './sorted-slice.ts'

test('a page of any list is what stands there when the whole list is sorted', () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.POSITIVE_INFINITY))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), fc.nat(70), fc.integer({ min: 1, max: 20 }), (keys, offset, length) => {
      const slots = keys.map((_, slot) => slot).filter((slot) => slot % 3 !== 2)
      const position = Int32Array.from(keys, (_, slot) => (slot * 37) % 61)
      const sorted = slots.toSorted((one, other) => {
        const [first = 0, second = 0] = [keys[one], keys[other]]
        return first === second ? (position[one] ?? 0) - (position[other] ?? 0) : first - second
      })
      assert.deepEqual(
        sliceSortedByKey(Uint32Array.from(slots), { keys: Float64Array.from(keys), position }, offset, length),
        sorted.slice(offset, offset + length),
      )
    }),
    { numRuns: 2000, seed: 20261121 },
  )
})
