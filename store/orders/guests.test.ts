import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { tokenFromEmail } from '#proof/token-from-email.ts'
import { makeAdmin } from '#store/identity/rules.ts'
import { users } from '#store/identity/table.ts'
import { holderOfLink, payAsGuest, placeGuestOrder, refusalOfGuest } from '#test/guest-actions.ts'
import { createProducts, sendLines } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  createProduct,
  createTestStoreWithCards,
  expireHold,
  getOrderEventNames,
  getStock,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store, testSecret } from '#test/store.ts'
import type { AdminPurchase, OrderHistoryEntry } from './contract.ts'
import type { Order } from './order-contract.ts'
import { createOrderLink, createOrderToken, readOrderToken } from './order-link.ts'
import { orderHistory, orders } from './table.ts'

const verify = (store: Store, { email }: Actor) => store.db.update(users).set({ emailVerified: true }).where(eq(users.email, email))
const age = (store: Store, { _id }: Order, days: number) =>
  store.db
    .update(orders)
    .set({ placedAt: sql`now() - make_interval(days => ${days}::integer)` })
    .where(eq(orders._id, _id))

test('a guest orders with a name and an e-mail, and whoever has the link of the order sees it with its history', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = await createProducts(store)
  const order = await placeGuestOrder(store, { [drill]: 1, [saw]: 2 }, { email: 'Gwen@Mail.example' })
  assert.deepEqual([order.buyerName, order.buyerEmail, order.guest, order.totalCents], ['Gwen', 'gwen@mail.example', true, 4400])

  const guest = holderOfLink(store, order)
  assert.deepEqual((await guest.request('GET', `/orders/${order._id}`)).json(), order)
  const line = order.lines[1]?._id ?? ''
  assert.equal((await guest.request('GET', `/orders/${line}`)).json()._id, order._id)
  assert.deepEqual((await guest.request('GET', `/purchase/${line}`)).json().productName, 'Saw')
  const history: OrderHistoryEntry[] = (await guest.request('GET', `/purchase/${order._id}/history`)).json()
  assert.deepEqual(
    history.map(({ event, actor, by }) => [event, actor, by]),
    [['placed', 'buyer', 'gwen@mail.example']],
  )
})

test('whoever has the link of a guest pays the order by card, and cancels it or a line of it while it is open', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)

  const paid = await placeGuestOrder(store, { [drill]: 1 })
  const { recorded, intentId } = await payAsGuest(store, paid)
  assert.deepEqual([recorded.statusCode, recorded.json().paid, recorded.json().transectionId], [200, true, intentId])
  const refused = await cancelPurchase(holderOfLink(store, paid), paid)
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'order_not_open'])

  const open = await placeGuestOrder(store, { [saw]: 2, [board]: 1 })
  const guest = holderOfLink(store, open)
  assert.equal((await cancelPurchase(guest, { _id: open.lines[0]?._id ?? '' })).statusCode, 200)
  const cancelled = await guest.request('POST', `/orders/${open._id}/cancel`, {})
  assert.deepEqual([cancelled.statusCode, cancelled.json().orderStatus], [200, 'cancelled'])
  assert.deepEqual([await getStock(store, saw), await getStock(store, board)], [40, 40])
  const history: OrderHistoryEntry[] = (await guest.request('GET', `/purchase/${open._id}/history`)).json()
  assert.deepEqual(
    history.map(({ event, actor, by }) => [event, actor, by]),
    ['placed', 'line cancelled', 'cancelled'].map((event) => [event, 'buyer', 'gwen@mail.example']),
  )
})

test("the link of a guest's order shows no other order, whatever id is asked for", async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const mine = await placeGuestOrder(store, { [drill]: 1 })
  const theirs = await placeGuestOrder(store, { [drill]: 2 }, { email: 'other@mail.example' })
  const ofAccount: Order = (
    await store.customer.request('POST', '/orders', { lines: [{ productId: drill, quantity: 3 }], buyerAddress: '1 Road' })
  ).json()
  const { request } = holderOfLink(store, mine)
  for (const id of [theirs._id, ofAccount._id, ofAccount.lines[0]?._id, crypto.randomUUID()]) {
    for (const [method, path, body] of [
      ['GET', `/orders/${id}`, undefined],
      ['GET', `/purchase/${id}`, undefined],
      ['GET', `/purchase/${id}/history`, undefined],
      ['PATCH', `/purchase/${id}`, { pay: true, transectionId: 'pi_x' }],
      ['POST', `/purchase/${id}/cancel`, {}],
      ['POST', `/orders/${id}/cancel`, {}],
      ['POST', '/create-payment-intent', { orderId: id, productCost: 60 }],
    ] as const)
      assert.equal((await request(method, path, body)).statusCode, 404, `${method} ${path}`)
  }
  const found = await request('POST', '/create-payment-intent', { productCost: 60 })
  assert.deepEqual([found.statusCode, found.json().code], [409, 'order_not_open'], 'without an id the only order that it finds is its own')
  assert.equal((await request('POST', '/create-payment-intent', { productCost: 30 })).statusCode, 200)
})

