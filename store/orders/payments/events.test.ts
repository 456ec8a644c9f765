import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, isNull, sql } from 'drizzle-orm'
import { lockOrder } from '#store/orders/rules.ts'
import { payments } from '#store/orders/table.ts'
import {
  confirmIntent,
  createTestStoreWithCards,
  getOrderAsAdmin,
  getOrderEventNames,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { deleteOldEvents, processDueWebhookEvent } from './events.ts'
import { webhookEvents } from './table.ts'

test('an event that the database refuses is tried again later, says why, and keeps no other from being worked off', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  await sandboxControls(store).webhooks.waitUntilDelivered()
  await store.jobs.whenIdle()
  await store.jobs.close() // the events are worked off here, one by one
  const object = { payment_intent: intentId, reason: 'fraudulent', status: 'needs_response', amount: 3_000_000_000 } // no integer of the database
  await store.db.insert(webhookEvents).values({ _id: 'evt_1', type: 'charge.dispute.created', object, createdAt: new Date() })
  const other = await placePurchase(store)
  await confirmIntent(store, await openPaymentIntent(store, other))
  await sandboxControls(store).webhooks.waitUntilDelivered()

  const failures: string[] = []
  const works = () =>
    processDueWebhookEvent(store.db, store.cards).catch((error) => {
      failures.push(`${error.cause ?? error}`)
      return true
    })
  for (let nth = 0; nth < 10 && (await works()); nth++);

  const [kept] = await store.db.select().from(webhookEvents).where(eq(webhookEvents._id, 'evt_1'))
  assert.deepEqual([kept?.tries, kept?.workedAt], [1, null], failures.join('\n'))
  assert.deepEqual(failures.length, 1, failures.join('\n'))
  assert.match(`${kept?.trouble}`, /order_history/)
  assert.ok((kept?.nextTryAt ?? new Date(0)) > new Date())
  assert.deepEqual([await getOrderEventNames(store, order), (await getOrderAsAdmin(store, order)).paid], [['placed', 'paid'], true])
  assert.equal((await getOrderAsAdmin(store, other)).paid, true)
})

test('events that cannot be worked off keep no other waiting: it is worked off at the same look', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  await waitForWebhooks(store)
  const dispute = { payment_intent: intentId, reason: 'fraudulent', status: 'needs_response', amount: 3_000_000_000 } // no integer of the database
  const event = (nth: number, object: Record<string, unknown>) =>
    ({
      _id: `evt_${nth}`,
      type: 'charge.dispute.created',
      object,
      createdAt: new Date(),
      nextTryAt: new Date(Date.now() - 60_000 + nth),
    }) as const
  await store.db.insert(webhookEvents).values([event(1, dispute), event(2, dispute), event(3, { ...dispute, amount: 3000 })])

  await store.jobs.runAllOnce()
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid', 'disputed'])
})

test('a declined card of a payment that is not in the books is nothing to record', async () => {
  await using store = await createTestStoreWithCards()
  await store.jobs.close() // this test processes the event itself
  const object = { id: 'pi_of_another_shop', metadata: {}, last_payment_error: null }
  await store.db.insert(webhookEvents).values({ _id: 'evt_1', type: 'payment_intent.payment_failed', object, createdAt: new Date() })
  assert.equal(await processDueWebhookEvent(store.db, store.cards), true)
  const [event] = await store.db.select().from(webhookEvents)
  assert.notEqual(event?.workedAt, null)
})

test('a declined card of a payment that its order has no more is nothing to record', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await store.jobs.close() // this test processes the event itself
  const [former] = await store.db
    .insert(payments)
    .values({ amountCents: 3000, currency: 'usd', intentId: 'pi_former', state: 'canceled' })
    .returning()
  assert.ok(former)
  const object = { id: 'pi_former', metadata: {}, last_payment_error: null }
  await store.db.insert(webhookEvents).values({ _id: 'evt_1', type: 'payment_intent.payment_failed', object, createdAt: new Date() })

  while (await processDueWebhookEvent(store.db, store.cards));

  const [event] = await store.db.select().from(webhookEvents).where(eq(webhookEvents._id, 'evt_1'))
  assert.notEqual(event?.workedAt, null)
  assert.deepEqual(await getOrderEventNames(store, order), ['placed'])
  assert.equal((await store.cards.stripe.paymentIntents.retrieve(intentId)).status, 'requires_payment_method')
  await store.db.delete(payments).where(eq(payments._id, former._id)) // the card sandbox does not know it
})

