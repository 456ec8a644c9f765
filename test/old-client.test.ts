import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, anEmptyStore, type Store } from './store.ts'

/*
 * The first client of the store, which is not ours to change: the calls of the specification, a test for each, sent as it sends them. It knows no
 * toolId, no orderId and no Idempotency-Key, and what people typed into its forms goes out as text. Names stand here literally, and nothing is
 * taken from the contracts: whoever renames a field on the wire meets it here.
 */

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Sent = { bearer?: string | undefined; json?: object }

/** Sends a request of the first client: these headers and this body, nothing else. */
async function send(store: Store, method: Method, path: string, { bearer, json }: Sent = {}) {
  const answer = await store.app.inject({
    method,
    url: `/api${path}`,
    headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...(json && { 'content-type': 'application/json' }) },
    ...(json && { payload: JSON.stringify(json) }),
  })
  return { status: answer.statusCode, said: answer.json() }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const keys = (said: object) => Object.keys(said).sort()
/** These fields of the answer, by these names; it may say more. */
const only = (said: Record<string, unknown>, ...names: string[]) => Object.fromEntries(names.map((name) => [name, said[name]]))

const anvil = {
  name: 'Anvil',
  img: 'https://pictures.example/anvil.jpg',
  description: 'Stands.',
  price: 25,
  minimum_order_quantity: 10,
  available_quantity: 400,
}
const toolFields = ['_id', 'available_quantity', 'description', 'img', 'minimum_order_quantity', 'name', 'price']

