import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { anEmptyStore } from '#test/store.ts'
import { purchaseStatusSql, wholeOrderStatusSql } from './purchase-status-sql.ts'
import {
  fulfilmentStatuses,
  isBeingChecked,
  type LineCounters,
  orderStatuses,
  paymentStatuses,
  purchaseState,
  purchaseStatuses,
  purchaseStatusOf,
} from './statuses.ts'

const line: LineCounters = { quantity: 4, packed: 0, sent: 0, cancelled: 0, chargedCents: 1000, refundedCents: 0 }
const linesOfOrder: LineCounters[] = [
  line,
  { ...line, cancelled: 1, packed: 3, sent: 3 },
  { ...line, cancelled: 4, refundedCents: 1000 },
  { ...line, packed: 4, refundedCents: 999 },
  { ...line, packed: 4, sent: 4, refundedCents: 1000 },
  { ...line, chargedCents: 0 },
]

test('a purchase is filtered by the same status in the database and in the browser, whatever its order and line say', async () => {
  await using store = await anEmptyStore()
  const cases = orderStatuses.flatMap((orderStatus) =>
    paymentStatuses.flatMap((paymentStatus) =>
      fulfilmentStatuses.flatMap((fulfilmentStatus) =>
        linesOfOrder.map((counters) => ({ orderStatus, paymentStatus, fulfilmentStatus, ...counters })),
      ),
    ),
  )
  const rows = cases.map(({ orderStatus, paymentStatus, chargedCents, refundedCents, ...rest }, id) => ({
    ...{
      id,
      ...rest,
      order_status: orderStatus,
      payment_status: paymentStatus,
      charged_cents: chargedCents,
      refunded_cents: refundedCents,
    },
  }))

  const found = await store.db.execute<{ status: string }>(sql`
    with rows as (select * from jsonb_to_recordset(${JSON.stringify(rows)}) as rows
        (id integer, order_status text, payment_status text, quantity integer, cancelled integer, charged_cents integer, refunded_cents integer)),
      orders as (select id, order_status, payment_status from rows),
      order_lines as (select id, quantity, cancelled, charged_cents, refunded_cents from rows)
    select ${purchaseStatusSql} as status from orders join order_lines using (id) order by id`)

  const expected = cases.map((purchase) => {
    const state = purchaseState(purchase, purchase)
    return purchaseStatusOf({ state, checking: isBeingChecked(state, purchase) })
  })
  const differing = cases.flatMap((purchase, nth) =>
    found.rows[nth]?.status === expected[nth] ? [] : [{ ...purchase, inSql: found.rows[nth]?.status, inBrowser: expected[nth] }],
  )
  assert.deepEqual(differing, [])
  assert.deepEqual(new Set(expected), new Set(purchaseStatuses), 'each status is among the cases')
})

test('an order as a whole is filtered by the same status in the database and in the browser', async () => {
  await using store = await anEmptyStore()
  const cases = orderStatuses.flatMap((orderStatus) =>
    paymentStatuses.map((paymentStatus) => ({ orderStatus, paymentStatus, fulfilmentStatus: 'to_send' as const })),
  )
  const rows = cases.map(({ orderStatus, paymentStatus }, id) => ({ id, order_status: orderStatus, payment_status: paymentStatus }))
  const found = await store.db.execute<{ status: string }>(sql`
    with orders as (select * from jsonb_to_recordset(${JSON.stringify(rows)}) as rows (id integer, order_status text, payment_status text))
    select ${wholeOrderStatusSql} as status from orders order by id`)
  const expected = cases.map((order) => {
    const state = purchaseState(order)
    return purchaseStatusOf({ state, checking: isBeingChecked(state, order) })
  })
  assert.deepEqual(
    found.rows.map(({ status }) => status),
    expected,
  )
})
