import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql, TransactionRollbackError } from 'drizzle-orm'
import { stockMovements } from '#store/catalogue/table.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  getOrderAsAdmin,
  getOrderHistory,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  recordPayment,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { OrderHistoryEntry } from './contract.ts'
import { allowedStatusChanges } from './statuses.ts'
import { orders, statusSteps } from './table.ts'

test('the steps that an order may take are the same in the contract and in the database', async () => {
  await using store = await anEmptyStore()
  const kept = await store.db.select().from(statusSteps)
  const meant = Object.entries(allowedStatusChanges).flatMap(([status, steps]) =>
    Object.entries<readonly string[]>(steps).flatMap(([from, allowed]) => allowed.map((to) => `${status}: ${from} to ${to}`)),
  )
  assert.deepEqual(kept.map(({ status, from, to }) => `${status}: ${from} to ${to}`).sort(), meant.sort())
})

/** The ways that lead an order to each status, by legal steps. */
const ways = {
  order: { open: [], placed: ['placed'], completed: ['placed', 'completed'], expired: ['expired'], cancelled: ['cancelled'] },
  payment: {
    ...{ unpaid: [], checking: ['checking'], partly_paid: ['partly_paid'], paid: ['paid'], overpaid: ['overpaid'] },
    ...{ partly_refunded: ['paid', 'partly_refunded'], refunded: ['paid', 'refunded'] },
  },
  fulfilment: { to_send: [], partly_sent: ['partly_sent'], sent: ['sent'], delivered: ['sent', 'delivered'] },
} satisfies Record<keyof typeof allowedStatusChanges, Record<string, string[]>>

test('the database lets each status of an order take its steps and no other, whoever writes', async (t) => {
  await using store = await anEmptyStore({ allowWrongBooks: true, buyerLimits: 'off' }) // nobody writes down who did it
  const { order } = await insertedOrder(store, await createProduct(store))
  /** Takes these steps as one transaction, which leaves nothing behind. */
  const take = (status: string, steps: string[]) =>
    store.db
      .transaction(async (tx) => {
        for (const to of steps)
          await tx.execute(sql`update orders set ${sql.identifier(`${status}_status`)} = ${to} where id = ${order._id}`)
        await tx.execute(sql`set constraints all immediate`)
        tx.rollback()
      })
      .catch((error) => {
        if (!(error instanceof TransactionRollbackError)) throw error
      })
  let [taken, refused] = [0, 0]

  for (const [status, waysTo] of Object.entries(ways))
    for (const [from, way] of Object.entries(waysTo))
      for (const to of Object.keys(waysTo).filter((other) => other !== from)) {
        const allowed: readonly string[] = Object.entries(allowedStatusChanges).find(([name]) => name === status)?.[1][from as never] ?? []
        if (allowed.includes(to)) {
          await take(status, [...way, to])
          taken++
        } else {
          await assert.rejects(
            take(status, [...way, to]),
            ({ cause }: Error) => cause instanceof Error && cause.message.includes(`an order does not go from ${from} to ${to}`),
          )
          refused++
        }
      }
  const { number: _, isPaid: __, ...row } = order
  for (const begun of [{ orderStatus: 'placed' }, { paymentStatus: 'paid' }, { fulfilmentStatus: 'sent' }] as const)
    await assert.rejects(
      store.db.insert(orders).values({ ...row, requestKey: null, _id: crypto.randomUUID(), ...begun }),
      ({ cause }: Error) => cause instanceof Error && /an order begins open, unpaid and to be sent/.test(cause.message),
    )
  assert.deepEqual([taken, refused], [47, 27])
  t.diagnostic(`${taken} steps taken, ${refused} refused`)
})

async function insertedOrder(store: Store, toolId: string) {
  const { _id } = await placePurchase(store, { toolId })
  const [order] = await store.db.select().from(orders).where(eq(orders._id, _id))
  assert.ok(order)
  return { order }
}

