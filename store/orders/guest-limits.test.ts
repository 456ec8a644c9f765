import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { holderOfLink, placeGuestOrder, refusalOfGuest } from '#test/guest-actions.ts'
import { createProducts } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  expireHold,
  intentIdFromSecret,
  recordPayment,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { anEmptyStore, type Store, testSecret } from '#test/store.ts'
import type { Order } from './order-contract.ts'
import { createOrderLink } from './order-link.ts'

/** Limits so large that only the one under test is met. */
const without = { openOrders: 1000, heldPieces: 1_000_000, heldCents: 100_000_000, ordersPerHour: 1000 }
const aTool = (store: Store) => createProduct(store, { dollars: 1, pieces: 1_000_000 })
/** Each with another e-mail. */
const guest = (nth: number, from?: string) => ({ email: `guest${nth}@mail${nth}.example`, ...(from && { from }) })
const instead = 'Order with an account whose e-mail is verified, or write to us.'
/** An unverified account that orders from the network of guests. */
const orderFromThere = async (store: Store, productId: string, quantity: number, name: string) =>
  store
    .visitorFrom('192.0.2.1')
    .request(
      'POST',
      '/orders',
      { lines: [{ productId, quantity }], buyerAddress: '1 Road' },
      { authorization: `Bearer ${await store.newCustomer(name).token()}` },
    )

test('all guests of a network together have as many unpaid orders as one account that has never paid; cancelling makes room', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { dollars: 1 })
  const first = await placeGuestOrder(store, { [toolId]: 1 }, guest(0))
  for (let nth = 1; nth < 10; nth++) await placeGuestOrder(store, { [toolId]: 1 }, guest(nth))
  assert.deepEqual(await refusalOfGuest(store, { [toolId]: 1 }, guest(10)), {
    status: 409,
    message: `Guests in your network can together have 10 orders unpaid at a time, and this order would be more. ${instead}`,
  })
  assert.equal(await refusalOfGuest(store, { [toolId]: 1 }, guest(10, '198.51.100.7')), undefined, 'of other networks nothing is counted')
  assert.equal((await cancelPurchase(holderOfLink(store, first), first)).statusCode, 200)
  assert.equal(await refusalOfGuest(store, { [toolId]: 1 }, guest(10)), undefined)
  assert.equal((await orderFromThere(store, toolId, 1, 'Eve')).statusCode, 201, 'of an account its own orders are counted')
})

test('all guests of a network hold together the pieces and the money of one account that has never paid', async () => {
  for (const limits of [
    { ...without, heldPieces: 100 },
    { ...without, heldCents: 10_000 },
  ]) {
    await using store = await anEmptyStore({ buyerLimits: limits })
    const toolId = await aTool(store)
    await placeGuestOrder(store, { [toolId]: 60 }, guest(1))
    const refused = await refusalOfGuest(store, { [toolId]: 41 }, guest(2))
    assert.equal(refused?.status, 409)
    assert.match(
      `${refused?.message}`,
      /^Guests in your network can together have [\d,]+ pieces and \$[\d,]+ unpaid at a time, and this order would be more\./,
    )
    assert.equal(await refusalOfGuest(store, { [toolId]: 40 }, guest(2)), undefined)
  }
})

test('all guests of a network place together as many orders in an hour and a day as one account that has never paid, cancelled ones included', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 2 } })
  const toolId = await aTool(store)
  for (let nth = 0; nth < 8; nth++) {
    await placeGuestOrder(store, { [toolId]: 1 }, guest(nth))
    if (nth === 1) {
      const refused = await refusalOfGuest(store, { [toolId]: 1 }, guest(100))
      assert.equal(refused?.status, 429)
      assert.match(
        `${refused?.message}`,
        /^Guests in your network have placed 2 orders within an hour, which is as many as they can together: wait \d+ minutes, then try again\. Order with/,
      )
    }
    if (nth % 2) await store.db.execute(sql`update orders set placed_at = placed_at - interval '61 minutes'`)
  }
  const refused = await refusalOfGuest(store, { [toolId]: 1 }, guest(100))
  assert.match(`${refused?.message}`, /^Guests in your network have placed 8 orders within a day, .*: wait 20 hours, then try again/)
  await store.db.execute(sql`update orders set placed_at = placed_at - interval '20 hours'`)
  assert.equal(await refusalOfGuest(store, { [toolId]: 1 }, guest(100)), undefined)
})

