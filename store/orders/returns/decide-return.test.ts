import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Order } from '#store/orders/order-contract.ts'
import { createProducts, payOrder, placeLines, showOrder } from '#test/many-lines-actions.ts'
import { createTestStoreWithCards, getOrderHistory, getStock, sandboxControls, waitForWebhooks } from '#test/order-actions.ts'
import { decide, openReturnOf, receiveAll, receivePieces } from '#test/return-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { Actor, ApiResponse, Store } from '#test/store.ts'
import { placePaidInGermany, withdrawFrom } from '#test/withdrawal-actions.ts'
import type { Return } from './contract.ts'

/** A paid order of 3 drills for $36 and 2 saws, of which these were sent. */
async function placeSent(store: Store, ...sent: number[]): Promise<Order> {
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
  await payOrder(store, order)
  await sendPieces(store, order, ...sent)
  return showOrder(store.admin, order._id)
}

const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code, answer.json().message]
const linesOf = async (store: Store, { _id }: Pick<Order, '_id'>) => (await showOrder(store.admin, _id)).lines
const decisionsOf = ({ lines }: Return) =>
  lines.flatMap((line) => line.decisions.map(({ quantity, outcome, refund }) => [line.productName, quantity, outcome, refund]))

test('returned pieces give their money back and go into stock: they come off no piece that is still to be sent', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeSent(store, 2)
  const [drill] = order.lines
  assert.ok(drill)
  const stock = await getStock(store, drill.productId)
  const asked = await openReturnOf(store, order, 2)
  await receiveAll(store, asked)
  const decided = await decide(store, asked, [[0, 1, 'refund', { restock: true }]])
  assert.equal(decided.statusCode, 200, decided.body)
  assert.deepEqual([decided.json().status, decisionsOf(decided.json())], ['open', [['Drill', 1, 'refund', 'succeeded']]])
  const [line] = await linesOf(store, order)
  assert.deepEqual(
    [line?.returned, line?.restocked, line?.toSend, line?.cancelled, line?.refundedCents, line?.refundedPieces],
    [2, 1, 1, 0, Math.round(drill.chargedCents / 3), 1],
  )
  assert.equal(await getStock(store, drill.productId), stock + 1)
  const rest = await decide(store, asked, [[0, 1, 'refund']])
  assert.equal(rest.json().status, 'closed', rest.body)
  assert.equal(await getStock(store, drill.productId), stock + 1, 'written off')
  assert.deepEqual(
    (await linesOf(store, order)).map(({ toSend }) => toSend),
    [1, 2],
  )
  await sendPieces(store, order)
  const whole = await showOrder(store.admin, order._id)
  assert.deepEqual([whole.orderStatus, whole.fulfilmentStatus, whole.lines[0]?.sent], ['completed', 'sent', 3])
  const events = (await getOrderHistory(store, order)).map(({ event, note, items }) => [event, note, items])
  assert.deepEqual(
    events.filter(([event]) => event?.startsWith('return')),
    [
      ['return asked', 'R1001', '2 x Drill'],
      ['return arrived', 'R1001', '2 x Drill'],
      ['return decided', 'R1001', '1 x Drill money back'],
      ['return decided', 'R1001', '1 x Drill money back'],
    ],
  )
})

test('pieces that were written off go into stock by no later refund, nor by one that was asked for before', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeSent(store, 3, 2)
  const [drill, saw] = order.lines
  assert.ok(drill && saw)
  const drillsBefore = await getStock(store, drill.productId)
  const sawsBefore = await getStock(store, saw.productId)
  const away = sandboxControls(store).calls.inject({ path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  const early = await store.admin.request('POST', `/purchase/${saw._id}/refund`, { amountCents: 100, restock: 2 })
  assert.equal(early.statusCode, 200, early.body)
  const asked = await openReturnOf(store, order, 1, 1)
  await receiveAll(store, asked)
  const decided = await decide(store, asked, [
    [0, 1, 'refund'],
    [1, 1, 'refund'],
  ])
  assert.equal(decided.statusCode, 200, decided.body)
  away.remove()
  await store.db.execute(sql`update refunds set next_try_at = now()`)
  await store.jobs.runAllOnce()
  assert.equal((await linesOf(store, order))[0]?.refundable.pieces, 2)
  const tooMany = await store.admin.request('POST', `/purchase/${drill._id}/refund`, { amountCents: 100, restock: 3 })
  assert.deepEqual([tooMany.statusCode, tooMany.json().code], [400, 'restock_exceeds_rest'])
  const rest = await store.admin.request('POST', `/purchase/${drill._id}/refund`, { restock: 2 })
  assert.equal(rest.statusCode, 200, rest.body)
  assert.deepEqual(
    (await linesOf(store, order)).map(({ restocked, refundable }) => [restocked, refundable.pieces]),
    [
      [2, 0],
      [1, 0],
    ],
  )
  assert.equal(await getStock(store, drill.productId), drillsBefore + 2)
  assert.equal(await getStock(store, saw.productId), sawsBefore + 1)
})

test('the money of returned pieces is that of the first pieces of their line, less what went back before; all of them give all of it back', async () => {
  await using store = await createTestStoreWithCards()
  const [drill] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3 })
  await store.db.execute(sql`update order_lines set reduction_cents = 0`)
  await payOrder(store, order)
  await sendPieces(store, order)
  const [{ chargedCents } = { chargedCents: 0 }] = await linesOf(store, order)
  const back = await store.admin.request('POST', `/purchase/${order.lines[0]?._id}/refund`, { amountCents: 100 })
  assert.equal(back.statusCode, 200, back.body)
  const asked = await openReturnOf(store, order, 3)
  await receiveAll(store, asked)
  for (const [pieces, cents] of [
    [1, Math.round(chargedCents / 3)],
    [2, chargedCents],
  ] as const) {
    assert.equal((await decide(store, asked, [[0, pieces, 'refund']])).statusCode, 200)
    assert.equal((await linesOf(store, order))[0]?.refundedCents, cents)
  }
  const whole = await showOrder(store.admin, order._id)
  assert.deepEqual([whole.paymentStatus, whole.orderStatus, whole.lines[0]?.returned], ['refunded', 'completed', 3])
})

