import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestPasswordReset, resetPassword, UserPageQuery, verifyEmail } from './contract.ts'

const isTaken = (schema: { safeParse: (input: unknown) => { success: boolean } }, input: unknown) => schema.safeParse(input).success

test('the list of accounts has pages from the first on, of 1 to 100 accounts, and without a wish the first 20', () => {
  assert.deepEqual(UserPageQuery.parse({}), { q: '', page: 1, limit: 20 })
  for (const [asked, taken] of [
    [{ page: '1', limit: '1' }, true],
    [{ limit: '100' }, true],
    [{ page: '0' }, false],
    [{ limit: '0' }, false],
    [{ limit: '101' }, false],
    [{ q: 'x'.repeat(100) }, true],
    [{ q: 'x'.repeat(101) }, false],
  ] as const)
    assert.equal(isTaken(UserPageQuery, asked), taken, JSON.stringify(asked))
})

test('the token of a mailed link has 1 to 200 characters', () => {
  for (const { schema } of [resetPassword, verifyEmail])
    for (const [token, taken] of [
      ['', false],
      ['x', true],
      ['x'.repeat(200), true],
      ['x'.repeat(201), false],
    ] as const)
      assert.equal(isTaken(schema.body, { token, newPassword: 'correct horse' }), taken, `${token.length} characters`)
})

test('who asks for a link to a new password is answered that it was done', () => {
  const answer = requestPasswordReset.schema.response[200]
  assert.deepEqual([isTaken(answer, { status: true }), isTaken(answer, { status: false })], [true, false])
})
