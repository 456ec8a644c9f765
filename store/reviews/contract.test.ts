import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listReviewPage, listReviews, listReviewsForAdmin } from './contract.ts'

const isTaken = (schema: { safeParse: (input: unknown) => { success: boolean } }, input: unknown) => schema.safeParse(input).success

test('reviews are read in pages of 1 to 100, from the first on, and a page that cannot be is refused', () => {
  for (const [{ schema }, asked, taken] of [
    [listReviews, {}, true],
    [listReviews, { limit: '1', cursor: '1' }, true],
    [listReviews, { limit: '100' }, true],
    [listReviews, { limit: '0' }, false],
    [listReviews, { limit: '101' }, false],
    [listReviews, { cursor: '0' }, false],
    [listReviewPage, {}, true],
    [listReviewPage, { stars: '1', limit: '1', cursor: '0.1' }, true],
    [listReviewPage, { stars: '5', cursor: '1.999999999' }, true],
    [listReviewPage, { stars: '0' }, false],
    [listReviewPage, { stars: '6' }, false],
    [listReviewPage, { cursor: '2.1' }, false],
    [listReviewPage, { cursor: '1.' }, false],
    [listReviewPage, { cursor: '1.1 or true' }, false],
    [listReviewsForAdmin, { limit: '1', cursor: '0' }, true],
    [listReviewsForAdmin, { cursor: '-1' }, false],
  ] as const)
    assert.equal(isTaken(schema.querystring, asked), taken, JSON.stringify(asked))
  assert.deepEqual(
    [listReviews, listReviewPage].map(({ schema }) => schema.querystring.parse({}).limit),
    [100, 9],
  )
})
