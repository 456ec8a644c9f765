import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '#store/orders/order-contract.ts'
import { companyOf } from '#test/company-actions.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import {
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  getOrderHistory,
  openPaymentIntent,
  recordPayment,
  refundPurchase,
} from '#test/order-actions.ts'
import { askToReturn, decide, openReturnOf, receiveAll } from '#test/return-actions.ts'
import { placePaidLines, sendPieces } from '#test/shipment-actions.ts'
import type { ApiResponse, Store } from '#test/store.ts'
import type { OrderReturns } from './contract.ts'

const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code, answer.json().message]
const returnsOf = async (store: Store, { _id }: Order): Promise<OrderReturns> =>
  (await store.customer.request('GET', `/orders/${_id}/returns`)).json()

test('a buyer asks for a return of pieces that were sent, gets a number, and reads it with the order', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  await sendPieces(store, order, 2, 1)
  const asked = await askToReturn(store, order._id, { pieces: [1], reason: 'damaged on the way', note: ' The box was wet. ' })
  assert.equal(asked.statusCode, 201, asked.body)
  const { number, status, cause, note, lines } = asked.json()
  assert.deepEqual(
    [number, status, cause, note, lines.map(({ productName, quantity, reason }: never) => [productName, quantity, reason])],
    [1001, 'open', 'asked', 'The box was wet.', [['Drill', 1, 'damaged on the way']]],
  )
  const { returns, returnable } = await returnsOf(store, order)
  assert.deepEqual(returns, [asked.json()])
  assert.deepEqual(
    returnable.map(({ productName, pieces }) => [productName, pieces]),
    [
      ['Drill', 1],
      ['Saw', 1],
    ],
  )
  const last = (await getOrderHistory(store, order)).at(-1)
  assert.deepEqual([last?.event, last?.note, last?.items, last?.actor], ['return asked', 'R1001', '1 x Drill', 'buyer'])
  await store.jobs.runAllOnce()
  assert.match(
    (await store.emailsTo(order.buyerEmail)).at(-1)?.subject ?? '',
    /^Return R1001 of order \d+: write the number on the parcel$/,
  )
})

test('no more is asked back than was sent and is not in a return already', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const ask = (...pieces: number[]) => askToReturn(store, order._id, { pieces })
  assert.deepEqual(refusalOf(await ask(1)), [409, 'more_than_sent', 'Nothing of Drill can be returned: it was not sent yet'])
  await sendPieces(store, order, 2, 2)
  await openReturnOf(store, order, 1)
  assert.deepEqual(refusalOf(await ask(2)), [409, 'more_than_sent', 'Only 1 of Drill can be returned: 2 sent, see return R1001'])
  assert.deepEqual((await returnsOf(store, order)).returns.length, 1, 'nothing of it is asked')
  const drills = order.lines[0]?._id
  const twice = [1, 1].map((quantity) => ({ _id: drills, quantity, reason: 'other' }))
  assert.equal((await store.customer.request('POST', `/orders/${order._id}/returns`, { lines: twice })).statusCode, 400)
  assert.equal((await showOrder(store.admin, order._id)).lines[0]?.returned, 0)
})

test('a return is taken back while nothing of it is here: then its pieces can be asked back again', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  await sendPieces(store, order)
  const [first, second] = [await openReturnOf(store, order, 3), await openReturnOf(store, order, 0, 2)]
  const takeBack = ({ _id }: { _id: string }) => store.customer.request('DELETE', `/orders/${order._id}/returns/${_id}`)
  const gone = await takeBack(first)
  assert.deepEqual([gone.statusCode, gone.json().status], [200, 'taken back'])
  assert.equal((await takeBack(first)).statusCode, 200, 'once more changes nothing')
  assert.deepEqual(refusalOf(await takeBack({ _id: order._id })), [404, 'not_found', 'There is no such return'])
  await openReturnOf(store, order, 3)
  await receiveAll(store, second)
  assert.deepEqual(refusalOf(await takeBack(second)), [
    409,
    'return_arrived',
    'Pieces of return R1002 have arrived or are decided, so it cannot be cancelled: write to us',
  ])
  assert.equal((await decide(store, second, [[0, 2, 'refund']])).statusCode, 200)
  assert.deepEqual(refusalOf(await takeBack(second)), [409, 'return_not_open', 'Return R1002 is decided, so it cannot be cancelled'])
  const received = await store.admin.request('PUT', `/returns/${first._id}/arrived`, { lines: [{ _id: order.lines[0]?._id, arrived: 1 }] })
  assert.deepEqual(refusalOf(received), [409, 'return_not_open', 'Return R1001 was cancelled by the buyer'])
  const events = (await getOrderHistory(store, order)).map(({ event }) => event)
  assert.equal(events.filter((event) => event === 'return taken back').length, 1)
})