test('who asks for a step that an order cannot take is told why, and nothing happens', async () => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store)
  const cancelled = await placePurchase(store, { toolId })
  await cancelPurchase(store.customer, cancelled)
  const expired = await placePurchase(store, { toolId })
  await store.db.update(orders).set({ holdUntil: sql`now()` }).where(eq(orders._id, expired._id))
  await store.jobs.runAllOnce()
  const { order: paid, intentId } = await placePaidOrder(store, { toolId })
  const { order: refunded } = await placePaidOrder(store, { toolId })
  await refundPurchase(store.admin, refunded)
  const unpaid = await placePurchase(store, { toolId })
  const pay = (order: { _id: string; productCost: number }) =>
    store.customer.request('POST', '/create-payment-intent', { orderId: order._id, productCost: order.productCost })

  const [isCancelled, hasExpired] = [
    'This order is cancelled',
    'This order has expired: it was not paid in time, and its pieces are back in stock',
  ]
  const [isPaid, hasGoneBack, isNotPaid] = [
    'This order is paid already',
    'The money of this order has gone back',
    'This order is not paid, so there is nothing to give back',
  ]
  for (const [answer, message] of [
    [await pay(cancelled), isCancelled],
    [await pay(expired), hasExpired],
    [await pay(paid), isPaid],
    [await pay(refunded), hasGoneBack],
    [await cancelPurchase(store.customer, cancelled), isCancelled],
    [await cancelPurchase(store.admin, expired), hasExpired],
    [await cancelPurchase(store.customer, paid), isPaid],
    [await cancelPurchase(store.admin, refunded), hasGoneBack],
    [await refundPurchase(store.admin, unpaid), isNotPaid],
    [await refundPurchase(store.admin, cancelled), isNotPaid],
    [await refundPurchase(store.admin, expired), isNotPaid],
    [await refundPurchase(store.admin, refunded), isNotPaid],
  ] as const)
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [409, { message, code: message === isNotPaid ? 'order_not_paid' : 'order_not_open' }],
    )

  const states = await Promise.all(
    [cancelled, expired, paid, refunded, unpaid].map(async (order) => (await getOrderAsAdmin(store, order)).state),
  )
  assert.deepEqual(states, ['cancelled', 'expired', 'paid', 'refunded', 'open'])
  assert.equal((await recordPayment(store.customer, paid, intentId)).statusCode, 200)
  await waitForWebhooks(store)
})

const movementsOf = async (store: Store, toolId: string) =>
  (await store.db.select().from(stockMovements).where(eq(stockMovements.toolId, toolId)).orderBy(stockMovements._id)).map(
    ({ pieces, reason, orderLineId, userId }) => ({ pieces, reason, hasOrder: orderLineId !== null, byPerson: userId !== null }),
  )

test('every way in which stock moves is a line of the ledger: what, why, for which order, by whom', async () => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store, { pieces: 20 })
  const kept = { price: 30, minimum_order_quantity: 1 }
  await store.admin.request('PUT', `/tools/${toolId}`, { ...kept, available_quantity: 25, available_quantity_seen: 20 })
  await store.admin.request('PUT', `/tools/${toolId}`, { ...kept, available_quantity: 25, available_quantity_seen: 25 })
  await cancelPurchase(store.customer, await placePurchase(store, { toolId, quantity: 2 }))
  const expiring = await placePurchase(store, { toolId, quantity: 3 })
  await store.db.update(orders).set({ holdUntil: sql`now()` }).where(eq(orders._id, expiring._id))
  await store.jobs.runAllOnce()
  const { order } = await placePaidOrder(store, { toolId, quantity: 4 })
  await refundPurchase(store.admin, order, { amountCents: 100, restock: 1 })
  await cancelPurchase(store.admin, order)
  const refused = await store.customer.request('POST', '/purchase', {
    ...{ toolId, productName: 'Drill', productQuantity: 26, productCost: 26 * 30, buyerAddress: '1 Road' },
  })
  assert.equal(refused.statusCode, 409)
  await waitForWebhooks(store)

  const [forOrder, byPerson] = [{ hasOrder: true }, { byPerson: true }]
  const nobody = { hasOrder: false, byPerson: false }
  assert.deepEqual(await movementsOf(store, toolId), [
    { ...nobody, pieces: 20, reason: 'initial', ...byPerson },
    { ...nobody, pieces: 5, reason: 'correction', ...byPerson },
    { ...nobody, pieces: -2, reason: 'order', ...forOrder },
    { ...nobody, pieces: 2, reason: 'release', ...forOrder, ...byPerson },
    { ...nobody, pieces: -3, reason: 'order', ...forOrder },
    { ...nobody, pieces: 3, reason: 'release', ...forOrder },
    { ...nobody, pieces: -4, reason: 'order', ...forOrder },
    { ...nobody, pieces: 1, reason: 'restock', ...forOrder, ...byPerson },
    { ...nobody, pieces: 3, reason: 'restock', ...forOrder, ...byPerson },
  ])
})

