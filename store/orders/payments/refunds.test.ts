import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { dueDocuments } from '#store/orders/documents/table.ts'
import { orderLines, payments, refundLines, refunds } from '#store/orders/table.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  getOrderAsAdmin,
  getOrderEventNames,
  getOrderHistory,
  getStock,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { Actor, Store } from '#test/store.ts'
import { runDueRefund } from './refunds.ts'
import { webhookEvents } from './table.ts'

const refundsAtProvider = async (store: Store, intentId: string) =>
  (await store.cards.stripe.refunds.list({ payment_intent: intentId, limit: 100 })).data.map(({ amount, status }) => `${status} ${amount}`)
/** Whoever waits for a next try of a refund waits no longer. */
const refundsAreDue = (store: Store) => store.db.update(refunds).set({ nextTryAt: sql`now()` })

test('an admin gives all of the money back, and the pieces too where they say so', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const { order, intentId } = await placePaidOrder(store, { toolId, quantity: 3 })

  const refunded = await refundPurchase(store.admin, order, { restock: 2, refundedCentsSeen: 0, reason: 'Arrived broken' })

  assert.equal(refunded.statusCode, 200, refunded.body)
  const { state, paid, refundedCents, restocked, transectionId } = refunded.json()
  assert.deepEqual(
    { state, paid, refundedCents, restocked, transectionId },
    { state: 'refunded', paid: false, refundedCents: 9000, restocked: 2, transectionId: intentId },
  )
  assert.equal((await showOrder(store.admin, order._id)).orderStatus, 'completed')
  assert.equal(await getStock(store, toolId), 9)
  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 9000'])
  const lines = await getOrderHistory(store, order)
  assert.deepEqual(
    lines.slice(2).map(({ event, state, actor, by, note, amountCents }) => [event, state, actor, by, note, amountCents]),
    [
      ['refund asked', 'paid', 'admin', store.admin.email, 'Arrived broken', 9000],
      ['refunded', 'refunded', 'admin', store.admin.email, 'Arrived broken', 9000],
    ],
  )
  await waitForWebhooks(store)
  assert.deepEqual(
    await getOrderEventNames(store, order),
    ['placed', 'paid', 'refund asked', 'refunded'],
    "the provider's events say nothing new",
  )
})

test('money goes back in parts, never more than was paid, and the same part sent twice goes once', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store, { dollars: 30, quantity: 2 })

  const asked = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds' })
  const first = await refundPurchase(store.admin, order, { amountCents: 1050, refundedCentsSeen: 0, restock: 1 })
  const [row] = await store.db.select().from(refunds)
  assert.deepEqual(
    asked.affected.map(({ idempotencyKey }) => idempotencyKey),
    [row?._id],
  )
  assert.deepEqual(
    [first.statusCode, first.json().state, first.json().refundedCents, first.json().paid],
    [200, 'paid', 1050, true],
    first.body,
  )
  const again = await refundPurchase(store.admin, order, { amountCents: 1050, refundedCentsSeen: 0, restock: 1 })
  assert.deepEqual([again.statusCode, again.json().message], [409, 'Meanwhile $10.50 of this order have gone back: look at it again'])
  for (const [body, field, code, message] of [
    [{ amountCents: 4951 }, 'amountCents', 'refund_exceeds_rest', 'At most $49.50 can go back'],
    [{ amountCents: 100, restock: 2 }, 'restock', 'restock_exceeds_rest', 'At most 1 pieces can go back into stock'],
  ] as const) {
    const tooMuch = await refundPurchase(store.admin, order, body)
    assert.deepEqual([tooMuch.statusCode, tooMuch.json()], [400, { message, errors: { [field]: message }, code }])
  }
  for (const amountCents of [0, -1, 0.5, '1e3', 'all'])
    assert.equal((await refundPurchase(store.admin, order, { amountCents })).statusCode, 400)
  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 1050'])

  const rest = await refundPurchase(store.admin, order, { refundedCentsSeen: 1050 })
  assert.deepEqual([rest.json().state, rest.json().refundedCents, rest.json().restocked], ['refunded', 6000, 1])
  const nothing = await refundPurchase(store.admin, order)
  assert.deepEqual([nothing.statusCode, nothing.json().message], [409, 'This order is not paid, so there is nothing to give back'])
  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 4950', 'succeeded 1050'])
})

