import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrivalDays, localDayAndTime } from './delivery-days.ts'
import {
  type DeliveredLine,
  type DeliveryMethod,
  type DeliveryZone,
  type Destination,
  deliveryOptions,
  formatWeight,
  mostSpecificZones,
} from './delivery-options.ts'

const zone = (name: string, where: Partial<DeliveryZone> = {}): DeliveryZone => ({
  ...{ _id: name, name, countries: [], states: [], postalPrefixes: [], ...where },
})
const germany = zone('Germany', { countries: ['DE'] })

const parcel: DeliveryMethod = {
  ...{ _id: 'parcel', zoneId: 'Germany', name: 'Parcel', carrier: 'DHL', pricedBy: 'weight', freeFromCents: null, notForCategories: [] },
  steps: [
    { upTo: 2000, priceCents: 490 },
    { upTo: 31_500, priceCents: 990 },
  ],
  ...{ daysFrom: 1, daysTo: 2, cutOff: '14:00', handlingDays: 0 },
}
const letter: DeliveryMethod = {
  ...parcel,
  ...{ _id: 'letter', name: 'Letter', carrier: null, pricedBy: 'goods', daysFrom: 2, daysTo: 4, notForCategories: ['battery'] },
  steps: [
    { upTo: 5000, priceCents: 200 },
    { upTo: 10_000, priceCents: 350 },
  ],
}
const calendar = { timeZone: 'Europe/Berlin', holidays: ['2026-12-25', '2026-12-26', '2027-01-01'] }
/** A Tuesday, 10:00 in Berlin. */
const tuesday = new Date('2026-11-24T09:00:00Z')
const line = (changes: Partial<DeliveredLine> = {}): DeliveredLine => ({
  ...{ category: 'cpu', weightGrams: 400, quantity: 2, amountCents: 3000, ...changes },
})

const ask = (changes: Partial<Parameters<typeof deliveryOptions>[0]> = {}) =>
  deliveryOptions({
    ...{ zones: [germany], methods: [parcel, letter], lines: [line()], destination: { country: 'DE' }, calendar, now: tuesday },
    ...changes,
  })
const pricesOf = (found: ReturnType<typeof ask>) => found.options.map(({ name, priceCents }) => [name, priceCents])

test('the methods that fit are answered with price and days of arrival, the cheapest first', () => {
  assert.deepEqual(ask(), {
    isSetUp: true,
    options: [
      { methodId: 'letter', name: 'Letter', carrier: null, priceCents: 200, earliest: '2026-11-26', latest: '2026-11-30' },
      { methodId: 'parcel', name: 'Parcel', carrier: 'DHL', priceCents: 490, earliest: '2026-11-25', latest: '2026-11-26' },
    ],
    refusals: [],
  })
})

test('of methods that cost the same, the one that arrives first comes first', () => {
  const express = { ...parcel, _id: 'express', name: 'Express', daysTo: 1 }
  const soonest = { ...parcel, _id: 'soonest', name: 'Soonest', daysFrom: 0 }
  const alike = { ...parcel, _id: 'alike', name: 'Another' }
  for (const methods of [
    [parcel, alike, soonest, express],
    [express, soonest, alike, parcel],
    [alike, express, parcel, soonest],
  ])
    assert.deepEqual(
      ask({ methods }).options.map(({ name }) => name),
      ['Express', 'Soonest', 'Another', 'Parcel'],
    )
})

test('before any method is set, delivery is not set up and nothing is said of it', () => {
  assert.deepEqual(ask({ methods: [] }), { isSetUp: false, options: [], refusals: [] })
})

test('a step holds up to its weight, pieces and lines together, and what weighs more than the last step is not sent so', () => {
  const priceAt = (...grams: number[]) => ask({ methods: [parcel], lines: grams.map((weightGrams) => line({ weightGrams, quantity: 1 })) })
  assert.deepEqual(pricesOf(priceAt(2000)), [['Parcel', 490]])
  assert.deepEqual(pricesOf(priceAt(1999, 2)), [['Parcel', 990]])
  assert.deepEqual(pricesOf(priceAt(31_500)), [['Parcel', 990]])
  assert.deepEqual(priceAt(31_000, 501), {
    ...{ isSetUp: true, options: [] },
    refusals: [{ code: 'too_heavy', method: 'Parcel', message: 'Parcel: up to 31.5 kg, and this weighs 31.501 kg', lines: [] }],
  })
  assert.deepEqual(pricesOf(ask({ methods: [parcel], lines: [line({ weightGrams: 100, quantity: 21 })] })), [['Parcel', 990]])
  const freight = { ...parcel, steps: [...parcel.steps, { upTo: null, priceCents: 9900 }] }
  assert.deepEqual(pricesOf(ask({ methods: [freight], lines: [line({ weightGrams: 1_000_000, quantity: 900 })] })), [['Parcel', 9900]])
})

