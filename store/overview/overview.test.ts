import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { lowStockInMinimumOrders } from '#store/catalogue/contract.ts'
import type { PurchasePage } from '#store/orders/admin-list-contract.ts'
import { AdminPurchase, type Purchase } from '#store/orders/contract.ts'
import { orders, payments, refunds } from '#store/orders/table.ts'
import { searchProducts } from '#store/search/contract.ts'
import { orderOnAccount, sendEarlier, setUpAccount } from '#test/on-account-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  expireHold,
  getOrderAsAdmin,
  getOrderEventNames,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { openReturnOf } from '#test/return-actions.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { importEntries, placeTransferOrder } from '#test/transfer-actions.ts'
import { AttentionCounts, type Period, type PeriodTotals, Revenue } from './contract.ts'

const takingsOf = async (store: Store, period: Period): Promise<Revenue> =>
  Revenue.parse((await store.admin.request('GET', `/overview/takings?period=${period}`)).json())
const attentionOf = async (store: Store): Promise<AttentionCounts> => {
  await store.search.catchUp()
  return AttentionCounts.parse((await store.admin.request('GET', '/overview/attention')).json())
}
/** What Manage All Orders lists. */
const listed = async (store: Store): Promise<AdminPurchase[]> =>
  z.array(AdminPurchase).parse((await store.admin.request('GET', '/bookings')).json())
const figures = ({ placed, paid, takenCents, refunded, refundedCents }: PeriodTotals) => ({
  placed,
  paid,
  takenCents,
  refunded,
  refundedCents,
})
const nothing = { placed: 0, paid: 0, takenCents: 0, refunded: 0, refundedCents: 0 }

/* Only time can move what has happened into the past. */
const placedAt = (store: Store, { _id }: Purchase, at: string) => store.db.update(orders).set({ placedAt: at }).where(eq(orders._id, _id))
const paidAt = (store: Store, { _id }: Purchase, at: string) =>
  store.db
    .update(payments)
    .set({ settledAt: sql`${at}::timestamptz` })
    .where(sql`id = (select payment_id from orders where id = ${_id})`)
const refundedAt = (store: Store, { _id }: Purchase, at: string) =>
  store.db
    .update(refunds)
    .set({ askedAt: sql`${at}::timestamptz` })
    .where(eq(refunds.orderId, _id))

test('takings stand on the day when the money came, orders on the day when they were placed, to the last moment of a day in UTC', async () => {
  await using store = await createTestStoreWithCards()
  const { to: today, steps } = await takingsOf(store, '7d')
  const yesterday = steps.at(-2)?.from ?? ''
  const { order: early } = await placePaidOrder(store, { dollars: 40 })
  const { order: late } = await placePaidOrder(store, { dollars: 50, quantity: 2 })
  const open = await placePurchase(store)
  await placedAt(store, early, `${yesterday}T23:59:59.999Z`)
  await paidAt(store, early, `${today}T00:00:00Z`)
  await placedAt(store, late, `${yesterday}T00:00:00Z`)
  await paidAt(store, late, `${yesterday}T23:59:59.999999Z`)
  await placedAt(store, open, `${today}T00:00:00Z`)

  const told = await takingsOf(store, '7d')
  assert.deepEqual(told.steps.slice(-2).map(figures), [
    { ...nothing, placed: 2, paid: 1, takenCents: 10_000 },
    { ...nothing, placed: 1, paid: 1, takenCents: 4000 },
  ])
  assert.deepEqual(figures(told.total), { ...nothing, placed: 3, paid: 2, takenCents: 14_000 })
  assert.deepEqual(told.steps.slice(0, -2).map(figures), Array(5).fill(nothing))
  await waitForWebhooks(store)
})