test('refunds at one moment never give more back than was paid', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store, { dollars: 30 })

  const answers = await Promise.all(Array.from({ length: 8 }, () => refundPurchase(store.admin, order, { amountCents: 1000 })))

  assert.ok(answers.every(({ statusCode }) => [200, 400, 409].includes(statusCode)))
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 3)
  assert.deepEqual(await refundsAtProvider(store, intentId), Array(3).fill('succeeded 1000'))
  assert.equal((await getOrderAsAdmin(store, order)).state, 'refunded')
})

test('only an admin gives money back, and only of a paid order', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store)
  const open = await placePurchase(store)

  for (const [actor, status] of [
    [store.customer, 403],
    [store.otherCustomer, 403],
    [store.visitor, 401],
  ] as const)
    assert.equal((await refundPurchase(actor, order)).statusCode, status)
  assert.equal((await refundPurchase(store.admin, open)).statusCode, 409)
  assert.equal((await refundPurchase(store.admin, { _id: '00000000-0000-4000-8000-000000000000' })).statusCode, 404)
  assert.equal((await getOrderAsAdmin(store, order)).paid, true)
})

test('money that the bank takes its time with is on its way, and then arrived, without a second mail', async () => {
  await using store = await createTestStoreWithCards()
  sandboxControls(store).bank.pause()
  const { order } = await placePaidOrder(store, { card: 'pm_card_pendingRefund' })

  const refunded = await refundPurchase(store.admin, order)
  assert.deepEqual([refunded.json().state, refunded.json().refundedCents], ['refunded', 3000])
  const stateOf = async () =>
    (await store.db.select({ state: refunds.state }).from(refunds).where(eq(refunds.orderId, order._id)))[0]?.state
  assert.equal(await stateOf(), 'pending')
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)

  assert.equal(await stateOf(), 'succeeded')
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid', 'refund asked', 'refunded'])
})

test('money that is on its way is asked after when no webhook tells that it has arrived', async () => {
  await using store = await createTestStoreWithCards()
  dropWebhooks(store)
  sandboxControls(store).bank.pause()
  const { order } = await placePaidOrder(store, { card: 'pm_card_pendingRefund' })
  await refundPurchase(store.admin, order)
  await sandboxControls(store).bank.runPendingSteps()
  await sandboxControls(store).webhooks.waitUntilDelivered()

  await refundsAreDue(store)
  await store.jobs.runAllOnce()

  const [row] = await store.db.select({ state: refunds.state }).from(refunds).where(eq(refunds.orderId, order._id))
  assert.equal(row?.state, 'succeeded')
})

test("when the buyer's bank refuses the money the order is paid again, and the admin sees why", async () => {
  await using store = await createTestStoreWithCards()
  sandboxControls(store).bank.pause()
  const { order } = await placePaidOrder(store, { card: 'pm_card_refundFail' })
  assert.equal((await refundPurchase(store.admin, order)).json().state, 'refunded')

  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)

  const { state, paid, refundedCents } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, paid, refundedCents }, { state: 'paid', paid: true, refundedCents: 0 })
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual(
    [last?.event, last?.note, last?.mail],
    ['refund failed', 'The money came back (expired_or_canceled_card): give it back in another way', 'none'],
  )
})

test('a refund whose answer comes late, after the bank has refused it, does not count as given', async () => {
  await using store = await createTestStoreWithCards()
  sandboxControls(store).bank.pause()
  const { order, intentId } = await placePaidOrder(store, { card: 'pm_card_refundFail' })
  const [made, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  sandboxControls(store).calls.inject(
    { method: 'POST', path: '/v1/refunds' },
    {
      committed: async () => {
        made.resolve()
        await goOn.promise
      },
    },
  )
  const asked = refundPurchase(store.admin, order)
  await made.promise
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  assert.deepEqual(await refundsAtProvider(store, intentId), ['failed 3000'])
  goOn.resolve() // the answer still says that it has succeeded
  await asked
  await waitForWebhooks(store)

  const { state, paid, refundedCents } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, paid, refundedCents }, { state: 'paid', paid: true, refundedCents: 0 })
})