test('a price by goods holds up to their amount after reductions', () => {
  const priceAt = (amountCents: number) => ask({ methods: [letter], lines: [line({ amountCents, weightGrams: null })] })
  assert.deepEqual(pricesOf(priceAt(5000)), [['Letter', 200]])
  assert.deepEqual(pricesOf(priceAt(5001)), [['Letter', 350]])
  assert.deepEqual(priceAt(10_001).refusals, [
    { code: 'goods_cost_too_much', method: 'Letter', message: 'Letter: for goods of up to $100', lines: [] },
  ])
})

test('from an amount of goods on, delivery costs nothing, though not for what is too heavy', () => {
  const free = { ...parcel, freeFromCents: 10_000 }
  const priceAt = (amountCents: number, weightGrams = 400) => ask({ methods: [free], lines: [line({ amountCents, weightGrams })] })
  assert.deepEqual(pricesOf(priceAt(9999)), [['Parcel', 490]])
  assert.deepEqual(pricesOf(priceAt(10_000)), [['Parcel', 0]])
  assert.deepEqual(priceAt(10_000, 20_000).options, [])
})

test('a method that is not for a category names the lines, and one by weight those whose weight is not known', () => {
  const lines = [line(), line({ category: 'battery', weightGrams: null }), line({ category: null })]
  assert.deepEqual(ask({ lines }), {
    ...{ isSetUp: true, options: [] },
    refusals: [
      { code: 'weight_unknown', method: 'Parcel', message: 'Parcel: the weight of some of these products is not known', lines: [1] },
      { code: 'category_excluded', method: 'Letter', message: 'Letter: not for some of these products', lines: [1] },
    ],
  })
})

test('nothing is delivered to where no zone is, or one without methods', () => {
  const refusals = [{ code: 'not_delivered_there', method: null, message: 'Nothing is delivered to Norway', lines: [] }]
  assert.deepEqual(ask({ destination: { country: 'NO' } }), { isSetUp: true, options: [], refusals })
  const zones = [germany, zone('Norway', { countries: ['NO'] }), zone('World')]
  const world = { ...parcel, zoneId: 'World' }
  assert.deepEqual(ask({ zones, methods: [parcel, world], destination: { country: 'NO' } }).refusals, refusals)
  assert.deepEqual(ask({ zones: [], methods: [parcel] }).options, [])
})

test('of overlapping zones the most specific one holds: postal code, state, country, everywhere', () => {
  const zones = [
    zone('World'),
    germany,
    zone('Europe', { countries: ['DE', 'FR'] }),
    zone('Islands', { countries: ['DE'], postalPrefixes: ['25', '26'] }),
    zone('Heligoland', { countries: ['DE'], postalPrefixes: ['27498'] }),
    zone('Bremen', { countries: ['DE'], postalPrefixes: ['27'] }),
    zone('Bavaria', { countries: ['DE'], states: ['BY'] }),
    zone('Munich', { countries: ['DE'], states: ['BY'], postalPrefixes: ['80'] }),
    zone('Eighty', { countries: ['DE'], postalPrefixes: ['80'] }),
  ]
  const zonesOf = (destination: Destination) => mostSpecificZones(zones, destination).map(({ name }) => name)
  assert.deepEqual(zonesOf({ country: 'JP' }), ['World'])
  assert.deepEqual(zonesOf({ country: 'FR', postalCode: '27498' }), ['Europe'])
  assert.deepEqual(zonesOf({ country: 'DE' }), ['Germany', 'Europe'], 'equally specific ones hold both')
  assert.deepEqual(zonesOf({ country: 'de', postalCode: '26 465' }), ['Islands'])
  assert.deepEqual(zonesOf({ country: 'DE', postalCode: '27-498' }), ['Heligoland'], 'the longer prefix')
  assert.deepEqual(zonesOf({ country: 'DE', postalCode: '27568' }), ['Bremen'])
  assert.deepEqual(zonesOf({ country: 'DE', state: 'by' }), ['Bavaria'])
  assert.deepEqual(zonesOf({ country: 'DE', state: 'DE-BY', postalCode: '80331' }), ['Munich'])
  assert.deepEqual(zonesOf({ country: 'DE', state: 'HE', postalCode: '80331' }), ['Eighty'])
  assert.deepEqual(zonesOf({ country: 'DE', state: 'BY', postalCode: '26465' }), ['Islands'], 'the postal code says more than the state')
  assert.deepEqual(
    mostSpecificZones([zone('BT', { countries: ['GB'], postalPrefixes: ['BT'] })], { country: 'GB', postalCode: 'bt1 1aa' }).length,
    1,
  )
})

test('methods of two equally specific zones are offered together', () => {
  const zones = [germany, zone('Europe', { countries: ['DE', 'FR'] })]
  assert.deepEqual(pricesOf(ask({ zones, methods: [parcel, { ...letter, zoneId: 'Europe' }] })), [
    ['Letter', 200],
    ['Parcel', 490],
  ])
})

