import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidAmountMessage } from '#shared/amount-schema.ts'
import { initialRefund, refundButtonText, refundFormSchema } from './refund-form.ts'

test('a refund form says what is wrong with an amount and with the pieces', () => {
  const form = refundFormSchema({ cents: 38750, pieces: 10 })
  const said = (changes: object) => form.safeParse({ amountCents: '12.50', restock: '0', ...changes }).error?.issues[0]?.message

  assert.equal(said({}), undefined)
  assert.equal(said({ amountCents: '387.50', restock: '10', reason: 'x'.repeat(200) }), undefined)
  assert.equal(said({ amountCents: ' ' }), 'Enter an amount')
  assert.equal(said({ amountCents: '12,5050' }), invalidAmountMessage)
  assert.match(`${said({ amountCents: 1250 })}`, /expected string/)
  assert.equal(said({ amountCents: '0' }), 'At least one cent')
  assert.equal(said({ amountCents: '387.51' }), 'At most $387.50 can go back')
  assert.equal(said({ restock: '' }), 'Enter a whole number of pieces')
  assert.equal(said({ restock: '2.5' }), 'Enter a whole number of pieces')
  assert.equal(said({ restock: '11' }), 'At most 10 pieces can go back into stock')
  assert.equal(said({ reason: 'x'.repeat(201) }), 'At most 200 characters')
})

test('of a line of which nothing can go back the delivery alone is offered, and never a refund of nothing', () => {
  assert.deepEqual(initialRefund({ cents: 38750 }), { amountCents: '387.50', restock: '0', delivery: false, reason: '' })
  const ofDelivery = initialRefund({ cents: 0 })
  assert.deepEqual(refundFormSchema({ cents: 0, pieces: 0 }).parse(ofDelivery), { amountCents: 0, restock: 0, delivery: true, reason: '' })
  assert.deepEqual([38750, 0, undefined].map(refundButtonText), ['Refund $387.50', 'Refund', 'Refund'])
})
