import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineTotal } from '#shared/money.ts'
import { costOfFirstPieces, orderTotals, splitAmountOverLines } from './order-totals.ts'

test('an order costs its lines less their reductions, delivery and tax', () => {
  assert.equal(lineTotal(1235, 12), 14_820)
  const lines = [
    { unitPriceCents: 1235, quantity: 12 },
    { unitPriceCents: 700, quantity: 5, reductionCents: 350 },
  ]
  const charges = { deliveryCents: 0, includedTaxCents: 0, taxCents: 0 }
  assert.deepEqual(orderTotals(lines), { goodsCents: 17_970, ...charges, totalCents: 17_970 })
  const net = { deliveryCents: 500, includedTaxCents: 0, taxCents: 3414 }
  assert.deepEqual(orderTotals(lines, net), { goodsCents: 17_970, ...net, totalCents: 21_884 })
  const gross = { deliveryCents: 500, includedTaxCents: 2949, taxCents: 2949 }
  assert.deepEqual(orderTotals(lines, gross), { goodsCents: 17_970, ...gross, totalCents: 18_470 })
  assert.deepEqual(orderTotals([]), { goodsCents: 0, ...charges, totalCents: 0 })
})

test('the pieces of a line have cost their share, rounded half up, and all of them the whole line', () => {
  const line = { chargedCents: 1000, quantity: 3 }
  assert.deepEqual(
    [0, 1, 2, 3].map((pieces) => costOfFirstPieces(line, pieces)),
    [0, 333, 667, 1000],
  )
  assert.equal(costOfFirstPieces({ chargedCents: 5, quantity: 2 }, 1), 3)
})

test('an amount is shared out by what is left: the shares add up to it, and none is more than is left', () => {
  assert.deepEqual(splitAmountOverLines(100, [100, 100, 100]), [34, 33, 33])
  assert.deepEqual(splitAmountOverLines(10, [0, 7, 3]), [0, 7, 3])
  assert.deepEqual(splitAmountOverLines(0, [5, 5]), [0, 0])
  assert.deepEqual(splitAmountOverLines(0, [0, 0]), [0, 0])
  assert.deepEqual(splitAmountOverLines(5, [1, 2, 7]), [1, 1, 3], 'of equal remainders the first line')
  assert.deepEqual(splitAmountOverLines(2, [1, 2, 4]), [0, 1, 1], 'the largest remainders')
  assert.throws(() => splitAmountOverLines(11, [5, 5]), RangeError)
  const cents = fc.integer({ min: 0, max: 99_999_999 })
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (left, part) => {
      const total = left.reduce((sum, each) => sum + each, 0)
      const amount = Math.floor(total * part)
      const shares = splitAmountOverLines(amount, left)
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        amount,
      )
      for (const [nth, share] of shares.entries()) assert.ok(share >= 0 && share <= (left[nth] ?? 0))
    }),
  )
})
