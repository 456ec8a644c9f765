import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pendingRefundCents, withoutAnsweredRefundRequests } from './pending-refunds.ts'

type Line = Parameters<typeof pendingRefundCents>[0][number]
const line = (event: Line['event'], amountCents: number | null = null): Line => ({ event, amountCents })

test('money is under way from when it was asked for until the provider has said yes or no', () => {
  const placed = [line('placed'), line('paid')]
  assert.equal(pendingRefundCents(placed), 0)
  assert.equal(pendingRefundCents([...placed, line('refund asked', 1250)]), 1250)
  assert.equal(pendingRefundCents([...placed, line('refund asked', 1250), line('refund asked', 500)]), 1750)
  assert.equal(pendingRefundCents([...placed, line('refund asked', 1250), line('refund asked', 500), line('partly refunded', 1250)]), 500)
  assert.equal(pendingRefundCents([...placed, line('refund asked', 1250), line('refund failed', 1250)]), 0)
  assert.equal(pendingRefundCents([...placed, line('refund asked', 40000), line('cancelled', 40000)]), 0)
  assert.equal(pendingRefundCents([...placed, line('refund asked', 6000), line('line cancelled', 6000)]), 0)
  assert.equal(pendingRefundCents([line('placed'), line('line cancelled'), line('paid'), line('refund asked', 6000)]), 6000)
  assert.equal(pendingRefundCents([line('placed'), line('expired'), line('late payment', 40000)]), 40000)
})

test('money that the owner gave back at the provider, or that came back from there later, was not under way from here', () => {
  assert.equal(pendingRefundCents([line('paid'), line('partly refunded', 1250), line('refund asked', 500)]), 500)
  assert.equal(pendingRefundCents([line('paid'), line('refund asked', 40000), line('refunded', 40000), line('refund failed', 40000)]), 0)
  assert.equal(pendingRefundCents([line('placed'), line('cancelled')]), 0)
  assert.equal(pendingRefundCents([line('paid'), line('refund asked', 500), line('partly refunded', 700)]), 500)
  assert.equal(pendingRefundCents([line('paid'), line('refund asked', 500), line('trouble', 500)]), 500)
})

test('of what was asked to go back and has been answered since, the answer alone is told', () => {
  const events = (history: Line[]) =>
    withoutAnsweredRefundRequests(history).map(({ event, amountCents }) => `${event} ${amountCents ?? ''}`.trim())
  const asked = [line('placed'), line('paid'), line('refund asked', 1250)]
  assert.deepEqual(events(asked), ['placed', 'paid', 'refund asked 1250'])
  assert.deepEqual(events([...asked, line('partly refunded', 1250)]), ['placed', 'paid', 'partly refunded 1250'])
  assert.deepEqual(events([...asked, line('line cancelled', 1250)]), ['placed', 'paid', 'line cancelled 1250'])
  assert.deepEqual(events([...asked, line('refund failed', 1250), line('refund asked', 1250)]), [
    'placed',
    'paid',
    'refund failed 1250',
    'refund asked 1250',
  ])
  assert.deepEqual(events([...asked, line('partly refunded', 700)]), ['placed', 'paid', 'refund asked 1250', 'partly refunded 700'])
  assert.deepEqual(
    events([...asked, line('refund asked', 1250), line('partly refunded', 1250)]),
    ['placed', 'paid', 'refund asked 1250', 'partly refunded 1250'],
    'one of two is answered',
  )
  assert.deepEqual(events([line('placed'), line('expired'), line('late payment', 500), line('refunded', 500)]), [
    'placed',
    'expired',
    'late payment 500',
    'refunded 500',
  ])
})
