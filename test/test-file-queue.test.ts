import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'

const file = path.relative(path.join(import.meta.dirname, '..'), import.meta.filename)

test('where all files are run, a test belongs to the suite of its file, whose hooks and time limit are for it alone', (context) => {
  const isRunOfAll = process.argv.some((argument) => argument.includes('test/rules/'))
  assert.equal(context.fullName.startsWith(`${file} > `), isRunOfAll, context.fullName)
})
