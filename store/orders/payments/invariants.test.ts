import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SQL, sql, TransactionRollbackError } from 'drizzle-orm'
import type Stripe from 'stripe'
import { createProducts, openOrderPayment, payOrder, placeLines } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  expireHold,
  getOrderAsAdmin,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { decide, openReturnOf, receiveAll } from '#test/return-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { endOverdueOrders } from './end-order.ts'
import { checkInvariants } from './invariants.ts'

/** Two orders of one product: the first open with an intent, the second paid. */
async function aStoreThatSells(): Promise<Store> {
  const store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const wish = { toolId: await createProduct(store), quantity: 2 }
  await openPaymentIntent(store, await placePurchase(store, wish))
  await placePaidOrder(store, wish)
  await waitForWebhooks(store)
  return store
}

/** What somebody does to the tables by hand, and what the books then say of it. */
const tampered: [what: string, statements: SQL[], fault: RegExp][] = [
  ['a stock', [sql`update tools set available_quantity = 39`], /Drill has 39 pieces in stock, its movements make 36/],
  [
    'a stock and its ledger',
    [
      sql`update tools set available_quantity = 39`,
      sql`insert into stock_movements (tool_id, pieces, reason, order_line_id) select tool_id, 3, 'restock', id from order_lines limit 1`,
    ],
    /Line 1 of order 100\d has taken 2 pieces, the movements of stock make -1/,
  ],
  [
    'a movement that is gone',
    [sql`delete from stock_movements where reason = 'initial'`],
    /Drill had 0 pieces, has 36, and orders have taken 4/,
  ],
  [
    'a price',
    [
      sql`alter table order_lines drop constraint order_lines_total, drop constraint order_lines_unit_price, drop constraint order_lines_unit_price_reason`,
      sql`update order_lines set unit_price_cents = 2900`,
    ],
    /Line 1 of order 1001 costs 6000 cents, its pieces 5800 less 0/,
  ],
  [
    'why a price is lower',
    [
      sql`alter table order_lines drop constraint order_lines_unit_price`,
      sql`update order_lines set offered_breaks = '[{"min_quantity": 2, "price_cents": 2900}]' where order_id = (select id from orders where number = 1001)`,
    ],
    /A piece of line 1 of order 1001 costs 3000 cents \(list\), of 3000 cents with the price breaks/,
  ],
  [
    'a reduction that no code makes',
    [
      sql`update order_lines set reduction_cents = 100, reduction_reason = 'GIFT', total_cents = 5900 where order_id = (select id from orders where number = 1001)`,
    ],
    /100 cents are taken off order 1001, no code makes 0/,
  ],
  [
    'how often a code was used',
    [sql`insert into discount_codes (id, code, percent_off, uses) values (gen_random_uuid(), 'SPRING', 10, 1)`],
    /The code SPRING has 1 uses, its orders make 0/,
  ],
  [
    'a total',
    [sql`update orders set goods_cents = 5800, total_cents = 5800 where number = 1001`],
    /Order 1001 costs 5800 cents, its lines 6000, delivery 0 and tax 0/,
  ],
  [
    'a line that is gone',
    [sql`alter table refund_lines disable trigger all`, sql`delete from order_lines`],
    /Order 1001 has 0 lines, the last at position/,
  ],
  [
    'a payment status',
    [sql`update orders set payment_status = 'checking' where number = 1001`],
    /Order 1001 is checking, its payments make it unpaid/,
  ],
  [
    'a refund whose lines are less than it',
    [
      sql`insert into refunds (id, payment_id, order_id, amount_cents, ends_as, actor, state)
        select gen_random_uuid(), payment_id, id, 100, 'refunded', 'admin', 'failed' from orders where number = 1002`,
      sql`insert into refund_lines (refund_id, order_line_id, amount_cents) select id, order_id, 60 from refunds`,
    ],
    /The refund \S+ of order 1002 is 100 cents, its lines make 60/,
  ],
  [
    'a refund for a line of another order',
    [
      sql`insert into refunds (id, payment_id, order_id, amount_cents, ends_as, actor, state)
        select gen_random_uuid(), payment_id, id, 60, 'refunded', 'admin', 'failed' from orders where number = 1002`,
      sql`insert into refund_lines (refund_id, order_line_id, amount_cents)
        select refunds.id, order_lines.id, 60 from refunds, order_lines join orders on orders.id = order_id where number = 1001`,
    ],
    /The refund \S+ of order 1002 is for a line of another order, or for another payment than the order has/,
  ],
  [
    'a refund of a delivery that was charged less',
    [
      sql`insert into refunds (id, payment_id, order_id, amount_cents, ends_as, actor, state)
        select gen_random_uuid(), payment_id, id, 60, 'refunded', 'admin', 'asked' from orders where number = 1002`,
      sql`insert into refund_lines (refund_id, is_delivery, amount_cents) select id, true, 60 from refunds`,
    ],
    /The delivery of order 1002 was charged 0 cents, its refunds give back 60/,
  ],
  [
    'a refund of the payment of another order',
    [
      sql`insert into refunds (id, payment_id, order_id, amount_cents, ends_as, actor, state)
        select gen_random_uuid(), other.payment_id, orders.id, 60, 'refunded', 'admin', 'failed' from orders, orders other
        where orders.number = 1002 and other.number = 1001`,
      sql`insert into refund_lines (refund_id, order_line_id, amount_cents) select id, order_id, 60 from refunds`,
    ],
    /The refund \S+ of order 1002 is for a line of another order, or for another payment than the order has/,
  ],
  [
    'pieces that are said to be cancelled',
    [sql`update order_lines set cancelled = 1 where order_id = (select id from orders where number = 1002)`],
    /Line 1 of order 1002 has 1 pieces cancelled, its refunds make 0/,
  ],
  [
    'money of a line that is said to have gone back',
    [sql`update order_lines set refunded_cents = 70`],
    /70 cents of line 1 of order 1001 have gone back, its refunds make 0/,
  ],
  [
    'more pieces sent than there are',
    [
      sql`alter table order_lines drop constraint order_lines_cancelled`,
      sql`alter table order_lines disable trigger order_lines_keep_status`, // it would take them as delivered, as they have no parcel
      sql`update order_lines set packed = 3, sent = 3`,
    ],
    /Line 1 of order 1001: of 2 pieces 3 packed, 3 sent/,
  ],
  [
    'a parcel that no line knows',
    [sql`update orders set fulfilment_status = 'sent' where number = 1002`],
    /Order 1002 is sent, its lines make it to_send/,
  ],
  [
    'an order that is said to be paid',
    [sql`update orders set order_status = 'placed', payment_status = 'paid' where order_status = 'open'`],
    /Order 1001 is placed and paid, its payment open/,
  ],
  [
    'a payment that is said to have succeeded',
    [sql`update payments set state = 'succeeded'`],
    /Order 1001 is open and paid, its payment succeeded with 0 of 6000 cents gone back/,
  ],
  [
    'an amount',
    [sql`update payments set amount_cents = 5900 where state = 'succeeded'`],
    /The payment \S+ took 5900 cents \(usd\), order 1002 costs 6000/,
  ],
  [
    'money that is said to have gone back',
    [sql`update payments set refunded_cents = 100 where state = 'succeeded'`],
    /100 cents of the payment \S+ have gone back, its refunds make 0/,
  ],
  [
    'an intent that stands there twice',
    [
      sql`alter table payments drop constraint payments_intent_id_unique`,
      sql`update payments set intent_id = (select intent_id from payments where state = 'succeeded')`,
    ],
    /pi_\w+ stands there 2 times/,
  ],
  [
    'an order that ended with the money',
    [sql`update orders set order_status = 'cancelled' where order_status = 'placed'`],
    /Order 1002 is cancelled, and of 6000 cents 0 go back/,
  ],
  ['a history that stops', [sql`delete from order_history where event = 'paid'`], /Order 1002: nothing to open at \S+ \S+ by buyer/],
  ['a history that is gone', [sql`delete from order_history`], /Order 1001 has no history/],
  [
    'a step that no order takes',
    [sql`update order_history set order_status = 'completed' where event = 'paid'`],
    /Order 1002: open to completed at \S+ \S+ by card provider/,
  ],
  ['somebody who did it and was nobody', [sql`update order_history set user_id = null`], /Order 1001: nothing to open at \S+ \S+ by buyer/],
  [
    'a hold that was forgotten',
    [
      sql`insert into job_runs values ('end holds', now()) on conflict (name) do update set began_at = now()`,
      sql`update orders set hold_until = now() - interval '6 minutes' where order_status = 'open'`,
    ],
    /Order 1001 was held until .+ and is open/,
  ],
  [
    'money that is not in the books',
    [
      sql`alter table orders disable trigger all`,
      sql`alter table payments disable trigger all`,
      sql`update orders set order_status = 'open', payment_status = 'unpaid', payment_id = null where number = 1002`,
      sql`update payments set state = 'open'`,
    ],
    /The provider took 6000 cents by pi_\w+; the books do not know/,
  ],
  [
    'an amount that is another at the provider',
    [sql`update payments set amount_cents = 5900 where state = 'succeeded'`],
    /^The provider took 6000 cents by pi_\w+, the books say 5900$/,
  ],
  [
    'money that is not back at the provider',
    [sql`update payments set refunded_cents = 100 where state = 'succeeded'`],
    /^The provider gave 0 cents of pi_\w+ back, the books say 100$/,
  ],
  [
    'money that is not at the provider',
    [sql`update payments set state = 'succeeded' where state = 'open'`],
    /The provider has not taken the money of the payment \S+ \(pi_\w+\)/,
  ],
]