test('a refund that the provider refuses leaves the order paid, and the admin is told', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { card: 'pm_card_createDispute' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid', 'disputed'])

  const refused = await refundPurchase(store.admin, order, { restock: 1 })

  assert.equal(refused.statusCode, 409, refused.body)
  assert.match(refused.json().message, /^The card provider refuses: Charge \w+ has been charged back; cannot issue a refund/)
  const { state, paid, refundedCents, restocked } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, paid, refundedCents, restocked }, { state: 'paid', paid: true, refundedCents: 0, restocked: 0 })
  assert.match(`${(await getOrderHistory(store, order)).at(-1)?.note}`, /charged back/)
})

test('a dispute is noted for the admin, and how it ended', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { card: 'pm_card_createDisputeProductNotReceived' })
  await sandboxControls(store).bank.runPendingSteps()
  const [dispute] = (await store.cards.stripe.disputes.list()).data
  await store.cards.stripe.disputes.close(dispute?.id ?? '')
  await waitForWebhooks(store)

  const [listed] = (await store.admin.request('GET', '/bookings')).json()
  assert.deepEqual([listed.state, listed.disputed], ['paid', true], 'it is still paid, and disputed: the bank decided against the store')
  const told = (await getOrderHistory(store, order)).slice(2).map(({ event, note, amountCents }) => [event, note, amountCents])
  assert.deepEqual(told.sort(), [
    ['disputed', "The buyer's bank disputes this payment (product_not_received): lost", 3000],
    ['disputed', "The buyer's bank disputes this payment (product_not_received): needs_response", 3000],
  ])
})

test('a dispute of a payment that came late and goes back is noted on its order, also where the order has another payment by now', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  const other = await placePaidOrder(store)
  await waitForWebhooks(store)
  const [late] = await store.db
    .insert(payments)
    .values({ orderId: order._id, amountCents: 3000, currency: 'usd', intentId: 'pi_late', state: 'succeeded', refundedCents: 3000 })
    .returning()
  assert.ok(late)
  const refund = { orderId: order._id, amountCents: 3000, endsAs: 'refunded', actor: 'store', state: 'succeeded' } as const
  const [back] = await store.db
    .insert(refunds)
    .values({ ...refund, paymentId: late._id, refundId: 're_late' })
    .returning()
  assert.ok(back)
  await store.db.insert(refundLines).values({ refundId: back._id, amountCents: 3000 })
  const object = { payment_intent: 'pi_late', reason: 'fraudulent', status: 'needs_response', amount: 3000 }
  await store.db.insert(webhookEvents).values({ _id: 'evt_late', type: 'charge.dispute.created', object, createdAt: new Date() })
  await store.jobs.runAllOnce()
  const disputed = async (each: typeof order) => (await getOrderHistory(store, each)).filter(({ event }) => event === 'disputed').length
  assert.deepEqual([await disputed(order), await disputed(other.order)], [1, 0])
  assert.notEqual(intentId, 'pi_late')
  await store.db.delete(refundLines).where(eq(refundLines.refundId, back._id))
  await store.db.delete(dueDocuments).where(eq(dueDocuments.refundId, back._id))
  await store.db.delete(refunds).where(eq(refunds._id, back._id)) // the card sandbox knows neither of the two
  await store.db.delete(payments).where(eq(payments._id, late._id))
})

test('an order is disputed until its dispute is won, whatever the order of the events, for admins alone', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  const disputedTo = async (actor: Actor) => (await actor.request('GET', `/purchase/${order._id}`)).json().disputed
  const happens = async (type: string, status: string, nth: number) => {
    const object = { id: 'dp_1', object: 'dispute', payment_intent: intentId, reason: 'fraudulent', amount: 3000, status }
    await store.db.insert(webhookEvents).values({ _id: `evt_dispute_${nth}`, type, object, createdAt: new Date() })
    await store.jobs.runAllOnce()
  }
  assert.equal(await disputedTo(store.admin), false)

  await happens('charge.dispute.created', 'needs_response', 1)
  assert.deepEqual([await disputedTo(store.admin), await disputedTo(store.customer)], [true, undefined])
  await happens('charge.dispute.closed', 'won', 2)
  assert.equal(await disputedTo(store.admin), false)
  await happens('charge.dispute.created', 'needs_response', 3) // it was on its way for longer
  assert.equal(await disputedTo(store.admin), false)
  const [listed] = (await store.admin.request('GET', '/bookings')).json()
  assert.equal(listed.disputed, false)
})

