import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultBudgets, findExceededBudgets, medianMetrics, type PageMetrics, tableHeader, tableRow } from './page-metrics.ts'

const good: PageMetrics = {
  performance: 99,
  accessibility: 100,
  bestPractices: 100,
  seo: 100,
  lcpMs: 1200,
  tbtMs: 40,
  cls: 0,
  scriptKilobytes: 120,
  fontKilobytes: 52.5,
}

test('of three runs the figure in the middle counts, each by itself', () => {
  const runs = [
    { ...good, lcpMs: 900, tbtMs: 300 },
    { ...good, lcpMs: 2000, tbtMs: 10 },
    { ...good, lcpMs: 1100, tbtMs: 50 },
  ]
  assert.deepEqual(medianMetrics(runs), { ...good, lcpMs: 1100, tbtMs: 50 })
})

test('a page within all limits misses none, also when it stands on one', () => {
  assert.deepEqual(findExceededBudgets({ ...good, performance: 98, lcpMs: 1500, tbtMs: 100 }, defaultBudgets), [])
})

test('each figure beyond its limit is named with the limit', () => {
  assert.deepEqual(
    findExceededBudgets(
      { ...good, performance: 97, lcpMs: 1640, cls: 0.002, scriptKilobytes: 131.2 },
      { ...defaultBudgets, scriptKilobytes: { most: 130 } },
    ),
    ['perf 97, at least 98', 'LCP 1.64 s, at most 1.50 s', 'CLS 0.002, at most 0.000', 'JavaScript 131.2 kB, at most 130.0 kB'],
  )
})

test('what could not be measured is missed', () => {
  assert.deepEqual(findExceededBudgets({ ...good, tbtMs: Number.NaN }, defaultBudgets), ['TBT NaN ms, at most 100 ms'])
})

test('a page is one line, as wide as the head of the table, however long its address is', () => {
  for (const path of ['/', `/products/${'0'.repeat(36)}`]) {
    assert.equal(tableRow(path, good).length, tableHeader().length)
    assert.match(tableRow(path, good), /99 +100 +100 +100 +1\.20 s +40 ms +0\.000 +120\.0 kB +52\.5 kB$/)
  }
})
