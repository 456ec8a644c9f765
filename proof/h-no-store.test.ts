import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, anEmptyStore } from '#test/store.ts'
import { type AccessFixture, accessMatrix, orderRequest, sampleProduct } from './access-matrix.ts'
import { createMockIssuer } from './mock-oidc-issuer.ts'

type Method = Parameters<Actor['request']>[0]
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Answers to everybody, about the basket of the cookie that comes with the request, or to whoever has a secret address. */
const ofBasket = new Set(['/api/cart/pasted', '/api/checkout/form', '/api/withdrawals/:token'])

test('H11 an answer that depends on who asks forbids to keep it, whatever it says, and one that is open to everybody does not', async (t) => {
  await using issuer = await createMockIssuer()
  await issuer.start()
  await using store = await anEmptyStore({ cards: true, google: issuer.google })
  const { visitor, customer, admin } = store
  const toolId: string = (await admin.request('POST', '/tools', sampleProduct)).json()._id
  const orderId: string = (await customer.request('POST', '/purchase', orderRequest(toolId, 2))).json()._id
  const given: AccessFixture = {
    ...{ toolId, orderId, email: customer.email, owner: admin.email },
    ...{ leaving: 'leaving@shop.example', promoted: 'promoted@shop.example' },
  }
  let [personal, open] = [0, 0]
  for (const [route, { path, body, statuses }] of Object.entries(accessMatrix)) {
    const [method = '', url = ''] = route.split(' ')
    const asked = path?.(given) ?? url
    if (!asked.startsWith('/api/') || describing.test(url) || !isMethod(method)) continue
    const isGuarded = new Set(Object.values(statuses)).size > 1 || statuses.nobody === 401 || ofBasket.has(url)
    for (const [nth, actor] of [visitor, customer, admin].entries()) {
      const answer = await actor.request(method, asked.slice('/api'.length), body?.(given, nth))
      const depends = isGuarded || actor !== visitor || method !== 'GET' || url.startsWith('/api/auth/')
      const what = `${route} by ${actor.name || 'a visitor'}: ${answer.statusCode}`
      if (depends) assert.equal(answer.headers['cache-control'], 'no-store', what)
      else if (answer.statusCode === 200) assert.notEqual(answer.headers['cache-control'], 'no-store', what)
      if (depends) personal++
      else open++
    }
  }
  const withCookie = await visitor.request('GET', '/tools', undefined, { cookie: 'session=x' })
  assert.equal(withCookie.headers['cache-control'], 'no-store')
  assert.ok(open > 5 && personal > 100)
  t.diagnostic(`${personal} answers to ${Object.keys(accessMatrix).length} routes forbid it, ${open} do not`)
})

/** What describes the calls is a file like any other. */
const describing = /^\/api\/(docs|openapi\.json)/
const isMethod = (method: string): method is Method => methods.some((known) => known === method)
