import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SQL, sql, TransactionRollbackError } from 'drizzle-orm'
import type Stripe from 'stripe'
import {
  confirmIntent,
  createProduct,
  getOrderAsAdmin,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  refundPurchase,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
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
    [sql`alter table order_lines drop constraint order_lines_cancelled`, sql`update order_lines set packed = 3, sent = 3`],
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
    'money that is not at the provider',
    [sql`update payments set state = 'succeeded' where state = 'open'`],
    /The provider has not taken the money of the payment \S+ \(pi_\w+\)/,
  ],
]

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
