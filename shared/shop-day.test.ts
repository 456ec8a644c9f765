import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfShopDay, shopDay, startOfShopDay } from './shop-day.ts'
import { setStoreTimeZone } from './time-zone.ts'

test('a day of the shop begins and ends at midnight of its time zone, also where clocks are changed on it or at midnight', (t) => {
  t.after(() => setStoreTimeZone('UTC'))
  for (const [timeZone, day, start, end] of [
    ['UTC', '2026-11-26', '2026-11-26T00:00:00.000Z', '2026-11-27T00:00:00.000Z'],
    ['UTC', '9999-12-31', '9999-12-31T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'],
    ['Europe/Berlin', '2026-11-26', '2026-11-25T23:00:00.000Z', '2026-11-26T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-07-04', '2026-07-04T04:00:00.000Z', '2026-07-05T04:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z', '2026-01-01T18:15:00.000Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'], // at midnight it is one o'clock
  ] as const) {
    setStoreTimeZone(timeZone)
    assert.deepEqual(
      [startOfShopDay(day), endOfShopDay(day)].map((at) => at.toISOString()),
      [start, end],
      `${timeZone} ${day}`,
    )
    assert.equal(shopDay(startOfShopDay(day)), day)
    assert.equal(shopDay(new Date(endOfShopDay(day).getTime() - 1)), day)
  }
})
