import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { rateLimits } from '#platform/rate-limits.ts'
import { ErrorResponse } from '#shared/endpoint.ts'
import * as identity from '#store/identity/rules.ts'
import { sessions, users } from '#store/identity/table.ts'
import { createOrderToken } from '#store/orders/order-link.ts'
import { placeOrder } from '#store/orders/place-order.ts'
import { exportAddresses } from '#store/orders/shipments/carrier-files-contract.ts'
import { orders } from '#store/orders/table.ts'
import { waitForWebhooks } from '#test/order-actions.ts'
import { createEmptyDatabase } from '#test/postgres.ts'
import { type Actor, anEmptyStore, testSecret } from '#test/store.ts'
import { findFreePort, startStoreProcess } from '#test/store-process.ts'
import { openTestPool } from '#test/test-database.ts'
import { type AccessFixture, accessMatrix, type Caller, callers, orderRequest, sampleProduct, sampleProfile } from './access-matrix.ts'
import { snapshotBusinessTables } from './database-snapshot.ts'
import { endpointFor } from './endpoints.ts'
import { forgetRateLimits } from './forget-rate-limits.ts'
import { isFullRun, sampleSize } from './full-run.ts'

const password = 'correct horse battery'
const owner = 'owner@store.example'
type Told = { status: number; body: string; type: string }

function knock(agent: http.Agent, address: string, method: string, token: string | undefined, body: unknown): Promise<Told> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<Told>()
  const request = http.request(address, { method, headers, agent }, (answer) =>
    text(answer).then(
      (said) => resolve({ status: answer.statusCode ?? 0, body: said, type: answer.headers['content-type'] ?? '' }),
      reject,
    ),
  )
  request.on('error', reject)
  request.end(typeof body === 'string' ? body : JSON.stringify(body))
  return promise
}