test('a decision is refused in words where it is for more than has arrived, comes twice, or the return is closed', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeSent(store, 3)
  const asked = await openReturnOf(store, order, 3)
  assert.deepEqual(refusalOf(await decide(store, asked, [[0, 1, 'refund']])), [
    409,
    'more_than_arrived',
    'Nothing of Drill that has arrived is to be decided; 3 have not come yet',
  ])
  const over = await receivePieces(store, asked, 4)
  assert.deepEqual(refusalOf(over), [409, 'more_than_asked', 'This return is for 3 x Drill: what came besides has to be asked for first'])
  assert.equal((await receivePieces(store, asked, 2)).statusCode, 200)
  assert.equal((await receivePieces(store, asked, 2)).statusCode, 200, 'the same again')
  assert.equal((await linesOf(store, order))[0]?.returned, 2)
  const once = await decide(store, asked, [[0, 1, 'refund']], { decidedSeen: 0 })
  assert.equal(once.statusCode, 200, once.body)
  assert.deepEqual(refusalOf(await decide(store, asked, [[0, 1, 'refund']], { decidedSeen: 0 })), [
    409,
    'return_changed',
    'Meanwhile 1 piece of this return is decided: look at it again',
  ])
  assert.deepEqual(refusalOf(await receivePieces(store, asked, 0)), [
    409,
    'more_than_asked',
    '1 of Drill is decided already, so no fewer have arrived',
  ])
  assert.equal((await decide(store, asked, [[0, 1, 'refused']])).statusCode, 400, 'without a reason')
  const refused = await decide(store, asked, [[0, 2, 'refused', { reason: 'Scratched' }]])
  assert.equal(refused.statusCode, 200, refused.body)
  const [line] = (refused.json() as Return).lines
  assert.deepEqual(
    [refused.json().status, line?.toResend, line?.decisions.map(({ quantity, hasArrived }) => [quantity, hasArrived])],
    [
      'closed',
      1,
      [
        [1, true],
        [1, true],
        [1, false],
      ],
    ],
  )
  assert.deepEqual(refusalOf(await decide(store, asked, [[0, 1, 'refund']])), [409, 'return_not_open', 'Return R1001 is decided already'])
  assert.deepEqual(refusalOf(await receivePieces(store, asked, 3)), [409, 'return_not_open', 'Return R1001 is decided already'])
  assert.equal((await openReturnOf(store, order, 1)).number, 1002, 'what the buyer has kept can be asked for again')
})

test('of two decisions of the same pieces at one moment one is made', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeSent(store, 3)
  const asked = await openReturnOf(store, order, 1)
  await receiveAll(store, asked)
  const answers = await Promise.all([1, 2, 3].map(() => decide(store, asked, [[0, 1, 'refund']])))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409])
  assert.equal((await linesOf(store, order))[0]?.refundedPieces, 1)
})

