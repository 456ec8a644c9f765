import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { readSettings } from '#platform/settings.ts'
import { addProducts } from '#store/catalogue/rules.ts'
import { makeAdmin } from '#store/identity/rules.ts'
import { users } from '#store/identity/table.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { orders, payments } from '#store/orders/table.ts'
import {
  cancelPurchase,
  createProduct,
  createTestStoreWithCards,
  placePaidOrder,
  placePurchase,
  refundPurchase,
} from '#test/order-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { buyerLimitFactor, findExceededBuyerLimit } from './buyer-limits.ts'

const small = { openOrders: 2, heldPieces: 100, heldCents: 100_000, ordersPerHour: 3 }
/** Limits so large that only the one under test is met. */
const without = { openOrders: 1000, heldPieces: 1_000_000, heldCents: 100_000_000, ordersPerHour: 1000 }

/** Orders so many pieces of a tool of one dollar. */
const order =
  (toolId: string, pieces = 1, buyer?: Actor) =>
  (store: Store) =>
    (buyer ?? store.customer).request('POST', '/purchase', {
      toolId,
      productName: 'Drill',
      productQuantity: pieces,
      productCost: pieces,
      buyerAddress: '1 Road',
    })
const aTool = (store: Store) => createProduct(store, { dollars: 1, pieces: 1_000_000 })
const verify = (store: Store, { email }: Actor) => store.db.update(users).set({ emailVerified: true }).where(eq(users.email, email))
const said = (answer: ApiResponse) => [answer.statusCode, answer.json().code, answer.json().message]

test('a buyer has as many unpaid orders as the limit says, and paying or cancelling one makes room', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, openOrders: 2 } })
  const toolId = await aTool(store)
  const first: Purchase = (await order(toolId)(store)).json()
  assert.equal((await order(toolId)(store)).statusCode, 201)
  assert.deepEqual(said(await order(toolId)(store)), [
    409,
    'over_buyer_limit',
    'You have 2 unpaid orders, and your account can have 2 at a time. Pay or cancel an open order, verify your e-mail to have 4 times as much or write to us.',
  ])
  assert.equal((await order(toolId, 1, store.otherCustomer)(store)).statusCode, 201, 'of others nothing is counted')
  assert.equal((await cancelPurchase(store.customer, first)).statusCode, 200)
  assert.equal((await order(toolId)(store)).statusCode, 201)
})

test('pieces and dollars of unpaid orders have limits, which one order alone can break', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, heldPieces: 100 } })
  const toolId = await aTool(store)
  assert.deepEqual(said(await order(toolId, 101)(store)), [
    409,
    'over_buyer_limit',
    'Your unpaid orders hold 0 pieces, and your account can hold 100 at a time: 101 more are too many. Verify your e-mail to have 4 times as much or write to us.',
  ])
  assert.equal((await order(toolId, 60)(store)).statusCode, 201)
  assert.match(
    (await order(toolId, 41)(store)).json().message,
    /^Your unpaid orders hold 60 pieces, .*: 41 more are too many\. Pay or cancel/,
  )
  assert.equal((await order(toolId, 40)(store)).statusCode, 201)

  await using worth = await anEmptyStore({ buyerLimits: { ...without, heldCents: 100_000 } })
  const drill = await aTool(worth)
  assert.equal((await order(drill, 600)(worth)).statusCode, 201)
  assert.match(
    (await order(drill, 401)(worth)).json().message,
    /^Your unpaid orders come to \$600, .* \$1,000 unpaid at a time: \$401 more is too much\./,
  )
  assert.equal((await order(drill, 400)(worth)).statusCode, 201)
})

test('orders of an hour are counted whatever became of them, and the refusal says how long to wait', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 3 } })
  const toolId = await aTool(store)
  for (let nth = 0; nth < 3; nth++) await cancelPurchase(store.customer, (await order(toolId)(store)).json())
  const refused = await order(toolId)(store)
  assert.equal(refused.statusCode, 429)
  assert.match(refused.headers['retry-after']?.toString() ?? '', /^\d+$/)
  assert.match(
    refused.json().message,
    /^You have placed 3 orders within an hour, which is as many as your account can: wait \d+ minutes, then try again\. Verify your e-mail/,
  )
  await store.db.execute(`update orders set placed_at = placed_at - interval '61 minutes'`)
  assert.equal((await order(toolId)(store)).statusCode, 201)
})

