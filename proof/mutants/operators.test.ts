import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { explainedMutants } from './explained-mutants.ts'
import { generateMutants } from './operators.ts'
import { supersededLines } from './superseded-lines.ts'
import { testsByMutatedFile } from './tests-by-mutated-file.ts'

const house = path.join(import.meta.dirname, '../..')
const changed = (line: string, file = 'rules.ts') => [...generateMutants(file, line)].map(({ operator, to }) => [operator, to])

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
  assert.deepEqual(changed("which = rows.where(and(eq(a, b), lte(c, d)))\nimport { and, eq, lt } from 'drizzle-orm'"), [
    ['SQL comparison', 'which = rows.where(and(eq(a, b), lt(c, d)))'],
    ['operand', 'which = rows.where(and(lte(c, d)))'],
    ['operand', 'which = rows.where(and(eq(a, b)))'],
  ])
  assert.deepEqual(changed("isEnd = a === 'x' || b === 'y'"), [
    ['equality', "isEnd = a !== 'x' || b === 'y'"],
    ['equality', "isEnd = a === 'x' || b !== 'y'"],
    ['logic', "isEnd = a === 'x' && b === 'y'"],
  ])
  assert.deepEqual(changed('db.transaction(change)'), [
    ['line taken out', undefined],
    ['transaction', '((work) => work(db))(change)'],
  ])
  assert.deepEqual(changed('\tCONSTRAINT "paid" CHECK (a > 0),', '0000.sql'), [
    ['constraint taken out', '\tCONSTRAINT "paid" CHECK (true),'],
  ])
  assert.deepEqual(changed('$$BEGIN\n\tPERFORM lock_it(a, b_lock(1));\n\tWHERE a = b\n$$;\nWHERE a = b', '0000.sql'), [
    ['SQL lock', undefined],
    ['equality', '\tWHERE a <> b'],
  ])
})

test('comments, imports, types and sentences have no mutants', () => {
  for (const line of [
    '// a < b',
    ' * until 5 && 6',
    "import { a } from 'b'",
    'type A = { b: true }',
    "const said = 'one and two'",
    "  .meta({ id: 'Account' })",
    "  .describe('`next` of the page before'),",
    "  { description: 'select one or two' },",
    "  hidden: z.boolean('Say true or false'),",
    'const one = `select 1` // one and two, or 1 < 2',
  ])
    assert.deepEqual(changed(line), [], line)
})

test('every guarded file and every test that stands beside it is there, and every guarded file has mutants', () => {
  for (const [file, tests] of Object.entries(testsByMutatedFile)) {
    assert.ok(!generateMutants(file, readFileSync(path.join(house, file), 'utf8')).next().done, file)
    for (const beside of tests) assert.ok(existsSync(path.join(house, beside)), beside)
  }
})

test('what a later migration has dropped or replaced is not drawn', () => {
  const lines = (file: string, numbers: Iterable<number>) => {
    const all = readFileSync(path.join(house, file), 'utf8').split('\n')
    return [...numbers].map((number) => all[number - 1] ?? '')
  }
  const first = lines('migrations/0000_first.sql', supersededLines('migrations/0000_first.sql'))
  assert.deepEqual(
    first.map((line) => /"(\w+)"/.exec(line)?.[1]),
    ['tools_price', 'orders_cost', 'orders_quantity', 'payments_amount', 'reviews_rating'],
  )
  assert.ok(
    lines('migrations/0002_money_and_stock.sql', supersededLines('migrations/0002_money_and_stock.sql')).join('\n').includes('OLD.state'),
  )
  assert.equal(supersededLines('migrations/0044_companies.sql').size, 0)
  assert.equal(supersededLines('store/orders/rules.ts').size, 0)
})

test('every explanation is of one mutant that can be drawn', () => {
  for (const { file, from, to } of explainedMutants) {
    const drawn = generateMutants(file, readFileSync(path.join(house, file), 'utf8'), (line) => line.trim() === from)
    const meant = [...drawn].filter((mutant) => mutant.to?.trim() === to)
    assert.equal(meant.length, 1, `${file}: ${from} -> ${to}`)
  }
})