const ofOrder = (number: number) => sql`(select id from orders where number = ${number})`

/**
 * A store with orders of every kind. 1001: paid with a code and an own price, without a line that was cancelled before, one piece cancelled,
 * one returned, all others sent. 1002: cancelled by its buyer. 1003: expired. 1004: paid and cancelled. 1005: paid, cancelled, and the money cannot go
 * back yet. 1006: the last two washers, paid, one of them sent. 1007: open, with delivery and tax. 1008: paid, one line of two cancelled.
 */
async function aStoreWithAPast(): Promise<Store> {
  const store = await anEmptyStore({ cards: true, allowWrongBooks: true, buyerLimits: 'off' })
  const [drill, saw, board] = await createProducts(store)
  const washer = await createProduct(store, { name: 'Washer', dollars: 5, pieces: 2 })
  const succeed = async (actor: Actor, url: string, body: object) => {
    const answer = await actor.request('POST', url, body)
    assert.ok(answer.statusCode < 300, answer.body)
  }
  const { sku } = (await store.visitor.request('GET', `/products/${saw}`)).json().part
  await store.customer.token()
  await succeed(store.admin, '/buyer-prices', { sku, price: 6, email: store.customer.email })
  await succeed(store.admin, '/discount-codes', { code: 'SPRING', percentOff: 10 })
  await succeed(store.admin, '/discount-codes', { code: 'AUTUMN', amountOff: 5 })

  const varied = await placeLines(store, { [drill]: 3, [saw]: 4, [board]: 1 }, { discountCode: 'SPRING' })
  const [first, second, third] = varied.lines
  assert.ok(first && second && third)
  assert.equal((await cancelPurchase(store.customer, third)).statusCode, 200)
  await payOrder(store, { ...varied, totalCents: (await getOrderTotal(store, varied._id)).totalCents })
  await succeed(store.admin, `/orders/${varied._id}/refunds`, { lines: [{ _id: second._id, quantity: 1 }] })
  await sendPieces(store, varied)
  const asked = await openReturnOf(store, varied, 1)
  await receiveAll(store, asked)
  assert.equal((await decide(store, asked, [[0, 1, 'refund', { restock: true }]])).statusCode, 200)

  assert.equal((await cancelPurchase(store.customer, await placePurchase(store, { toolId: drill }))).statusCode, 200)
  await expireHold(store, await placePurchase(store, { toolId: drill }))
  await endOverdueOrders(store.db, store.cards)
  const cancelled = await placeLines(store, { [drill]: 1, [board]: 1 }, { discountCode: 'AUTUMN' })
  await payOrder(store, cancelled)
  await succeed(store.admin, `/orders/${cancelled._id}/cancel`, {})
  const waiting = await placeLines(store, { [drill]: 1, [board]: 1 })
  await payOrder(store, waiting)
  sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  await store.admin.request('POST', `/orders/${waiting._id}/cancel`, {})
  const last = await placeLines(store, { [washer]: 2 })
  await payOrder(store, last)
  await sendPieces(store, last, 1)
  const open = await placeLines(store, { [drill]: 2, [saw]: 2 })
  await store.db.execute(
    sql`update orders set delivery_cents = 300, tax_cents = 50, taxes = '[{ "ratePpm": 190000, "netCents": 263, "taxCents": 50 }]',
      total_cents = goods_cents + 350 where id = ${open._id}`,
  )
  await openOrderPayment(store, { ...open, totalCents: open.goodsCents + 350 })
  await waitForWebhooks(store)
  return store
}

