import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carriers, carrierText, findCarrier, trackingNumberFault, trackingNumberWarning, trackingUrl } from './carriers.ts'
import { SendOrderBody } from './contract.ts'

const line = { _id: crypto.randomUUID(), quantity: 1 }
const parse = (more: object) => SendOrderBody.safeParse({ lines: [line], ...more })
const refusal = (more: object) => parse(more).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test('each carrier but an unknown one has a page for a tracking number, which is quoted in its address', () => {
  for (const carrier of carriers) {
    const url = trackingUrl({ carrier, trackingNumber: 'A1&b=/..#' })
    if (carrier === 'other') assert.equal(url, null)
    else assert.match(`${url}`, /^https:\/\/[a-z.-]+\/.*A1%26b%3D%2F\.\.%23$/)
    assert.equal(trackingUrl({ carrier, trackingNumber: null }), null)
  }
  assert.equal(trackingUrl({ carrier: null, trackingNumber: null }), null)
  assert.equal(carrierText({ carrier: 'other', trackingNumber: 'A1' }), 'A1')
  assert.equal(carrierText({ carrier: 'Royal Mail', trackingNumber: null }), 'Royal Mail')
})

test('a tracking number is kept without spaces and in capitals; one that is none is refused in words', () => {
  const kept = (trackingNumber: string) => parse({ carrier: 'DPD', trackingNumber }).data?.trackingNumber
  assert.equal(kept(' 1z 999-aa1 '), '1Z999-AA1')
  assert.equal(kept(''), '')
  assert.equal(kept('1'.repeat(40)), '1'.repeat(40))
  assert.deepEqual(refusal({ carrier: 'DPD', trackingNumber: '1'.repeat(41) }), [
    'trackingNumber: A tracking number has at most 40 characters',
  ])
  for (const none of ['<b>1</b>', 'https://evil.example/1', 'ABC', '1--2', '-1', '1_2', "1'; --", '１２'])
    assert.deepEqual(refusal({ carrier: 'DPD', trackingNumber: none }), [
      'trackingNumber: A tracking number has letters, digits and dashes, and at least one digit',
    ])
  assert.deepEqual(refusal({ trackingNumber: '1Z999' }), ['carrier: Say which carrier this tracking number is of'])
  assert.deepEqual(refusal({ carrier: 'Pigeon' }), [`carrier: A carrier is one of ${carriers.join(', ')}`])
  assert.deepEqual([parse({}).success, parse({ carrier: 'other' }).success], [true, true])
})

test('a number that does not look like one of its carrier is said, not refused, unless it cannot be one', () => {
  const usual = {
    DHL: ['00340434161094015902', '1234567890', 'JJD000390007882823016'],
    UPS: ['1Z999AA10123456784'],
    FedEx: ['123456789012', '961234567890123'],
    DPD: ['01234567890123', '01234567890123X'],
    GLS: ['12345678901', 'ZAB12345'],
    USPS: ['9400111899223397467490', 'EA123456789US'],
    'Royal Mail': ['RA123456789GB'],
    other: ['1', '9400111899223397467490'],
  } as const
  for (const carrier of carriers)
    for (const trackingNumber of usual[carrier]) assert.equal(trackingNumberWarning({ carrier, trackingNumber }), undefined, trackingNumber)
  for (const carrier of carriers.filter((carrier) => carrier !== 'other')) {
    assert.match(
      `${trackingNumberWarning({ carrier, trackingNumber: 'Z9' })}`,
      new RegExp(`^Numbers of ${carrier} are usually .*: look at it again$`),
    )
    assert.equal(parse({ carrier, trackingNumber: 'Z9' }).success, true)
  }
  for (const none of [{ carrier: '' as const, trackingNumber: 'Z9' }, { carrier: 'UPS' as const, trackingNumber: '' }, {}])
    assert.equal(trackingNumberWarning(none), undefined)
  assert.deepEqual(refusal({ carrier: 'UPS', trackingNumber: '1Z999AA1012345678' }), [
    'trackingNumber: A number of UPS that begins with 1Z has 18 characters, this one 17',
  ])
  assert.equal(trackingNumberFault({ carrier: 'DPD', trackingNumber: '1Z9' }), undefined)
  assert.deepEqual(['royal mail', 'ROYAL-MAIL', 'dhl', 'Dhl Express', ''].map(findCarrier), [
    'Royal Mail',
    'Royal Mail',
    'DHL',
    undefined,
    undefined,
  ])
})