test('a link works for 90 days after the order was placed, as long as nobody changes a character of it, and only where a guest has ordered', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const order = await placeGuestOrder(store, { [drill]: 1 })
  const ask = async (token?: string) => (await holderOfLink(store, order, token).request('GET', `/orders/${order._id}`)).statusCode
  const token = createOrderToken(testSecret, order._id)
  assert.match(token, /^[0-9a-f]{64}$/)
  assert.equal(createOrderLink(testSecret, order._id), `/order/${token}`)
  assert.equal(readOrderToken(testSecret, token), order._id)
  const changed = [...token].map((character, at) => token.slice(0, at) + (character === '0' ? '1' : '0') + token.slice(at + 1))
  assert.deepEqual([...new Set(await Promise.all(changed.map(ask)))], [401])
  for (const made of ['', 'x', token.slice(1), `${token}0`, order._id, createOrderToken('another secret', order._id)])
    assert.equal(await ask(made), 401, made)

  const [ofAccount] = await store.db
    .update(orders)
    .set({ buyerId: (await store.db.select().from(users))[0]?.id ?? '', placedByGuest: false })
    .returning()
  assert.ok(ofAccount)
  assert.equal(await ask(), 401, 'no link leads to the order of an account')
  await store.db.update(orders).set({ placedByGuest: true })

  await age(store, order, 89)
  assert.equal(await ask(), 200)
  await age(store, order, 90)
  const ended = await holderOfLink(store, order).request('GET', `/orders/${order._id}`)
  assert.deepEqual([ended.statusCode, ended.json().message], [401, 'The link to this order has ended'])
  await store.db.update(orders).set({ placedAt: sql`now()` })
  await store.db.execute(sql`update order_history set user_id = (select id from users limit 1)`) // of the account that has it now
})

test('an unpaid order of a guest expires, and its pieces are for others again', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const order = await placeGuestOrder(store, { [drill]: 5 })
  assert.equal(await getStock(store, drill), 35)
  await expireHold(store, order)
  await store.jobs.runAllOnce()
  assert.equal(await getStock(store, drill), 40)
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'expired'])
})

test('an admin sees that an order is of a guest, and refunds and cancels it like any other', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const order = await placeGuestOrder(store, { [drill]: 2 })
  await store.customer.request('POST', '/orders', { lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road' })
  await payAsGuest(store, order)
  const bookings: AdminPurchase[] = (await store.admin.request('GET', '/bookings')).json()
  assert.deepEqual(
    bookings.map(({ buyerEmail, guest }) => [buyerEmail, guest]),
    [
      ['ada@shop.example', undefined],
      ['gwen@mail.example', true],
    ],
  )
  assert.equal((await store.admin.request('GET', `/orders/${order._id}`)).json().guest, true)
  const page = (await store.admin.request('GET', '/bookings/page?q=gwen')).json()
  assert.deepEqual([page.total, page.orders[0].guest], [1, true])
  const byEmail = (await store.admin.request('GET', '/orders?buyerEmail=gwen@mail.example')).json()
  assert.deepEqual(
    byEmail.orders.map(({ _id, guest }: Order) => [_id, guest]),
    [[order._id, true]],
  )

  const refunded = await store.admin.request('POST', `/orders/${order._id}/refunds`, {
    lines: [{ _id: order.lines[0]?._id, quantity: 1 }],
    reason: 'Scratched',
  })
  assert.equal(refunded.statusCode, 200, refunded.body)
  assert.equal((await store.admin.request('POST', `/orders/${order._id}/cancel`, {})).statusCode, 200)
  await waitForWebhooks(store)
  assert.equal((await holderOfLink(store, order).request('GET', `/orders/${order._id}`)).json().paymentStatus, 'refunded')
})

test('an admin with the e-mail of a guest who cancels their unpaid order does it as an admin', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const mallory = store.newCustomer('Mallory')
  await mallory.token()
  await makeAdmin(store.db, mallory.email)
  const order = await placeGuestOrder(store, { [drill]: 1 }, { email: mallory.email })
  assert.equal((await cancelPurchase(mallory, order)).statusCode, 200)
  const history: OrderHistoryEntry[] = (await store.admin.request('GET', `/purchase/${order._id}/history`)).json()
  assert.deepEqual(history.at(-1)?.actor, 'admin')
})