const getOrderTotal = async (store: Store, id: string): Promise<{ totalCents: number }> =>
  (await store.admin.request('GET', `/orders/${id}`)).json()

/** Money that came for an expired order. */
const latePayment = [
  sql`insert into payments (id, order_id, intent_id, amount_cents, currency, state) select gen_random_uuid(), id, 'pi_late', total_cents, currency, 'succeeded'
    from orders where number = 1003`,
  sql`update orders set payment_id = (select id from payments where intent_id = 'pi_late') where number = 1003`,
]
const refundOfLatePayment = sql`with refund as (
    insert into refunds (id, payment_id, order_id, amount_cents, ends_as, actor) select gen_random_uuid(), payment_id, id, total_cents, 'refunded', 'system'
    from orders where number = 1003 returning id, amount_cents)
  insert into refund_lines (refund_id, amount_cents) select id, amount_cents from refund`
const holdOverSince = (minutes: number) => [
  sql`insert into job_runs values ('end holds', now()) on conflict (name) do update set began_at = now()`,
  sql`update orders set hold_until = now() - make_interval(mins => ${minutes}) where order_status = 'open'`,
]

const withoutIdsAndTimes = (fault: string) => fault.replaceAll(/[\da-f]{8}-[-\da-f]{27}/g, 'ID').replaceAll(/\d{4}-\d\d-\d\d \S+/g, 'TIME')