test('orders of a day are counted as well, cancelled ones too: four times those of an hour, and the refusal says what to do', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 2 } })
  const toolId = await aTool(store)
  const placeAndCancel = async () => cancelPurchase(store.customer, (await order(toolId)(store)).json())
  for (let nth = 0; nth < 8; nth++) {
    assert.equal((await placeAndCancel()).statusCode, 200, `order ${nth + 1}`)
    if (nth % 2) await store.db.execute(`update orders set placed_at = placed_at - interval '61 minutes'`)
  }
  const refused = await order(toolId)(store)
  assert.equal(refused.statusCode, 429)
  assert.match(
    refused.json().message,
    /^You have placed 8 orders within a day, cancelled ones included, which is as many as your account can: wait 20 hours, then try again\. Verify your e-mail to have 4 times as much or write to us\.$/,
  )
  await store.db.execute(`update orders set placed_at = placed_at - interval '20 hours'`)
  assert.equal((await order(toolId)(store)).statusCode, 201)
})

test('accounts of one network whose e-mail is not verified place three times the orders of one in an hour, together; who verifies, and who comes from elsewhere, goes on', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 2 } })
  const toolId = await aTool(store)
  const accounts = Array.from({ length: 5 }, (_, nth) => store.newCustomer(`Eve${nth}`))
  const body = { toolId, productName: 'Drill', productQuantity: 1, productCost: 1, buyerAddress: '1 Road' }
  const { request } = store.visitorFrom('192.0.2.7')
  const fromOneNetwork = async (buyer: Actor) => request('POST', '/purchase', body, { authorization: `Bearer ${await buyer.token()}` })
  const placed: ApiResponse[] = []
  for (const buyer of accounts) for (const _ of [1, 2]) placed.push(await fromOneNetwork(buyer))

  assert.deepEqual(
    placed.map(({ statusCode }) => statusCode),
    [201, 201, 201, 201, 201, 201, 429, 429, 429, 429],
  )
  assert.deepEqual(placed.at(-1)?.json().code, 'over_buyer_limit')
  assert.match(
    placed.at(-1)?.json().message,
    /^Accounts in your network whose e-mail is not verified have placed 6 orders within an hour, which is as many as they can together: wait \d+ minutes, then try again\. Verify your e-mail to have 4 times as much or write to us\.$/,
  )
  const [, , , honest, elsewhere] = accounts
  assert.ok(honest && elsewhere)
  assert.equal((await order(toolId, 1, elsewhere)(store)).statusCode, 201)
  await verify(store, honest)
  assert.equal((await fromOneNetwork(honest)).statusCode, 201)
})

