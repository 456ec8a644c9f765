import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointFor, endpoints } from '#proof/endpoints.ts'
import { anEmptyStore } from './store.ts'

// Who may ask what, and in which shape the answer comes, stands in proof/access-matrix.ts.

test('every call that the store describes is in a contract, and every contract is described', async () => {
  await using store = await anEmptyStore()

  const document: { paths: Record<string, object> } = (await store.visitor.request('GET', '/openapi.json')).json()

  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/{(\w+)}/g, ':$1')}`),
  )
  assert.deepEqual(
    described.filter((call) => !endpointFor(call)),
    [],
  )
  assert.equal(endpoints.length, described.length)
})

test('the document of the calls is written once, however often it is asked for', async (t) => {
  await using store = await anEmptyStore()
  await store.app.ready()
  const written = t.mock.method(store.app, 'swagger')

  const answers = [await store.visitor.request('GET', '/openapi.json'), await store.visitor.request('GET', '/openapi.json')]

  assert.equal(written.mock.callCount(), 1)
  assert.equal(answers[0]?.json().openapi, '3.1.0')
  assert.deepEqual([answers[1]?.body, answers[1]?.headers['content-type']], [answers[0]?.body, 'application/json; charset=utf-8'])
})

test('a request with a NUL, which no text of the database can hold, is refused in words', async () => {
  await using store = await anEmptyStore()
  for (const answer of [
    await store.customer.request('POST', '/purchase', {
      productName: 'a\u0000b',
      productCost: 1,
      productQuantity: 1,
      buyerAddress: '1 Road',
    }),
    await store.customer.request('GET', '/purchase?buyerEmail=a%00'),
    await store.visitor.request('POST', '/auth/sign-up/email', { name: 'a\u0000', email: 'nul@shop.example', password: 'correct horse' }),
  ]) {
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(answer.json(), { message: 'The request has a character that no text has (NUL)', code: 'invalid_request' })
  }
})

test('what only looks like a NUL is text', async () => {
  await using store = await anEmptyStore()
  const answer = await store.customer.request('POST', '/purchase', {
    productName: '\\u0000',
    productCost: 1,
    productQuantity: 1,
    buyerAddress: '1 Road',
  })
  assert.equal(answer.statusCode, 404)
})

test('an address that is none is refused in the one shape', async () => {
  await using store = await anEmptyStore()
  const answer = await store.visitor.request('GET', '/tools/%')
  assert.equal(answer.statusCode, 400)
  assert.deepEqual(answer.json(), { message: 'This is not an address', code: 'invalid_request' })
})
