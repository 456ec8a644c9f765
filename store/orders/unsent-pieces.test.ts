import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comingOffDelivery, notSentAnyMore, takenOffDelivery } from './unsent-pieces.ts'

const line = { quantity: 5, sent: 2, toSend: 3, cancelled: 0, restocked: 0, returnedRestocked: 0, chargedCents: 500, refundedCents: 0 }

test('pieces that go back into stock unsent come off the delivery, returned ones and those that were cancelled already do not', () => {
  assert.deepEqual(
    [takenOffDelivery(line), comingOffDelivery(line, 0), comingOffDelivery(line, 1), comingOffDelivery(line, 9)],
    [0, 0, 1, 3],
  )
  assert.equal(takenOffDelivery({ ...line, restocked: 1 }), 1)
  assert.equal(takenOffDelivery({ ...line, restocked: 1, returnedRestocked: 1 }), 0)
  assert.equal(takenOffDelivery({ ...line, restocked: 2, cancelled: 1 }), 1)
  assert.equal(comingOffDelivery({ ...line, toSend: 2, cancelled: 1 }, 1), 0, 'a piece that was cancelled is the first to go into stock')
  assert.equal(takenOffDelivery({ ...line, sent: 5, restocked: 2 }), 0, 'all were sent')
})

test('nothing of a line is sent any more once all of its money has gone back', () => {
  assert.deepEqual([notSentAnyMore(line), notSentAnyMore({ ...line, cancelled: 1, restocked: 2 })], [0, 2])
  assert.equal(notSentAnyMore({ ...line, refundedCents: 500 }), 3)
})
