import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requiredTextSchema } from './required-text.ts'

test('a text that is too long is refused by its length, and no check that follows reads it', () => {
  const read: string[] = []
  const name = requiredTextSchema('needed', 5).refine((text) => read.push(text) > 0)
  assert.deepEqual(
    name.safeParse('a'.repeat(6)).error?.issues.map(({ message }) => message),
    ['At most 5 characters'],
  )
  assert.deepEqual(read, [])
  assert.equal(name.parse(` ${'a'.repeat(5)} `), 'aaaaa')
  assert.deepEqual(read, ['aaaaa'])
})
