import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loginFrom, wayBack } from './way-back.ts'

test('a sign-in returns to the page that asked for it, with its question', () => {
  const login = new URL(loginFrom('http://localhost:3000/purchase/1?quantity=25'), 'http://localhost:3000')
  assert.equal(wayBack(login.searchParams.get('from')), '/purchase/1?quantity=25')
})

test('without a page that asked, a sign-in goes home', () => {
  assert.equal(wayBack(null), '/home')
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
    assert.match(wayBack(from), /^\/(home$|[^/\\])/)
    assert.equal(new URL(wayBack(from), 'http://localhost:3000').host, 'localhost:3000')
  })
