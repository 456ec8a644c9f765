import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeHistogram } from './histogram.ts'

const of = (...values: number[]) => computeHistogram({ values: Float64Array.from(values), counts: new Uint32Array(values.length).fill(1) })

test('a histogram has at most 24 buckets between numbers that people write, and every number is in one of them', () => {
  for (const values of [
    [1, 2],
    [0, 24],
    [0.05, 12.36],
    [1.15, 1.16],
    [150, 267, 305, 360],
    [7.35, 3219.9],
    [0.001, 999_999],
    [-40, 450],
    [8, 36_000],
    [2000, 2026],
    [0.5, 49.9],
    [3, 301],
  ]) {
    const { bounds = [], counts = [] } = of(...values) ?? {}
    assert.ok(counts.length >= 1 && counts.length <= 24, `${values}: ${counts.length} buckets`)
    assert.equal(bounds.length, counts.length + 1)
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      values.length,
      `${values}: all are in it`,
    )
    assert.ok((bounds[0] ?? 0) <= (values[0] ?? 0) && (bounds.at(-1) ?? 0) > (values.at(-1) ?? 0), `${values}: ${bounds}`)
    const digits = bounds.map((bound) => `${bound}`.replace(/\D/g, '').replace(/^0+|0+$/g, '').length)
    assert.ok(Math.max(...digits) <= 4, `${values}: ${bounds}`)
    assert.ok(
      bounds.every((bound, nth) => nth === 0 || bound > (bounds[nth - 1] ?? 0)),
      `${values}: ${bounds} rise`,
    )
  }
})

test('numbers that are close are spread evenly, whole ones by whole steps, and those of many powers of ten by growing ones', () => {
  assert.deepEqual(of(0, 1, 4)?.bounds, [0, 1, 2, 3, 4, 5])
  assert.deepEqual(of(10, 32)?.bounds.slice(0, 3), [10, 11, 12])
  assert.deepEqual(of(1, 5000)?.bounds.slice(0, 8), [1, 1.5, 2, 3, 5, 7, 10, 15])
  assert.equal(of(5), undefined, 'there is nothing to spread')
})

test('numbers that measure nothing end no process: whatever they are, there are as many bounds as needed', () => {
  for (const [least, most] of [
    [0, 5e-324],
    [-1e308, 1e308],
    [0, 1.7e308],
    [1e-320, 2],
    [1e15 + 1, 1e15 + 2],
  ] as const) {
    const found = of(least, most)
    assert.ok(!found || found.bounds.length === found.counts.length + 1, `${least} to ${most}`)
  }
})
