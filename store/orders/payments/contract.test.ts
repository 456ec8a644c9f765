import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as z from 'zod'
import { productLimits } from '#store/catalogue/contract.ts'
import { createPaymentIntent, recordPayment, refundPurchase } from './contract.ts'

const complaints = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues.map(({ message }) => message) ?? []
const mostCents = productLimits.maxPrice * 100

test('the amount of a payment is at least nothing and at most what a card takes, in whole cents', () => {
  for (const [productCost, taken] of [
    [0, true],
    [0.01, true],
    ['12.50', true],
    [productLimits.maxPrice, true],
    [productLimits.maxPrice + 0.01, false],
    [-0.01, false],
    [12.505, false],
    [undefined, false],
  ] as const)
    assert.equal(complaints(createPaymentIntent.schema.body, { productCost }).length === 0, taken, `${productCost}`)
})

test('the transaction that a buyer tells has 1 to 255 characters', () => {
  for (const [transectionId, said] of [
    ['x', []],
    ['x'.repeat(255), []],
    ['x'.repeat(256), ['This is no transaction of the card provider']],
    ['', ['transectionId is required']],
    [undefined, ['transectionId is required']],
  ] as const)
    assert.deepEqual(complaints(recordPayment.schema.body, { transectionId }), said)
})

test('a refund is of one cent or more, up to the largest payment, and says what had gone back before, nothing too', () => {
  const reason = 'Broken on arrival'
  for (const [body, taken] of [
    [{ reason }, true],
    [{ reason, amountCents: 1 }, true],
    [{ reason, amountCents: mostCents }, true],
    [{ reason, amountCents: 0 }, false],
    [{ reason, amountCents: mostCents + 1 }, false],
    [{ reason, refundedCentsSeen: 0 }, true],
    [{ reason, refundedCentsSeen: mostCents }, true],
    [{ reason, refundedCentsSeen: -1 }, false],
    [{ reason, refundedCentsSeen: mostCents + 1 }, false],
  ] as const)
    assert.equal(complaints(refundPurchase.schema.body, body).length === 0, taken, JSON.stringify(body))
})
