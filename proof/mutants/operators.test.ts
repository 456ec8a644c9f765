import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { explained } from './explained.ts'
import { guarded } from './guarded.ts'
import { mutantsOf } from './operators.ts'

const house = path.join(import.meta.dirname, '../..')
const changed = (line: string, file = 'rules.ts') => mutantsOf(file, line).map(({ operator, to }) => [operator, to])

test('a mutant is one line changed in one way, and still a program', () => {
  assert.deepEqual(changed('isOver = count < 2'), [
    ['comparison', 'isOver = count <= 2'],
    ['number', 'isOver = count < 3'],
  ])
  assert.deepEqual(changed("rows.for('update')"), [
    ['line taken out', undefined],
    ['lock', 'rows'],
  ])
  assert.deepEqual(changed('which = and(eq(a, b), open)'), [
    ['operand', 'which = and(open)'],
    ['operand', 'which = and(eq(a, b))'],
  ])
  assert.deepEqual(changed('db.transaction(change)'), [
    ['line taken out', undefined],
    ['transaction', '((work) => work(db))(change)'],
  ])
  assert.deepEqual(changed('\tCONSTRAINT "paid" CHECK (a > 0),', '0000.sql'), [['constraint taken out', undefined]])
  assert.deepEqual(changed('$$BEGIN\n\tPERFORM lock_it(a, b_lock(1));\n\tWHERE a = b\n$$;\nWHERE a = b', '0000.sql'), [
    ['SQL lock', undefined],
    ['equality', '\tWHERE a <> b'],
  ])
})

test('comments, imports, types and sentences have no mutants', () => {
  for (const line of ['// a < b', ' * until 5 && 6', "import { a } from 'b'", 'type A = { b: true }', "const said = 'one and two'"])
    assert.deepEqual(changed(line), [], line)
})

test('every guarded file and every test that stands beside it is there, and every guarded file has mutants', () => {
  for (const [file, tests] of Object.entries(guarded)) {
    assert.ok(mutantsOf(file, readFileSync(path.join(house, file), 'utf8')).length > 0, file)
    for (const beside of tests) assert.ok(existsSync(path.join(house, beside)), beside)
  }
})

test('every mutant that is explained is one that can be drawn', () => {
  for (const { file, from, to } of explained) {
    const drawn = mutantsOf(file, readFileSync(path.join(house, file), 'utf8'))
    assert.ok(
      drawn.some((mutant) => mutant.from.trim() === from && mutant.to?.trim() === to),
      `${file}: ${from} -> ${to}`,
    )
  }
})