test("a refund that the owner makes at the provider's own site is taken into the books", async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)

  await store.cards.stripe.refunds.create({ payment_intent: intentId, amount: 1000 })
  await waitForWebhooks(store)
  assert.deepEqual([(await getOrderAsAdmin(store, order)).state, (await getOrderAsAdmin(store, order)).refundedCents], ['paid', 1000])
  await store.cards.stripe.refunds.create({ payment_intent: intentId })
  await waitForWebhooks(store)

  assert.deepEqual([(await getOrderAsAdmin(store, order)).state, (await getOrderAsAdmin(store, order)).refundedCents], ['refunded', 3000])
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual(
    [last?.event, last?.actor, last?.note, last?.amountCents],
    ['refunded', 'card provider', 'Made at the card provider', 2000],
  )
})

test("a refund from the provider's own site is not lost when its event comes before that of the payment", async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  const paid = sandboxControls(store).webhooks.inject({ type: 'payment_intent.succeeded' }, 'hold')
  await confirmIntent(store, intentId)
  await store.cards.stripe.refunds.create({ payment_intent: intentId, amount: 1000 })
  await waitForWebhooks(store)

  await paid.release()
  await waitForWebhooks(store)

  const { state, refundedCents } = await getOrderAsAdmin(store, order)
  assert.deepEqual({ state, refundedCents }, { state: 'paid', refundedCents: 1000 })
})

test('money and pieces of a product that has left the catalogue go back as well', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const { order } = await placePaidOrder(store, { toolId, quantity: 4 })
  await store.admin.request('DELETE', `/tools/${toolId}`)

  const refunded = await refundPurchase(store.admin, order, { restock: 4 })

  assert.deepEqual([refunded.json().state, refunded.json().restocked], ['refunded', 4], refunded.body)
})

test('an admin cancels a paid order: the money goes back and the pieces too', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store, { pieces: 10 })
  const { order, intentId } = await placePaidOrder(store, { toolId, quantity: 4 })
  await refundPurchase(store.admin, order, { amountCents: 2000, restock: 1 })

  const cancelled = await cancelPurchase(store.admin, order, { reason: 'Sold out at the maker' })

  const { state, paid, refundedCents, restocked } = cancelled.json()
  assert.deepEqual(
    { state, paid, refundedCents, restocked },
    { state: 'cancelled', paid: false, refundedCents: 12_000, restocked: 4 },
    cancelled.body,
  )
  assert.equal(await getStock(store, toolId), 10)
  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 10000', 'succeeded 2000'])
  assert.equal((await cancelPurchase(store.admin, order)).statusCode, 409)
})

test('an order that has been sent off is refunded, not cancelled, and nothing of its money moves by a cancel', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  await sendPieces(store, order)

  const cancelled = await cancelPurchase(store.admin, order)

  assert.deepEqual(
    [cancelled.statusCode, cancelled.json().code, cancelled.json().message],
    [409, 'order_shipped', 'This order has been sent off: it can be refunded, not cancelled'],
  )
  assert.deepEqual(await refundsAtProvider(store, intentId), [])
  assert.equal((await refundPurchase(store.admin, order)).json().state, 'refunded')
})

test('when the bank refuses the refund of an order that was sent off, there is nothing to send again', async () => {
  await using store = await createTestStoreWithCards()
  sandboxControls(store).bank.pause()
  const { order } = await placePaidOrder(store, { card: 'pm_card_refundFail' })
  await sendPieces(store, order)
  await refundPurchase(store.admin, order)

  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)

  const { orderStatus, paymentStatus } = await showOrder(store.admin, order._id)
  assert.deepEqual({ orderStatus, paymentStatus }, { orderStatus: 'completed', paymentStatus: 'paid' })
})

