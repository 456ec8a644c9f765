import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Order } from '#store/orders/order-contract.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { cancelPurchase, createTestStoreWithCards, getOrderHistory, getStock, refundPurchase } from '#test/order-actions.ts'
import { askToSend, placePaidLines, sendPieces } from '#test/shipment-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import type { Shipment } from './contract.ts'
import { hourlyShipments } from './sending-limits.ts'

const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code, answer.json().message]
const address = ({ _id }: Pick<Order, '_id'>, shipment: Pick<Shipment, '_id'>) => `/orders/${_id}/shipments/${shipment._id}`
const correct = (store: Store, order: Order, shipment: Shipment, body: object) =>
  store.admin.request('PATCH', address(order, shipment), body)
const takeBack = (store: Store, order: Order, shipment: Shipment, actor: Actor = store.admin) =>
  actor.request('DELETE', address(order, shipment))
const mailsTo = async (store: Store, pattern: RegExp) =>
  (await store.emailsTo(store.customer.email)).filter(({ subject }) => pattern.test(subject))

/** What these acts tell is not mailed before they are done. */
async function holdingMails(store: Store, act: () => Promise<void>): Promise<void> {
  await store.jobs.whenIdle()
  await store.db.execute(
    sql`create function wait_with_mails() returns trigger language plpgsql as 'begin new.mail_due_at := new.mail_due_at + interval ''1 hour''; return new; end'`,
  )
  await store.db.execute(sql`create trigger wait_with_mails before insert on order_history for each row execute function wait_with_mails()`)
  await act()
  await store.db.execute(sql`drop trigger wait_with_mails on order_history`)
  await store.db.execute(sql`drop function wait_with_mails()`)
  await store.db.execute(sql`update order_history set mail_due_at = now() where mail_due_at is not null`)
  await store.jobs.runAllOnce()
}

const placedAgain = (order: Order) => [
  order.orderStatus,
  order.fulfilmentStatus,
  order.lines.map(({ sent, packed, toSend }) => [sent, packed, toSend]),
]

test('a parcel is corrected: carrier and tracking number change with a mail, once, and the mail about the sending says the new ones while it is still to go', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const sent = await sendPieces(store, order, 1)
  await store.jobs.runAllOnce()
  const corrected = await correct(store, order, sent, { carrier: 'DHL', trackingNumber: ' 0034 0434 161094015902' })
  assert.equal(corrected.statusCode, 200, corrected.body)
  const { trackingNumber, trackingUrl, lines } = corrected.json()
  assert.deepEqual([trackingNumber, lines], ['00340434161094015902', sent.lines])
  assert.deepEqual((await showOrder(store.customer, order._id)).shipments, [corrected.json()])
  await store.jobs.runAllOnce()
  const [mail, ...others] = await mailsTo(store, /parcel 1 is on its way with DHL/)
  assert.deepEqual(others, [])
  assert.match(`${mail?.text}`, /parcel 1 of your order \d+ is on the way with DHL 00340434161094015902\./)
  assert.ok(mail?.html.includes(`<a href="${trackingUrl}">`), 'the page of the carrier is a link')
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual(
    [last?.event, last?.by, last?.items, last?.note],
    ['tracking changed', store.admin.email, 'Parcel 1', 'DHL 00340434161094015902, before: none'],
  )

  assert.equal((await correct(store, order, sent, { trackingNumber: '0034 0434161094015902' })).statusCode, 200)
  assert.equal((await correct(store, order, sent, {})).statusCode, 200)
  assert.equal((await getOrderHistory(store, order)).at(-1)?.at, last?.at, 'what is as it was is no event')
  assert.deepEqual(refusalOf(await correct(store, order, sent, { carrier: null })), [
    400,
    'invalid_request',
    'Say which carrier this tracking number is of',
  ])
  assert.equal((await correct(store, order, sent, { trackingNumber: '1_2' })).statusCode, 400)
  await holdingMails(store, async () => {
    assert.equal((await correct(store, order, sent, { carrier: null, trackingNumber: '' })).json().trackingNumber, null)
    await correct(store, order, sent, { carrier: 'UPS', trackingNumber: '1Z999AA10123456784' })
  })
  assert.equal((await mailsTo(store, /no tracking number/)).length, 0, 'corrected before the mail went')
  assert.equal((await mailsTo(store, /on its way with UPS 1Z999AA10123456784/)).length, 1)

  await holdingMails(store, async () => {
    const second = await sendPieces(store, order)
    await correct(store, order, second, { carrier: 'GLS', trackingNumber: 'ZAB12345' })
  })
  const aboutSecond = await mailsTo(store, /parcel 2/)
  assert.equal(aboutSecond.length, 1)
  assert.match(`${aboutSecond[0]?.text}`, /on the way with GLS ZAB12345/)
})