test('a replacement is taken out of stock at once, or refused in words; it is sent without being paid again, and can be returned', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeSent(store, 3, 2)
  const [drill] = order.lines
  assert.ok(drill)
  const stock = await getStock(store, drill.productId)
  const asked = await openReturnOf(store, order, 2)
  await receiveAll(store, asked)
  await store.admin.request('PUT', `/tools/${drill.productId}`, {
    ...{ price: 12, minimum_order_quantity: 1, available_quantity: 1, available_quantity_seen: stock },
  })
  assert.deepEqual(refusalOf(await decide(store, asked, [[0, 2, 'replacement']])), [
    409,
    'stock_too_low',
    'Only 1 of Drill is in stock: repair it, give the money back, or decide when more has come',
  ])
  const decided = await decide(store, asked, [
    [0, 1, 'replacement'],
    [0, 1, 'repair'],
  ])
  assert.equal(decided.statusCode, 200, decided.body)
  assert.equal(await getStock(store, drill.productId), 0)
  const list = await store.admin.request('GET', '/returns?list=to%20resend')
  assert.deepEqual([list.json().counts, list.json().returns.map(({ number }: Return) => number)], [{ open: 0, toResend: 1 }, [1001]])
  const send = (quantity: number, headers = {}) =>
    store.admin.request('POST', `/returns/${asked._id}/shipments`, { lines: [{ _id: drill._id, quantity }], carrier: 'DHL' }, headers)
  assert.deepEqual(refusalOf(await send(3)), [409, 'more_than_left', 'Only 2 of Drill is to be sent to the buyer again'])
  const sent = await send(2, { 'idempotency-key': 'again' })
  assert.equal(sent.statusCode, 201, sent.body)
  assert.deepEqual([sent.json().number, sent.json().returnNumber], [2, 1001])
  assert.deepEqual((await send(2, { 'idempotency-key': 'again' })).json(), sent.json())
  assert.deepEqual(refusalOf(await send(1)), [409, 'more_than_left', 'Nothing of Drill is to be sent to the buyer again'])
  const whole = await showOrder(store.admin, order._id)
  assert.deepEqual([whole.orderStatus, whole.paymentStatus, whole.lines[0]?.sent, whole.lines[0]?.toSend], ['completed', 'paid', 3, 0])
  const again = await openReturnOf(store, order, 3)
  await receiveAll(store, again)
  assert.equal((await decide(store, again, [[0, 3, 'refund', { restock: true }]])).statusCode, 200)
  const [line] = await linesOf(store, order)
  assert.deepEqual([line?.returned, line?.refundedCents, line?.restocked], [5, drill.chargedCents, 3])
})

test('nothing of a withdrawal is refused, replaced or taken back, whoever writes', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await sendPieces(store, order)
  await withdrawFrom(store.customer, order, 2)
  const [asked] = (await store.customer.request('GET', `/orders/${order._id}/returns`)).json().returns
  const takeBack = await store.customer.request('DELETE', `/orders/${order._id}/returns/${asked._id}`)
  assert.deepEqual(refusalOf(takeBack), [409, 'return_of_withdrawal', 'Return R1001 comes of a withdrawal, which cannot be cancelled'])
  await receiveAll(store, asked)
  for (const outcome of ['replacement', 'repair', 'refused'])
    assert.deepEqual(refusalOf(await decide(store, asked, [[0, 1, outcome, outcome === 'refused' ? { reason: 'Used' } : {}]])), [
      409,
      'return_of_withdrawal',
      'The buyer has withdrawn from the contract: the money goes back',
    ])
  const refuse = sql`insert into return_decisions (return_id, order_line_id, quantity, outcome, reason, event_id)
    select return_id, order_line_id, 1, 'refused', 'Used', (select max(id) from order_history) from return_lines`
  await assert.rejects(store.db.execute(refuse), ({ cause }: Error) => String(cause).includes('a withdrawal is refunded'))
  const gone = sql`update returns set status = 'taken back'`
  await assert.rejects(store.db.execute(gone), ({ cause }: Error) => String(cause).includes('cannot become taken back'))
  assert.equal((await decide(store, asked, [[0, 2, 'refund']])).json().status, 'closed')
})

test("when the buyer's bank refuses the money of a return an admin sees it, and gives back the same pieces again", async () => {
  await using store = await createTestStoreWithCards()
  sandboxControls(store).bank.pause()
  const [drill] = await createProducts(store)
  const placed = await placeLines(store, { [drill]: 3 })
  await payOrder(store, placed, { card: 'pm_card_refundFail' })
  await sendPieces(store, placed, 2)
  const asked = await openReturnOf(store, placed, 1)
  await receiveAll(store, asked)
  const decided = await decide(store, asked, [[0, 1, 'refund', { restock: true }]])
  assert.deepEqual(decisionsOf(decided.json()), [['Drill', 1, 'refund', 'succeeded']])
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const { returns } = (await store.customer.request('GET', `/orders/${placed._id}/returns`)).json()
  assert.deepEqual(decisionsOf(returns[0]), [['Drill', 1, 'refund', 'failed']])
  assert.equal((await getOrderHistory(store, placed)).at(-1)?.event, 'refund failed')
  const [line] = await linesOf(store, placed)
  assert.deepEqual([line?.refundedPieces, line?.refundedCents, line?.toSend], [0, 0, 1])
})

test('admins who are no owners can take back what has arrived only so often: each time it has arrived once more is a mail', async () => {
  await using store = await createTestStoreWithCards()
  const asked = await openReturnOf(store, await placeSent(store, 1), 1)
  const clerk = store.otherCustomer
  await clerk.token()
  assert.equal((await store.admin.request('PUT', `/user/admin/${clerk.email}`)).statusCode, 200)
  const arrived = (actor: Actor, pieces: number) =>
    actor.request('PUT', `/returns/${asked._id}/arrived`, { lines: [{ _id: asked.lines[0]?._id, arrived: pieces }] })
  const refused: number[] = []
  for (let nth = 0; nth < 62; nth++) for (const pieces of [1, 0]) if ((await arrived(clerk, pieces)).statusCode === 429) refused.push(nth)
  assert.deepEqual(refused, [60, 61])
  assert.equal((await arrived(store.admin, 0)).statusCode, 200, 'an owner is not counted')
})