test('the history of an order tells admins each thing that happened once, with who and when, and its buyer what concerns them', async () => {
  await using store = await anEmptyStore({ cards: true })
  const began = Date.now()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await assert.rejects(confirmIntent(store, intentId, 'pm_card_visa_chargeDeclinedInsufficientFunds'))
  await waitForWebhooks(store)
  await confirmIntent(store, intentId)
  await recordPayment(store.customer, order, intentId)
  await refundPurchase(store.admin, order, { amountCents: 500, reason: 'Scratched' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)

  const url = `/purchase/${order._id}/history`
  for (const [actor, status] of [
    [store.customer, 200],
    [store.otherCustomer, 404],
    [store.visitor, 401],
  ] as const)
    assert.equal((await actor.request('GET', url)).statusCode, status)
  assert.equal((await store.admin.request('GET', '/purchase/00000000-0000-4000-8000-000000000000/history')).statusCode, 404)

  const lines = await getOrderHistory(store, order)
  const none = { by: null, note: null, amountCents: null, items: null, mail: 'none' }
  assert.deepEqual(
    lines.map(({ at, ...line }) => line),
    [
      { ...none, event: 'placed', state: 'open', actor: 'buyer', by: store.customer.email, mail: 'sent' },
      {
        ...none,
        event: 'card declined',
        state: 'open',
        actor: 'card provider',
        note: 'insufficient_funds: Your card has insufficient funds.',
      },
      { ...none, event: 'paid', state: 'paid', actor: 'card provider', note: intentId, mail: 'sent' },
      { ...none, event: 'refund asked', state: 'paid', actor: 'admin', by: store.admin.email, note: 'Scratched', amountCents: 500 },
      {
        ...none,
        event: 'partly refunded',
        state: 'paid',
        actor: 'admin',
        by: store.admin.email,
        note: 'Scratched',
        amountCents: 500,
        items: 'Drill',
        mail: 'sent',
      },
    ],
  )
  await store.db.execute(sql`insert into order_history (order_id, event, state, order_status, actor, note)
    values (${order._id}, 'disputed', 'paid', 'placed', 'card provider', 'fraudulent'), (${order._id}, 'trouble', 'paid', 'placed', 'card provider', 'look at it')`)
  const told: OrderHistoryEntry[] = (await store.customer.request('GET', url)).json()
  const between = new Set(['paid', 'card declined'])
  assert.deepEqual(
    told,
    lines.map((line) => ({
      ...line,
      by: line.actor === 'buyer' ? store.customer.email : null,
      note: between.has(line.event) ? null : line.note,
    })),
  )
  for (const [nth, { at }] of lines.entries())
    assert.ok(Date.parse(at) >= began - 1000 && Date.parse(at) >= Date.parse(lines[nth - 1]?.at ?? at))
})

test('an order that is sent again with its key is answered as it was placed, also when it has been paid or has ended since', async () => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store)
  const wish = { toolId, productName: 'Drill', productQuantity: 2, productCost: 60, buyerAddress: '1 Road' }
  const send = (key: string) => store.customer.request('POST', '/purchase', wish, { 'idempotency-key': key })
  const [toPay, toCancel] = [await send('one'), await send('two')]
  const intentId = await openPaymentIntent(store, toPay.json())
  await confirmIntent(store, intentId)
  await recordPayment(store.customer, toPay.json(), intentId)
  await cancelPurchase(store.customer, toCancel.json())
  await store.admin.request('DELETE', `/tools/${toolId}`)

  for (const [key, first] of [
    ['one', toPay],
    ['two', toCancel],
  ] as const) {
    const again = await send(key)
    assert.deepEqual([again.statusCode, again.json()], [201, first.json()], key)
  }
  await waitForWebhooks(store)
})
