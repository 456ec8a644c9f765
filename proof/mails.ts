import assert from 'node:assert/strict'
import type { Letter } from '#platform/mail.ts'

/** The token of the link in a mail. It stands behind the #, which no server sees. */
export function tokenIn(letter: Letter | undefined): string {
  const token = letter?.text.match(/\/(?:reset-password|verify-email)#([\w-]{24,})$/m)?.[1]
  assert.ok(token, `a link with a token in ${letter?.text}`)
  return token
}
