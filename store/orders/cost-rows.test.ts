import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargedCentsOf, costParts, costRows, listedLineCents, reductionShareText } from './cost-rows.ts'

const paidAt = '2026-11-26T12:00:00.000Z'
const line = { inTotal: true, reductionCents: 0, reductionReason: null }
const plain = { ...{ goodsCents: 3000, deliveryCents: 0, includedTaxCents: 0, taxCents: 0, taxes: [], totalCents: 3000 }, paidAt: null }
const untouched = { refundedCents: 0, refundedDeliveryCents: 0, refundedTaxes: [] }
const taxes = [
  { ratePpm: 190_000, netCents: 2200, taxCents: 418 },
  { ratePpm: 70_000, netCents: 1100, taxCents: 77 },
  { ratePpm: 0, netCents: 100, taxCents: 0 },
]

test('the lines of an order add up to its goods, from which a discount code takes its reduction, also where nothing else makes up the total', () => {
  const lines = [
    { inTotal: true, totalCents: 1800, reductionCents: 200, reductionReason: 'TEN' },
    { inTotal: true, totalCents: 900, reductionCents: 100, reductionReason: 'TEN' },
  ]
  const rows = rowsOf({ ...plain, ...untouched, lines, goodsCents: 2700, totalCents: 2700 })
  assert.deepEqual(rows, [
    ['Goods', lines.map(listedLineCents).reduce((sum, cents) => sum + cents), 'part'],
    ['Reduction by the code TEN', -300, 'part'],
    ['Total', 2700, 'total'],
  ])
  assert.deepEqual(lines.map(reductionShareText), ['$2 of the reduction by the code TEN', '$1 of the reduction by the code TEN'])
  assert.equal(reductionShareText(line), null)
})

const rowsOf = (order: Parameters<typeof costRows>[0], details: Parameters<typeof costRows>[1] = null) =>
  costRows(order, details).map(({ label, amountCents, kind }) => [label, amountCents, kind])

test('the rows of what an order costs add up to its total, and those of what has gone back to what is left', () => {
  assert.deepEqual(rowsOf({ ...plain, ...untouched, lines: [line] }), [['Total', 3000, 'total']])
  assert.deepEqual(costParts({ ...plain, ...untouched, lines: [line] }, null), [], 'nothing beside the lines')
  const lines = [
    { inTotal: true, reductionCents: 200, reductionReason: 'TEN' },
    { inTotal: false, reductionCents: 50, reductionReason: 'TEN' },
    { inTotal: true, reductionCents: 100, reductionReason: 'TEN' },
  ]
  const net = { ...plain, deliveryCents: 400, taxCents: 495, taxes, totalCents: 3895, lines, paidAt }
  const refunds = { refundedCents: 1190, refundedDeliveryCents: 0, refundedTaxes: [{ ratePpm: 190_000, netCents: 1000, taxCents: 190 }] }
  const rows = costRows({ ...net, ...refunds }, null)
  assert.deepEqual(rowsOf({ ...net, ...refunds }), [
    ['Goods', 3300, 'part'],
    ['Reduction by the code TEN', -300, 'part'],
    ['Delivery', 400, 'part'],
    ['19 % tax on $22', 418, 'part'],
    ['7 % tax on $11', 77, 'part'],
    ['Total paid', 3895, 'total'],
    ['Refunded', -1190, 'part'],
    ['including 19 % tax on $10', -190, 'included'],
    ['Paid after the refund', 2705, 'total'],
  ])
  let sum = 0
  for (const { amountCents, kind } of rows)
    if (kind === 'total') assert.equal(amountCents, sum)
    else if (kind === 'part') sum += amountCents

  const delivered = { ...net, refundedCents: 1190, refundedDeliveryCents: 476, refundedTaxes: refunds.refundedTaxes }
  assert.deepEqual(rowsOf(delivered).slice(6, 8), [
    ['Refunded', -1190, 'part'],
    ['including delivery and its tax', -476, 'included'],
  ])
  assert.deepEqual(rowsOf({ ...delivered, refundedTaxes: [] })[7], ['including delivery', -476, 'included'])

  const gross = { ...net, includedTaxCents: 495, totalCents: 3400 }
  assert.deepEqual(rowsOf({ ...gross, ...untouched, lines: [line] }).slice(0, 5), [
    ['Goods', 3000, 'part'],
    ['Delivery', 400, 'part'],
    ['including 19 % tax on $22', 418, 'included'],
    ['including 7 % tax on $11', 77, 'included'],
    ['Total paid', 3400, 'total'],
  ])
  const exported = { ...gross, taxCents: 0, taxes: [{ ratePpm: 0, netCents: 2905, taxCents: 0 }], totalCents: 2905 }
  assert.deepEqual(rowsOf({ ...exported, ...untouched, lines: [line] })[2], ['Tax taken out of the prices', -495, 'part'])
})

test('a delivery that was chosen and costs nothing is a row, too, and one that nobody has chosen is none', () => {
  const order = { ...plain, ...untouched, lines: [line] }
  const deliveryMethod = { id: crypto.randomUUID(), name: 'Parcel', carrier: 'DHL', earliest: '2026-11-27', latest: '2026-11-28' }
  assert.deepEqual(rowsOf(order, { deliveryMethod }), [
    ['Goods', 3000, 'part'],
    ['Delivery', 0, 'part'],
    ['Total', 3000, 'total'],
  ])
  assert.deepEqual(rowsOf(order, { deliveryMethod: null }), [['Total', 3000, 'total']])
  assert.deepEqual(costRows({ ...order, refundedCents: 3000 }, { deliveryMethod }).map(chargedCentsOf), [3000, undefined, 3000, -3000, 0])
})

test('of an order of which a part was paid nothing is kept once that goes back, and of one on account its total is credited', () => {
  const order = { ...plain, ...untouched, lines: [line], refundedCents: 2700 }
  assert.deepEqual(rowsOf(order), [
    ['Total', 3000, 'total'],
    ['Refunded', -2700, 'part'],
    ['Paid after the refund', 0, 'total'],
  ])
  assert.deepEqual(rowsOf({ ...order, paymentMethod: 'on_account' }).slice(1), [
    ['Credited', -2700, 'part'],
    ['Total after the credit', 300, 'total'],
  ])
})
