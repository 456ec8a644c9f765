import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDateTime } from './format-date-time.ts'
import { formatNumber } from './format-number.ts'
import { setStoreTimeZone } from './time-zone.ts'

test('figures are grouped by thousands, with three decimals at most, as English readers write them', () => {
  for (const number of [0, 1, 999, 1000, 46_967, 999_999, 1e6, 123_456_789, 1e15, 0.5, 1234.5, 1234.5678, 0.0004, -40, -1234.25])
    assert.equal(formatNumber(number), number.toLocaleString('en-US', { maximumFractionDigits: 3 }).replace(/^-0$/, '0'), `${number}`)
})

test("a moment is told alike everywhere, in the shop's time zone and with its short name, in summer and in winter", (t) => {
  t.after(() => setStoreTimeZone('UTC'))
  const moments = ['2026-09-03T04:05:59.999Z', new Date('2026-12-31T23:30:00-05:00')]
  for (const [timeZone, ...texts] of [
    ['UTC', '3 Sep 2026, 04:05 UTC', '1 Jan 2027, 04:30 UTC'],
    ['Europe/Berlin', '3 Sep 2026, 06:05 CEST', '1 Jan 2027, 05:30 CET'],
    ['America/New_York', '3 Sep 2026, 00:05 EDT', '31 Dec 2026, 23:30 EST'],
    ['Asia/Kolkata', '3 Sep 2026, 09:35 IST', '1 Jan 2027, 10:00 IST'],
    ['Asia/Tokyo', '3 Sep 2026, 13:05 GMT+9', '1 Jan 2027, 13:30 GMT+9'],
    ['Europe/Not-yet-known', '3 Sep 2026, 04:05 UTC', '1 Jan 2027, 04:30 UTC'],
  ] as const) {
    setStoreTimeZone(timeZone)
    assert.deepEqual(moments.map(formatDateTime), texts)
  }
})