const arrival = (now: string, changes: Partial<DeliveryMethod> = {}, timeZone = 'Europe/Berlin') => {
  const { earliest, latest } = arrivalDays({ ...parcel, ...changes }, { ...calendar, timeZone }, new Date(now))
  return `${earliest} to ${latest}`
}

test('an order before the cut-off is handled on the same day, one at it or later on the next working day', () => {
  assert.equal(arrival('2026-11-24T12:59:59Z'), '2026-11-25 to 2026-11-26')
  assert.equal(arrival('2026-11-24T13:00:00Z'), '2026-11-26 to 2026-11-27')
  assert.equal(arrival('2026-11-24T22:00:00Z', { cutOff: null }), '2026-11-25 to 2026-11-26')
  assert.equal(arrival('2026-11-24T09:00:00Z', { daysFrom: 0, daysTo: 0 }), '2026-11-24 to 2026-11-24', 'by courier on the same day')
})

test("the cut-off is a time of the shop's clock, in summer and in winter", () => {
  assert.equal(arrival('2026-03-27T12:30:00Z'), '2026-03-30 to 2026-03-31', 'Friday, 13:30 in Berlin: in time')
  assert.equal(arrival('2026-03-30T12:30:00Z'), '2026-04-01 to 2026-04-02', 'Monday, 14:30 in Berlin since Sunday: late')
  assert.equal(arrival('2026-10-23T12:30:00Z'), '2026-10-27 to 2026-10-28', 'Friday, 14:30: late')
  assert.equal(arrival('2026-10-26T12:30:00Z'), '2026-10-27 to 2026-10-28', 'Monday, 13:30 since Sunday: in time')
  assert.equal(
    arrival('2026-03-09T17:30:00Z', {}, 'America/New_York'),
    '2026-03-10 to 2026-03-11',
    '13:30 in New York, a day after the change',
  )
})

test('the day is that of the shop: after midnight there, it is the next one', () => {
  assert.deepEqual(localDayAndTime(new Date('2026-11-24T23:30:00Z'), 'Europe/Berlin'), { day: '2026-11-25', time: '00:30' })
  assert.equal(arrival('2026-11-24T23:30:00Z'), '2026-11-26 to 2026-11-27')
  assert.equal(
    arrival('2026-11-25T04:30:00Z', {}, 'America/New_York'),
    '2026-11-26 to 2026-11-27',
    'still Tuesday there, after the cut-off',
  )
  assert.equal(arrival('2026-11-24T15:30:00Z', {}, 'Asia/Tokyo'), '2026-11-26 to 2026-11-27', '00:30 on Wednesday')
})

test('weekends and holidays are no days of handling and none of arrival', () => {
  assert.equal(arrival('2026-11-27T09:00:00Z'), '2026-11-30 to 2026-12-01', 'Friday')
  assert.equal(arrival('2026-11-28T09:00:00Z'), '2026-12-01 to 2026-12-02', 'Saturday counts as Monday')
  assert.equal(arrival('2026-11-26T09:00:00Z', { handlingDays: 2 }), '2026-12-01 to 2026-12-02', 'Thursday, two days of handling')
  assert.equal(arrival('2026-12-24T09:00:00Z'), '2026-12-28 to 2026-12-29', 'Christmas on a Friday')
  assert.equal(arrival('2026-12-25T08:00:00Z'), '2026-12-29 to 2026-12-30', 'before the cut-off of a holiday: handled on Monday')
  assert.equal(arrival('2026-12-31T13:30:00Z'), '2027-01-05 to 2027-01-06', 'after the cut-off of the last day: handled on Monday the 4th')
})

test('whenever it is ordered: it arrives on working days, the latest not before the earliest, and never sooner for an order that comes later', () => {
  const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
  const days = fc.integer({ min: 0, max: 30 })
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 5_000_000 }), days, days, days, (now, laterSeconds, handlingDays, daysFrom, more) => {
      const times = { cutOff: '14:00', handlingDays, daysFrom, daysTo: daysFrom + more }
      const first = arrivalDays(times, calendar, now)
      const second = arrivalDays(times, calendar, new Date(now.getTime() + laterSeconds * 1000))
      assert.ok(first.earliest <= first.latest && first.earliest <= second.earliest && first.latest <= second.latest)
      for (const day of [first.earliest, first.latest]) {
        assert.ok(![0, 6].includes(new Date(day).getUTCDay()))
        assert.ok(!calendar.holidays.includes(day))
      }
    }),
  )
})

test('a weight is said in grams, or from a kilogram on in kilograms', () => {
  assert.deepEqual([0, 620, 999, 1000, 31_500].map(formatWeight), ['0 g', '620 g', '999 g', '1 kg', '31.5 kg'])
})
