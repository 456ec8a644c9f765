import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { expectedArrival, withArrival } from './incoming-stock.ts'

test("stock on its way is announced until its day is over in the shop's time zone, with pieces and day", (t) => {
  t.after(() => setStoreTimeZone('UTC'))
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-12-12T23:59:59Z') })
  const product = { incoming: { quantity: 1200, date: '2026-12-12' } }
  assert.deepEqual(expectedArrival(product), product.incoming)
  assert.equal(
    withArrival("You can't order more than 40 pieces", product),
    "You can't order more than 40 pieces. 1,200 more arrive on 12 Dec 2026",
  )
  assert.match(withArrival('None', { incoming: { quantity: 1, date: '2026-12-12' } }), /1 more arrives on 12 Dec 2026$/)
  t.mock.timers.setTime(Date.parse('2026-12-13T00:00:00Z'))
  for (const known of [product, { incoming: null }]) {
    assert.equal(expectedArrival(known), undefined)
    assert.equal(withArrival("You can't order more than 40 pieces", known), "You can't order more than 40 pieces")
  }
  setStoreTimeZone('America/New_York') // where it is seven in the evening of the 12th
  assert.deepEqual(expectedArrival(product), product.incoming)
  setStoreTimeZone('Pacific/Auckland')
  t.mock.timers.setTime(Date.parse('2026-12-12T11:00:00Z'))
  assert.equal(expectedArrival(product), undefined)
})
