import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCentsInput, parseDollarsToCents, refundFormSchema } from './refund-form.ts'

test('an amount is read as people type it, and nothing else is one', () => {
  for (const [text, cents] of [
    ['12.50', 1250],
    ['12.5', 1250],
    [' $1,250 ', 125000],
    ['0.01', 1],
    ['400', 40000],
    ['19.99', 1999],
    ['1.15', 115],
  ] as const)
    assert.equal(parseDollarsToCents(text), cents, text)
  for (const text of ['', '12.505', '1e3', '-5', '12,50', '1,25', '.', 'ten', '0x10', '12. 5'])
    assert.equal(parseDollarsToCents(text), Number.NaN, text)
  for (const cents of [1, 115, 1250, 40000]) assert.equal(parseDollarsToCents(formatCentsInput(cents)), cents)
})

test('a refund form says what is wrong with an amount and with the pieces', () => {
  const form = refundFormSchema({ cents: 38750, pieces: 10 })
  const said = (changes: object) => form.safeParse({ amountCents: '12.50', restock: '0', ...changes }).error?.issues[0]?.message

  assert.equal(said({}), undefined)
  assert.equal(said({ amountCents: '387.50', restock: '10', reason: 'x'.repeat(200) }), undefined)
  assert.equal(said({ amountCents: ' ' }), 'Enter an amount')
  assert.equal(said({ amountCents: '12,50' }), 'Enter an amount in dollars and cents, like 12.50 or 1,250')
  assert.equal(said({ amountCents: '0' }), 'At least one cent')
  assert.equal(said({ amountCents: '387.51' }), 'At most $387.50 can go back')
  assert.equal(said({ restock: '' }), 'Enter a whole number of pieces')
  assert.equal(said({ restock: '2.5' }), 'Enter a whole number of pieces')
  assert.equal(said({ restock: '11' }), 'At most 10 pieces can go back into stock')
  assert.equal(said({ reason: 'x'.repeat(201) }), 'At most 200 characters')
})
