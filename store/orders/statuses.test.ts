import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBeingChecked, isPaidState, type LineCounters, type OrderStatuses, purchaseState, purchaseStates } from './statuses.ts'

const line: LineCounters = { quantity: 4, packed: 0, sent: 0, cancelled: 0, chargedCents: 1000, refundedCents: 0 }
const open: OrderStatuses = { orderStatus: 'open', paymentStatus: 'unpaid', fulfilmentStatus: 'to_send' }
const placed: OrderStatuses = { orderStatus: 'placed', paymentStatus: 'paid', fulfilmentStatus: 'to_send' }

test('a purchase is in one word what the statuses of its order and the counters of its line say', () => {
  for (const [statuses, counters, word] of [
    [open, {}, 'open'],
    [{ ...open, paymentStatus: 'checking' }, {}, 'open'],
    [open, { cancelled: 4 }, 'cancelled'],
    [open, { cancelled: 3 }, 'open'],
    [{ ...open, orderStatus: 'expired' }, {}, 'expired'],
    [{ ...open, orderStatus: 'expired', paymentStatus: 'refunded' }, { refundedCents: 1000 }, 'expired'],
    [{ ...placed, orderStatus: 'cancelled', paymentStatus: 'refunded' }, { refundedCents: 1000 }, 'cancelled'],
    [placed, {}, 'paid'],
    [{ ...placed, paymentStatus: 'partly_refunded' }, { refundedCents: 999 }, 'paid'],
    [{ ...placed, paymentStatus: 'partly_refunded' }, { refundedCents: 1000 }, 'refunded'],
    [{ ...placed, paymentStatus: 'partly_refunded' }, { chargedCents: 1, refundedCents: 1 }, 'refunded'],
    [{ ...placed, paymentStatus: 'partly_refunded' }, { chargedCents: 0 }, 'paid'],
    [{ ...placed, orderStatus: 'completed', paymentStatus: 'refunded' }, {}, 'refunded'],
    [placed, { packed: 4 }, 'packed'],
    [placed, { packed: 3 }, 'paid'],
    [placed, { packed: 3, cancelled: 1 }, 'packed'],
    [{ ...placed, fulfilmentStatus: 'partly_sent' }, { packed: 4, sent: 4 }, 'shipped'],
    [{ ...placed, fulfilmentStatus: 'partly_sent' }, { packed: 4, sent: 3 }, 'packed'],
    [{ ...placed, orderStatus: 'completed', fulfilmentStatus: 'sent' }, { packed: 3, sent: 3, cancelled: 1 }, 'shipped'],
  ] as [OrderStatuses, Partial<LineCounters>, string][])
    assert.equal(purchaseState(statuses, { ...line, ...counters }), word, JSON.stringify([statuses, counters]))
})

test('an order as a whole has the word of its statuses', () => {
  for (const [statuses, word] of [
    [open, 'open'],
    [placed, 'paid'],
    [{ ...placed, fulfilmentStatus: 'partly_sent' }, 'paid'],
    [{ ...placed, fulfilmentStatus: 'sent' }, 'shipped'],
    [{ ...placed, orderStatus: 'completed', fulfilmentStatus: 'delivered' }, 'shipped'],
    [{ ...placed, orderStatus: 'completed', paymentStatus: 'refunded', fulfilmentStatus: 'sent' }, 'refunded'],
    [{ ...open, orderStatus: 'cancelled' }, 'cancelled'],
  ] as [OrderStatuses, string][])
    assert.equal(purchaseState(statuses), word)
})

test('the store keeps money for purchases that are paid, packed or shipped', () => {
  assert.deepEqual(purchaseStates.filter(isPaidState), ['paid', 'packed', 'shipped'])
})

test('a purchase is being checked while it is open and the card provider is still to be asked about its order', () => {
  const checking: OrderStatuses = { ...open, paymentStatus: 'checking' }
  for (const [statuses, counters, expected] of [
    [checking, {}, true],
    [open, {}, false],
    [placed, {}, false],
    [checking, { cancelled: 4 }, false],
    [{ ...checking, orderStatus: 'expired' }, {}, false],
  ] as [OrderStatuses, Partial<LineCounters>, boolean][])
    assert.equal(
      isBeingChecked(purchaseState(statuses, { ...line, ...counters }), statuses),
      expected,
      JSON.stringify([statuses, counters]),
    )
})