test('of declined cards of one order that two processes record at one moment each counts: the fifth closes the payment', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  await waitForWebhooks(store)
  await store.jobs.close() // this test processes the events itself
  const object = { id: intentId, metadata: {}, last_payment_error: null }
  const declined = { type: 'payment_intent.payment_failed', object, createdAt: new Date(), nextTryAt: new Date(Date.now() - 60_000) }
  for (let nth = 1; nth <= 5; nth++) await store.db.insert(webhookEvents).values({ _id: `evt_${nth}`, ...declined })
  const run = () => processDueWebhookEvent(store.db, store.cards)
  for (let nth = 1; nth <= 3; nth++) await run()

  const { both } = await store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table webhook_events in share mode`) // each may begin, and none can end yet
    const isDone = { early: false }
    const both = Promise.all([run(), run()]).finally(() => (isDone.early = true))
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while (!isDone.early && (await store.db.execute(waiting)).rows.length < 2) await new Promise((resolve) => setImmediate(resolve))
    return { both }
  })

  assert.deepEqual(await both, [true, true])
  assert.equal((await store.cards.stripe.paymentIntents.retrieve(intentId)).status, 'canceled')
})

test('a dispute waits for what is happening to its order at the same moment, and one of two processes records it', async () => {
  await using store = await createTestStoreWithCards()
  const { order, intentId } = await placePaidOrder(store)
  const other = await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.jobs.close() // this test processes the events itself
  const object = { payment_intent: intentId, reason: 'fraudulent', status: 'needs_response', amount: 3000 }
  await store.db.insert(webhookEvents).values({ _id: 'evt_1', type: 'charge.dispute.created', object, createdAt: new Date() })

  const { processed, isDone } = await store.db.transaction(async (tx) => {
    await lockOrder(tx, order._id)
    const isDone = { early: false }
    const both = Promise.all([processDueWebhookEvent(store.db, store.cards), processDueWebhookEvent(store.db, store.cards)])
    const processed = both.finally(() => (isDone.early = true))
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while (!isDone.early && (await store.db.execute(waiting)).rows.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return { processed, isDone: isDone.early }
  })

  assert.equal(isDone, false)
  assert.deepEqual((await processed).sort(), [false, true])
  assert.deepEqual(await getOrderEventNames(store, order), ['placed', 'paid', 'disputed'])
  const disputed = async (_id: string) => (await store.admin.request('GET', `/purchase/${_id}`)).json().disputed
  assert.deepEqual([await disputed(order._id), await disputed(other.order._id)], [true, false])
})

test('an event that has to wait keeps no other process from the next one', async () => {
  await using store = await createTestStoreWithCards()
  const [first, second] = [await placePaidOrder(store), await placePaidOrder(store)]
  await waitForWebhooks(store)
  await store.jobs.close() // this test processes the events itself
  for (const [nth, { intentId }] of [first, second].entries()) {
    const object = { payment_intent: intentId, reason: 'fraudulent', status: 'needs_response', amount: 3000 }
    const nextTryAt = new Date(Date.now() - 60_000 + nth)
    const about = { type: 'charge.dispute.created', object, createdAt: new Date(), nextTryAt }
    await store.db.insert(webhookEvents).values({ _id: `evt_${nth}`, ...about })
  }
  const { waiting } = await store.db.transaction(async (tx) => {
    await lockOrder(tx, first.order._id)
    const waiting = processDueWebhookEvent(store.db, store.cards)
    const isLocked = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await store.db.execute(isLocked)).rows.length === 0) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(await processDueWebhookEvent(store.db, store.cards), true)
    assert.deepEqual(await getOrderEventNames(store, second.order), ['placed', 'paid', 'disputed'])
    return { waiting }
  })
  assert.equal(await waiting, true)
  assert.deepEqual(await getOrderEventNames(store, first.order), ['placed', 'paid', 'disputed'])
})

test('of the events that are due the one that has waited longest is worked off first', async () => {
  await using store = await createTestStoreWithCards()
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  for (const [_id, minutes] of [
    ['evt_later', 1],
    ['evt_first', 2],
  ] as const) {
    const about = { type: 'charge.dispute.created', object: { payment_intent: 'pi_of_nobody' } }
    await store.db.insert(webhookEvents).values({ _id, ...about, createdAt: minutesAgo(minutes), nextTryAt: minutesAgo(minutes) })
  }
  await processDueWebhookEvent(store.db, store.cards)
  const left = await store.db.select({ _id: webhookEvents._id }).from(webhookEvents).where(isNull(webhookEvents.workedAt))
  assert.deepEqual(left, [{ _id: 'evt_later' }])
})

test('events are kept for 90 days after they were worked off, and longer where the list of the provider is still read from there', async () => {
  await using store = await createTestStoreWithCards()
  await store.jobs.runAllOnce()
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000)
  const event = (_id: string, created: number, worked: number | null) =>
    ({
      _id,
      type: 'of no interest',
      object: {},
      createdAt: daysAgo(created),
      workedAt: worked === null ? null : daysAgo(worked),
      nextTryAt: daysAgo(-1),
    }) as const
  await store.db.insert(webhookEvents).values([event('evt_old', 95, 91), event('evt_young', 95, 89), event('evt_due', 95, null)])
  const left = async () => (await store.db.select({ _id: webhookEvents._id }).from(webhookEvents)).map(({ _id }) => _id).sort()
  await store.db.execute(
    sql`update kept_values set value = ${`${Math.floor(daysAgo(95).getTime() / 1000)}`} where name = 'card events read until'`,
  )
  await deleteOldEvents(store.db)
  assert.deepEqual(await left(), ['evt_due', 'evt_old', 'evt_young'])
  await store.db.execute(sql`update kept_values set value = ${`${Math.floor(Date.now() / 1000)}`} where name = 'card events read until'`)
  await store.jobs.runAllOnce()
  assert.deepEqual(await left(), ['evt_due', 'evt_young'])
})