/** What is changed by hand in the store with a past, and all that the books by themselves say of it. */
const changedPast: [what: string, statements: SQL[], faults: string[]][] = [
  [
    'pieces that an ended order keeps',
    [sql`update order_lines set restocked = 0 where order_id = ${ofOrder(1002)}`],
    [
      'Drill had 40 pieces, has 35, and orders have taken 6',
      'Line 1 of order 1002 has taken 1 pieces, the movements of stock make 0',
      'Order 1002 is cancelled and keeps 1 pieces of line 1',
    ],
  ],
  [
    'pieces that a line keeps which was cancelled before it was paid',
    [sql`update order_lines set restocked = 0 where is_released`],
    [
      'Board had 40 pieces, has 39, and orders have taken 2',
      'Line 3 of order 1001 has taken 1 pieces, the movements of stock make 0',
      'Order 1001 is completed and keeps 1 pieces of line 3',
    ],
  ],
  [
    'delivery that is taken from the goods',
    [sql`update orders set goods_cents = goods_cents - 200, delivery_cents = delivery_cents + 200 where number = 1007`],
    ['Order 1007 costs 7550 cents, its lines 7200, delivery 500 and tax 50'],
  ],
  [
    'the tax at a rate',
    [sql`update orders set taxes = '[]' where number = 1007`],
    ['The tax of order 1007 is 50 cents, its rates make 0 and its lines 0'],
  ],
  [
    'the tax of a line',
    [sql`update order_lines set tax_cents = 51 where order_id = (select id from orders where number = 1007) and position = 1`],
    ['The tax of order 1007 is 50 cents, its rates make 50 and its lines 51'],
  ],
  [
    'what a line contains of tax',
    [sql`update order_lines set included_tax_cents = 1 where order_id = (select id from orders where number = 1001)`],
    ['Order 1001 costs 10260 cents, its lines are charged 10258 and its delivery of 0 the rest'],
  ],
  [
    'what the goods cost',
    [sql`alter table orders drop constraint orders_total`, sql`update orders set goods_cents = goods_cents - 200 where number = 1007`],
    ['Order 1007 costs 7550 cents, its lines 7200, delivery 300 and tax 50'],
  ],
  [
    'a total',
    [sql`alter table orders drop constraint orders_total`, sql`update orders set total_cents = total_cents - 1 where number = 1007`],
    [
      'Order 1007 costs 7549 cents, its lines 7200, delivery 300 and tax 50',
      'The payment ID took 7550 cents (usd), order 1007 costs 7549 (usd)',
    ],
  ],
  [
    'the price of a line',
    [
      sql`alter table order_lines drop constraint order_lines_total`,
      sql`update order_lines set total_cents = total_cents - 1 where order_id = ${ofOrder(1007)} and position = 1`,
      sql`update orders set goods_cents = goods_cents - 1, total_cents = total_cents - 1 where number = 1007`,
    ],
    ['Line 1 of order 1007 costs 5999 cents, its pieces 6000 less 0', 'The payment ID took 7550 cents (usd), order 1007 costs 7549 (usd)'],
  ],
  [
    'a line that is gone',
    [sql`alter table order_lines disable trigger all`, sql`delete from order_lines where order_id = ${ofOrder(1007)} and position = 1`],
    [
      'Drill had 40 pieces, has 35, and orders have taken 3',
      'Order 1007 costs 7550 cents, its lines 1200, delivery 300 and tax 50',
      'Order 1007 has 1 lines, the last at position 2',
    ],
  ],
  [
    'how often a code was used',
    [sql`update discount_codes set uses = 2 where code = 'SPRING'`],
    ['The code SPRING has 2 uses, its orders make 1'],
  ],
  ['a currency', [sql`update orders set currency = 'eur' where number = 1002`], ['There are orders in eur, usd']],
  [
    'a payment that belongs to no order',
    [
      sql`alter table orders drop constraint orders_payment`,
      sql`alter table payments disable trigger all`,
      sql`update payments set order_id = null where order_id = ${ofOrder(1006)}`,
    ],
    ['Order 1006 is paid, its payments make it unpaid', 'The payment ID has succeeded and belongs to no order'],
  ],
  ['money that came for an expired order and goes back', [...latePayment, refundOfLatePayment], []],
  [
    'money that came for an expired order and stays',
    latePayment,
    [
      'Order 1003 is expired and paid, its payment succeeded with 0 of 3000 cents gone back',
      'Order 1003 is expired, and of 3000 cents 0 go back',
    ],
  ],
  [
    'money that came for an expired order and of which a part goes back',
    [
      ...latePayment,
      refundOfLatePayment,
      sql`update refund_lines set amount_cents = amount_cents - 1 where order_line_id is null`,
      sql`update refunds set amount_cents = amount_cents - 1 where actor = 'system'`,
    ],
    ['Order 1003 is expired, and of 3000 cents 2999 go back'],
  ],
  [
    'a refund that is said to have failed',
    [sql`update refunds set state = 'failed' where order_id = ${ofOrder(1004)}`],
    [
      '27500 cents of the payment ID have gone back, its refunds make 0',
      '24554 cents of line 2 of order 1004 have gone back, its refunds make 0',
      '2946 cents of line 1 of order 1004 have gone back, its refunds make 0',
      'Order 1004 is cancelled, and of 27500 cents 0 go back',
    ],
  ],
  [
    'more pieces sent than packed',
    [
      sql`alter table order_lines drop constraint order_lines_sent`,
      sql`update order_lines set packed = 0 where order_id = ${ofOrder(1006)}`,
    ],
    ['Line 1 of order 1006: of 2 pieces 0 packed, 1 sent, 0 cancelled, 0 returned, 0 back in stock'],
  ],
  [
    'more pieces returned than sent',
    [
      sql`alter table order_lines drop constraint order_lines_returned`,
      sql`update order_lines set returned = 2 where order_id = ${ofOrder(1006)}`,
    ],
    [
      'Line 1 of order 1006: of 2 pieces 1 packed, 1 sent, 0 cancelled, 2 returned, 0 back in stock',
      'Line 1 of order 1006: 2 pieces returned, its returns make 0; 0 sent again, 0; 0 replaced, 0; 0 back in stock, 0',
      'Of line 1 of order 1006 1 pieces are sent and 0 sent again, 2 have come back and 0 more are asked back',
    ],
  ],
  [
    'more pieces packed and cancelled than there are',
    [
      sql`alter table order_lines drop constraint order_lines_cancelled`,
      sql`update order_lines set packed = 4 where order_id = ${ofOrder(1001)} and position = 2`,
    ],
    ['Line 2 of order 1001: of 4 pieces 4 packed, 3 sent, 1 cancelled, 0 returned, 1 back in stock'],
  ],
  [
    'more pieces back in stock than there are',
    [
      sql`alter table order_lines drop constraint order_lines_restocked`,
      sql`update order_lines set restocked = 3 where order_id = ${ofOrder(1006)}`,
    ],
    [
      'Washer had 2 pieces, has 0, and orders have taken -1',
      'Line 1 of order 1006 has taken -1 pieces, the movements of stock make 2',
      'Line 1 of order 1006: of 2 pieces 1 packed, 1 sent, 0 cancelled, 0 returned, 3 back in stock',
      'Order 1006 is sent, and placed',
    ],
  ],
  [
    'pieces fewer than none',
    [
      sql`alter table order_lines drop constraint order_lines_cancelled`,
      sql`update order_lines set cancelled = -1 where order_id = ${ofOrder(1006)}`,
    ],
    ['Line 1 of order 1006: of 2 pieces 1 packed, 1 sent, -1 cancelled, 0 returned, 0 back in stock'],
  ],
  [
    'a piece that is cancelled without its money',
    [sql`update order_lines set cancelled = 1 where order_id = ${ofOrder(1006)}`],
    ['Line 1 of order 1006 has 1 pieces cancelled, its refunds make 0', 'Order 1006 is sent, and placed'],
  ],
  [
    'one piece more cancelled than its money says',
    [sql`update order_lines set packed = 2, sent = 2, cancelled = 2 where order_id = ${ofOrder(1001)} and position = 2`],
    ['2 pieces of line 2 of order 1001 are sent, its shipments make 3', 'Line 2 of order 1001 has 2 pieces cancelled, its refunds make 1'],
  ],
  [
    'a parcel that is said to be whole',
    [sql`update orders set fulfilment_status = 'sent' where number = 1006`],
    ['Order 1006 is sent, and placed', 'Order 1006 is sent, its lines make it partly_sent'],
  ],
  [
    'a parcel that is gone',
    [
      sql`alter table shipment_lines disable trigger all`,
      sql`delete from shipment_lines where shipment_id = (select id from shipments where order_id = ${ofOrder(1006)})`,
    ],
    ['1 pieces of line 1 of order 1006 are sent, its shipments make 0', 'Shipment 1 of order 1006 has no lines, or one of another order'],
  ],
  [
    'a parcel of another order',
    [sql`update shipments set order_id = ${ofOrder(1007)} where order_id = ${ofOrder(1006)}`],
    ['Shipment 1 of order 1007 has no lines, or one of another order'],
  ],
  [
    'a parcel that has not arrived',
    [sql`update orders set fulfilment_status = 'delivered' where number = 1001`],
    ['Order 1001 is delivered, its lines make it sent'],
  ],
  [
    'a payment without an id of the provider',
    [sql`update payments set intent_id = null where order_id = ${ofOrder(1006)}`],
    ['The payment ID has succeeded without an id of the provider'],
  ],
  [
    'an order that is sent and goes on',
    [
      sql`update orders set order_status = 'placed' where number = 1001`,
      sql`insert into order_history (order_id, event, state, order_status, actor) values (${ofOrder(1001)}, 'looked at', 'shipped', 'placed', 'system')`,
    ],
    ['Order 1001 is sent, and placed'],
  ],
  [
    'an order that is completed before it is sent',
    [
      sql`update orders set order_status = 'completed' where number = 1005`,
      sql`delete from refund_lines where refund_id = (select id from refunds where order_id = ${ofOrder(1005)})`,
      sql`delete from refunds where order_id = ${ofOrder(1005)}`,
      sql`insert into order_history (order_id, event, state, order_status, actor) values (${ofOrder(1005)}, 'looked at', 'shipped', 'completed', 'system')`,
    ],
    ['Order 1005 is completed, and of 28000 cents 0 go back'],
  ],
  [
    'a first event that is none',
    [sql`update order_history set event = 'looked at' where event = 'placed' and order_id = ${ofOrder(1002)}`],
    ['Order 1002: nothing to open at TIME by buyer'],
  ],
  [
    'an order that begins paid',
    [sql`update order_history set order_status = 'placed' where event = 'placed' and order_id = ${ofOrder(1006)}`],
    ['Order 1006: nothing to placed at TIME by buyer'],
  ],
  [
    'steps that no order takes',
    [sql`update order_history set order_status = 'completed' where event = 'paid' and order_id = ${ofOrder(1001)}`],
    ['Order 1001: open to completed at TIME by card provider'],
  ],
  ['a history that is gone', [sql`delete from order_history where order_id = ${ofOrder(1002)}`], ['Order 1002 has no history']],
  ['a hold that is over since two minutes', holdOverSince(2), []],
  ['a hold that is over since six minutes', holdOverSince(6), ['Order 1007 was held until TIME and is open']],
]

