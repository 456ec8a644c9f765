import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDateTime } from './format-date-time.ts'
import { formatNumber } from './format-number.ts'

test('figures are grouped by thousands, with three decimals at most, as English readers write them', () => {
  for (const number of [0, 1, 999, 1000, 46_967, 999_999, 1e6, 123_456_789, 1e15, 0.5, 1234.5, 1234.5678, 0.0004, -40, -1234.25])
    assert.equal(formatNumber(number), number.toLocaleString('en-US', { maximumFractionDigits: 3 }).replace(/^-0$/, '0'), `${number}`)
})

test('a moment is told alike everywhere, in UTC', () => {
  assert.equal(formatDateTime('2026-09-03T04:05:59.999Z'), '3 Sep 2026, 04:05 UTC')
  assert.equal(formatDateTime(new Date('2026-12-31T23:30:00-05:00')), '1 Jan 2027, 04:30 UTC')
})
