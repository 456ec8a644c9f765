import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { anEmptyStore, testPassword } from '#test/store.ts'

test('a page of another site can neither sign anybody in, nor register, nor sign out', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const signedIn = { email: store.customer.email, password: testPassword }
  const newcomer = { name: 'Eve', email: 'eve@shop.example', password: testPassword }
  const cookie = `${(await store.visitor.request('POST', '/auth/sign-in/email', signedIn)).headers['set-cookie']}`.split(';')[0] ?? ''
  for (const [call, body] of [
    ['/auth/sign-in/email', signedIn],
    ['/auth/sign-up/email', newcomer],
    ['/auth/sign-out', {}],
  ] as const) {
    const foreign: Record<string, string>[] = [
      { cookie, origin: 'https://evil.example' },
      { cookie, referer: 'https://evil.example/page' },
      { cookie, origin: 'null' },
      { cookie },
    ]
    for (const headers of foreign) {
      const answer = await store.visitor.request('POST', call, body, headers)
      assert.equal(answer.statusCode, 403, `${call} ${JSON.stringify(headers)}: ${answer.body}`)
      assert.match(answer.json().message, /page of the store itself|which page it comes from/)
    }
    const own = await store.visitor.request('POST', call, body, { cookie, origin: store.origin })
    assert.equal(own.statusCode, 200, `${call}: ${own.body}`)
  }
  const withoutCookie = await store.visitor.request('POST', '/auth/sign-in/email', signedIn, { origin: 'https://evil.example' })
  assert.equal(withoutCookie.statusCode, 403, withoutCookie.body)
})

test('a session that outlives its removed account opens nothing, young or about to be lengthened', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  // The removal itself ends the sessions: this is the second lock, for one that was begun at the same moment.
  await store.db.execute(sql`update users set removed_at = now() where email = ${store.customer.email}`)
  assert.equal((await store.customer.request('GET', '/auth/verification')).statusCode, 401)
  assert.equal((await store.customer.request('PUT', `/user/${store.customer.email}`, {})).statusCode, 401)
  await store.db.execute(sql`update sessions set expires_at = now() + interval '1 hour', updated_at = now() - interval '17 hours'`)
  assert.equal((await store.customer.request('GET', '/auth/verification')).statusCode, 401)
  assert.equal((await store.customer.request('PUT', `/user/${store.customer.email}`, {})).statusCode, 401)
})