test('a store with orders of every kind agrees with itself, and what somebody changes in it by hand is found, and nothing else', async () => {
  await using store = await aStoreWithAPast()
  assert.deepEqual(await store.faults(), [])
  for (const [what, statements, faults] of changedPast)
    await store.db
      .transaction(async (tx) => {
        for (const statement of statements) await tx.execute(statement)
        const said = (await checkInvariants(tx)).flatMap(({ violations }) => violations)
        assert.deepEqual(said.map(withoutIdsAndTimes).sort(), faults.toSorted(), what)
        tx.rollback()
      })
      .catch((error) => {
        if (!(error instanceof TransactionRollbackError)) throw error
      })
})

test('whatever somebody does to the tables by hand, the books say so', async () => {
  await using store = await aStoreThatSells()
  assert.deepEqual(await store.faults(), [])
  for (const [what, statements, fault] of tampered) {
    await store.db
      .transaction(async (tx) => {
        for (const statement of statements) await tx.execute(statement)
        const faults = (await checkInvariants(tx, store.cards)).flatMap((invariant) => invariant.violations)
        assert.ok(
          faults.some((said) => fault.test(said)),
          `${what}: ${faults.join('\n')}`,
        )
        tx.rollback()
      })
      .catch((error) => {
        if (!(error instanceof TransactionRollbackError)) throw error
      })
  }
})