test('who may act as the buyer asks for a return, a guest by the link; nobody else sees or asks for any', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  const eve = store.newCustomer('Eve')
  await companyOf(store, ada, bob)
  const order = await placePaidLines(store)
  await sendPieces(store, order)
  const guests = await placeGuestOrder(store, { [await createProduct(store)]: 1 })
  const guest = holderOfLink(store, guests)
  const shown = (await guest.request('GET', `/purchase/${guests.lines[0]?._id}`)).json()
  const intentId = await openPaymentIntent(store, shown, guest)
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(guest, shown, intentId)).statusCode, 200)
  await sendPieces(store, guests)
  for (const [actor, status] of [
    [bob, 201],
    [store.admin, 201],
    [eve, 404],
    [guest, 404],
    [store.visitor, 401],
  ] as const) {
    assert.equal((await askToReturn(store, order._id, { pieces: [1], actor })).statusCode, status, actor.name)
    assert.equal((await actor.request('GET', `/orders/${order._id}/returns`)).statusCode, status === 201 ? 200 : status, actor.name)
  }
  assert.deepEqual(
    (await getOrderHistory(store, order)).filter(({ event }) => event === 'return asked').map(({ actor, by }) => [actor, by]),
    [
      ['buyer', bob.email],
      ['admin', store.admin.email],
    ],
  )
  const asked = await askToReturn(store, guests._id, { pieces: [1], actor: guest })
  assert.equal(asked.statusCode, 201, asked.body)
  const mail = (await store.emailsTo('gwen@mail.example')).at(-1)
  assert.match(`${mail?.text}`, /write R1003 on the parcel/)
  assert.match(`${mail?.text}`, /\/order\/[0-9a-f]{64}/)
  const takenBack = await guest.request('DELETE', `/orders/${guests._id}/returns/${asked.json()._id}`)
  assert.equal(takenBack.json().status, 'taken back', takenBack.body)
})

test('the same request under the same key is one return; of two at one moment no piece is in both, and a day has ten of an order', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  await sendPieces(store, order)
  const ask = (pieces: number[], key: string) => askToReturn(store, order._id, { pieces, headers: { 'idempotency-key': key } })
  const [one, again] = await Promise.all([ask([1], 'a'), ask([1], 'a')])
  assert.deepEqual([one.statusCode, again.json()._id], [201, one.json()._id])
  assert.deepEqual(refusalOf(await ask([2], 'a')), [422, 'idempotency_key_reused', 'This Idempotency-Key was used for another return'])
  const both = await Promise.all([ask([2], 'b'), ask([2], 'c')])
  assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [201, 409])
  for (let nth = 3; nth <= 10; nth++) {
    const asked = await askToReturn(store, order._id, { pieces: [0, 1] })
    assert.equal(asked.statusCode, 201, asked.body)
    await store.customer.request('DELETE', `/orders/${order._id}/returns/${asked.json()._id}`)
  }
  const tooMany = await askToReturn(store, order._id, { pieces: [0, 1] })
  assert.deepEqual([tooMany.statusCode, tooMany.json().code], [429, 'too_many_requests'])
  assert.equal((await returnsOf(store, order)).returns.length, 10, 'nothing of it is written down')
})

test('each step of a return is mailed once: what to do, what has arrived, what becomes of it and why it is refused', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  await sendPieces(store, order)
  const asked = await openReturnOf(store, order, 2, 1)
  await receiveAll(store, asked)
  await decide(store, asked, [
    [0, 1, 'repair'],
    [0, 1, 'replacement'],
    [1, 1, 'refused', { reason: 'It was dropped' }],
  ])
  const lines = [{ _id: order.lines[0]?._id, quantity: 2 }]
  assert.equal((await store.admin.request('POST', `/returns/${asked._id}/shipments`, { lines, carrier: 'DHL' })).statusCode, 201)
  await store.jobs.runAllOnce()
  const mails = (await store.emailsTo(order.buyerEmail)).filter(({ subject }) => /return R?/i.test(subject))
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    [
      `Return R1001 of order ${order.number}: write the number on the parcel`,
      `Return R1001 of order ${order.number} has arrived`,
      `Return R1001 of order ${order.number} is decided`,
      `Order ${order.number}: return R1001 is on its way back to you`,
    ],
  )
  assert.match(`${mails[1]?.text}`, /2 x Drill, 1 x Saw of your return R1001 has arrived/)
  assert.match(
    `${mails[2]?.text}`,
    /1 x Drill: we repair it[\s\S]*1 x Drill: we send you another[\s\S]*1 x Saw: refused, and sent back to you\. It was dropped/,
  )
  assert.match(`${mails[3]?.text}`, /It costs you nothing\./)
})

test('the mail about a refund says what is not sent any more, where pieces went back into stock unsent', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const [drills] = order.lines
  assert.ok(drills)
  await refundPurchase(store.admin, drills, { amountCents: 500, restock: 1 })
  const [mail] = (await store.emailsTo(order.buyerEmail)).filter(({ subject }) => /goes back to you/.test(subject))
  assert.match(`${mail?.text}`, /Not sent any more of the order: 1 x Drill\. The rest of it stays as it is\./)
})