test('while the provider is away a refund is written down, shows as on its way, and goes once when it is back', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store, { dollars: 30 })
  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })

  const asked = await refundPurchase(store.admin, order, { amountCents: 1000, refundedCentsSeen: 0 })
  assert.deepEqual([asked.statusCode, asked.json().state, asked.json().refundedCents], [200, 'paid', 1000], asked.body)
  const twice = await refundPurchase(store.admin, order, { amountCents: 1000, refundedCentsSeen: 0 })
  assert.equal(twice.statusCode, 409, 'who has not seen it is told to look again')
  const more = await refundPurchase(store.admin, order, { amountCents: 500, refundedCentsSeen: asked.json().refundedCents })
  assert.equal(more.statusCode, 200, 'who has seen it may give more back')
  assert.deepEqual(await refundsAtProvider(store, intentId), [])

  away.remove()
  dropWebhooks(store)
  await refundsAreDue(store)
  const told: string[] = []
  store.changes.subscribe((topic) => told.push(topic))
  await store.jobs.runAllOnce()
  assert.deepEqual((await refundsAtProvider(store, intentId)).sort(), ['succeeded 1000', 'succeeded 500'])
  assert.ok(told.includes('products'), 'pages that show the stock are rendered again')
  assert.equal((await getOrderAsAdmin(store, order)).refundedCents, 1500)
})

test('a refund that the provider does not answer keeps no other waiting: both are asked for at the same look', async () => {
  await using store = await createTestStoreWithCards()
  const paid = [await placePaidOrder(store), await placePaidOrder(store)]
  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  for (const { order } of paid) await refundPurchase(store.admin, order)
  away.remove()
  await store.jobs.whenIdle()
  await refundsAreDue(store)
  // The first of the two, and the repetition that the library sends by itself.
  sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: 2 }, { reset: 'before' })

  await store.jobs.runAllOnce()
  const back = await Promise.all(paid.map(({ intentId }) => refundsAtProvider(store, intentId)))
  assert.deepEqual(back.flat(), ['succeeded 3000'])
})

test('one refund is taken at a time, however the database plans the statement', async () => {
  await using store = await createTestStoreWithCards()
  await store.jobs.close() // this test looks for refunds itself
  sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: 4 }, { reset: 'before' })
  for (const { order } of [await placePaidOrder(store), await placePaidOrder(store)]) await refundPurchase(store.admin, order)
  await refundsAreDue(store)
  const tries = async () => (await store.db.select({ tries: refunds.tries }).from(refunds)).map((row) => row.tries).sort()
  const before = await tries()

  await store.db.transaction(async (tx) => {
    // The plan that rows and statistics of some shops lead to: the statement reads each refund and looks for the due one anew.
    await tx.execute(
      sql`select set_config(name, 'off', true) from unnest(array['enable_hashjoin', 'enable_mergejoin', 'enable_hashagg', 'enable_sort', 'enable_material']) name`,
    )
    await runDueRefund(tx, store.cards)
  })
  assert.deepEqual(
    [before, await tries()],
    [
      [1, 1],
      [1, 2],
    ],
  )
})

test('where no refund is due, nothing is asked of the provider and nothing fails', async () => {
  await using store = await createTestStoreWithCards()
  await store.jobs.close() // this test looks for refunds itself
  assert.equal(await runDueRefund(store.db, store.cards), false)
})

test('a refund whose answer got lost is found at the provider, also when it has forgotten the key', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  dropWebhooks(store)
  const cut = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'committed' })
  await refundPurchase(store.admin, order, { amountCents: 1000 })
  cut.remove()
  await store.db.execute(sql`delete from sandbox.idempotency`)
  const untold = sandboxControls(store).calls.inject({ path: '/v1/events', times: Infinity }, { answer: 'rate_limit' })

  await refundsAreDue(store)
  await store.jobs.runAllOnce()

  untold.remove()

  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 1000'])
  assert.equal((await getOrderAsAdmin(store, order)).refundedCents, 1000)
})