test('a payment and a refund that are made while the books are compared with the provider are no fault, and one that lasts is', async (t) => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const toolId = await createProduct(store)
  const waiting = await placePurchase(store, { toolId })
  const intentId = await openPaymentIntent(store, waiting)
  const { order: returned } = await placePaidOrder(store, { toolId })
  const lasting = await placePaidOrder(store, { toolId })
  await waitForWebhooks(store)

  const { refunds } = store.cards.stripe
  const list = refunds.list.bind(refunds)
  async function* sellsMeanwhile(params: Stripe.RefundListParams) {
    await confirmIntent(store, intentId)
    assert.equal((await refundPurchase(store.admin, returned)).statusCode, 200)
    await waitForWebhooks(store)
    yield* list(params)
  }
  t.mock.method(refunds, 'list', sellsMeanwhile, { times: 1 })
  assert.deepEqual(await store.faults(), [])
  assert.deepEqual(
    [(await getOrderAsAdmin(store, waiting)).state, (await getOrderAsAdmin(store, returned)).refundedCents],
    ['paid', 3000],
    'both were made',
  )

  await store.db.execute(sql`alter table payments disable trigger payments_keep_status`)
  const change = (state: string) => store.db.execute(sql`update payments set state = ${state} where intent_id = ${lasting.intentId}`)
  await change('canceled')
  assert.ok((await store.faults()).includes(`The provider took 3000 cents by ${lasting.intentId}; the books do not know`))
  const afterAMinute = await checkInvariants(store.db, store.cards, async () => void (await change('succeeded')))
  assert.deepEqual(afterAMinute.at(-1)?.violations, [], 'what the books know of a minute later')
})

