import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { type Call, Refused } from '#store/call.ts'
import * as catalogue from '#store/catalogue/contract.ts'
import * as identity from '#store/identity/contract.ts'
import * as orders from '#store/orders/contract.ts'
import * as pages from '#store/pages/contract.ts'
import * as payments from '#store/payments/contract.ts'
import * as profiles from '#store/profiles/contract.ts'
import * as reviews from '#store/reviews/contract.ts'
import { type Actor, anEmptyStore } from './store.ts'

/*
 * Who may ask what: every call that the store describes, knocked at by everybody. A call that is described and not in this table fails
 * the test, so nobody adds a door without saying who may come in.
 */
const who = ['nobody', 'customer', 'admin', 'garbage token'] as const

/** What is in the store: a product, and an unpaid order of it by the customer. */
type Given = { toolId: string; orderId: string; email: string; owner: string; leaving: string }
type Row = {
  /** what is asked for, when it is more than the call's own address */
  path?: (given: Given) => string
  body?: (given: Given, nth: number) => unknown
  /** the status for each of `who` */
  statuses: [number, number, number, number]
}

const everybody: Row['statuses'] = [200, 200, 200, 200]
const pliers = {
  name: 'Pliers',
  img: '/drawings/pliers.svg',
  description: 'Grips.',
  price: 12,
  minimum_order_quantity: 1,
  available_quantity: 40,
}
const profile = { picture: '/ada.svg', education: 'Mathematics', location: 'London', phone: '+44 20 7946', linkedIn: 'linkedin.com/in/ada' }
const password = 'correct horse battery'

