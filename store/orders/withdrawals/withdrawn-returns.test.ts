import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { addDays } from '#store/delivery/delivery-days.ts'
import type { Order } from '#store/orders/order-contract.ts'
import type { Return } from '#store/orders/returns/contract.ts'
import { checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { payOrder, showOrder } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, waitForWebhooks } from '#test/order-actions.ts'
import { decide, openReturnOf, receiveAll } from '#test/return-actions.ts'
import { sayDelivered, sendPieces } from '#test/shipment-actions.ts'
import { type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { askToWithdraw, placePaidInGermany, showWithdrawal, withdrawFrom } from '#test/withdrawal-actions.ts'

const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code]
const refused = { reason: 'Scratched' }

/** A paid order of 3 drills for $30 and 2 saws for $7 that was delivered today. */
async function placeDelivered(store: Store): Promise<Order> {
  const order = await placePaidInGermany(store)
  await sayDelivered(store.customer, order, await sendPieces(store, order))
  return order
}

async function returnsOf(store: Store, { _id }: Pick<Order, '_id'>): Promise<Return[]> {
  return (await store.admin.request('GET', `/orders/${_id}/returns`)).json().returns
}

async function decided(store: Store, asked: Return, ...decisions: Parameters<typeof decide>[2]): Promise<void> {
  const answer = await decide(store, asked, decisions)
  assert.equal(answer.statusCode, 200, answer.body)
}

const resend = (store: Store, { _id, lines }: Return, quantity: number) =>
  store.admin.request('POST', `/returns/${_id}/shipments`, { lines: [{ _id: lines[0]?._id, quantity }] })

test('who has asked for a return withdraws within the period: the return is one of the withdrawal, and its money goes back once', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeDelivered(store)
  const asked = await openReturnOf(store, order, 3, 1)
  const { withdrawal } = await showWithdrawal(store.customer, order)
  assert.deepEqual(
    withdrawal?.lines.map(({ quantity, inReturns }) => [quantity, inReturns]),
    [
      [3, [{ returnNumber: 1001, quantity: 3 }]],
      [2, [{ returnNumber: 1001, quantity: 1 }]],
    ],
  )
  const withdrawn = await withdrawFrom(store.customer, order)
  const dueOn = addDays(shopDay(new Date()), 14)
  assert.deepEqual([withdrawn.returnNumber, withdrawn.moneyDueOn, withdrawn.lines.map(({ sent }) => sent)], [1002, dueOn, [3, 2]])
  assert.deepEqual(
    withdrawn.takenOver.map(({ returnNumber, productName, quantity }) => [returnNumber, productName, quantity]),
    [
      [1001, 'Drill', 3],
      [1001, 'Saw', 1],
    ],
  )
  const [taken = assert.fail(), opened = assert.fail()] = await returnsOf(store, order)
  assert.deepEqual([taken.moneyDueOn, taken.lines.map(({ toRefund }) => toRefund)], [dueOn, [3, 1]])
  assert.deepEqual(
    opened.lines.map(({ productName, quantity, toRefund }) => [productName, quantity, toRefund]),
    [['Saw', 1, 1]],
  )
  const receipt = (await store.emailsTo('ada@shop.example')).find(({ subject }) => subject.startsWith('Receipt: you have withdrawn'))
  assert.match(`${receipt?.text}`, /to come back: 1 x Saw\. Send it within 14 days, with the number R1002/)
  assert.match(`${receipt?.text}`, /Of your return R1001: 3 x Drill\. It is part of this withdrawal now, and cannot be refused any more/)
  const back = await store.customer.request('DELETE', `/orders/${order._id}/returns/${asked._id}`)
  assert.deepEqual(refusalOf(back), [409, 'return_of_withdrawal'])
  await receiveAll(store, asked)
  assert.deepEqual(refusalOf(await decide(store, asked, [[0, 1, 'refused', refused]])), [409, 'return_of_withdrawal'])
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order)), [409, 'nothing_to_withdraw'])
  await decided(store, asked, [0, 3, 'refund'], [1, 1, 'refund'])
  await receiveAll(store, opened)
  await decided(store, opened, [0, 1, 'refund'])
  await waitForWebhooks(store)
  assert.equal((await showOrder(store.admin, order._id)).refundedCents, 10_400)
})

test('pieces of a return that have arrived and are not decided are withdrawn from, decided ones once they are with the buyer again', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeDelivered(store)
  const asked = await openReturnOf(store, order, 3, 2)
  await receiveAll(store, asked)
  await decided(store, asked, [0, 1, 'refused', refused], [1, 2, 'refund'])
  const tooMany = await askToWithdraw(store.customer, order, [3])
  assert.deepEqual(refusalOf(tooMany), [409, 'more_than_left'])
  assert.match(tooMany.json().message, /Only 2 x Drill is left .*: what was decided of return R1001 has to be sent to you first$/)
  await withdrawFrom(store.customer, order, 2)
  const inShop = await askToWithdraw(store.customer, order)
  assert.deepEqual(refusalOf(inShop), [409, 'nothing_to_withdraw'])
  assert.match(inShop.json().message, /is here, and will be sent to you again as it was decided of return R1001: withdraw from it then/)
  assert.equal((await resend(store, asked, 1)).statusCode, 201)
  const again = await withdrawFrom(store.customer, order)
  assert.deepEqual([again.lines.map(({ sent }) => sent), again.takenOver, again.returnNumber], [[1], [], 1002])
  await decided(store, asked, [0, 2, 'refund'])
  const [first, second = assert.fail()] = await returnsOf(store, order)
  assert.equal(first?.status, 'closed')
  await receiveAll(store, second)
  await decided(store, second, [0, 1, 'refund'])
  await waitForWebhooks(store)
  assert.equal((await showOrder(store.admin, order._id)).refundedCents, 10_400)
})