test('an account with the e-mail of a guest sees none of their orders until it has verified the e-mail, and then all of them', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const { customer } = store
  const [open, paid] = [
    await placeGuestOrder(store, { [drill]: 1 }, { email: 'ADA@shop.example' }),
    await placeGuestOrder(store, { [drill]: 2 }, { email: customer.email }),
  ]
  const other = await placeGuestOrder(store, { [drill]: 3 }, { email: 'ada@shop.example.org' })
  await payAsGuest(store, paid)
  const seen = async () => ({
    listed: (await customer.request('GET', '/orders')).json().orders.map(({ _id }: Order) => _id),
    purchases: (await customer.request('GET', `/purchase?buyerEmail=${customer.email}`)).json().map(({ _id }: Order) => _id),
    opened: (await customer.request('GET', `/orders/${open._id}`)).statusCode,
  })
  assert.deepEqual(await seen(), { listed: [], purchases: [], opened: 404 })

  await verify(store, customer)

  const both = [paid._id, open._id]
  assert.deepEqual(await seen(), { listed: both, purchases: both, opened: 200 })
  const guest = holderOfLink(store, open)
  const byLink = await guest.request('GET', `/orders/${open._id}`)
  assert.deepEqual([byLink.statusCode, byLink.json().guest], [200, false], 'links go on working')
  assert.equal((await cancelPurchase(guest, open)).statusCode, 200)
  const [history]: OrderHistoryEntry[][] = [(await customer.request('GET', `/purchase/${open._id}/history`)).json()]
  assert.deepEqual(
    history?.map(({ event, by }) => [event, by]),
    [
      ['placed', customer.email],
      ['cancelled', customer.email],
    ],
  )
  assert.equal((await customer.request('GET', `/orders/${other._id}`)).statusCode, 404)
  assert.equal((await customer.request('POST', '/create-payment-intent', { orderId: paid._id, productCost: 60 })).statusCode, 409)
})

test('the orders of a guest become those of the account that verifies their e-mail by a link, or by setting a new password by mail', async () => {
  for (const way of ['verification', 'reset'] as const) {
    await using store = await anEmptyStore()
    const drill = await createProduct(store)
    const { customer } = store
    await customer.token()
    const order = await placeGuestOrder(store, { [drill]: 1 }, { email: customer.email })
    const show = async () => (await customer.request('GET', `/orders/${order._id}`)).statusCode
    await customer.request('POST', '/auth/send-verification-email')
    assert.equal(await show(), 404)
    if (way === 'reset') await customer.request('POST', '/auth/request-password-reset', { email: customer.email })
    const mails = await store.emailsTo(customer.email)
    const token = tokenFromEmail(mails.find(({ text }) => text.includes(way === 'reset' ? '/reset-password#' : '/verify-email#')))
    const answer =
      way === 'reset'
        ? await customer.request('POST', '/auth/reset-password', { token, newPassword: 'another correct horse' })
        : await customer.request('POST', '/auth/verify-email', { token })
    assert.equal(answer.statusCode, 200, answer.body)
    const [{ buyerId } = { buyerId: null }] = await store.db.select().from(orders).where(eq(orders._id, order._id))
    assert.notEqual(buyerId, null, way)
    if (way === 'verification') assert.equal(await show(), 200)
  }
})

test('orders that guests placed with the e-mail of an account keep it from nothing once it has verified the e-mail, and count for the guests', async () => {
  await using store = await anEmptyStore({ buyerLimits: { openOrders: 2, heldPieces: 100, heldCents: 100_000_000, ordersPerHour: 2 } })
  const drill = await createProduct(store, { pieces: 1000 })
  const { customer } = store
  await customer.token()
  for (let nth = 0; nth < 2; nth++) await placeGuestOrder(store, { [drill]: 50 }, { email: customer.email })
  await verify(store, customer)
  for (let nth = 0; nth < 2; nth++) assert.equal((await sendLines(customer, { [drill]: 50 })).statusCode, 201)
  assert.equal((await refusalOfGuest(store, { [drill]: 1 }, { email: 'other@mail.example' }))?.status, 409)
})

test('an account that begins with a verified e-mail has the orders that were placed with it as a guest', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const order = await placeGuestOrder(store, { [drill]: 1 })
  await store.db.insert(users).values({ id: 'gwen', name: 'Gwen', email: 'gwen@mail.example', emailVerified: true })
  const [{ buyerId } = { buyerId: null }] = await store.db.select().from(orders).where(eq(orders._id, order._id))
  assert.equal(buyerId, 'gwen')
})

test('the database keeps no order without a buyer that is not of a guest, nor an e-mail of a guest that no account can match', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const order = await placeGuestOrder(store, { [drill]: 1 })
  for (const wrong of [{ placedByGuest: false }, { buyerEmail: 'Gwen@mail.example' }])
    await assert.rejects(
      store.db.update(orders).set(wrong).where(eq(orders._id, order._id)),
      ({ cause }: Error & { cause: { constraint: string } }) => cause.constraint === 'orders_buyer',
    )
})

test('the books know who has done what, except of guests', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  const drill = await createProduct(store)
  await placeGuestOrder(store, { [drill]: 1 })
  assert.deepEqual(await store.faults(), [])
  await store.customer.request('POST', '/orders', { lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road' })
  await store.db.update(orderHistory).set({ userId: null })
  assert.equal((await store.faults()).length, 1)
  await store.db.update(orderHistory).set({ actor: 'admin' })
  assert.equal((await store.faults()).length, 2)
})
