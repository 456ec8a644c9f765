import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackgroundTasks } from '#platform/background-tasks.ts'
import type { Database } from '#platform/database.ts'
import { followChanges } from '#platform/follow-changes.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import { createProduct } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { deliverySettings } from './table.ts'
import { setTimeZoneFromDatabase } from './time-zone.ts'

const setTimeZone = (store: Store, timeZone: string) =>
  store.admin.request('PUT', '/delivery/settings', { timeZone, unknownWeightGrams: null })

/** As a mail of an order in this zone says it, whatever the season. */
const inNewYork = (at: string) =>
  new Date(at).toLocaleString('en-US', {
    timeZone: 'America/New_York',
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })

test('mails and refusals say times in the time zone that the shop has set, from then on, and calls answer them in UTC', async () => {
  await using store = await anEmptyStore()
  assert.equal((await setTimeZone(store, 'America/New_York')).statusCode, 200)
  const drill = await createProduct(store)
  const placed = await store.customer.request('POST', '/orders', { lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road' })
  const { placedAt, holdUntil } = placed.json()
  assert.match(placedAt, /Z$/)
  const [mail] = (await store.emailsTo(store.customer.email)).filter(({ text }) => text.includes('The pieces are held for you until'))
  assert.ok(mail?.text.includes(`, ${inNewYork(holdUntil)}. An order that is not paid by then`), mail?.text)

  await store.admin.request('POST', '/discount-codes', { code: 'LATER', percentOff: 10, startsOn: '2999-01-01' })
  const refused = await store.customer.request('POST', '/orders', {
    ...{ lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road', discountCode: 'LATER' },
  })
  assert.match(refused.json().message, /^The code LATER can be used from \d+ \w{3} \d{4}, \d\d:\d\d E[SD]T on$/)
})

test('another process takes over the time zone of the shop once it is told of a change, after a minute at the latest, and keeps it while the database is away', async (t) => {
  await using store = await anEmptyStore()
  const failed: string[] = []
  const tasks = createBackgroundTasks((what) => failed.push(what))
  let isAway = false
  const db = {
    select: (columns: never) => {
      if (isAway) throw new Error('away')
      return store.db.select(columns)
    },
  } as unknown as Database
  t.mock.timers.enable({ apis: ['setInterval'] })
  // The store in this process follows its own notifier: it is told of nothing here.
  const told: (() => void)[] = []
  const zone = followChanges(
    { topic: 'sale-terms', what: 'the time zone', readNow: () => setTimeZoneFromDatabase(db) },
    { onChange: (_topic, listener) => void told.push(listener) },
    tasks,
  )
  const tell = () => {
    for (const listener of told) listener()
  }
  t.after(zone.close)
  await zone.read()
  assert.equal(storeTimeZone(), 'UTC')
  await store.db.insert(deliverySettings).values({ timeZone: 'Asia/Tokyo' }) // as another process does
  tell()
  await zone.whenRead()
  assert.equal(storeTimeZone(), 'Asia/Tokyo')

  isAway = true
  tell()
  await tasks.close()
  assert.deepEqual([storeTimeZone(), failed], ['Asia/Tokyo', ['Reading the time zone']])
  isAway = false
  await store.db.update(deliverySettings).set({ timeZone: 'Europe/Paris' })
  t.mock.timers.tick(60_000)
  await tasks.close()
  assert.equal(storeTimeZone(), 'Europe/Paris')
})
