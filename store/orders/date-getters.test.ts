import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminPurchase, orderDateGetters } from './contract.ts'

test('orders are dated by when they were placed, paid and refunded, as far as they were', () => {
  const [placedAt, paidAt, at] = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z', '2026-11-22T10:00:00.000Z']
  const unpaid = { placedAt, paidAt: null, refunds: [] as AdminPurchase['refunds'] } as AdminPurchase
  const refunded = { ...unpaid, paidAt, refunds: [{ at, amountCents: 100 }] }
  const dates = (order: AdminPurchase) => Object.values(orderDateGetters).map((get) => get(order))
  assert.deepEqual(dates(unpaid), [[placedAt], [], []])
  assert.deepEqual(dates(refunded), [[placedAt], [paidAt], [at]])
})