test('what is a day does not depend on where the database believes to be', async () => {
  await using store = await createTestStoreWithCards()
  const { to: today } = await takingsOf(store, '7d')
  const { order } = await placePaidOrder(store)
  await refundPurchase(store.admin, order, { amountCents: 500 })
  const open = await placePurchase(store)
  for (const moved of [order, open]) await placedAt(store, moved, `${today}T00:30:00Z`)
  await paidAt(store, order, `${today}T00:30:00Z`)
  await refundedAt(store, order, `${today}T00:30:00Z`)
  await holdsUntil(store, open, `${today}T23:59:59.999Z`)
  await waitForWebhooks(store)

  for (const zone of ['Pacific/Honolulu', 'Pacific/Kiritimati']) {
    const address = new URL(store.connectionString)
    address.searchParams.set('options', `-c TimeZone=${zone}`)
    await using elsewhere = await createSecondInstance({ ...store, connectionString: address.href })
    const asked = await elsewhere.request(store.admin, 'GET', '/overview/takings?period=7d')
    assert.deepEqual({ ...Revenue.parse(asked.json()), asOf: '' }, { ...(await takingsOf(store, '7d')), asOf: '' }, zone)
    const { holdEndsToday } = (await elsewhere.request(store.admin, 'GET', '/overview/attention')).json()
    assert.equal(holdEndsToday.orders, 1, zone)
    assert.deepEqual((await elsewhere.request(store.admin, 'GET', '/bookings')).json(), await listed(store), zone)
  }
})

test("a day is one of the shop's time zone, for every figure and for the list behind it", async () => {
  await using store = await createTestStoreWithCards()
  await store.admin.request('PUT', '/delivery/settings', { timeZone: 'Pacific/Kiritimati', unknownWeightGrams: null })
  const { to: today, steps } = await takingsOf(store, '7d')
  assert.equal(today, new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10))
  const yesterday = steps.at(-2)?.from ?? ''
  const { order: first } = await placePaidOrder(store, { dollars: 40 })
  const { order: before } = await placePaidOrder(store, { dollars: 50 })
  for (const [order, at] of [
    [first, `${today}T00:00:00+14:00`], // in UTC it is ten o'clock of the day before
    [before, `${yesterday}T23:59:59.999+14:00`],
  ] as const) {
    await refundPurchase(store.admin, order, { amountCents: order === first ? 100 : 200 })
    for (const move of [placedAt, paidAt, refundedAt]) await move(store, order, at)
  }
  await holdsUntil(store, await placePurchase(store), `${today}T23:59:59.999+14:00`)
  await holdsUntil(store, await placePurchase(store), new Date(Date.parse(`${today}T00:00:00+14:00`) + 86_400_000).toISOString())
  await waitForWebhooks(store)

  const told = await takingsOf(store, '7d')
  assert.deepEqual(told.steps.slice(-2).map(figures), [
    { placed: 1, paid: 1, takenCents: 5000, refunded: 1, refundedCents: 200 },
    { placed: 3, paid: 1, takenCents: 4000, refunded: 1, refundedCents: 100 },
  ])
  for (const { from, to, ...of } of told.steps.slice(-2)) {
    const days = new URLSearchParams({ from, to })
    const list = async (date: string): Promise<PurchasePage> =>
      (await store.admin.request('GET', `/bookings/page?date=${date}&${days}`)).json()
    const [placed, paid, refunded] = [await list('placed'), await list('paid'), await list('refunded')]
    assert.deepEqual([placed.total, paid.total, refunded.total], [of.placed, of.paid, of.refunded], from)
    assert.deepEqual([paid.sumCents, refunded.sumCents], [of.takenCents, of.refundedCents], from)
    assert.equal((await store.admin.request('GET', `/orders?${days}`)).json().orders.length, of.placed, from)
  }
  assert.equal((await attentionOf(store)).holdEndsToday.orders, 1)
  assert.equal((await listed(store)).filter(({ attention }) => attention.includes('hold ends today')).length, 1)
})

const holdsUntil = (store: Store, { _id }: Purchase, at: string) =>
  store.db.update(orders).set({ holdUntil: at }).where(eq(orders._id, _id))