test('the lines of the orders of an hour and a day are counted too, cancelled ones with them, ten for each order of the limit and one order of a hundred at least', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 12 } })
  const fields = { img: '/drill.svg', description: 'A part.', price: 1, minimum_order_quantity: 1, available_quantity: 1_000_000 }
  await addProducts(
    store.db,
    Array.from({ length: 100 }, (_, nth) => ({ ...fields, name: `Part ${nth}` })),
  )
  const added: { _id: string }[] = (await store.visitor.request('GET', '/tools')).json()
  const place = (buyer: Actor, lines: number, { request } = store.visitor) =>
    buyer
      .token()
      .then((token) =>
        request(
          'POST',
          '/orders',
          { lines: added.slice(0, lines).map(({ _id }) => ({ productId: _id, quantity: 1 })), buyerAddress: '1 Road' },
          { authorization: `Bearer ${token}` },
        ),
      )
  const placeAndCancel = async (buyer: Actor, lines: number) => {
    const placed = await place(buyer, lines)
    assert.equal(placed.statusCode, 201, placed.body)
    assert.equal((await buyer.request('POST', `/orders/${placed.json()._id}/cancel`, {})).statusCode, 200)
  }
  await placeAndCancel(store.customer, 100)

  const refused = await place(store.customer, 21)
  assert.equal(refused.statusCode, 429)
  assert.match(refused.headers['retry-after']?.toString() ?? '', /^\d+$/)
  assert.equal(refused.json().code, 'over_buyer_limit')
  assert.match(
    refused.json().message,
    /^Your orders within an hour, cancelled ones included, have 100 lines, and your account can place 120: 21 more are too many: wait \d+ minutes, then try again\. Order at most 20 lines, verify your e-mail to have 4 times as much or write to us\.$/,
  )
  await placeAndCancel(store.customer, 20)
  assert.match(
    (await place(store.customer, 1)).json().message,
    /: 1 more are too many: wait \d+ minutes, then try again\. Verify your e-mail/,
  )
  const anHourLater = () => store.db.execute(`update orders set placed_at = placed_at - interval '61 minutes'`)
  for (let hour = 1; hour < 4; hour++) {
    await anHourLater()
    for (const lines of [100, 20]) await placeAndCancel(store.customer, lines)
  }
  await anHourLater()
  assert.match(
    (await place(store.customer, 1)).json().message,
    /^Your orders within a day, .* have 480 lines, and your account can place 480: 1 more are too many: wait 2\d hours/,
  )
  await verify(store, store.customer)
  assert.equal((await place(store.customer, 100)).statusCode, 201)

  const network = store.visitorFrom('192.0.2.7')
  const [first, second, third, fourth] = ['A', 'B', 'C', 'D'].map((name) => store.newCustomer(name)) as [Actor, Actor, Actor, Actor]
  for (const [buyer, lines] of [
    [first, 100],
    [second, 100],
    [third, 100],
    [fourth, 60],
  ] as const)
    assert.equal((await place(buyer, lines, network)).statusCode, 201)
  assert.match(
    (await place(fourth, 1, network)).json().message,
    /^Accounts in your network whose e-mail is not verified can together place 360 lines of orders within an hour, and this order would be more: wait \d+ minutes, then try again\. Verify your e-mail/,
  )
  assert.equal((await place(fourth, 1)).statusCode, 201, 'from elsewhere')
})

test('an account with a limit of few orders places one of a hundred lines all the same', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 1 } })
  const buyer = store.customer
  await buyer.token()
  const [{ id } = assert.fail()] = await store.db.select({ id: users.id }).from(users).where(eq(users.email, buyer.email))
  const limits = { ...without, ordersPerHour: 1 }
  const over = async (lines: number) =>
    (await findExceededBuyerLimit(store.db, id, limits, { lines, pieces: 100, totalCents: 10_000 }))?.message
  assert.equal(await over(100), undefined)
  assert.match(`${await over(101)}`, /have 0 lines, and your account can place 100: 101 more are too many/)
})

test('an order counts for its buyer and for its network until it is an hour old, and then no more', async () => {
  const limits = { ...without, ordersPerHour: 1 }
  await using store = await anEmptyStore({ buyerLimits: limits })
  const toolId = await aTool(store)
  const [first, second, third, newcomer] = [1, 2, 3, 4].map((nth) => store.newCustomer(`Buyer${nth}`)) as [Actor, Actor, Actor, Actor]
  const body = { toolId, productName: 'Drill', productQuantity: 1, productCost: 1, buyerAddress: '1 Road' }
  const { request } = store.visitorFrom('192.0.2.7')
  for (const buyer of [first, second, third]) {
    const sent = await request('POST', '/purchase', body, { authorization: `Bearer ${await buyer.token()}` })
    assert.equal(sent.statusCode, 201, sent.body)
  }
  await newcomer.token()
  const [placed] = await store.db.select({ network: orders.network }).from(orders)
  assert.ok(placed?.network)
  const { network } = placed

  await store.db.transaction(async (tx) => {
    const refusals = async (age: string) => {
      await tx.update(orders).set({ placedAt: sql`now() - ${age}::interval` }) // now() is the same until the transaction ends
      return Promise.all(
        [first, newcomer].map(async ({ email }) => {
          const [buyer] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
          return (await findExceededBuyerLimit(tx, buyer?.id ?? '', limits, { lines: 1, pieces: 1, totalCents: 100 }, network))?.message
        }),
      )
    }
    const [own, ofNetwork] = await refusals('59:59.999999')
    assert.match(`${own}`, /^You have placed 1 orders within an hour/)
    assert.match(`${ofNetwork}`, /^Accounts in your network .* have placed 3 orders within an hour/)
    assert.deepEqual(await refusals('1 hour'), [undefined, undefined])
  })
})