test('orders of guests count in the limits that a network has with its unverified accounts', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, heldPieces: 100 } })
  const toolId = await aTool(store)
  await placeGuestOrder(store, { [toolId]: 100 }, guest(1))
  assert.equal((await orderFromThere(store, toolId, 100, 'Eve')).statusCode, 201)
  assert.equal((await orderFromThere(store, toolId, 100, 'Mallory')).statusCode, 201)
  assert.equal((await orderFromThere(store, toolId, 1, 'Trudy')).statusCode, 409)

  await using elsewhere = await anEmptyStore({ buyerLimits: { ...without, heldPieces: 100 } })
  const drill = await aTool(elsewhere)
  for (const name of ['Eve', 'Mallory', 'Trudy']) assert.equal((await orderFromThere(elsewhere, drill, 100, name)).statusCode, 201)
  assert.match(
    `${(await refusalOfGuest(elsewhere, { [drill]: 1 }, guest(1)))?.message}`,
    /^Guests and accounts in your network whose e-mail is not verified can together have 300 pieces/,
  )

  await using lately = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 1 } })
  const saw = await aTool(lately)
  for (const name of ['Eve', 'Mallory', 'Trudy']) assert.equal((await orderFromThere(lately, saw, 1, name)).statusCode, 201)
  assert.match(
    `${(await refusalOfGuest(lately, { [saw]: 1 }, guest(1)))?.message}`,
    /^Guests and accounts in your network whose e-mail is not verified have placed 3 orders within an hour/,
  )
})

test('guests of one network who order at the same moment do not pass a limit together', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, heldPieces: 100 } })
  const tools: string[] = []
  for (let nth = 0; nth < 12; nth++) tools.push(await aTool(store)) // so that none waits for another's product
  const refusals = await Promise.all(tools.map((toolId, nth) => refusalOfGuest(store, { [toolId]: 30 }, guest(nth))))
  assert.equal(refusals.filter((refused) => refused === undefined).length, 3)
})

test('guests of one network guess twenty discount codes an hour together, and keep one use of a code whose uses are limited', async () => {
  await using store = await anEmptyStore({ buyerLimits: without })
  const toolId = await createProduct(store)
  await store.admin.request('POST', '/discount-codes', { code: 'TWICE', percentOff: 10, maxUses: 2 })
  const withCode = (discountCode: string, nth: number, from?: string) =>
    refusalOfGuest(store, { [toolId]: 1 }, { ...guest(nth, from), more: { discountCode } })
  assert.equal(await withCode('TWICE', 0), undefined)
  assert.deepEqual(await withCode('TWICE', 1), {
    status: 400,
    message: 'An unpaid order of a guest in your network uses the code TWICE: order with an account',
  })
  for (let nth = 2; nth < 21; nth++) assert.equal((await withCode(`WRONG-${nth}`, nth))?.status, 400)
  assert.equal((await withCode('TWICE', 30))?.status, 429)
  assert.equal(await withCode('TWICE', 30, '198.51.100.7'), undefined)
})

/** The mails about this order so far. */
const mailsAbout = async (store: Store, order: Order) =>
  (await store.emailsTo(order.buyerEmail)).filter(({ messageIdSeed }) => messageIdSeed?.startsWith(`order-${order.number}-`))