test('of a return from a part of which its buyer withdraws the rest can still be refused, and is withdrawn from later', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeDelivered(store)
  const asked = await openReturnOf(store, order, 3)
  await receiveAll(store, asked)
  await decided(store, asked, [0, 1, 'refund'])
  const first = await withdrawFrom(store.customer, order, 1)
  const [taken] = await returnsOf(store, order)
  assert.deepEqual([taken?.cause, taken?.lines[0]?.toRefund, taken?.moneyDueOn], ['asked', 1, first.moneyDueOn])
  const tooMany = await decide(store, asked, [[0, 2, 'repair']])
  assert.deepEqual(refusalOf(tooMany), [409, 'return_of_withdrawal'])
  assert.match(tooMany.json().message, /withdrawn from 1 of Drill, whose money goes back: at most 1 can be decided otherwise/)
  await decided(store, asked, [0, 1, 'repair'])
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order, [1])), [409, 'more_than_left'])
  await decided(store, asked, [0, 1, 'refund'])
  assert.equal((await resend(store, asked, 1)).statusCode, 201)
  assert.equal((await withdrawFrom(store.customer, order, 1)).returnNumber, 1002)
})

test('pieces that the buyer has are withdrawn from before those of a return', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeDelivered(store)
  await openReturnOf(store, order, 1)
  const first = await withdrawFrom(store.customer, order, 2)
  assert.deepEqual([first.takenOver, first.returnNumber], [[], 1002])
  const second = await withdrawFrom(store.customer, order, 1)
  assert.deepEqual([second.takenOver.map(({ returnNumber }) => returnNumber), second.returnNumber], [[1001], null])
})

test('a withdrawal and a decision at one moment are one after the other, and nothing that was withdrawn from is refused', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeDelivered(store)
  const asked = await openReturnOf(store, order, 3)
  await receiveAll(store, asked)
  const [withdrawn, refusing] = await Promise.all([
    askToWithdraw(store.customer, order, [3]),
    decide(store, asked, [[0, 3, 'refused', refused]]),
  ])
  assert.deepEqual([withdrawn.statusCode, refusing.statusCode].toSorted(), refusing.statusCode === 200 ? [200, 409] : [201, 409])
})

test('who keeps a piece, or is sent one again, has no money of the delivery back', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  const [drill, saw] = [await createProduct(store, { dollars: 30 }), await createProduct(store, { name: 'Saw', dollars: 7 })]
  const place = async () => {
    await putIntoCart(store.customer, { [drill]: 1, [saw]: 1 })
    const order = await showOrder(store.customer, (await checkOut(store.customer, { company: undefined, vatId: undefined }))._id)
    await payOrder(store, order)
    await sayDelivered(store.customer, order, await sendPieces(store, order))
    return order
  }
  const asking = await place()
  const asked = await openReturnOf(store, asking, 1)
  assert.equal((await withdrawFrom(store.customer, asking, 0, 1)).deliveryCents, 0)
  assert.equal((await store.customer.request('DELETE', `/orders/${asking._id}/returns/${asked._id}`)).statusCode, 200)
  assert.ok((await withdrawFrom(store.customer, asking)).deliveryCents > 0)

  const repaired = await place()
  const broken = await openReturnOf(store, repaired, 1)
  await receiveAll(store, broken)
  await decided(store, broken, [0, 1, 'repair'])
  assert.equal((await withdrawFrom(store.customer, repaired, 0, 1)).deliveryCents, 0)
})

test('the database keeps what a withdrawal has taken over, and the books say what does not fit it', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const order = await placeDelivered(store)
  const asked = await openReturnOf(store, order, 3)
  await receiveAll(store, asked)
  await decided(store, asked, [0, 1, 'refund'])
  await withdrawFrom(store.customer, order, 0, 2)
  await withdrawFrom(store.customer, order, 1)
  const refusedBy = (constraint: string, change: ReturnType<typeof sql>) =>
    assert.rejects(store.db.execute(change), ({ cause }: Error & { cause?: { constraint?: string } }) => cause?.constraint === constraint)
  const decision = (quantity: number) => sql`insert into return_decisions (return_id, order_line_id, quantity, outcome, reason, event_id)
    select return_id, order_line_id, ${quantity}, 'refused', 'Used', (select max(id) from order_history) from return_lines where return_id = ${asked._id}`
  await refusedBy('return_lines_must_refund', decision(2))
  await refusedBy('return_line_stays', sql`update return_lines set must_refund = 0`)
  await refusedBy('withdrawal_stays', sql`update withdrawn_return_lines set quantity = 2`)
  await refusedBy('withdrawal_stays', sql`delete from withdrawn_return_lines`)
  await refusedBy('return_status_allowed', sql`update returns set status = 'taken back'`)
  const more = (
    quantity: number,
    withdrawal: string,
  ) => sql`insert into withdrawn_return_lines (withdrawal_id, return_id, order_line_id, quantity)
    select ${withdrawal}, return_id, order_line_id, ${quantity} from return_lines where return_id = ${asked._id}`
  const other = await placePaidInGermany(store)
  await refusedBy('withdrawn_return_lines_open', more(1, (await withdrawFrom(store.customer, other))._id))
  assert.deepEqual(await store.faults(), [])
  await store.db.execute(sql`update return_lines set must_refund = 3 where return_id = ${asked._id}`)
  assert.match(
    (await store.faults()).join('\n'),
    /Of return R1001 3 pieces of line 1 .* have to be refunded, withdrawn from are 1 of 3 and refunded 1/,
  )
})