test('accounts of one network whose e-mail is not verified hold three times the pieces and dollars of one together, and no more', async () => {
  for (const limits of [
    { ...without, heldPieces: 100 },
    { ...without, heldCents: 10_000 },
  ]) {
    await using store = await anEmptyStore({ buyerLimits: limits })
    const toolId = await aTool(store)
    const { request } = store.visitorFrom('192.0.2.7')
    const statuses: number[] = []
    for (const [nth, pieces] of [100, 100, 99, 2, 1, 1].entries()) {
      const authorization = `Bearer ${await store.newCustomer(`Eve${nth}`).token()}`
      const body = { toolId, productName: 'Drill', productQuantity: pieces, productCost: pieces, buyerAddress: '1 Road' }
      statuses.push((await request('POST', '/purchase', body, { authorization })).statusCode)
    }
    assert.deepEqual(statuses, [201, 201, 201, 409, 201, 409])
  }
})

test('accounts of one IPv6 customer count as one network, whichever of its networks each orders from', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 1 } })
  const toolId = await aTool(store)
  const body = { toolId, productName: 'Drill', productQuantity: 1, productCost: 1, buyerAddress: '1 Road' }
  const statuses: number[] = []
  for (const nth of [1, 2, 3, 4]) {
    const authorization = `Bearer ${await store.newCustomer(`Eve${nth}`).token()}`
    statuses.push(
      (await store.visitorFrom(`2001:db8:7:${(nth * 4096).toString(16)}::1`).request('POST', '/purchase', body, { authorization }))
        .statusCode,
    )
  }
  assert.deepEqual(statuses, [201, 201, 201, 429])
})

test('the highest orders an hour that the settings take are no limit, and no failure', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, ordersPerHour: 100_000_000 } })
  assert.equal((await order(await aTool(store))(store)).statusCode, 201)
})

test('admins who are no owners cancel sixty unpaid orders an hour together, and an owner goes on', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await aTool(store)
  const { _id }: Purchase = (await order(toolId)(store)).json()
  const colleague = store.newCustomer('Grace')
  await colleague.token()
  await makeAdmin(store.db, colleague.email)
  await store.db.execute(sql`insert into limits (key, count, ends_at) values ('cancellations by admins', 60, now() + interval '1 hour')`)
  const refused = await cancelPurchase(colleague, { _id })
  assert.deepEqual([refused.statusCode, /or ask an owner to do it/.test(refused.json().message)], [429, true], refused.body)
  assert.equal((await cancelPurchase(store.admin, { _id })).json().state, 'cancelled')
})

test('one small order paid does not take an account without a verified e-mail out of the count of its network', async () => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: small })
  const toolId = await aTool(store)
  await placePaidOrder(store)
  const refused = async (buys: (store: Store) => Promise<ApiResponse>) =>
    assert.match(
      (await buys(store)).json().message,
      /^Accounts in your network whose e-mail is not verified can together have 300 pieces and \$3,000 unpaid .* verify your e-mail or write to us\.$/i,
    )
  assert.equal((await order(toolId, 200)(store)).statusCode, 201)
  await refused(order(toolId, 101))
  const dear = await createProduct(store, { dollars: 100, pieces: 100 })
  const dearOrder = (pieces: number) => () =>
    store.customer.request('POST', '/purchase', {
      toolId: dear,
      productName: 'Drill',
      productQuantity: pieces,
      productCost: 100 * pieces,
      buyerAddress: '1 Road',
    })
  assert.equal((await dearOrder(28)()).statusCode, 201)
  await refused(dearOrder(1))
  await verify(store, store.customer)
  assert.equal((await dearOrder(1)()).statusCode, 201)
})

test('a verified e-mail has four times as much, who has paid ten times what they have paid and kept up to twenty times, and all of it refunded no more', async () => {
  await using store = await createTestStoreWithCards()
  const limit = async (buyer: Actor): Promise<string> => {
    const { message } = (await order(toolId, 900_000, buyer)(store)).json()
    return /your account can hold ([\d,]+) at a time/.exec(message)?.[1] ?? message
  }
  const toolId = await aTool(store)
  assert.equal(await limit(store.customer), '5,000')
  const { order: small } = await placePaidOrder(store)
  assert.equal(await limit(store.customer), '20,000', 'one small order is no way to more than a verified e-mail has')
  await verify(store, store.customer)
  assert.equal(await limit(store.customer), '20,000')
  const { order: paid } = await placePaidOrder(store, { dollars: 30_000 })
  assert.equal(await limit(store.customer), '30,000', 'ten times $30,030 is six times $50,000')
  const { order: large, intentId } = await placePaidOrder(store, { dollars: 100_000 })
  assert.equal(await limit(store.customer), '100,000', 'no more than twenty times')
  const dispute = (status: string | null) => store.db.update(payments).set({ disputeStatus: status }).where(eq(payments.intentId, intentId))
  await dispute('needs_response')
  assert.equal(await limit(store.customer), '30,000', 'what the bank may take back is not kept')
  await dispute('won')
  assert.equal(await limit(store.customer), '100,000')
  await refundPurchase(store.admin, large, { amountCents: 5_000_000 })
  await store.jobs.whenIdle()
  assert.equal(await limit(store.customer), '80,000')
  for (const all of [large, paid, small]) await refundPurchase(store.admin, all)
  await store.jobs.whenIdle()
  assert.equal(await limit(store.customer), '20,000')
})