test('a parcel that was not sent is taken back: its pieces are to be sent again, its order is placed, and the buyer hears of it', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const stock = await Promise.all(order.lines.map(({ productId }) => getStock(store, productId)))
  const first = await sendPieces(store, order, 1)
  const second = await sendPieces(store, order)
  await store.jobs.runAllOnce()
  assert.equal((await showOrder(store.admin, order._id)).orderStatus, 'completed')

  const taken = await takeBack(store, order, second)
  assert.deepEqual([taken.statusCode, taken.json()], [200, second], taken.body)
  const partly = await showOrder(store.customer, order._id)
  assert.deepEqual(placedAgain(partly), [
    'placed',
    'partly_sent',
    [
      [1, 1, 2],
      [0, 0, 2],
    ],
  ])
  assert.deepEqual(partly.shipments, [first])
  await store.jobs.runAllOnce()
  const [mail] = await mailsTo(store, /not on its way yet/)
  assert.match(`${mail?.text}`, /we told you that 2 x Drill, 2 x Saw of your order \d+ is on the way\. That was too early/)
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual([last?.event, last?.by, last?.items, last?.note], ['taken back', store.admin.email, '2 x Drill, 2 x Saw', 'Parcel 2'])
  for (const refused of [await takeBack(store, order, second), await correct(store, order, second, { carrier: 'DHL' })])
    assert.deepEqual(refusalOf(refused), [409, 'shipment_taken_back', 'Parcel 2 is taken back already'])

  assert.equal((await takeBack(store, order, first)).statusCode, 200)
  assert.deepEqual(placedAgain(await showOrder(store.admin, order._id)), [
    'placed',
    'to_send',
    [
      [0, 0, 3],
      [0, 0, 2],
    ],
  ])
  await holdingMails(store, async () => {
    const whole = await sendPieces(store, order)
    assert.equal(whole.number, 3)
    assert.equal((await takeBack(store, order, whole)).statusCode, 200, 'of all at once, too')
  })
  assert.deepEqual(placedAgain(await showOrder(store.admin, order._id)), [
    'placed',
    'to_send',
    [
      [0, 0, 3],
      [0, 0, 2],
    ],
  ])
  assert.equal((await mailsTo(store, /not on its way yet/)).length, 2, 'no mail takes back what none has said')
  await sendPieces(store, order)
  await store.jobs.runAllOnce()
  assert.equal((await mailsTo(store, /: it is on its way/)).length, 1, 'the one parcel that there is')
  assert.deepEqual(await Promise.all(order.lines.map(({ productId }) => getStock(store, productId))), stock)
  const { rows } = await store.db.execute<{ due: number }>(
    sql`select count(*)::integer as due from due_documents where order_id = ${order._id}`,
  )
  assert.ok((rows[0]?.due ?? 0) >= 1, 'what is placed again asks for its invoice again, which it has')
})