/** A store that sells one tool. */
async function aShop() {
  const store = await anEmptyStore({ cards: true })
  const admin = await store.admin.token()
  const bearer = await store.customer.token()
  const { said } = await send(store, 'POST', '/tools', { bearer: admin, json: anvil })
  return { store, admin, bearer, toolId: said._id as string, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

/** The purchase form: the quantity comes from a text field. */
const purchase = ({ name, email }: Actor) => ({
  productName: 'Anvil',
  productCost: 300,
  buyerEmail: email,
  buyerName: name,
  buyerAddress: '12 Analytical Road, London',
  productQuantity: '12',
})
const order = (store: Store, bearer: string | undefined) => send(store, 'POST', '/purchase', { bearer, json: purchase(store.customer) })
const ordered = {
  productName: 'Anvil',
  productCost: 300,
  productQuantity: 12,
  buyerName: 'Ada',
  buyerEmail: 'ada@shop.example',
  buyerAddress: '12 Analytical Road, London',
}
const orderFields = Object.keys(ordered)

/** Opens the payment of the order and pays it with a card, as the card form does. @returns the transaction id */
async function payByCard(store: Store, bearer: string | undefined): Promise<string> {
  const { said } = await send(store, 'POST', '/create-payment-intent', { bearer, json: { productCost: 300 } })
  const intent = said.clientSecret.replace(/_secret_.*/, '')
  await store.cards.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' })
  return intent
}

test('the first client: GET /tools', async () => {
  await using it = await aShop()
  const { status, said } = await send(it.store, 'GET', '/tools')
  assert.equal(status, 200)
  assert.ok(Array.isArray(said))
  assert.deepEqual(keys(said[0]), toolFields)
  assert.deepEqual(said, [{ ...anvil, _id: it.toolId }])
})

test('the first client: GET /tools/{id}', async () => {
  await using it = await aShop()
  const { status, said } = await send(it.store, 'GET', `/tools/${it.toolId}`)
  assert.equal(status, 200)
  assert.deepEqual(keys(said), toolFields)
  assert.deepEqual(said, { ...anvil, _id: it.toolId })
})

test('the first client: POST /tools', async () => {
  await using it = await aShop()
  const json = {
    name: 'Vice',
    img: 'https://pictures.example/vice.jpg',
    description: 'Holds.',
    price: '40',
    minimum_order_quantity: '5',
    available_quantity: '70',
  }
  const { status } = await send(it.store, 'POST', '/tools', { bearer: it.admin, json })
  assert.equal(status, 201)
  const [, vice] = (await send(it.store, 'GET', '/tools')).said
  assert.match(vice._id, uuid)
  assert.deepEqual(vice, { ...json, _id: vice._id, price: 40, minimum_order_quantity: 5, available_quantity: 70 })
})

test('the first client: PUT /tools/{id}', async () => {
  await using it = await aShop()
  const json = { price: '30', minimum_order_quantity: '20', available_quantity: '500' }
  const { status } = await send(it.store, 'PUT', `/tools/${it.toolId}`, { bearer: it.admin, json })
  assert.equal(status, 200)
  const { said } = await send(it.store, 'GET', `/tools/${it.toolId}`)
  assert.deepEqual(said, { ...anvil, _id: it.toolId, price: 30, minimum_order_quantity: 20, available_quantity: 500 })
})

test('the first client: DELETE /tools/{id}', async () => {
  await using it = await aShop()
  const { status } = await send(it.store, 'DELETE', `/tools/${it.toolId}`, { bearer: it.admin })
  assert.equal(status, 200)
  assert.deepEqual((await send(it.store, 'GET', '/tools')).said, [])
})

test('the first client: GET /admin/{email}', async () => {
  await using it = await aShop()
  assert.deepEqual(await send(it.store, 'GET', '/admin/ada@shop.example', { bearer: it.bearer }), { status: 200, said: { admin: false } })
  assert.deepEqual(await send(it.store, 'GET', '/admin/owner@store.example', { bearer: it.admin }), { status: 200, said: { admin: true } })
})

test('the first client: GET /user', async () => {
  await using it = await aShop()
  const { status, said } = await send(it.store, 'GET', '/user', { bearer: it.admin })
  assert.equal(status, 200)
  assert.deepEqual(
    said.map((user: Record<string, unknown>) => only(user, 'email', 'role')),
    [
      { email: 'owner@store.example', role: 'admin' },
      { email: 'ada@shop.example', role: 'customer' },
    ],
  )
  for (const { _id } of said) assert.equal(typeof _id, 'string')
})

test('the first client: PUT /user/admin/{email}', async () => {
  await using it = await aShop()
  const { status, said } = await send(it.store, 'PUT', '/user/admin/ada@shop.example', { bearer: it.admin })
  assert.deepEqual([status, only(said, 'modifiedCount')], [200, { modifiedCount: 1 }])
  const customer = await it.store.otherCustomer.token()
  assert.equal((await send(it.store, 'PUT', '/user/admin/bob@shop.example', { bearer: customer })).status, 403)
})

test('the first client: PUT /user/{email}', async () => {
  await using it = await aShop()
  const json = { email: 'ada@shop.example', password: 'correct horse battery' }
  const provider = await send(it.store, 'POST', '/auth/sign-in/email', { json })
  const { status, said } = await send(it.store, 'PUT', '/user/ada@shop.example', {
    bearer: provider.said.token,
    json: { email: 'ada@shop.example' },
  })
  assert.equal(status, 200)
  assert.equal(typeof said.token, 'string')
  assert.equal((await send(it.store, 'GET', '/admin/ada@shop.example', { bearer: said.token })).status, 200)
})

const profile = {
  name: 'Ada',
  email: 'ada@shop.example',
  picture: 'https://pictures.example/ada.jpg',
  education: 'Mathematics',
  location: 'London',
  phone: '01719876543',
  linkedIn: 'https://www.linkedin.com/in/ada',
}

test('the first client: GET /user/{email}', async () => {
  await using it = await aShop()
  const { status, said } = await send(it.store, 'GET', '/user/ada@shop.example', { bearer: it.bearer })
  assert.equal(status, 200)
  assert.equal(said.length, 1)
  assert.deepEqual(keys(said[0]), ['education', 'email', 'linkedIn', 'location', 'name', 'phone', 'picture'])
  assert.deepEqual(only(said[0], 'name', 'email'), { name: 'Ada', email: 'ada@shop.example' })
})

test('the first client: PUT /users/{email}', async () => {
  await using it = await aShop()
  const { status } = await send(it.store, 'PUT', '/users/ada@shop.example', { bearer: it.bearer, json: profile })
  assert.equal(status, 200)
  const [kept] = (await send(it.store, 'GET', '/user/ada@shop.example', { bearer: it.bearer })).said
  assert.deepEqual(only(kept, 'name', 'email', 'picture', 'education', 'location', 'phone', 'linkedIn'), profile)
})

test('the first client: GET /bookings', async () => {
  await using it = await aShop()
  await order(it.store, it.bearer)
  const { status, said } = await send(it.store, 'GET', '/bookings', { bearer: it.admin })
  assert.equal(status, 200)
  assert.equal(said.length, 1)
  assert.match(said[0]._id, uuid)
  assert.deepEqual(only(said[0], ...orderFields, 'paid', 'transectionId'), { ...ordered, paid: false, transectionId: null })
})

test('the first client: POST /purchase', async () => {
  await using it = await aShop()
  const { status, said } = await order(it.store, it.bearer)
  assert.equal(status, 201)
  assert.match(said._id, uuid)
  assert.deepEqual(only(said, ...orderFields), ordered)
  assert.equal((await send(it.store, 'GET', `/tools/${it.toolId}`)).said.available_quantity, 388)
})

test('the first client: GET /purchase?buyerEmail={email}', async () => {
  await using it = await aShop()
  const placed = await order(it.store, it.bearer)
  const { status, said } = await send(it.store, 'GET', '/purchase?buyerEmail=ada@shop.example', { bearer: it.bearer })
  assert.equal(status, 200)
  assert.equal(said.length, 1)
  assert.equal(said[0]._id, placed.said._id)
  assert.deepEqual(only(said[0], ...orderFields, 'paid', 'transectionId'), { ...ordered, paid: false, transectionId: null })

  assert.equal((await send(it.store, 'GET', '/purchase?buyerEmail=ada@shop.example')).status, 401)
  assert.equal((await send(it.store, 'GET', '/purchase?buyerEmail=bob@shop.example', { bearer: it.bearer })).status, 403)
})

test('the first client: GET /purchase/{id}', async () => {
  await using it = await aShop()
  const { _id } = (await order(it.store, it.bearer)).said
  const { status, said } = await send(it.store, 'GET', `/purchase/${_id}`, { bearer: it.bearer })
  assert.equal(status, 200)
  assert.deepEqual(only(said, '_id', ...orderFields, 'paid', 'transectionId'), { _id, ...ordered, paid: false, transectionId: null })
})

test('the first client: PATCH /purchase/{id}', async () => {
  await using it = await aShop()
  const { _id } = (await order(it.store, it.bearer)).said
  const transectionId = await payByCard(it.store, it.bearer)
  const { status } = await send(it.store, 'PATCH', `/purchase/${_id}`, { bearer: it.bearer, json: { pay: _id, transectionId } })
  assert.equal(status, 200)
  const { said } = await send(it.store, 'GET', `/purchase/${_id}`, { bearer: it.bearer })
  assert.deepEqual(only(said, '_id', ...orderFields, 'paid', 'transectionId'), { _id, ...ordered, paid: true, transectionId })
})

test('the first client: POST /create-payment-intent', async () => {
  await using it = await aShop()
  await order(it.store, it.bearer)
  for (const productCost of [300, '300']) {
    const { status, said } = await send(it.store, 'POST', '/create-payment-intent', { bearer: it.bearer, json: { productCost } })
    assert.equal(status, 200)
    assert.match(said.clientSecret, /^pi_\w+_secret_\w+$/)
  }
})

const review = { name: 'Ada', img: 'https://pictures.example/ada.jpg', about: 'Came in time.', rating: '4.5' }

test('the first client: GET /reviews', async () => {
  await using it = await aShop()
  await send(it.store, 'POST', '/reviews', { bearer: it.bearer, json: review })
  const { status, said } = await send(it.store, 'GET', '/reviews')
  assert.equal(status, 200)
  assert.equal(said.length, 1)
  assert.match(said[0]._id, uuid)
  assert.deepEqual(only(said[0], 'name', 'img', 'about', 'rating'), { ...review, rating: 4.5 })
})

test('the first client: POST /reviews', async () => {
  await using it = await aShop()
  for (const rating of ['4.5', 4.5, '5']) {
    const { status } = await send(it.store, 'POST', '/reviews', { bearer: it.bearer, json: { ...review, rating } })
    assert.equal(status, 201)
  }
  // of one customer the newest stands for all
  assert.deepEqual(
    (await send(it.store, 'GET', '/reviews')).said.map(({ rating }: { rating: number }) => rating),
    [5],
  )
})
