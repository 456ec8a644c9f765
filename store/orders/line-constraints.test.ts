import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SQL, sql } from 'drizzle-orm'
import { createProduct, placePaidOrder } from '#test/order-actions.ts'
import { anEmptyStore } from '#test/store.ts'

/** What the tables refuse, whoever writes, and the constraint that refuses it. The line has 4 pieces for $120. */
const refused: [constraint: string, change: SQL][] = [
  ['order_lines_quantity', sql`update order_lines set quantity = 0, total_cents = 0`],
  ['order_lines_prices', sql`update order_lines set list_price_cents = unit_price_cents - 1`],
  ['order_lines_prices', sql`update order_lines set unit_price_cents = 0, total_cents = 0`],
  ['order_lines_reduction', sql`update order_lines set reduction_cents = -100, total_cents = 12100`],
  ['order_lines_reduction', sql`update order_lines set reduction_cents = 12100, total_cents = -100`],
  ['order_lines_total', sql`update order_lines set total_cents = 11999`],
  ['order_lines_sent', sql`update order_lines set packed = 1, sent = 2`],
  ['order_lines_cancelled', sql`update order_lines set packed = 3, cancelled = 2`],
  ['order_lines_cancelled', sql`update order_lines set cancelled = -1`],
  ['order_lines_released', sql`update order_lines set is_released = true, cancelled = 3`],
  ['order_lines_returned', sql`update order_lines set packed = 2, sent = 2, returned = 3`],
  ['order_lines_returned', sql`update order_lines set returned = -1`],
  ['order_lines_sent_again', sql`update order_lines set packed = 2, sent = 2, returned = 1, resent = 2`],
  ['order_lines_sent_again', sql`update order_lines set packed = 2, sent = 2, returned = 1, replaced = 2`],
  ['order_lines_returned_restocked', sql`update order_lines set packed = 2, sent = 2, returned = 1, restocked = 2, returned_restocked = 2`],
  ['order_lines_restocked', sql`update order_lines set restocked = 5`],
  ['order_lines_restocked', sql`update order_lines set restocked = -1`],
  ['order_lines_refunded', sql`update order_lines set refunded_cents = 12001`],
  ['order_lines_refunded', sql`update order_lines set refunded_cents = -1`],
  [
    'order_lines_product',
    sql`insert into order_lines (id, order_id, position, tool_id, product_name, quantity, list_price_cents, unit_price_cents, total_cents)
      select gen_random_uuid(), order_id, 2, tool_id, product_name, 1, 100, 100, 100 from order_lines`,
  ],
  ['orders_amounts', sql`update orders set tax_cents = -100, total_cents = 11900`],
  ['orders_amounts', sql`update orders set delivery_cents = -100, total_cents = 11900`],
  ['orders_amounts', sql`update orders set goods_cents = -100, delivery_cents = 12100`],
  ['orders_total', sql`update orders set total_cents = 12001`],
  ['payments_amount', sql`update payments set amount_cents = 0`],
  ['payments_amount', sql`update payments set amount_cents = 100000000`],
  ['orders_payment', sql`update payments set order_id = null`],
]

test('no line has other money or more pieces than it can have, no order another total than its parts, whoever writes', async () => {
  await using store = await anEmptyStore({ cards: true })
  const toolId = await createProduct(store)
  await placePaidOrder(store, { toolId, quantity: 4 })
  for (const [constraint, change] of refused)
    await assert.rejects(store.db.execute(change), ({ cause }: Error) => String(cause).includes(`"${constraint}"`), constraint)
})

test('an amount of a refund that is for no line brings no pieces with it, and no refund has two parts for one line', async () => {
  await using store = await anEmptyStore({ cards: true })
  await placePaidOrder(store, { quantity: 2 })
  const refund = sql`insert into refunds (id, payment_id, order_id, amount_cents, ends_as, actor, state)
    select gen_random_uuid(), payment_id, id, 100, 'refunded', 'admin', 'failed' from orders returning id`
  for (const [constraint, line] of [
    ['refund_lines_without_line', sql`null::uuid, 100, 1, 0 from refund`],
    ['refund_lines_without_line', sql`null::uuid, 100, 0, 1 from refund`],
    ['refund_lines_amounts', sql`null::uuid, -1, 0, 0 from refund`],
    ['refund_lines_of_refund', sql`null::uuid, 50, 0, 0 from refund, generate_series(1, 2)`],
  ] as const)
    await assert.rejects(
      store.db.execute(sql`with refund as (${refund})
        insert into refund_lines (refund_id, order_line_id, amount_cents, restock, pieces) select refund.id, ${line}`),
      ({ cause }: Error) => String(cause).includes(`"${constraint}"`),
      constraint,
    )
  for (const [constraint, line] of [
    ['refund_lines_delivery', sql`order_lines.id from refund, order_lines`],
    ['refund_lines_of_refund', sql`null::uuid from refund, generate_series(1, 2)`],
  ] as const)
    await assert.rejects(
      store.db.execute(sql`with refund as (${refund})
        insert into refund_lines (refund_id, is_delivery, amount_cents, order_line_id) select refund.id, true, 50, ${line}`),
      ({ cause }: Error) => String(cause).includes(`"${constraint}"`),
      constraint,
    )
})