test('a refund whose answer got lost is found on a later page of the list, too, and is not paid twice', async (t) => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  dropWebhooks(store)
  const cut = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'committed' })
  await refundPurchase(store.admin, order, { amountCents: 1000 })
  cut.remove()
  await refundPurchase(store.admin, order, { amountCents: 500 })
  await store.db.execute(sql`delete from sandbox.idempotency`)
  const untold = sandboxControls(store).calls.inject({ path: '/v1/events', times: Infinity }, { answer: 'rate_limit' })
  const { refunds: list } = store.cards.stripe
  const original = list.list.bind(list)
  t.mock.method(list, 'list', (params: object) => original({ ...params, limit: 1 })) // as if each page were full

  await refundsAreDue(store)
  await store.jobs.runAllOnce()
  untold.remove()
  t.mock.restoreAll()
  assert.deepEqual((await refundsAtProvider(store, intentId)).sort(), ['succeeded 1000', 'succeeded 500'])
})

test('a refund that the provider answers with an error of its own, and keeps that answer for a day, goes all the same, once', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds' }, { answer: 'api_error', at: 'kept' })

  await refundPurchase(store.admin, order)
  await refundsAreDue(store)
  await store.jobs.runAllOnce()

  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 3000'])
  assert.equal((await getOrderAsAdmin(store, order)).state, 'refunded')
  await waitForWebhooks(store)
})

test('a refund that the provider refuses as all of the money went back at its own site leaves the order refunded', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store, { dollars: 30 })
  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  await refundPurchase(store.admin, order, { amountCents: 1000 })
  away.remove()
  await store.cards.stripe.refunds.create({ payment_intent: intentId })
  await waitForWebhooks(store)
  assert.equal((await getOrderAsAdmin(store, order)).state, 'refunded')

  await refundsAreDue(store)
  await store.jobs.runAllOnce()
  const now = await getOrderAsAdmin(store, order)
  assert.deepEqual([now.state, now.refundedCents], ['refunded', 3000])
  assert.equal((await getOrderEventNames(store, order)).at(-1), 'refund failed')
})

test('a refund that two processes ask the provider for at one moment goes back once', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store, { quantity: 3 })
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  sandboxControls(store).calls.inject(
    { method: 'POST', path: '/v1/refunds' },
    {
      before: async () => {
        asked.resolve()
        await goOn.promise
      },
    },
  )
  const first = refundPurchase(store.admin, order, { amountCents: 1000 })
  await asked.promise

  await refundsAreDue(store) // the first takes so long that the worker asks as well
  await store.jobs.runAllOnce()
  goOn.resolve()
  await first
  await waitForWebhooks(store)

  assert.deepEqual(await refundsAtProvider(store, intentId), ['succeeded 1000'])
  assert.equal((await getOrderAsAdmin(store, order)).refundedCents, 1000)
})

test('a refund that two processes ask the provider for at one moment, and that it refuses, has failed once', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { card: 'pm_card_createDispute' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  sandboxControls(store).calls.inject(
    { method: 'POST', path: '/v1/refunds' },
    {
      before: async () => {
        asked.resolve()
        await goOn.promise
      },
    },
  )
  const first = refundPurchase(store.admin, order)
  await asked.promise

  await refundsAreDue(store) // the first takes so long that the worker asks as well
  await store.jobs.runAllOnce()
  goOn.resolve()

  assert.equal((await first).statusCode, 409)
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid', 'disputed', 'refund asked', 'refund failed'])
  await waitForWebhooks(store)
})

test('no order gets back more pieces than it has, whatever is written', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { quantity: 2 })
  for (const restocked of [3, -1])
    await assert.rejects(store.db.update(orderLines).set({ restocked }).where(eq(orderLines.orderId, order._id)), ({ cause }: Error) =>
      String(cause).includes('order_lines_restocked'),
    )
  assert.equal((await refundPurchase(store.admin, order, { amountCents: 100, restock: 0 })).statusCode, 200)
  await assert.rejects(store.db.update(refundLines).set({ restock: -1 }), ({ cause }: Error) =>
    String(cause).includes('refund_lines_amounts'),
  )
})

test('the books take no payment of which more has gone back than was paid, and none of which less than nothing has', async () => {
  await using store = await createTestStoreWithCards()
  const { intentId } = await placePaidOrder(store)

  for (const refundedCents of [3001, -1])
    await assert.rejects(store.db.update(payments).set({ refundedCents }).where(eq(payments.intentId, intentId)), ({ cause }: Error) =>
      /payments_refunded"/.test(`${cause}`),
    )
})