/** The built store with something in it, the routes that it really opened, and the tokens of everybody who may knock. */
async function aBuiltStore() {
  const opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createEmptyDatabase())
  const { db, pool } = openTestPool(connectionString)
  opened.defer(() => pool.end())
  const store = startStoreProcess({
    DATABASE_URL: connectionString,
    PORT: `${await findFreePort()}`,
    ADMIN_EMAIL: owner,
    ADMIN_PASSWORD: password,
    NODE_OPTIONS: '--import=./proof/log-routes.ts',
    SECRET: testSecret,
  })
  opened.defer(async () => void (await store.stop()))
  const address = await store.ready

  const agent = new http.Agent({ keepAlive: true })
  opened.defer(() => agent.destroy())
  const ask = (method: string, route: string, token?: string, body?: unknown) => knock(agent, address + route, method, token, body)
  /** Everybody comes from one address here, so what is counted for it is forgotten before each request. */
  const forgetLimits = () => db.delete(rateLimits)
  const json = async (answer: Promise<Told>) => z.record(z.string(), z.unknown()).parse(JSON.parse((await answer).body))
  const enter = async (email: string, way: 'sign-up' | 'sign-in' = 'sign-up') => {
    const { token } = await json(ask('POST', `/api/auth/${way}/email`, undefined, { name: 'Ada', email, password }))
    return z.string().parse(token)
  }
  const given: AccessFixture = {
    toolId: '',
    orderId: '',
    email: 'ada@shop.example',
    owner,
    leaving: 'leaving@shop.example',
    promoted: 'promoted@shop.example',
  }
  const customer = await enter(given.email)
  const admin = await enter(owner, 'sign-in')
  for (const email of [given.leaving, given.promoted]) await enter(email)

  const removed = await enter('cy@shop.example')
  await ask('DELETE', '/api/user/cy@shop.example', admin)
  const expired = await enter(given.email, 'sign-in')
  await db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sessions.token, expired))
  const signedOut = await enter(given.email, 'sign-in')
  await ask('POST', '/api/auth/sign-out', signedOut, {})

  given.toolId = z.string().parse((await json(ask('POST', '/api/tools', admin, sampleProduct)))._id)
  given.orderId = z.string().parse((await json(ask('POST', '/api/purchase', customer, orderRequest(given.toolId, 2))))._id)
  const linkOfGuest = async (email: string) => {
    const request = { lines: [{ productId: given.toolId, quantity: 1 }], buyerAddress: '2 Lane' }
    const terms = { holdMinutes: 1440, newBuyerHoldMinutes: 1440, buyerLimits: undefined }
    const { order } = await placeOrder(db, { id: null, name: 'Gwen', email }, request, terms, { network: '192.0.2.1' })
    return { orderId: order._id, token: createOrderToken(testSecret, order._id) }
  }
  const [guest, ended] = [await linkOfGuest('gwen@mail.example'), await linkOfGuest('old@mail.example')]
  await db.update(orders).set({ placedAt: sql`now() - interval '90 days'` }).where(eq(orders._id, ended.orderId))
  const tokens: Record<Caller, string | undefined> = {
    nobody: undefined,
    customer,
    'other customer': await enter('bob@shop.example'),
    admin,
    'removed user': removed,
    expired,
    'signed out': signedOut,
    'garbage token': 'garbage',
    guest: `order-${guest.token}`,
    'expired link': `order-${ended.token}`,
    'made-up link': `order-${createOrderToken('another secret of the same length', given.orderId)}`,
  }
  const said = [...store.output().matchAll(/^server (\d+) opens (\S+ \S+)$/gm)].map(([, server, route = '']) => ({ server, route }))
  const its = said.find(({ route }) => route === 'GET /healthz')?.server
  const routes = said.filter(({ server }) => server === its).map(({ route }) => route)
  return { ask, forgetLimits, given, tokens, routes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Of which a sample sends one, by every third caller. */
const wrongBodies = [{ name: 1, productCost: [], email: {} }, [], '{"name":']

test('D1 every route answers everybody as the table says, in the shape that its contract says', async (t) => {
  await using it = await aBuiltStore()
  const isFile = (route: string) => existsSync(path.join('build/client', decodeURI(route.split(' ')[1] ?? '')))
  const [files = [], routes = []] = [it.routes.filter(isFile), it.routes.filter((route) => !isFile(route))]
  const ofHead = (route: string) => route.replace(/^HEAD /, 'GET ')
  assert.ok(files.length > 20, 'the files of the build are routes too')
  assert.deepEqual([...new Set(routes.map(ofHead))].sort(), Object.keys(accessMatrix).sort())

  let knocks = 0
  let nth = 0
  const inOrder = Object.keys(accessMatrix).flatMap((route) => routes.filter((opened) => ofHead(opened) === route))
  for (const [at, route] of inOrder.entries()) {
    const { path: address, body, statuses } = accessMatrix[ofHead(route)] ?? assert.fail(route)
    const [method = '', url = ''] = route.split(' ')
    const contract = endpointFor(route)
    // A HEAD route has the guard of its GET route: in a sample two callers knock at it.
    const knocking = isFullRun || method !== 'HEAD' ? callers : callers.slice(0, 2)
    for (const [of, knocker] of knocking.entries()) {
      await it.forgetLimits()
      const answer = await it.ask(method, address?.(it.given) ?? url, it.tokens[knocker], body?.(it.given, ++nth))
      knocks++
      const what = `${route} by ${knocker}: ${answer.status} ${answer.body.slice(0, 300)}`
      assert.equal(answer.status, statuses[knocker], what)
      if (method === 'HEAD') assert.equal(answer.body, '', what)
      else if (answer.status >= 400) assert.ok(z.strictObject(ErrorResponse.shape).safeParse(JSON.parse(answer.body)).success, what)
      else if (contract) {
        const response: Record<number, z.ZodType | undefined> = contract.schema.response
        const isFile = contract.url === exportAddresses.url
        assert.ok(response[answer.status]?.safeParse(isFile ? answer.body : JSON.parse(answer.body)).success, what)
      }

      // Where a token is wanted, a wrong body of somebody who may not ask is answered like a right one.
      if (body && contract?.schema.security && [401, 403].includes(statuses[knocker]) && (isFullRun || of % 3 === at % 3))
        for (const wrong of isFullRun ? wrongBodies : wrongBodies.slice(of % wrongBodies.length).slice(0, 1)) {
          const refused = await it.ask(method, address?.(it.given) ?? url, it.tokens[knocker], wrong)
          knocks++
          assert.equal(refused.status, statuses[knocker], `${route} by ${knocker} with ${JSON.stringify(wrong)}: ${refused.body}`)
        }
    }
  }
  const ofKind = (route: string) => `${route.split(' ')[0]} ${path.extname(route)}`
  const fileOfKind = new Map(files.map((route) => [ofKind(route), route]))
  for (const route of isFullRun ? files : fileOfKind.values())
    for (const knocker of ['nobody', 'garbage token'] as const) {
      const [method = '', url = ''] = route.split(' ')
      assert.equal((await it.ask(method, url, it.tokens[knocker])).status, 200, `${route} by ${knocker}`)
      knocks++
    }
  t.diagnostic(
    `${routes.length} routes and ${isFullRun ? files.length : fileOfKind.size} of files, ${callers.length} kinds of visitors, ${knocks} requests`,
  )
})

/** A store in which both customers have an order with an open payment. */
async function aStoreOfTwo() {
  const store = await anEmptyStore({ cards: true })
  const toolId: string = (await store.admin.request('POST', '/tools', sampleProduct)).json()._id
  const orderOf = async (actor: Actor, pieces: number) => {
    const order: { _id: string; productCost: number } = (await actor.request('POST', '/purchase', orderRequest(toolId, pieces))).json()
    await actor.request('PUT', `/users/${actor.email}`, sampleProfile)
    const intent = await actor.request('POST', '/create-payment-intent', { orderId: order._id, productCost: order.productCost })
    return { ...order, intentId: `${intent.json().clientSecret}`.split('_secret_')[0] }
  }
  const mine = await orderOf(store.customer, 2)
  const theirs = await orderOf(store.otherCustomer, 3)
  await waitForWebhooks(store) // else what tests compare before and after changes by itself
  return { store, toolId, mine, theirs, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

test("D2 another's order, profile, e-mail and payment are answered like what does not exist", async (t) => {
  await using it = await aStoreOfTwo()
  const { store, mine, theirs } = it
  const before = await snapshotBusinessTables(store.db)

  const { request } = store.customer
  const orders = [theirs._id, crypto.randomUUID()]
  const people = [store.otherCustomer.email, 'nobody@shop.example']
  const questions: [number, (string | undefined)[], (which: string) => ReturnType<Actor['request']>][] = [
    [404, orders, (id) => request('GET', `/purchase/${id}`)],
    [404, orders, (id) => request('PATCH', `/purchase/${id}`, { pay: true, transectionId: mine.intentId })],
    [404, orders, (orderId) => request('POST', '/create-payment-intent', { orderId, productCost: theirs.productCost })],
    [403, people, (email) => request('GET', `/purchase?buyerEmail=${email}`)],
    [403, people, (email) => request('GET', `/user/${email}`)],
    [403, people, (email) => request('PUT', `/users/${email}`, sampleProfile)],
    [403, people, (email) => request('PUT', `/user/${email}`, { email })],
    [403, people, (email) => request('GET', `/admin/${email}`)],
    [403, people, (email) => request('DELETE', `/user/${email}`)],
    [403, people, (email) => request('PUT', `/user/admin/${email}`)],
    [409, [theirs.intentId, 'pi_invented'], (transectionId) => request('PATCH', `/purchase/${mine._id}`, { pay: true, transectionId })],
    [409, [`${theirs.productCost}`, '37'], (productCost) => request('POST', '/create-payment-intent', { productCost })],
  ]
  for (const [status, [there = '', notThere = ''], question] of questions) {
    const [ofAnother, ofNobody] = [await question(there), await question(notThere)]
    assert.equal(ofAnother.statusCode, status, `${question}: ${ofAnother.body}`)
    assert.equal(ofNobody.statusCode, status, `${question}: ${ofNobody.body}`)
    assert.equal(ofAnother.body.replaceAll(there, notThere), ofNobody.body, `${question}`)
  }
  assert.deepEqual(await snapshotBusinessTables(store.db), before)
  t.diagnostic(`${questions.length} questions, each of what is another's and of what does not exist`)
})

type Body = Record<string, unknown>
/** Every call that takes a body, with a good one, by who may ask it. */
function goodRequests({ store, toolId, mine }: Awaited<ReturnType<typeof aStoreOfTwo>>): [Actor, 'POST' | 'PUT' | 'PATCH', string, Body][] {
  const { customer, admin, visitor } = store
  return [
    [visitor, 'POST', '/auth/sign-up/email', { name: 'Eve', email: 'eve@shop.example', password }],
    [visitor, 'POST', '/auth/sign-in/email', { email: customer.email, password }],
    [visitor, 'POST', '/auth/request-password-reset', { email: customer.email }],
    [visitor, 'POST', '/auth/reset-password', { token: 'x', newPassword: password }],
    [visitor, 'POST', '/auth/verify-email', { token: 'x' }],
    [visitor, 'POST', '/auth/sign-in/google', { from: '/home' }],
    [customer, 'PUT', `/user/${customer.email}`, { email: customer.email }],
    [customer, 'PUT', `/users/${customer.email}`, sampleProfile],
    [customer, 'POST', '/purchase', orderRequest(toolId, 2)],
    [customer, 'POST', '/orders', { lines: [{ productId: toolId, quantity: 2 }], buyerAddress: '1 Road' }],
    [customer, 'POST', '/create-payment-intent', { orderId: mine._id, productCost: mine.productCost }],
    [customer, 'PATCH', `/purchase/${mine._id}`, { pay: true, transectionId: mine.intentId }],
    [customer, 'POST', '/reviews', { name: 'Ada', img: '/ada.svg', about: 'Good', rating: 4.5 }],
    [admin, 'POST', '/tools', sampleProduct],
    [admin, 'PUT', `/tools/${toolId}`, { price: 12, minimum_order_quantity: 1, available_quantity: 400 }],
  ]
}

const foreign = '5e1f0000-0000-4000-8000-000000000001'
/** What a body may not say: each stands in every body, under the names of the wire, of the columns and of the keys. */
const slipped: Body = {
  _id: foreign,
  id: foreign,
  userId: foreign,
  buyerId: foreign,
  buyer_id: foreign,
  author: foreign,
  authorId: foreign,
  author_id: foreign,
  paymentId: foreign,
  buyerName: 'Slipped In',
  buyerEmail: 'slipped@shop.example',
  email: 'slipped@shop.example',
  role: 'admin',
  admin: true,
  emailVerified: true,
  email_verified: true,
  paid: true,
  state: 'succeeded',
  settledAt: '2020-02-02T00:00:00Z',
  placedAt: '2020-02-02T00:00:00Z',
  createdAt: '2020-02-02T00:00:00Z',
  removedAt: '2020-02-02T00:00:00Z',
  removed_at: '2020-02-02T00:00:00Z',
  number: 424_242,
  position: 424_242,
  price: 424_242,
  total: 424_242,
  cost: 424_242,
  unitPrice: 424_242,
  unit_price: 424_242,
  unitPriceCents: 424_242,
  totalCents: 424_242,
  goodsCents: 424_242,
  amountCents: 424_242,
  amount: 424_242,
  example: true,
  image: 'https://slipped.example/x.png',
}
const tracesOfSlipped = /5e1f0000|slipped|2020-02-02|424242|"example": ?true/i

test('D3 what is slipped into a body is ignored or refused: nobody gets a role, a price, an id, a date or a name by saying so', async (t) => {
  await using it = await aStoreOfTwo()
  const { store } = it
  const isAdmin = async () => (await store.db.select().from(users).where(eq(users.role, 'admin'))).map(({ email }) => email)
  const isVerified = async () => (await store.db.select().from(users).where(eq(users.emailVerified, true))).map(({ email }) => email)
  let fields = 0

  for (const [actor, method, path, body] of goodRequests(it)) {
    const plain = await actor.request(method, path, body)
    // What the call is about stays, such as the price of a tool, which an admin does say.
    const more = Object.fromEntries(Object.entries(slipped).filter(([field]) => !(field in body)))
    const anew = path.endsWith('/sign-up/email') && { email: 'eva@shop.example' }
    const answer = await actor.request(method, path, { ...body, ...more, ...anew })
    fields += Object.keys(more).length
    assert.ok(answer.statusCode === plain.statusCode || answer.statusCode === 400, `${method} ${path}: ${plain.body} ${answer.body}`)
    assert.doesNotMatch(answer.body, tracesOfSlipped, `${method} ${path}`)
    assert.doesNotMatch(JSON.stringify(await snapshotBusinessTables(store.db)), tracesOfSlipped, `${method} ${path}`)
  }
  assert.deepEqual([await isAdmin(), await isVerified()], [[store.admin.email], [store.admin.email]])
  const all: { paid: boolean }[] = (await store.admin.request('GET', '/bookings')).json()
  assert.ok(all.length >= 3 && all.every(({ paid }) => !paid))
  t.diagnostic(`${fields} slipped fields in ${goodRequests(it).length} bodies`)
})

test('D3 a quantity or a price that is none is refused, and the books stay as they are', async (t) => {
  await using it = await aStoreOfTwo()
  const { store } = it
  const numbers = ['productQuantity', 'productCost', 'price', 'minimum_order_quantity', 'available_quantity', 'rating']
  const wrong: unknown[] = [-5, 1e9, 1e21, '1.505', '1e3', '', ' ', '-1', '0x10', '1,5', 'ten', null, true, [], [1], {}, { valueOf: 1 }]
  const isRating = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && /^[-\d.]+$/.test(value))
  const before = await snapshotBusinessTables(store.db)
  let asked = 0
  for (const [actor, method, path, body] of goodRequests(it))
    for (const field of numbers.filter((name) => name in body))
      for (const value of field === 'available_quantity' ? wrong : [0, ...wrong]) {
        if (field === 'rating' && isRating(value)) continue // any decimal is one
        const answer = await actor.request(method, path, { ...body, [field]: value })
        asked++
        const what = `${method} ${path} ${field}=${JSON.stringify(value)}: ${answer.statusCode} ${answer.body}`
        // a cost is compared with the catalogue's
        assert.ok(answer.statusCode === 400 || (field === 'productCost' && answer.statusCode === 409), what)
      }
  for (const productCost of [0, 1, 23, 25, -24, 999_999])
    assert.ok(
      [400, 409].includes((await store.customer.request('POST', '/purchase', { ...orderRequest(it.toolId, 2), productCost })).statusCode),
    )
  // minus times minus: a total that fits a quantity below nothing
  const backwards = await store.customer.request('POST', '/purchase', { ...orderRequest(it.toolId, -5), productCost: -60 })
  assert.equal(backwards.statusCode, 400)
  assert.deepEqual(await snapshotBusinessTables(store.db), before)
  t.diagnostic(`${asked} wrong numbers`)
})

test('D4 the last admin can neither be removed nor lose the role', async () => {
  await using store = await anEmptyStore()
  const { email } = store.admin
  for (const spelled of [email, email.toUpperCase()])
    assert.equal((await store.admin.request('DELETE', `/user/${spelled}`)).statusCode, 409)
  await assert.rejects(identity.revokeAdmin(store.db, email), { status: 409 })
  assert.deepEqual((await store.admin.request('GET', `/admin/${email}`)).json(), { admin: true })
})

test('D4 of two admins who remove or demote each other at the same moment one stays', async (t) => {
  await using store = await anEmptyStore()
  const rounds = sampleSize(2, 60)
  for (let round = 0; round < rounds; round++) {
    await forgetRateLimits(store.db) // of admins who are no owners
    const two = [store.newCustomer(`One${round}`), store.newCustomer(`Other${round}`)] as const
    const [one, other] = two
    for (const actor of two) await actor.token()
    await store.db.update(users).set({ role: 'customer', owner: false }) // so that nothing but the rule for the last admin keeps one
    for (const { email } of two) await identity.makeAdmin(store.db, email)

    const answers =
      round % 2
        ? (await Promise.allSettled(two.map(({ email }) => identity.revokeAdmin(store.db, email)))).map((answer) => {
            if (answer.status === 'rejected') assert.deepEqual([answer.reason.status, answer.reason.code], [409, 'last_admin'])
            return answer.status
          })
        : (await Promise.all([one.request('DELETE', `/user/${other.email}`), other.request('DELETE', `/user/${one.email}`)])).map(
            ({ statusCode }) => (statusCode === 200 ? 'fulfilled' : 'rejected'),
          )
    assert.deepEqual(answers.sort(), ['fulfilled', 'rejected'])
    assert.equal((await identity.listAccounts(store.db)).filter(({ role }) => role === 'admin').length, 1)
  }
  t.diagnostic(`${rounds} rounds`)
})
