import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importLimits } from './contract.ts'
import { type ChangeCounts, Findings } from './findings.ts'

const nothing: ChangeCounts = { create: 0, update: 0, unchanged: 0, setsStock: 0, setsStockOnly: 0, movesStock: 0, shortPieces: 0 }
const reportOf = (findings: Findings) => findings.toReport({ ...nothing, changes: [], warnings: [] }, [])
const field = (row: number, column: string, expected = 'a number') => ({ row, column, found: 'x', expected })

test('a report counts each wrong row once and each reason as often as it comes, the most frequent first, and shows rows in their order', () => {
  const findings = new Findings()
  findings.rows = 4
  findings.addInvalidFields([])
  findings.addInvalidFields([field(3, 'price'), field(3, 'name')])
  findings.addInvalidFields([field(2, 'name')])
  const report = reportOf(findings)
  assert.deepEqual(
    [report.rows, report.wrong, report.wrongRows.map(({ row, column }) => [row, column])],
    [
      ...[4, 2],
      [
        [2, 'name'],
        [3, 'price'],
        [3, 'name'],
      ],
    ],
  )
  assert.deepEqual(
    report.reasons.map(({ column, words, count, example }) => [column, words, count, example.row]),
    [
      ['name', 'a number', 2, 3],
      ['price', 'a number', 1, 3],
    ],
  )
})

test('what one thread has found another goes on with: what the database finds wrong is counted with it', () => {
  const found = new Findings()
  found.rows = 3
  found.addInvalidFields([field(2, 'price')])
  const findings = new Findings(structuredClone(found.snapshot()))
  assert.deepEqual(reportOf(findings), reportOf(found))
  const group = { column: 'sku', words: 'once', count: 5, example: { row: 4, found: 'A' } }
  findings.addDeletedRows({ wrongRows: 5, shown: [field(1, 'sku', 'once')], groups: [group] })
  const { rows, wrong, wrongRows, reasons } = reportOf(findings)
  assert.deepEqual(
    [rows, wrong, wrongRows.map(({ row }) => row), reasons.map(({ column, count }) => [column, count])],
    [
      ...[3, 6, [1, 2]],
      [
        ['sku', 5],
        ['price', 1],
      ],
    ],
  )
})

test('a report shows a thousand wrong fields and two hundred reasons at most, and counts all rows', () => {
  const findings = new Findings()
  for (let row = 1; row <= importLimits.reportedInvalidFields + 1; row++) findings.addInvalidFields([field(row, 'price', `reason ${row}`)])
  const { wrong, wrongRows, reasons } = reportOf(findings)
  assert.deepEqual([wrong, wrongRows.length, reasons.length], [1001, 1000, 200])
})