test('a parcel is not taken back after a day, after money went back, when pieces came back, nor by others, whoever writes', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const other = await placePaidLines(store)
  const sent = await sendPieces(store, order, 1)
  for (const actor of [store.customer, store.otherCustomer, store.visitor])
    assert.ok([401, 403].includes((await takeBack(store, order, sent, actor)).statusCode))
  assert.deepEqual(refusalOf(await takeBack(store, other, sent)), [404, 'not_found', 'There is no such parcel of this order'])

  const isRefused = (change: ReturnType<typeof sql>, constraint: string) =>
    assert.rejects(store.db.execute(change), ({ cause }: Error & { cause?: { constraint?: string } }) => cause?.constraint === constraint)
  const directly = sql`update shipments set taken_back_at = now() where id = ${sent._id}`
  await store.db.execute(sql`update shipments set sent_at = now() - interval '24 hours 1 second' where id = ${sent._id}`)
  assert.deepEqual(refusalOf(await takeBack(store, order, sent)).slice(0, 2), [409, 'order_shipped'])
  await isRefused(directly, 'shipment_taken_back')
  await store.db.execute(sql`update shipments set sent_at = now() - interval '23 hours 59 minutes' where id = ${sent._id}`)

  const lines = [{ _id: order.lines[0]?._id, quantity: 1, reason: 'other' }]
  const asked = await store.customer.request('POST', `/orders/${order._id}/returns`, { lines })
  assert.equal(asked.statusCode, 201, asked.body)
  assert.deepEqual(refusalOf(await takeBack(store, order, sent)).slice(0, 2), [409, 'order_shipped'])
  await isRefused(directly, 'shipment_taken_back')
  const forgotten = await store.customer.request('DELETE', `/orders/${order._id}/returns/${asked.json()._id}`)
  assert.equal(forgotten.statusCode, 200, forgotten.body)

  const [drills] = order.lines
  assert.ok(drills)
  await refundPurchase(store.admin, drills, { amountCents: 100, restock: 0 })
  assert.deepEqual(refusalOf(await takeBack(store, order, sent)), [
    409,
    'refunds_changed',
    'Money of this order went back since parcel 1 was sent, so it cannot be taken back',
  ])
  await isRefused(directly, 'shipment_taken_back')
  const later = await sendPieces(store, order, 1)
  assert.equal((await takeBack(store, order, later)).statusCode, 200, 'what went back before it was sent does not matter')
  const pack = sql`insert into shipment_lines (shipment_id, order_line_id, quantity) values (${later._id}, ${order.lines[1]?._id}, 1)`
  await isRefused(pack, 'shipment_lines_left')
  await isRefused(sql`update shipments set taken_back_at = null where id = ${later._id}`, 'shipment_taken_back')
})

test('a cancellation of the rest, then the parcel taken back: nothing is sent that was cancelled', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const [drills] = order.lines
  assert.ok(drills)
  await cancelPurchase(store.admin, drills)
  const sent = await sendPieces(store, order)
  assert.equal((await showOrder(store.admin, order._id)).orderStatus, 'completed')
  assert.equal((await takeBack(store, order, sent)).statusCode, 200)
  const now = await showOrder(store.admin, order._id)
  assert.deepEqual([now.orderStatus, now.fulfilmentStatus, now.lines.map(({ toSend }) => toSend)], ['placed', 'to_send', [0, 2]])
})

test('taking back and sending the same pieces at one moment, or taking back twice, leaves the books right', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const sent = await sendPieces(store, order, 2)
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => takeBack(store, order, sent)),
    askToSend(store, order._id, { pieces: [1] }),
  ])
  assert.deepEqual(
    answers
      .slice(0, 4)
      .map(({ statusCode }) => statusCode)
      .toSorted(),
    [200, 409, 409, 409],
  )
  const { lines } = await showOrder(store.admin, order._id)
  assert.equal(lines[0]?.sent, answers[4]?.statusCode === 201 ? 1 : 0)
})

test('admins who are no owners mark so many parcels as sent within an hour, together, and owners hear of many; owners send more', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true }) // the parcels of the past hour are written without lines
  const order = await placePaidLines(store)
  const packer = store.newCustomer('Packer')
  await packer.request('GET', '/orders')
  assert.equal((await store.admin.request('PUT', '/user/admin/packer@shop.example')).statusCode, 200)
  await store.db.execute(sql`insert into shipments (id, order_id, number, sent_by, sent_at)
    select gen_random_uuid(), ${order._id}, 1000 + n, (select id from users where email = 'packer@shop.example'), now() - interval '50 minutes'
    from generate_series(1, ${hourlyShipments - 1}) n`)
  await store.db.execute(sql`update users set owner = true where email = ${store.admin.email}`)
  assert.equal((await askToSend(store, order._id, { pieces: [1], actor: packer })).statusCode, 201)
  const refused = await askToSend(store, order._id, { pieces: [1], actor: packer })
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'too_many_requests'])
  assert.match(refused.json().message, /can mark 300 parcels as sent within an hour together.*10 minutes.*, or ask an owner to do it/)
  assert.equal((await showOrder(store.admin, order._id)).lines[0]?.sent, 1)
  assert.equal((await askToSend(store, order._id, { pieces: [1] })).statusCode, 201, 'an owner has no such limit')
  await store.jobs.runAllOnce()
  const notices = (await store.emailsTo(store.admin.email)).filter(({ subject }) => /has marked many parcels/.test(subject))
  assert.equal(notices.length, 1)
  assert.match(`${notices[0]?.text}`, /300 parcels within an hour were marked as sent by packer@shop\.example/)
})
