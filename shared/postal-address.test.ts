import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressFieldRules, findAddressErrors, formatPostalAddress } from './postal-address.ts'

const fieldsOf = (country: string) => addressFieldRules(country).map(({ field, isRequired }) => `${field}${isRequired ? '*' : ''}`)

test('an address has the fields of its country, in the order in which they are written there', () => {
  assert.deepEqual(fieldsOf('DE'), ['line1*', 'line2', 'postalCode*', 'city*'])
  assert.deepEqual(fieldsOf('US'), ['line1*', 'line2', 'city*', 'state*', 'postalCode*'])
  assert.deepEqual(fieldsOf('GB'), ['line1*', 'line2', 'city*', 'postalCode*'])
  assert.deepEqual(fieldsOf('HK').includes('postalCode*'), false, 'there are none')
  assert.deepEqual(
    addressFieldRules('US').map(({ label }) => label),
    ['Address', 'Apartment, suite, floor', 'City', 'State', 'ZIP code'],
  )
})

test('what is missing or no postal code of the country is said at its field', () => {
  const berlin = { country: 'DE', line1: 'Unter den Linden 1', city: 'Berlin', postalCode: '10117' }
  assert.deepEqual(findAddressErrors(berlin), {})
  assert.deepEqual(findAddressErrors({ ...berlin, country: 'XX' }), { country: 'Choose a country' })
  assert.deepEqual(findAddressErrors({ ...berlin, postalCode: '1011' }), { postalCode: 'This is no postal code of Germany' })
  assert.deepEqual(findAddressErrors({ ...berlin, country: 'US', postalCode: '10117' }), { state: 'Enter the state' })
  assert.deepEqual(findAddressErrors({ ...berlin, country: 'US', state: 'Calif.' }), {
    state: 'United States has no state or province Calif.',
  })
  for (const state of ['CA', 'california', 'US-CA']) assert.deepEqual(findAddressErrors({ ...berlin, country: 'US', state }), {}, state)
  assert.deepEqual(findAddressErrors({ country: 'US', line1: ' ', city: '', postalCode: '' }), {
    line1: 'Enter the address',
    city: 'Enter the city',
    state: 'Enter the state',
    postalCode: 'Enter the ZIP code',
  })
  assert.deepEqual(findAddressErrors({ country: 'GB', line1: '1 High Street', city: 'London', postalCode: 'SW1A 1A' }), {
    postalCode: 'This is no postcode of United Kingdom',
  })
})

test('an address is written as in its country, with the country last', () => {
  const address = { country: 'US', line1: '548 Market St', line2: 'Suite 5', city: 'San Francisco', state: 'CA', postalCode: '94104' }
  assert.deepEqual(formatPostalAddress(address, { name: 'Ada Byron', company: 'Engines Inc.' }), [
    'Ada Byron',
    'Engines Inc.',
    '548 Market St',
    'Suite 5',
    'San Francisco, CA 94104',
    'United States',
  ])
  const berlin = { country: 'DE', line1: 'Unter den Linden 1', city: 'Berlin', postalCode: '10117' }
  assert.deepEqual(formatPostalAddress(berlin), ['Unter den Linden 1', '10117 Berlin', 'Germany'])
})
