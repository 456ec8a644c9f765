import assert from 'node:assert/strict'
import type { EmailMessage } from '#platform/mail.ts'

/** The token of the link in a mail. It stands behind the #, which no server sees. */
export function tokenFromEmail(letter: EmailMessage | undefined): string {
  const token = letter?.text.match(/\/(?:reset-password|verify-email)#([\w-]{24,})$/m)?.[1]
  assert.ok(token, `a link with a token in ${letter?.text}`)
  return token
}
