import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { addDays } from '#store/delivery/delivery-days.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { orders } from '#store/orders/table.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, getOrderHistory, refundPurchase } from '#test/order-actions.ts'
import { placePaidLines, sayDelivered, sendPieces, sentDaysAgo } from '#test/shipment-actions.ts'
import { type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { assumeDeliveries } from './deliveries.ts'
import { shipments } from './table.ts'

const today = () => shopDay(new Date())
const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code]
const statusOf = async (store: Store, { _id }: Pick<Order, '_id'>) => (await showOrder(store.admin, _id)).fulfilmentStatus

test('an order is delivered once nothing is left to send and each parcel was delivered', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const first = await sendPieces(store, order, 3)
  assert.equal((await sayDelivered(store.admin, order, first, today())).statusCode, 200)
  assert.equal(await statusOf(store, order), 'partly_sent')
  const second = await sendPieces(store, order)
  assert.equal(await statusOf(store, order), 'sent')
  const answer = await sayDelivered(store.admin, order, second)
  assert.deepEqual([answer.json().deliveredOn, answer.json().deliveredSaidBy], [today(), 'admin'])
  assert.equal(await statusOf(store, order), 'delivered')
  const events = (await getOrderHistory(store, order)).filter(({ event }) => event === 'delivered')
  assert.deepEqual(
    events.map(({ items, actor, mail }) => [items, actor, mail]),
    [
      ['3 x Drill', 'admin', 'none'],
      ['2 x Saw', 'admin', 'none'],
    ],
  )
})

test('what is left of an order is cancelled after its parcels were delivered: it is delivered and completed', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  await sayDelivered(store.admin, order, await sendPieces(store, order, 3))
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  const { orderStatus, fulfilmentStatus } = await showOrder(store.admin, order._id)
  assert.deepEqual([orderStatus, fulfilmentStatus], ['completed', 'delivered'])
})

test('a parcel is delivered from the day on which it was sent to today; an admin changes the day, a buyer says it once', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const parcel = await sendPieces(store, order)
  await sentDaysAgo(store, parcel, 3)
  assert.deepEqual(refusalOf(await sayDelivered(store.customer, order, parcel, addDays(today(), 1))), [400, 'invalid_request'])
  const before = await sayDelivered(store.admin, order, parcel, addDays(today(), -4))
  assert.equal(before.json().errors.deliveredOn, before.json().message)
  assert.equal((await sayDelivered(store.customer, order, parcel, addDays(today(), -1))).statusCode, 200)
  assert.equal((await sayDelivered(store.customer, order, parcel, addDays(today(), -1))).statusCode, 200) // the same again
  assert.deepEqual(refusalOf(await sayDelivered(store.customer, order, parcel)), [409, 'delivery_known'])
  assert.equal((await sayDelivered(store.admin, order, parcel, addDays(today(), -2))).json().deliveredOn, addDays(today(), -2))
  assert.equal((await getOrderHistory(store, order)).filter(({ event }) => event === 'delivered').length, 2)
})

test("nobody says that another's parcel was delivered, and no parcel by the order of another", async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const parcel = await sendPieces(store, order)
  const others = await placeGuestOrder(store, { [await createProduct(store)]: 1 })
  for (const actor of [store.otherCustomer, holderOfLink(store, others)])
    assert.equal((await sayDelivered(actor, order, parcel)).statusCode, 404)
  assert.equal((await sayDelivered(store.visitor, order, parcel)).statusCode, 401)
  assert.equal((await sayDelivered(holderOfLink(store, others), others, parcel)).statusCode, 404)
  assert.equal(await statusOf(store, order), 'sent')
})

test('a parcel of which nobody says anything is taken as delivered after the days of the settings: more to another country', async () => {
  await using store = await createTestStoreWithCards()
  const shop = await store.admin.request('PUT', '/tax/settings', { country: 'DE', state: null, pricesIncludeTax: false })
  assert.equal(shop.statusCode, 200, shop.body)
  const settings = { timeZone: 'Europe/Berlin', unknownWeightGrams: null, assumedDeliveryDays: 5, assumedDeliveryDaysAbroad: 12 }
  assert.equal((await store.admin.request('PUT', '/delivery/settings', settings)).statusCode, 200)
  const [home, abroad] = [await placePaidLines(store), await placePaidLines(store)]
  await store.db.update(orders).set({ country: 'FR' }).where(eq(orders._id, abroad._id))
  const parcels = [await sendPieces(store, home), await sendPieces(store, abroad)] as const
  for (const parcel of parcels) await sentDaysAgo(store, parcel, 4)
  assert.equal(await assumeDeliveries(store.db), 0)
  for (const parcel of parcels) await sentDaysAgo(store, parcel, 5)
  assert.equal(await assumeDeliveries(store.db), 1)
  assert.equal(await assumeDeliveries(store.db), 0)
  const delivered = await showOrder(store.customer, home._id)
  assert.equal(delivered.fulfilmentStatus, 'delivered')
  assert.deepEqual(
    delivered.shipments.map(({ deliveredOn, deliveredSaidBy }) => [deliveredOn, deliveredSaidBy]),
    [[today(), 'assumed']],
  )
  const [event] = (await getOrderHistory(store, home)).filter(({ event }) => event === 'delivered')
  assert.deepEqual([event?.actor, event?.mail], ['store', 'none'])
  await sentDaysAgo(store, parcels[1], 30)
  await assumeDeliveries(store.db)
  const [late] = (await showOrder(store.admin, abroad._id)).shipments
  assert.equal(late?.deliveredOn, addDays(today(), -18)) // the day, not that of the job
  assert.equal((await sayDelivered(store.admin, home, parcels[0], addDays(today(), -1))).json().deliveredSaidBy, 'admin') // who knows better
})

test('a delivered order whose refund fails of what was not sent is partly sent again', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const order = await placePaidLines(store)
  await sayDelivered(store.admin, order, await sendPieces(store, order, 3))
  const [, saws] = order.lines
  assert.equal((await refundPurchase(store.admin, { _id: `${saws?._id}` })).statusCode, 200)
  assert.equal(await statusOf(store, order), 'delivered')
  await store.db.execute(sql`update order_lines set refunded_cents = 0, restocked = 0 where id = ${saws?._id}`)
  assert.equal(await statusOf(store, order), 'partly_sent')
})

test('the database keeps a day of delivery with who has said it', async () => {
  await using store = await createTestStoreWithCards()
  const parcel = await sendPieces(store, await placePaidLines(store))
  const half = store.db.update(shipments).set({ deliveredOn: today() }).where(eq(shipments._id, parcel._id))
  await assert.rejects(async () => half, /Failed query/)
})
