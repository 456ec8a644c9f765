import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailRows } from './detail-rows.ts'

test('an order says when it arrives, and no more once it has ended', () => {
  const parcel = { id: 'parcel', name: 'Parcel', carrier: 'DHL', earliest: '2026-12-01', latest: '2026-12-03' }
  const nothing = { billTo: null, company: null, vatId: null, poNumber: null, buyerReference: null, partNumbers: [] }
  const details = { ...nothing, name: 'Ada', deliverTo: { country: 'DE', line1: '1 Road', city: 'Berlin' }, deliveryMethod: parcel }
  const onOneDay = { ...details, deliveryMethod: { ...parcel, latest: parcel.earliest } }
  assert.match(detailRows(details, [])[0]?.text ?? '', /^Parcel, DHL, arrives from 1 Dec\w* 2026 to 3 Dec\w* 2026$/)
  assert.match(detailRows(onOneDay, [])[0]?.text ?? '', /^Parcel, DHL, arrives on 1 Dec\w* 2026$/)
  assert.match(
    detailRows(details, [], { awaitsTransfer: true })[0]?.text ?? '',
    /2026 if the money is here on the day of the order, else so much later$/,
  )
  assert.deepEqual(detailRows(details, [], { isEnded: true }), [{ name: 'Delivery', text: 'Parcel, DHL' }])
})
