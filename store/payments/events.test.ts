import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { anOrder, aPaidOrder, aStoreWithCards, controlsOf, eventsOf, openIntent, payWith, seen } from '#test/shopping.ts'
import { workOffEvent } from './events.ts'
import { webhookEvents } from './table.ts'

test('an event that the database refuses is tried again later, says why, and keeps no other from being worked off', async () => {
  await using store = await aStoreWithCards()
  const { order, intentId } = await aPaidOrder(store)
  await controlsOf(store).webhooks.settled()
  await store.jobs.rest()
  await store.jobs.close() // the events are worked off here, one by one
  const object = { payment_intent: intentId, reason: 'fraudulent', status: 'needs_response', amount: 3_000_000_000 } // no integer of the database
  await store.db.insert(webhookEvents).values({ _id: 'evt_1', type: 'charge.dispute.created', object, createdAt: new Date() })
  const other = await anOrder(store)
  await payWith(store, await openIntent(store, other))
  await controlsOf(store).webhooks.settled()

  const failures: string[] = []
  const works = () =>
    workOffEvent(store.db, store.cards).catch((error) => {
      failures.push(`${error.cause ?? error}`)
      return true
    })
  for (let nth = 0; nth < 10 && (await works()); nth++);

  const [kept] = await store.db.select().from(webhookEvents).where(eq(webhookEvents._id, 'evt_1'))
  assert.deepEqual([kept?.tries, kept?.workedAt], [1, null], failures.join('\n'))
  assert.deepEqual(failures.length, 1, failures.join('\n'))
  assert.match(`${kept?.trouble}`, /order_history/)
  assert.ok((kept?.nextTryAt ?? new Date(0)) > new Date())
  assert.deepEqual([await eventsOf(store, order), (await seen(store, order)).paid], [['placed', 'paid'], true])
  assert.equal((await seen(store, other)).paid, true)
})