test('where the books and the provider agree nothing is read again, and a payment of another shop at the same provider is none of theirs', async () => {
  await using store = await anEmptyStore({ cards: true })
  await placePaidOrder(store)
  const { bank } = sandboxControls(store)
  bank.pause()
  const { order } = await placePaidOrder(store, { card: 'pm_card_refundFail' })
  await refundPurchase(store.admin, order, { amountCents: 500 })
  await bank.runPendingSteps()
  await store.cards.stripe.paymentIntents.create({ amount: 700, currency: 'usd', payment_method: 'pm_card_visa', confirm: true })
  await waitForWebhooks(store)
  assert.deepEqual(
    (await store.cards.stripe.refunds.list()).data.map(({ status }) => status),
    ['failed'],
  )
  const checked = await checkInvariants(store.db, store.cards, () => assert.fail('Something differs'))
  assert.deepEqual(
    checked.flatMap(({ violations }) => violations),
    [],
  )
})

test('of the payments that differ from those at the provider a hundred are read again, and the others are counted', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const differing = async (count: number) => {
    await store.db.execute(sql`delete from payments`)
    await store.db.execute(sql`insert into payments (id, intent_id, amount_cents, currency, state)
      select gen_random_uuid(), 'pi_unknown_' || nth, 100, 'usd', 'succeeded' from generate_series(1, ${count}::integer) nth`)
    return (await checkInvariants(store.db, store.cards)).at(-1)?.violations ?? []
  }
  assert.equal((await differing(100)).length, 100)
  const faults = await differing(101)
  assert.deepEqual([faults.length, faults.at(-1)], [101, 'And 1 more differ, which were not read again'])
})
