import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminRequiredLoginUrl, isAdminRequiredLogin, loginUrlReturningTo, safeReturnUrl } from './return-url.ts'

test('a sign-in returns to the page that asked for it, with its question', () => {
  const login = new URL(loginUrlReturningTo('http://localhost:3000/purchase/1?quantity=25'), 'http://localhost:3000')
  assert.equal(safeReturnUrl(login.searchParams.get('from')), '/purchase/1?quantity=25')
})

test('without a page that asked, a sign-in goes home', () => {
  assert.equal(safeReturnUrl(null), '/home')
})

test('the login page knows who was sent there because an admin is needed', () => {
  const isRefused = (url: string) => isAdminRequiredLogin(new URL(url, 'http://localhost:3000').searchParams)
  assert.deepEqual([adminRequiredLoginUrl, '/login', '/login?from=%2Fhome'].map(isRefused), [true, false, false])
})

for (const from of [
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/..//evil.example',
  'x',
])
  test(`a sign-in never leaves the store for ${JSON.stringify(from)}`, () => {
    assert.match(safeReturnUrl(from), /^\/(home$|[^/\\])/)
    assert.equal(new URL(safeReturnUrl(from), 'http://localhost:3000').host, 'localhost:3000')
  })
