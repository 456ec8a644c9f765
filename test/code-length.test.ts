import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parseSync, Visitor } from 'vite'

const house = path.join(import.meta.dirname, '..')
const maxFileLines = 300
const maxFunctionLines = 60

test('no file of code has over 300 lines, and no function over 60, without a reason in the comment at its head', () => {
  const files = globSync('{store,platform,web,shared}/**/*.{ts,tsx}', { cwd: house }).filter((file) => !file.endsWith('.test.ts'))
  assert.ok(files.length > 300, 'the files of the house are read')
  const tooLong = files.flatMap((file) => findTooLong(file, readFileSync(path.join(house, file), 'utf8')))
  assert.deepEqual(tooLong, [])
})

test('the reason for a length is a sentence that begins with "Long because", in the comment above a function or below the imports of a file', () => {
  const calls = (count: number) => '  call()\n'.repeat(count)
  const long = `function build() {\n${calls(59)}}\n`
  const found = (source: string) => findTooLong('a.tsx', source)
  assert.deepEqual(found(`function build() {\n${calls(58)}}\n`), [])
  assert.deepEqual(found(`\n\n${long}`), ['a.tsx:3 has 61 lines: function build() {'])
  assert.deepEqual(found(`export const build = () => {\n${calls(59)}}\n`), ['a.tsx:1 has 61 lines: export const build = () => {'])
  assert.deepEqual(found(`export default {\n  build() {\n${calls(59)}},\n}\n`), ['a.tsx:2 has 61 lines: build() {'])
  assert.deepEqual(found(`/** Builds. Long because it is one list. */\nexport ${long}`), [])
  assert.deepEqual(found(`/**\n * Builds.\n * Long because\n * it is one list.\n */\n${long}`), [])
  assert.deepEqual(found(`// Long because it is one list.\n${long}`), [])
  assert.deepEqual(found(`// Long because it is one list.\nconst one = 1\n${long}`), ['a.tsx:3 has 61 lines: function build() {'])
  assert.deepEqual(found(`/** Not Long because of a list. */\n${long}`), ['a.tsx:2 has 61 lines: function build() {'])
  assert.deepEqual(found(calls(300)), [])
  assert.deepEqual(found(calls(301)), ['a.tsx has 301 lines'])
  assert.deepEqual(found(`import './b.ts'\n\n/* Calls. Long because it is one list. */\n\n${calls(301)}`), [])
  assert.deepEqual(found(`/** Long because it is one list. */\n${long}${calls(240)}`), ['a.tsx has 302 lines'])
  assert.deepEqual(found(`${calls(301)}// Long because it is one list.\n`), ['a.tsx has 302 lines'])
})

function findTooLong(file: string, source: string): string[] {
  const lines = source.split('\n')
  const fileLength = lines.length - 1
  const { functions, fileHasReason } = readReasons(file, source)
  return [
    ...(fileLength > maxFileLines && !fileHasReason ? [`${file} has ${fileLength} lines`] : []),
    ...functions
      .filter(({ first, last, hasReason }) => last - first >= maxFunctionLines && !hasReason)
      .map(({ first, last }) => `${file}:${first + 1} has ${last - first + 1} lines: ${lines[first]?.trim()}`),
  ]
}

type FunctionLength = { first: number; last: number; hasReason: boolean }

/**
 * Every function of a file, nested ones as well, with its lines counted from 0, and whether the comment above its first line has a reason for its
 * length. That of a file stands at its beginning or below its imports.
 */
function readReasons(file: string, source: string): { functions: FunctionLength[]; fileHasReason: boolean } {
  const { program, comments, errors } = parseSync(file, source)
  assert.deepEqual(errors, [])
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length - 1
  const endingWithReason = comments
    .filter(({ value }) => /(^\*? ?|[.!?] )Long because \w/.test(value.replaceAll(/\s[\s*]*/g, ' ')))
    .map(({ start, end }) => ({ start, lastLine: lineAt(end) }))
  const nodes: { start: number; end: number }[] = []
  const keep = (node: { start: number; end: number }) => void nodes.push(node)
  new Visitor({ FunctionDeclaration: keep, FunctionExpression: keep, ArrowFunctionExpression: keep }).visit(program)
  const functions = nodes.map(({ start, end }) => {
    const first = lineAt(start)
    return { first, last: lineAt(end - 1), hasReason: endingWithReason.some(({ lastLine }) => lastLine === first - 1) }
  })
  const firstOfItsOwn = program.body.find(({ type }) => type !== 'ImportDeclaration')?.start ?? source.length
  const isOfFile = ({ start, lastLine }: { start: number; lastLine: number }) =>
    start < firstOfItsOwn && lastLine !== lineAt(firstOfItsOwn) - 1
  return { functions, fileHasReason: endingWithReason.some(isOfFile) }
}