test('money that goes back is told apart from takings, whatever becomes of the order, and not at all where it did not go', async () => {
  await using store = await createTestStoreWithCards()
  const { order: part } = await placePaidOrder(store, { dollars: 100 })
  await refundPurchase(store.admin, part, { amountCents: 1250 })
  await refundPurchase(store.admin, part, { amountCents: 750 })
  const { order: whole } = await placePaidOrder(store, { dollars: 70 })
  await cancelPurchase(store.admin, whole)
  sandboxControls(store).bank.pause()
  const { order: refused } = await placePaidOrder(store, { dollars: 60, card: 'pm_card_refundFail' })
  await refundPurchase(store.admin, refused)
  assert.deepEqual((await takingsOf(store, '30d')).total, { placed: 3, paid: 3, takenCents: 23_000, refunded: 3, refundedCents: 15_000 })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  assert.deepEqual((await takingsOf(store, '30d')).total, { placed: 3, paid: 3, takenCents: 23_000, refunded: 2, refundedCents: 9000 })

  const { steps, to } = await takingsOf(store, '7d')
  const dayBefore = steps.at(-3)?.from
  const [first] = await store.db.select().from(refunds).where(eq(refunds.amountCents, 1250))
  await store.db
    .update(refunds)
    .set({ askedAt: sql`${`${dayBefore}T12:00:00Z`}::timestamptz` })
    .where(eq(refunds._id, first?._id ?? ''))
  const told = await takingsOf(store, '7d')
  assert.deepEqual(
    told.steps.slice(-3).map(({ refunded, refundedCents }) => [refunded, refundedCents]),
    [
      [1, 1250],
      [0, 0],
      [2, 7750],
    ],
  )
  assert.equal(told.total.refunded, 2, 'an order of which money went back on two days is one order')
  assert.equal(told.to, to)
})

test('an order that expired or was cancelled unpaid was placed, and nothing was taken for it', async () => {
  await using store = await createTestStoreWithCards()
  const expired = await placePurchase(store)
  await expireHold(store, expired)
  await store.jobs.runAllOnce()
  await cancelPurchase(store.customer, await placePurchase(store))
  assert.equal((await getOrderAsAdmin(store, expired)).state, 'expired')

  assert.deepEqual((await takingsOf(store, '12m')).total, { ...nothing, placed: 2 })
  const { unpaid, holdEndsToday } = await attentionOf(store)
  assert.deepEqual([unpaid, holdEndsToday], Array(2).fill({ orders: 0, cost: 0 }))
})

test('a period is compared with the one before, up to the same time of day', async () => {
  await using store = await createTestStoreWithCards()
  const { asOf } = await takingsOf(store, '7d')
  const before = (days: number, minutes = 0) => new Date(Date.parse(asOf) - days * 86_400_000 - minutes * 60_000).toISOString()
  const moments = [before(0), before(7, 1), before(13), before(14, 1)] // now, twice in the seven days before, and before those
  for (const [nth, moment] of moments.entries()) {
    const { order } = await placePaidOrder(store, { dollars: 10 ** nth })
    await placedAt(store, order, moment)
    await paidAt(store, order, moment)
  }
  const { order } = await placePaidOrder(store, { dollars: 9 })
  await refundPurchase(store.admin, order, { amountCents: 300 })
  for (const move of [placedAt, paidAt, refundedAt]) await move(store, order, before(7, 2))
  await waitForWebhooks(store)

  const { total, before: last } = await takingsOf(store, '7d')
  assert.deepEqual(figures(total), { ...nothing, placed: 1, paid: 1, takenCents: 100 })
  assert.deepEqual(figures(last), { placed: 3, paid: 3, takenCents: (10 + 100 + 9) * 100, refunded: 1, refundedCents: 300 })
  assert.equal((await takingsOf(store, '30d')).total.takenCents, (1 + 10 + 100 + 1000 + 9) * 100)
})

test('a period that is none is refused in words, and without one it is thirty days', async () => {
  await using store = await anEmptyStore()
  const refused = await store.admin.request('GET', '/overview/takings?period=1d')
  assert.deepEqual([refused.statusCode, refused.json().message], [400, 'Choose 7d, 30d, 90d, 12m'])
  const usual = Revenue.parse((await store.admin.request('GET', '/overview/takings')).json())
  assert.deepEqual([usual.steps.length, usual.everOrdered], [30, false])
})

