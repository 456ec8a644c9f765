import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOutcome } from './action-outcome.ts'

type Line = Parameters<typeof describeOutcome>[0]['history'][number]
const line = (event: Line['event'], amountCents: number | null = null, state: Line['state'] = 'open'): Line => ({
  ...{ event, amountCents, state, note: null },
})
const order = { number: 1001, buyerEmail: 'ada@shop.example' }

test('an admin who has cancelled a line reads that its money goes back if it was paid, and that nothing was charged if it was not', () => {
  const cancelledLine = (...history: Line[]) => describeOutcome({ order, history: [line('placed'), ...history] })
  const title = 'This line of order 1001 is cancelled'
  assert.deepEqual(cancelledLine(line('line cancelled')), {
    kind: 'success',
    title,
    nextStep: 'Nothing was charged for it. A mail tells ada@shop.example.',
  })
  assert.deepEqual(cancelledLine(line('paid'), line('refund asked', 6000), line('line cancelled', 6000)), {
    kind: 'success',
    title,
    nextStep: "$60 goes back to the buyer's card. A mail tells ada@shop.example.",
  })
  assert.deepEqual(cancelledLine(line('paid'), line('refunded', 6000, 'paid'), line('line cancelled', null, 'paid')), {
    kind: 'success',
    title,
    nextStep: 'Its money had gone back before. A mail tells ada@shop.example.',
  })
})
