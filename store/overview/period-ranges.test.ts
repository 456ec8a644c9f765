import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import type { Period } from './contract.ts'
import { periodRanges } from './period-ranges.ts'

const at = (period: Period, asOf: string) => {
  const { current, previous, steps } = periodRanges(period, new Date(asOf))
  const said = [current.start, current.end, previous.start, previous.end].map((moment) => moment.toISOString().replace('.000Z', 'Z'))
  return { said, first: steps[0], last: steps.at(-1), steps: steps.length }
}

test('seven days are today and the six before; a morning is compared with the seven days that ended on a morning', () => {
  assert.deepEqual(at('7d', '2026-11-22T06:30:00Z'), {
    said: ['2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-09T00:00:00Z', '2026-11-15T06:30:00Z'],
    first: { from: '2026-11-16', to: '2026-11-16' },
    last: { from: '2026-11-22', to: '2026-11-22' },
    steps: 7,
  })
})

test('a day begins and ends at midnight in UTC, whatever the year', () => {
  assert.deepEqual(at('30d', '2028-03-01T00:00:00Z').first, { from: '2028-02-01', to: '2028-02-01' })
  assert.deepEqual(at('30d', '2028-02-29T23:59:59.999Z').last, { from: '2028-02-29', to: '2028-02-29' })
  assert.deepEqual(at('90d', '2027-01-01T12:00:00Z').said.slice(0, 3), [
    '2026-10-04T00:00:00Z',
    '2027-01-02T00:00:00Z',
    '2026-07-06T00:00:00Z',
  ])
})

test("days and months begin at midnight in the shop's time zone, where some have 23 or 25 hours", (t) => {
  t.after(() => setStoreTimeZone('UTC'))
  setStoreTimeZone('Europe/Berlin')
  assert.deepEqual(at('7d', '2026-03-29T22:30:00Z'), {
    said: ['2026-03-23T23:00:00Z', '2026-03-30T22:00:00Z', '2026-03-16T23:00:00Z', '2026-03-22T23:30:00Z'],
    first: { from: '2026-03-24', to: '2026-03-24' },
    last: { from: '2026-03-30', to: '2026-03-30' },
    steps: 7,
  })
  const { stepStarts } = periodRanges('7d', new Date('2026-10-26T22:59:59Z'))
  assert.deepEqual(
    stepStarts.slice(-3).map((start) => start.toISOString()),
    ['2026-10-23T22:00:00.000Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  )
  assert.deepEqual(at('12m', '2026-12-31T23:30:00Z'), {
    said: ['2026-01-31T23:00:00Z', '2027-01-31T23:00:00Z', '2025-01-31T23:00:00Z', '2025-12-31T23:30:00Z'],
    first: { from: '2026-02-01', to: '2026-02-28' },
    last: { from: '2027-01-01', to: '2027-01-01' },
    steps: 12,
  })
})

test('twelve months are this one and the eleven before, and end today', () => {
  assert.deepEqual(at('12m', '2026-11-22T06:30:00Z'), {
    said: ['2025-12-01T00:00:00Z', '2026-12-01T00:00:00Z', '2024-12-01T00:00:00Z', '2025-11-22T06:30:00Z'],
    first: { from: '2025-12-01', to: '2025-12-31' },
    last: { from: '2026-11-01', to: '2026-11-22' },
    steps: 12,
  })
  assert.equal(at('12m', '2028-02-29T18:00:00Z').said[3], '2027-03-01T00:00:00Z', 'of a shorter month no more than that month')
})