test('accounts of one mailbox hold together what one of them may, once their e-mails are verified, and a stranger of the same mailbox takes nothing from them', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, openOrders: 1 } })
  const toolId = await aTool(store)
  const [plain, one, other, stranger, neighbour] = ['eve', 'Eve+1', 'eve+shop+2', 'eve+3', 'eve.1'].map(store.newCustomer)
  assert.ok(plain && one && other && stranger && neighbour)
  for (const buyer of [plain, one, other, neighbour]) {
    await buyer.token()
    await verify(store, buyer)
  }
  assert.equal((await order(toolId, 1, stranger)(store)).statusCode, 201)
  const placed: Purchase = (await order(toolId, 1, one)(store)).json()
  for (const buyer of [one, other, plain]) assert.equal((await order(toolId, 1, buyer)(store)).statusCode, 201)
  assert.deepEqual(said(await order(toolId, 1, other)(store)), [
    409,
    'over_buyer_limit',
    'You have 4 unpaid orders, and your account can have 4 at a time. Accounts of one mailbox, such as me@ and me+1@, count together. Pay or cancel an open order or write to us.',
  ])
  assert.equal((await order(toolId, 1, neighbour)(store)).statusCode, 201, 'another mailbox')
  assert.equal((await store.admin.request('PUT', `/user/limits/${plain.email}`, { lifted: true })).statusCode, 200)
  assert.equal((await order(toolId, 1, other)(store)).statusCode, 201, 'whose limits are lifted is not counted')
  assert.equal((await order(toolId, 1, one)(store)).statusCode, 409)
  assert.equal((await cancelPurchase(one, placed)).statusCode, 200)
  const atOnce = await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from tools where id = ${toolId} for update`)
    const both = [one, other].map(async (buyer) => (await order(toolId, 1, buyer)(store)).statusCode)
    const waiting = () =>
      store.db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%with buyer as%'`,
      )
    while ((await waiting()).rows.length < 2);
    return both
  })
  assert.deepEqual((await Promise.all(atOnce)).sort(), [201, 409], 'also at one moment')
})

test('an admin lifts the limits of one account, and puts them back', async () => {
  await using store = await anEmptyStore({ buyerLimits: small })
  const toolId = await aTool(store)
  await store.customer.token()
  const lift = (asking: Actor, lifted: boolean, email = 'ADA@shop.example') => asking.request('PUT', `/user/limits/${email}`, { lifted })
  assert.equal((await lift(store.customer, true)).statusCode, 403)
  assert.equal((await lift(store.admin, true, 'nobody@shop.example')).statusCode, 404)
  assert.equal((await store.admin.request('PUT', '/user/limits/ada@shop.example', {})).statusCode, 400)

  const lifted = await lift(store.admin, true)
  assert.deepEqual([lifted.statusCode, lifted.json().email, lifted.json().limitsLifted], [200, store.customer.email, true])
  for (let nth = 0; nth < 5; nth++) assert.equal((await order(toolId, 500)(store)).statusCode, 201)
  assert.equal((await order(toolId, 500, store.otherCustomer)(store)).statusCode, 409)

  assert.equal((await lift(store.admin, false)).json().limitsLifted, false)
  assert.equal((await order(toolId)(store)).statusCode, 409)
})

