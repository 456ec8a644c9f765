import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccessFixture, accessMatrix, type Caller } from '../proof/access-matrix.ts'
import { type Actor, anEmptyStore } from './store.ts'

// What row D1 of the proof asks of the built store, asked of the guards alone: they decide before anything of a request is read.

test('every call that is not for everybody is refused to strangers and to customers before its parameters and body are read', async () => {
  await using store = await anEmptyStore()
  const callers: [Caller, Actor][] = [
    ['nobody', store.visitor],
    ['customer', store.customer],
    ['other customer', store.otherCustomer],
  ]
  const { email } = store.customer
  const given: AccessFixture = { toolId: 'x', orderId: 'x', email, owner: store.admin.email, leaving: email, promoted: email }
  let refusals = 0
  for (const [route, { path, statuses }] of Object.entries(accessMatrix)) {
    const [method = '', url = ''] = route.split(' ')
    if (!url.startsWith('/api/')) continue
    const asked = (path?.(given) ?? url).replace('/api', '')
    for (const [name, caller] of callers) {
      const expected = statuses[name]
      if (expected !== 401 && expected !== 403) continue
      const { statusCode } = await caller.request(method as Parameters<Actor['request']>[0], asked)
      assert.equal(statusCode, expected, `${name}: ${route}`)
      refusals++
    }
  }
  assert.ok(refusals > 80, `${refusals} refusals`)
})
