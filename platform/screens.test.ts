import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyHouse } from '#test/changes.ts'
import { openHttp } from './http.ts'
import { openPageCache } from './page-cache.ts'
import { openScreens } from './screens.ts'

const cards = { script: 'https://cards.example', frames: 'https://cards.example', calls: 'https://cards.example' }

/** Screens that only say how often they were rendered. */
async function openTheScreens() {
  const house = await anEmptyHouse()
  const { changes } = house
  const app = openHttp()
  let count = 0
  const render = async (request: Request) =>
    new Response(`${new URL(request.url).pathname} ${++count}`, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'x-shows': 'tools', 'x-inline-scripts': "'sha256-abc'" },
    })
  openScreens(app, {
    render,
    pages: openPageCache(changes, { headers: { 'x-frame-options': 'DENY' } }),
    asked: openPageCache(changes, { maxBytes: 200 }),
    publicUrl: 'http://shop.example',
    cards,
  })
  return { app, changes, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() }
}

test('a page is rendered once for everybody, until what it shows changes', async () => {
  await using it = await openTheScreens()
  assert.equal((await it.app.inject('/')).body, '/ 1')
  assert.equal((await it.app.inject('/')).body, '/ 1')
  it.changes.tell('tools')
  assert.equal((await it.app.inject('/')).body, '/ 2')
})

test('an address with a question is kept apart: made-up questions fill little memory, and put no page out of it', async () => {
  await using it = await openTheScreens()
  assert.equal((await it.app.inject('/')).body, '/ 1')
  assert.equal((await it.app.inject('/?q=1')).body, '/ 2')
  assert.equal((await it.app.inject('/?q=1')).body, '/ 2')
  for (let made = 0; made < 20; made++) await it.app.inject(`/?made=${made}`)
  assert.equal((await it.app.inject('/?q=1')).body, '/ 23')
  assert.equal((await it.app.inject('/')).body, '/ 1')
})

test('a visitor who has the page already is told so and sent nothing', async () => {
  await using it = await openTheScreens()
  const { etag } = (await it.app.inject('/')).headers
  const again = await it.app.inject({ url: '/', headers: { 'if-none-match': String(etag) } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  it.changes.tell('tools')
  assert.equal((await it.app.inject({ url: '/', headers: { 'if-none-match': String(etag) } })).statusCode, 200)
})

test('a page runs the inline scripts that were marked and no other, and tells nobody what it shows', async () => {
  await using it = await openTheScreens()
  const { headers } = await it.app.inject('/')
  assert.match(String(headers['content-security-policy']), /script-src 'self' 'sha256-abc' https:\/\/cards\.example;/)
  assert.doesNotMatch(String(headers['content-security-policy']), /script-src[^;]*unsafe/)
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.equal(headers['x-shows'], undefined)
  assert.equal(headers['x-inline-scripts'], undefined)
})

test('an address that only looks like another host stays in the store', async () => {
  await using it = await openTheScreens()
  assert.equal((await it.app.inject('//evil.example/x')).statusCode, 200)
  assert.equal((await it.app.inject('//')).statusCode, 200)
})
