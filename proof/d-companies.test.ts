import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '#shared/endpoint.ts'
import * as addressCalls from '#store/companies/address-contract.ts'
import * as companyCalls from '#store/companies/contract.ts'
import { checkOut, putIntoCart } from '#test/checkout-actions.ts'
import { acceptInvitation, companyOf, inviteByMail, memberId, verifyEmail } from '#test/company-actions.ts'
import { createProduct, createTestStoreWithCards, openPaymentIntent, waitForWebhooks } from '#test/order-actions.ts'
import type { Actor } from '#test/store.ts'
import { sampleAddress } from './access-matrix.ts'
import { snapshotBusinessTables } from './database-snapshot.ts'

const isEndpoint = (said: unknown): said is Endpoint => typeof said === 'object' && said !== null && 'method' in said && 'schema' in said
const endpoints = [companyCalls, addressCalls].flatMap((contract) => Object.values<unknown>(contract).filter(isEndpoint))

type Ids = { member: string; invitation: string; address: string; token: string; order: string; intent: string }
/** Each call that names something of a company; a new call of companies with a parameter needs a row. */
const questions: Record<string, (of: Ids) => { path: string; body?: object }> = {
  'PUT /company/members/:id': ({ member }) => ({ path: `/company/members/${member}`, body: { role: 'manager' } }),
  'DELETE /company/members/:id': ({ member }) => ({ path: `/company/members/${member}` }),
  'DELETE /company/invitations/:id': ({ invitation }) => ({ path: `/company/invitations/${invitation}` }),
  'PUT /company/addresses/:id': ({ address }) => ({ path: `/company/addresses/${address}`, body: { ...sampleAddress, label: 'Mine' } }),
  'DELETE /company/addresses/:id': ({ address }) => ({ path: `/company/addresses/${address}` }),
}
const ofOrders: [Parameters<Actor['request']>[0], (of: Ids) => string, ((of: Ids) => object)?][] = [
  ['GET', ({ order }) => `/orders/${order}`],
  ['GET', ({ order }) => `/orders/${order}/details`],
  ['GET', ({ order }) => `/orders/${order}/documents`],
  ['GET', ({ order }) => `/orders/${order}/withdrawal`],
  ['POST', ({ order }) => `/orders/${order}/withdrawal`, () => ({ name: 'Mallory', email: 'm@mail.example' })],
  ['GET', ({ order }) => `/orders/${order}/returns`],
  ['POST', ({ order }) => `/orders/${order}/returns`, ({ order: _id }) => ({ lines: [{ _id, quantity: 1, reason: 'other' }] })],
  ['DELETE', ({ order }) => `/orders/${order}/returns/${order}`],
  ['GET', ({ order }) => `/orders/${order}/transfer`],
  ['GET', ({ order }) => `/orders/${order}/pro-forma`],
  ['POST', ({ order }) => `/orders/${order}/confirmed-email`, () => ({ token: 'x' })],
  ['GET', ({ order }) => `/purchase/${order}`],
  ['GET', ({ order }) => `/purchase/${order}/history`],
  ['POST', ({ order }) => `/cart/orders/${order}`],
  ['POST', ({ order }) => `/orders/${order}/cancel`, () => ({})],
  ['POST', ({ order }) => `/purchase/${order}/cancel`, () => ({})],
  ['POST', () => '/create-payment-intent', ({ order: orderId }) => ({ orderId, productCost: 30 })],
  ['PATCH', ({ order }) => `/purchase/${order}`, ({ intent: transectionId }) => ({ pay: true, transectionId })],
]
/** What stands in the company of others alone. */
const secrets = /Company of Ada|Secret|grace|ada@shop|Byron|Invaliden/i

test('D2 members, invitations, addresses and orders of another company are answered like what does not exist, to its outsiders and to who was in it', async (t) => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob, admin } = store
  const [carol, left] = [store.newCustomer('Carol'), store.newCustomer('Dora')]
  await companyOf(store, ada, left)
  await companyOf(store, bob)
  await verifyEmail(store, carol)
  const invited = await ada.request('POST', '/company/invitations', { email: 'grace@mail.example' })
  const address = await ada.request('POST', '/company/addresses', { ...sampleAddress, label: 'Secret bunker' })
  await putIntoCart(ada, { [await createProduct(store)]: 1 })
  const order = await checkOut(ada)
  const intent = await openPaymentIntent(store, { ...order, productCost: 30 } as never, ada)
  const token = await inviteByMail(store, ada, 'grace.two@mail.example')
  const ids: Ids = {
    member: await memberId(ada, ada),
    invitation: invited.json()._id,
    address: address.json()._id,
    token,
    order: order._id,
    intent,
  }
  const leaving = await memberId(left, left)
  assert.equal((await left.request('DELETE', `/company/members/${leaving}`)).statusCode, 200)
  const uuid = crypto.randomUUID()
  const nothing: Ids = { member: uuid, invitation: uuid, address: uuid, token: 'f'.repeat(64), order: uuid, intent: 'pi_none' }
  await waitForWebhooks(store)
  await store.emailsTo('')
  const before = await snapshotBusinessTables(store.db)

  const named = endpoints.filter(({ url }) => url.includes(':id'))
  assert.deepEqual(named.map(({ method, url }) => `${method} ${url}`).sort(), Object.keys(questions).sort())
  let asked = 0
  for (const stranger of [bob, carol, left, admin]) {
    const ask = async (method: Parameters<Actor['request']>[0], path: string, body?: object) => {
      const answer = await stranger.request(method, path, body)
      assert.doesNotMatch(answer.body, secrets, `${stranger.name}: ${method} ${path}`)
      asked++
      return answer
    }
    for (const [call, question] of Object.entries(questions)) {
      const [method = ''] = call.split(' ')
      const [of, ofNothing] = [question(ids), question(nothing)]
      const [there, notThere] = [await ask(method as 'PUT', of.path, of.body), await ask(method as 'PUT', ofNothing.path, ofNothing.body)]
      assert.deepEqual([there.statusCode, there.body], [404, notThere.body], `${stranger.name}: ${call}`)
    }
    for (const url of [
      '/company',
      '/company/members',
      '/company/invitations',
      '/company/addresses',
      '/checkout/defaults',
      '/orders?of=company',
    ])
      await ask('GET', url)
    assert.equal((await ask('GET', `/company-invitations/${token}`)).statusCode, 403)
    assert.equal((await acceptInvitation(stranger, token)).statusCode, 403)
    if (stranger === admin) continue // sees and cancels orders as one
    for (const [method, path, body] of ofOrders) {
      const [there, notThere] = [await ask(method, path(ids), body?.(ids)), await ask(method, path(nothing), body?.(nothing))]
      assert.deepEqual([there.statusCode, there.body], [404, notThere.body], `${stranger.name}: ${method} ${path(ids)}`)
    }
  }
  assert.deepEqual(await snapshotBusinessTables(store.db), before)
  t.diagnostic(`${endpoints.length} calls of companies, ${ofOrders.length} of orders, ${asked} requests of four outsiders`)
})
