import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundRating } from './round-rating.ts'

test('a rating is shown between 0 and 5, whatever was sent, and to one decimal at most', () => {
  for (const [sent, shown] of [
    [7, 5],
    [1e300, 5],
    [5, 5],
    [4.96, 5],
    [4.4499, 4.4],
    [0.5, 0.5],
    [0, 0],
    [-1, 0],
  ] as const)
    assert.equal(roundRating(sent), shown)
})
