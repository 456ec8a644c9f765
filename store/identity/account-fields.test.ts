import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as z from 'zod'
import { Email, fullName, newPassword, password } from './account-fields.ts'

const complaints = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues.map(({ message }) => message) ?? []

test('an e-mail address is the same with capital letters and with blanks around it', () => {
  assert.equal(Email.parse(' Ada@Example.COM\n'), 'ada@example.com')
})

test('an e-mail address that is missing, no address or too long is told so, in one sentence', () => {
  const local = 'x'.repeat(64)
  const longest = `${local}@${'d'.repeat(254 - 65 - 4)}.com`
  for (const [typed, said] of [
    ['ada@example.com', []],
    [longest, []],
    [`${longest}m`, ['An e-mail address has at most 254 characters']],
    [`x${local}@a.com`, ['An e-mail address has at most 64 characters before the @']],
    [undefined, ['e-mail is required']],
    [' ', ['Enter your e-mail']],
    ['a', ['This is not an e-mail address']],
    ['ada@', ['This is not an e-mail address']],
    ['ada@example', ['This is not an e-mail address']],
  ] as const)
    assert.deepEqual(complaints(Email, typed), said, typed)
})

test('a name is a name: no message, no link and no address for the readers of our mails', () => {
  for (const name of ['Ada Lovelace', 'J. R. R. Tolkien', 'A.B. Smith', '精 Müller']) assert.deepEqual(complaints(fullName, name), [], name)
  for (const name of ['Win at evil.example', 'http://x', 'www.x', '10.0.0.1', 'evil。example', 'evil.\u200bexample'])
    assert.match(`${complaints(fullName, name)}`, /no web address/, name)
  for (const name of ['Ada\nYour order is waiting', 'Ada\u202eevil']) assert.match(`${complaints(fullName, name)}`, /on one line/, name)
})

test('any password signs in that could be one; a new one has 8 to 1000 characters and is none of the first that others try', () => {
  for (const [typed, said] of [
    ['x', []],
    ['x'.repeat(1000), []],
    ['x'.repeat(1001), ['At most 1000 characters']],
    ['', ['Enter a password']],
    [undefined, ['Enter a password']],
  ] as const)
    assert.deepEqual(complaints(password, typed), said)
  for (const [chosen, said] of [
    ['correct horse', []],
    ['x8-Kq.z4', []],
    ['x8-Kq.z', ['Use 8 characters or more']],
    ['x'.repeat(1001), ['At most 1000 characters']],
    ['password', ['This password is one of the first that others try: choose another']],
  ] as const)
    assert.deepEqual(complaints(newPassword, chosen), said, chosen)
})