const table: Record<string, Row> = {
  'POST /api/auth/sign-up/email': { body: (_, nth) => ({ name: 'Eve', email: `eve${nth}@shop.example`, password }), statuses: everybody },
  'POST /api/auth/sign-in/email': { body: ({ owner }) => ({ email: owner, password }), statuses: everybody },
  'POST /api/auth/request-password-reset': { body: ({ email }) => ({ email }), statuses: everybody },
  'POST /api/auth/reset-password': { body: () => ({ token: 'x', newPassword: password }), statuses: [400, 400, 400, 400] },
  'POST /api/auth/send-verification-email': { statuses: [401, 200, 200, 401] },
  'POST /api/auth/verify-email': { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  'POST /api/auth/sign-in/google': { body: () => ({}), statuses: [503, 503, 503, 503] }, // this store's issuer does not answer
  'PUT /api/user/{email}': { path: ({ email }) => `/user/${email}`, body: ({ email }) => ({ email }), statuses: [401, 200, 403, 401] },
  'GET /api/admin/{email}': { path: ({ email }) => `/admin/${email}`, statuses: [401, 200, 200, 401] },
  'GET /api/user': { statuses: [401, 403, 200, 401] },
  'GET /api/user/{email}': { path: ({ email }) => `/user/${email}`, statuses: [401, 200, 200, 401] },
  'PUT /api/users/{email}': { path: ({ email }) => `/users/${email}`, body: () => profile, statuses: [401, 200, 200, 401] },
  'GET /api/tools': { statuses: everybody },
  'GET /api/tools/{id}': { path: ({ toolId }) => `/tools/${toolId}`, statuses: everybody },
  'POST /api/tools': { body: () => pliers, statuses: [401, 403, 201, 401] },
  'PUT /api/tools/{id}': { path: ({ toolId }) => `/tools/${toolId}`, body: () => pliers, statuses: [401, 403, 200, 401] },
  'POST /api/purchase': {
    body: ({ toolId }) => ({ toolId, productName: 'Pliers', productQuantity: 1, productCost: 12, buyerAddress: '1 Road' }),
    statuses: [401, 201, 201, 401],
  },
  'GET /api/purchase': { path: ({ email }) => `/purchase?buyerEmail=${email}`, statuses: [401, 200, 200, 401] },
  'GET /api/purchase/{id}': { path: ({ orderId }) => `/purchase/${orderId}`, statuses: [401, 200, 200, 401] },
  'GET /api/bookings': { statuses: [401, 403, 200, 401] },
  'POST /api/create-payment-intent': { body: ({ orderId }) => ({ productCost: 24, orderId }), statuses: [401, 200, 404, 401] },
  'PATCH /api/purchase/{id}': {
    path: ({ orderId }) => `/purchase/${orderId}`,
    body: () => ({ pay: true, transectionId: 'pi_invented' }),
    statuses: [401, 409, 404, 401],
  },
  'GET /api/reviews': { statuses: everybody },
  'POST /api/reviews': { body: () => ({ name: 'Ada', img: '/ada.svg', about: 'Good', rating: 4.5 }), statuses: [401, 201, 403, 401] },
  'GET /api/portfolio': { statuses: everybody },
  'DELETE /api/tools/{id}': { path: ({ toolId }) => `/tools/${toolId}`, statuses: [401, 403, 200, 401] },
  'DELETE /api/user/{email}': { path: ({ leaving }) => `/user/${leaving}`, statuses: [401, 403, 200, 401] },
  'PUT /api/user/admin/{email}': { path: ({ email }) => `/user/admin/${email}`, statuses: [401, 403, 200, 401] },
  'POST /api/auth/sign-out': { body: () => ({}), statuses: everybody },
}

type Method = Parameters<Actor['ask']>[0]
const addressOf = (call: string) => {
  const [method, url = ''] = call.split(' ')
  return { method: method as Method, path: url.slice('/api'.length) }
}

/** A store with something in it, and everybody who may knock, in the order of `who`. */
async function aStore() {
  const store = await anEmptyStore({ cards: true })
  const toolId = (await store.admin.ask('POST', '/tools', pliers)).json()._id
  const wish = { toolId, productName: 'Pliers', productQuantity: 2, productCost: 24, buyerAddress: '1 Road' }
  const orderId = (await store.customer.ask('POST', '/purchase', wish)).json()._id
  await store.otherCustomer.token()
  const garbage: Actor = {
    ...store.visitor,
    ask: (method, path, body, headers) => store.visitor.ask(method, path, body, { authorization: 'Bearer garbage', ...headers }),
  }
  return {
    store,
    given: { toolId, orderId, email: store.customer.email, owner: store.admin.email, leaving: store.otherCustomer.email },
    actors: [store.visitor, store.customer, store.admin, garbage],
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const isCall = (said: unknown): said is Call => typeof said === 'object' && said !== null && 'method' in said && 'schema' in said
const contracts: Call[] = [identity, profiles, catalogue, orders, payments, reviews, pages].flatMap((contract) =>
  Object.values<unknown>(contract).filter(isCall),
)
const contractOf = (call: string) => contracts.find(({ method, url }) => `${method} /api${url.replace(/:(\w+)/g, '{$1}')}` === call)

test('every call that the store describes says here who may ask it, and is in a contract', async () => {
  await using store = await anEmptyStore()

  const document: { paths: Record<string, object> } = (await store.visitor.ask('GET', '/openapi.json')).json()

  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(described.sort(), Object.keys(table).sort())
  assert.deepEqual(
    described.filter((call) => !contractOf(call)),
    [],
  )
  assert.equal(contracts.length, described.length, 'every contract is a call')
})

test('everybody gets from every call what the table says, in the shape that its contract says', async () => {
  await using it = await aStore()
  let nth = 0

  for (const [call, { path, body, statuses }] of Object.entries(table)) {
    const address = addressOf(call)
    for (const [index, actor] of it.actors.entries()) {
      const answer = await actor.ask(address.method, path?.(it.given) ?? address.path, body?.(it.given, ++nth))

      const what = `${call} by ${who[index]}: ${answer.body}`
      assert.equal(answer.statusCode, statuses[index], what)
      const response: Record<number, z.ZodType | undefined> = contractOf(call)?.schema.response ?? {}
      const shape = answer.statusCode < 300 ? response[answer.statusCode] : z.strictObject(Refused.shape)
      assert.ok(shape?.safeParse(answer.json()).success, what)
    }
  }
})

test('where a token is wanted, a wrong body of somebody who may not ask is answered like a right one', async () => {
  await using it = await aStore()

  for (const [call, { path, body, statuses }] of Object.entries(table)) {
    if (!body || !contractOf(call)?.schema.security) continue
    const address = addressOf(call)
    for (const [index, actor] of it.actors.entries())
      for (const wrong of [{ name: 1, productCost: [], email: {} }, [], '{"name":'])
        if (statuses[index] === 401 || statuses[index] === 403) {
          const answer = await actor.ask(address.method, path?.(it.given) ?? address.path, wrong, { 'content-type': 'application/json' })
          assert.equal(answer.statusCode, statuses[index], `${call} by ${who[index]}: ${answer.body}`)
        }
  }
})

test('a request with a NUL, which no text of the database can hold, is refused in words', async () => {
  await using store = await anEmptyStore()
  for (const answer of [
    await store.customer.ask('POST', '/purchase', { productName: 'a\u0000b', productCost: 1, productQuantity: 1, buyerAddress: '1 Road' }),
    await store.customer.ask('GET', '/purchase?buyerEmail=a%00'),
    await store.visitor.ask('POST', '/auth/sign-up/email', { name: 'a\u0000', email: 'nul@shop.example', password: 'correct horse' }),
  ]) {
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(answer.json(), { message: 'The request has a character that no text has (NUL)' })
  }
})

test('what only looks like a NUL is text', async () => {
  await using store = await anEmptyStore()
  const answer = await store.customer.ask('POST', '/purchase', {
    productName: '\\u0000',
    productCost: 1,
    productQuantity: 1,
    buyerAddress: '1 Road',
  })
  assert.equal(answer.statusCode, 404)
})

test('an address that is none is refused in the one shape', async () => {
  await using store = await anEmptyStore()
  const answer = await store.visitor.ask('GET', '/tools/%')
  assert.equal(answer.statusCode, 400)
  assert.deepEqual(answer.json(), { message: 'This is not an address' })
})