test('the same request sent again is the order that it made, also for who has reached a limit since', async () => {
  await using store = await anEmptyStore({ buyerLimits: { ...without, openOrders: 1 } })
  const body = { toolId: await aTool(store), productName: 'Drill', productQuantity: 1, productCost: 1, buyerAddress: '1 Road' }
  const place = () => store.customer.request('POST', '/purchase', body, { 'idempotency-key': 'the one' })
  const first = await place()
  assert.deepEqual([first.statusCode, (await place()).json()], [201, first.json()])
})

test('without limits a buyer orders as much as they want', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const toolId = await aTool(store)
  const answers = await Promise.all(Array.from({ length: 40 }, () => order(toolId, 1000)(store)))
  for (const answer of answers) assert.equal(answer.statusCode, 201, answer.body)
})

test('who has never paid has their pieces held for twenty hours, who has paid for a day', async () => {
  await using store = await anEmptyStore({ cards: true, newBuyerHoldMinutes: readSettings({}).newBuyerHoldMinutes })
  const hours = ({ placedAt, holdUntil }: Purchase) => (Date.parse(holdUntil) - Date.parse(placedAt)) / 3600_000
  assert.equal(hours(await placePurchase(store)), 20)
  const { order: paid } = await placePaidOrder(store)
  assert.equal(hours(paid), 20)
  assert.equal(hours(await placePurchase(store)), 24)
})

test('without limits, too, only who has paid has their pieces held for a day', async () => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off', newBuyerHoldMinutes: 20 * 60 })
  await placePaidOrder(store, { buyer: store.otherCustomer })
  const { placedAt, holdUntil } = await placePurchase(store)
  assert.equal((Date.parse(holdUntil) - Date.parse(placedAt)) / 3600_000, 20)
})

test('who has paid and kept much places up to twenty times as many orders in an hour, and no more', async () => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: { ...without, heldCents: 1000, ordersPerHour: 2 } })
  const toolId = await aTool(store)
  for (const _ of [1, 2]) await placePaidOrder(store, { toolId, quantity: 10, dollars: 1 })
  await verify(store, store.customer)
  assert.match((await order(toolId, 201)(store)).json().message, /\$201 more is too much\. Write to us\.$/)
  const ask = async () => (await order(toolId)(store)).statusCode
  for (let placed = 2; placed < 40; placed++) assert.equal(await ask(), 201, `order ${placed + 1}`)
  assert.equal(await ask(), 429)
})

test('how many times as much a buyer may is said without waiting for an order that they are placing', async () => {
  await using store = await anEmptyStore({ cards: true })
  await store.customer.token()
  await placePaidOrder(store, { buyer: store.otherCustomer })
  const [buyer] = await store.db.select({ id: users.id }).from(users).where(eq(users.email, store.customer.email))
  const ask = async () =>
    store.db.transaction(async (tx) => {
      const factor = await buyerLimitFactor(tx, without, buyer?.id ?? '')
      const { rows } = await tx.execute(sql`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`)
      return [factor, rows.length]
    })
  assert.deepEqual(await ask(), [1, 0], 'what others have paid counts for nobody else')
  await verify(store, store.customer)
  assert.deepEqual(await ask(), [4, 0])
  assert.equal((await store.admin.request('PUT', `/user/limits/${store.customer.email}`, { lifted: true })).statusCode, 200)
  assert.deepEqual(await ask(), [null, 0])
})

test('from which network an order was placed is forgotten two days later, once the order has ended', async () => {
  await using store = await anEmptyStore()
  const toolId = await aTool(store)
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth++) ids.push((await order(toolId)(store)).json()._id)
  const [cancelledLongAgo, cancelled, open] = ids as [string, string, string]
  for (const _id of [cancelledLongAgo, cancelled]) assert.equal((await cancelPurchase(store.customer, { _id })).statusCode, 200)
  const movedTo = (days: number, id: string) =>
    store.db.execute(sql`update orders set placed_at = now() - make_interval(days => ${days}) where id = ${id}`)
  await movedTo(3, cancelledLongAgo)
  await movedTo(1, cancelled)
  await movedTo(3, open)
  await store.jobs.runAllOnce()
  const { rows } = await store.db.execute<{ id: string }>(
    sql`select id from orders where network is not null and placed_from_network is not null order by number`,
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    [cancelled, open],
  )
  const { rows: forgotten } = await store.db.execute(sql`select network, placed_from_network from orders where id = ${cancelledLongAgo}`)
  assert.deepEqual(forgotten, [{ network: null, placed_from_network: null }])
})