test('every figure is the number of rows of the list that it leads to, and its sum is theirs', async () => {
  await using store = await createTestStoreWithCards()
  const { from, to: today, steps } = await takingsOf(store, '30d')
  const many = await createProduct(store, { pieces: 1000 })
  const endings = [`${today}T23:59:59.999Z`, `${today}T23:59:59.999Z`, new Date(Date.parse(today) + 86_400_000).toISOString()]
  for (const [nth, end] of endings.entries()) await holdsUntil(store, await placePurchase(store, { toolId: many, quantity: nth + 1 }), end)
  const declined = await placePurchase(store, { toolId: many, quantity: 5 })
  await assert.rejects(confirmIntent(store, await openPaymentIntent(store, declined), 'pm_card_visa_chargeDeclinedInsufficientFunds'))
  await waitForWebhooks(store)
  const checked = await placePurchase(store, { toolId: many, quantity: 7 })
  await openPaymentIntent(store, checked)
  await holdsUntil(store, checked, endings[0] ?? '')
  await store.db
    .update(payments)
    .set({ checkingSince: sql`now()` })
    .where(sql`id = (select payment_id from orders where id = ${checked._id})`)
  await placePaidOrder(store, { dollars: 12, card: 'pm_card_createDispute' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  for (const day of steps.slice(3, 6)) {
    const { order } = await placePaidOrder(store, { dollars: 20 })
    await placedAt(store, order, `${steps[0]?.from}T00:00:00Z`)
    await paidAt(store, order, `${day.from}T12:00:00Z`)
    await refundPurchase(store.admin, order, { amountCents: 125 })
    await refundedAt(store, order, `${day.from}T13:00:00Z`)
  }
  const { order: underWay } = await placePaidOrder(store, { dollars: 33 })
  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  await refundPurchase(store.admin, underWay, { amountCents: 200 })

  const found = await attentionOf(store)
  const rows = await listed(store)
  const sum = (some: { productCost: number }[]) => some.reduce((cost, { productCost }) => cost + productCost, 0)
  const asking = (reason: AdminPurchase['attention'][number]) => rows.filter(({ attention }) => attention.includes(reason))
  for (const [figure, list, count] of [
    [found.holdEndsToday, asking('hold ends today'), 2],
    [found.cardDeclined, asking('card declined'), 1],
    [found.toBeLookedAt, asking('to be looked at'), 1],
    [found.refundUnderWay, asking('refund under way'), 1],
    [found.unpaid, rows.filter(({ state, checking }) => state === 'open' && !checking), 4],
    [found.checking, rows.filter(({ checking }) => checking), 1],
  ] as const) {
    assert.equal(list.length, count)
    assert.deepEqual(figure, { orders: list.length, cost: sum(list) })
  }

  const { total } = await takingsOf(store, '30d')
  assert.deepEqual([total.placed, total.paid, total.refunded], [10, 5, 4])
  const within = async (date: string): Promise<PurchasePage> =>
    (await store.admin.request('GET', `/bookings/page?date=${date}&from=${from}&to=${today}`)).json()
  const [placed, paid, refunded] = [await within('placed'), await within('paid'), await within('refunded')]
  assert.deepEqual([placed.total, paid.total, refunded.total], [total.placed, total.paid, total.refunded])
  assert.deepEqual([paid.sumCents, refunded.sumCents], [total.takenCents, total.refundedCents])
  away.remove()
  await store.db.update(refunds).set({ nextTryAt: sql`now()` })
  await store.jobs.runAllOnce()
  await waitForWebhooks(store)
  assert.deepEqual((await attentionOf(store)).refundUnderWay, { orders: 0, cost: 0 })
})

test('products that are out or low on stock are counted as the list finds them: in memory, and in the database while that is built', async () => {
  await using store = await anEmptyStore()
  const minimum = 10
  for (const pieces of [0, 9, 10, 29, lowStockInMinimumOrders * minimum, 1000]) await createProduct(store, { pieces, minimum })
  const gone = await createProduct(store, { pieces: 0, minimum })
  await store.admin.request('DELETE', `/tools/${gone}`)

  const { outOfStock, lowOnStock, products } = await attentionOf(store)
  assert.deepEqual({ outOfStock, lowOnStock, products }, { outOfStock: 2, lowOnStock: 2, products: 6 })
  const find = async (stock: string) => {
    const { total, tools } = searchProducts.schema.response[200].parse(
      (await store.visitor.request('GET', `/search?stock=${stock}`)).json(),
    )
    return [total, ...tools.map(({ available_quantity }) => available_quantity)]
  }
  assert.deepEqual(
    [await find('out'), await find('low')],
    [
      [2, 0, 9],
      [2, 10, 29],
    ],
  )

  await using starting = await createSecondInstance(store)
  starting.search.search = () => undefined
  const meanwhile: AttentionCounts = (await starting.request(store.admin, 'GET', '/overview/attention')).json()
  assert.deepEqual([meanwhile.outOfStock, meanwhile.lowOnStock, meanwhile.products], [2, 2, 6])
  assert.equal((await starting.request(store.admin, 'GET', '/search?stock=low')).json().total, 2)
})

test('what went wrong with an order asks for attention until an admin has looked at it, and again when something new goes wrong', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { card: 'pm_card_createDisputeProductNotReceived' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const waiting = async () => (await attentionOf(store)).toBeLookedAt.orders
  const look = () => store.admin.request('POST', `/purchase/${order._id}/looked-at`)
  assert.equal(await waiting(), 1)
  const faultless = await placePurchase(store)
  assert.equal(
    (await store.admin.request('POST', `/purchase/${faultless._id}/looked-at`)).statusCode,
    409,
    'nothing is wrong with that one',
  )

  const looked = await look()
  assert.equal(looked.statusCode, 200, looked.body)
  const { event, actor, by, state } = looked.json().at(-1)
  assert.deepEqual({ event, actor, by, state }, { event: 'looked at', actor: 'admin', by: store.admin.email, state: 'paid' })
  assert.equal(await waiting(), 0)
  const again = await look()
  assert.deepEqual([again.statusCode, again.json().message], [409, 'There is nothing to look at any more'])

  const [dispute] = (await store.cards.stripe.disputes.list()).data
  await store.cards.stripe.disputes.close(dispute?.id ?? '')
  await waitForWebhooks(store)
  assert.equal(await waiting(), 1)
  assert.equal((await look()).statusCode, 200)
  assert.equal(await waiting(), 0)
})

test('of admins who look at what went wrong with an order at one moment, one is told that they did', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { card: 'pm_card_createDisputeProductNotReceived' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)

  const { looks } = await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table order_history in share mode`) // each may look, and none can write yet
    const looks = Promise.all(Array.from({ length: 6 }, () => store.admin.request('POST', `/purchase/${order._id}/looked-at`)))
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await store.db.execute(waiting)).rows.length < 6) await new Promise((resolve) => setImmediate(resolve))
    return { looks }
  })

  assert.deepEqual((await looks).map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409, 409, 409])
  assert.equal((await getOrderEventNames(store, order)).filter((event) => event === 'looked at').length, 1)
})

test('what waits for a packer, for the bank and for the money of companies is counted as its own page lists it', async () => {
  await using store = await createTestStoreWithCards()
  const work = async () => {
    const { toSend, openReturns, bankEntries, refundsToTransfer, overdueInvoices } = await attentionOf(store)
    return { toSend, openReturns, bankEntries, refundsToTransfer, overdueInvoices }
  }
  const none = { toSend: 0, openReturns: 0, bankEntries: 0, refundsToTransfer: 0, overdueInvoices: 0 }
  assert.deepEqual(await work(), none)
  await setUpAccount(store, 100_000)
  const order = await orderOnAccount(store.customer, { [await createProduct(store)]: 2 })
  assert.deepEqual(await work(), { ...none, toSend: 1 })
  await sendPieces(store, order)
  await openReturnOf(store, order, 1)
  assert.deepEqual(await work(), { ...none, openReturns: 1 })
  await sendEarlier(store, order, 35)
  const paid = await placeTransferOrder(store, { quantity: 2 })
  await importEntries(store, [
    { amountCents: 6000, text: paid.reference },
    { amountCents: 50, text: 'Unknown', reference: 'U' },
  ])
  assert.equal(
    (await store.admin.request('POST', `/orders/${paid._id}/refunds`, { lines: [{ _id: paid.lines[0]?._id, quantity: 1 }] })).statusCode,
    200,
  )
  assert.deepEqual(await work(), { toSend: 1, openReturns: 1, bankEntries: 1, refundsToTransfer: 1, overdueInvoices: 1 })
})