test('a guest gets one mail before the payment, which says amount and parts, nothing that was typed, and leads to the order, and every mail after it', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { name: 'Drill' })
  const order = await placeGuestOrder(store, { [toolId]: 2 }, { name: 'Buy pills' })
  const link = `${store.origin}${createOrderLink(testSecret, order._id)}`
  const [mail, ...others] = await mailsAbout(store, order)
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, `Order ${order.number}: $60, not paid yet`)
  assert.ok(mail?.text.includes('with your e-mail: 2 x Drill for $60. It is not paid yet.'), mail?.text)
  assert.ok(mail?.text.includes(`Show the order:\n${link}`), mail?.text)
  for (const typed of ['Buy pills', '2 Lane']) assert.ok(!`${mail?.subject} ${mail?.text} ${mail?.html}`.includes(typed), typed)

  const holder = holderOfLink(store, order)
  const opened = await holder.request('POST', '/create-payment-intent', { orderId: order._id, productCost: 60 })
  const intentId = intentIdFromSecret(opened.json().clientSecret)
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(holder, order, intentId)).statusCode, 200)
  await waitForWebhooks(store)
  const receipt = (await mailsAbout(store, order)).at(-1)
  assert.equal(receipt?.subject, `Receipt for order ${order.number}: $60 paid`)
  assert.ok(receipt?.text.includes(`Show the receipt:\n${link}?pay=1`), receipt?.text)
  assert.ok(!receipt?.text.includes('My Profile') && !receipt?.text.includes('2 Lane'), receipt?.text)
  await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  await waitForWebhooks(store)
  assert.match(`${(await mailsAbout(store, order)).at(-1)?.subject}`, /is cancelled: \$60 goes back to you$/)
})

test('no mail tells a guest that an unpaid order has ended, whoever ends it', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store)
  const [expired, cancelled] = [await placeGuestOrder(store, { [toolId]: 1 }), await placeGuestOrder(store, { [toolId]: 1 })]
  await expireHold(store, expired)
  await store.jobs.runAllOnce()
  await cancelPurchase(store.admin, cancelled)
  await store.jobs.whenIdle()
  for (const order of [expired, cancelled]) assert.equal((await mailsAbout(store, order)).length, 1)
})

test('mails about unpaid orders of guests are three a day for a mailbox, however it is spelled, and three for a network', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store)
  const spellings = ['gwen@gmail.com', 'g.wen@gmail.com', 'gwen+1@googlemail.com', 'gw.en@gmail.com']
  for (const [nth, email] of spellings.entries()) await placeGuestOrder(store, { [toolId]: 1 }, { email, from: `198.51.100.${nth}` })
  const toMailbox = await Promise.all(spellings.map(async (email) => (await store.emailsTo(email)).length))
  assert.equal(
    toMailbox.reduce((sum, mails) => sum + mails, 0),
    3,
  )
  for (let nth = 0; nth < 5; nth++) await placeGuestOrder(store, { [toolId]: 1 }, guest(nth))
  const fromNetwork = await Promise.all([0, 1, 2, 3, 4].map(async (nth) => (await store.emailsTo(guest(nth).email)).length))
  assert.equal(
    fromNetwork.reduce((sum, mails) => sum + mails, 0),
    3,
  )
})

test("guests' orders with somebody's e-mail take no confirmation from the account that has it", async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store)
  await placeGuestOrder(store, { [toolId]: 1 }, { email: store.customer.email })
  await store.jobs.whenIdle()
  const placed = await store.customer.request('POST', '/orders', { lines: [{ productId: toolId, quantity: 1 }], buyerAddress: '1 Road' })
  const [confirmation, ...others] = await mailsAbout(store, placed.json())
  assert.deepEqual(others, [])
  assert.match(`${confirmation?.subject}`, /: 1 x Drill, \$30, not paid yet$/)
})

test('mails about an order of a guest that an account has taken over lead to its pages', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeGuestOrder(store, { [drill]: 1, [saw]: 2 }, { email: store.customer.email })
  await store.customer.token()
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.customer.email))
  await store.customer.request('POST', `/orders/${order._id}/cancel`, {})
  const mail = (await mailsAbout(store, order)).at(-1)
  assert.match(`${mail?.subject}`, /is cancelled/)
  assert.ok(mail?.text.includes(`Show the order:\n${store.origin}/dashboard/myorder/${order._id}`), mail?.text)
})
