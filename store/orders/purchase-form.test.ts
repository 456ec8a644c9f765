import assert from 'node:assert/strict'
import { test } from 'node:test'
import { purchaseFormSchema } from './purchase-form-schema.ts'

test('the purchase form says what is missing in the specified words', () => {
  const form = purchaseFormSchema({ minimum_order_quantity: 5, available_quantity: 40, price: 12, order_multiple: 1, price_breaks: [] })
  const whole = { address: '1 Road', phone_number: '01234567890', quantity: 5 }
  const said = (changes: object) => form.safeParse({ ...whole, ...changes }).error?.issues[0]?.message

  assert.equal(said({}), undefined)
  assert.equal(said({ quantity: 40 }), undefined)
  assert.equal(said({ address: ' ' }), 'address is required')
  assert.equal(said({ phone_number: '' }), 'Phone number is required')
  assert.equal(said({ phone_number: '0123456789' }), 'Phone number must 11 characters or longer')
  assert.equal(said({ quantity: 4 }), 'You must have to order 5 pieces')
  assert.equal(said({ quantity: 41 }), "You can't order more than 40 pieces")
  for (const quantity of [5.5, '', 'ten', Number.NaN, undefined]) assert.equal(said({ quantity }), 'Enter a whole number of pieces')
})

test('a phone number counts its characters as typed, with plus, blanks and dashes', () => {
  const { phone_number } = purchaseFormSchema({
    minimum_order_quantity: 5,
    available_quantity: 40,
    price: 12,
    order_multiple: 1,
    price_breaks: [],
  }).shape
  const said = (typed: string) => phone_number.safeParse(typed).error?.issues[0]?.message

  for (const typed of ['+44 20-7946', '+4420794600', '020 79 46 00', '(0)20-7946.']) assert.equal(said(typed), undefined, typed)
  assert.equal(phone_number.parse('+44 20-7946'), '+44 20-7946')
  assert.equal(said('0'.repeat(40)), undefined)
  assert.equal(said('0'.repeat(41)), 'At most 40 characters')
  for (const typed of ['+44 20-794', '  +44 20-794  ']) assert.equal(said(typed), 'Phone number must 11 characters or longer', typed)
})
