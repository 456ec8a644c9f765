import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInEuVat } from './eu-countries.ts'
import { rateSets } from './rate-sets.ts'
import { type TaxDestination, taxTermsFor } from './tax-terms.ts'
import { countryOfVatId } from './vat-id.ts'

const rate = (country: string, standard: number, reduced?: number, state: string | null = null) => [
  { country, state, taxClass: 'standard' as const, ratePpm: standard * 10_000 },
  ...(reduced === undefined ? [] : [{ country, state, taxClass: 'reduced' as const, ratePpm: reduced * 10_000 }]),
]
const rates = [
  ...rate('DE', 19, 7),
  ...rate('AT', 20, 10),
  ...rate('FR', 20, 10),
  ...rate('CH', 8.1),
  ...rate('US', 1),
  ...rate('US', 7.25, undefined, 'CA'),
  ...rate('US', 0, undefined, 'OR'),
]

const settings = { country: 'DE', state: null, pricesIncludeTax: false }
type Shop = { country?: string | null; state?: string; pricesIncludeTax?: boolean; rates?: typeof rates }
/** The case, and the rates in percent. */
function termsOf(shop: Shop, destination: Partial<TaxDestination> & { country: string }) {
  const { rates: set = rates, ...changes } = shop
  const terms = taxTermsFor(
    { settings: { ...settings, ...changes }, rates: set, hasRates: set.length > 0 },
    { isBusiness: false, ...destination },
  )
  return [terms.kind, terms.rates.standard / 10_000, terms.rates.reduced / 10_000]
}

test("in its own country the shop's rates apply, those of the destination's state before those of the country", () => {
  assert.deepEqual(termsOf({}, { country: 'DE' }), ['domestic', 19, 7])
  assert.deepEqual(termsOf({}, { country: 'de', isBusiness: true, vatId: 'ATU13585627' }), ['domestic', 19, 7], 'also for businesses')
  const american = { country: 'US', state: 'CA' }
  assert.deepEqual(termsOf(american, { country: 'US', state: 'CA' }), ['domestic', 7.25, 7.25], 'without a reduced rate the standard one')
  assert.deepEqual(termsOf(american, { country: 'US', state: 'us-or' }), ['domestic', 0, 0])
  assert.deepEqual(termsOf(american, { country: 'US', state: 'TX' }), ['domestic', 1, 1])
  assert.deepEqual(termsOf(american, { country: 'US' }), ['domestic', 1, 1])
  const statesOnly = rates.filter(({ country, state }) => country !== 'US' || state !== null)
  assert.deepEqual(termsOf({ ...american, rates: statesOnly }, { country: 'US', state: 'TX' }), ['none', 0, 0], 'no rate, nothing is said')
})

test("to consumers elsewhere in the EU the destination's rates apply where they are set, else the shop's", () => {
  assert.deepEqual(termsOf({}, { country: 'AT' }), ['EU consumer', 20, 10])
  assert.deepEqual(termsOf({}, { country: 'IT' }), ['EU consumer', 19, 7])
  assert.deepEqual(termsOf({}, { country: 'MC' }), ['EU consumer', 20, 10], 'Monaco counts as France')
  assert.deepEqual(termsOf({ country: 'MC' }, { country: 'FR' }), ['domestic', 20, 10])
  assert.deepEqual(termsOf({ country: 'IT' }, { country: 'ES' }), ['none', 0, 0], 'neither is set')
})

test('a business in another country of the EU with a VAT id of valid form buys without tax, with the sentence', () => {
  const business = { isBusiness: true, vatId: 'ATU13585627' }
  assert.deepEqual(termsOf({}, { country: 'AT', ...business }), ['reverse charge', 19, 7])
  assert.deepEqual(
    termsOf({}, { country: 'IT', ...business }),
    ['reverse charge', 19, 7],
    'the goods may go to another country than that of the id',
  )
  const consumers: Partial<TaxDestination>[] = [
    { vatId: business.vatId },
    { isBusiness: true },
    { isBusiness: true, vatId: 'ATU13585628' },
    { isBusiness: true, vatId: 'DE136695976' },
    { isBusiness: true, vatId: 'CHE123456788' },
    { isBusiness: true, vatId: 'GB980780684' },
  ]
  for (const consumer of consumers) assert.deepEqual(termsOf({}, { country: 'AT', ...consumer }), ['EU consumer', 20, 10])
  const terms = taxTermsFor({ settings, rates, hasRates: true }, { country: 'AT', ...business })
  assert.match(terms.sentence ?? '', /Article 138 of Directive 2006\/112\/EC.*reverse charge/)
  assert.equal(taxTermsFor({ settings, rates, hasRates: true }, { country: 'AT', isBusiness: false }).sentence, null)
})

test('what leaves the EU, or the country of a shop outside it, is an export without tax, whatever rates are set there', () => {
  for (const destination of ['CH', 'US', 'GB', 'NO']) assert.deepEqual(termsOf({}, { country: destination }), ['export', 19, 7])
  assert.deepEqual(
    termsOf({ country: 'US', state: 'CA' }, { country: 'DE' }),
    ['export', 7.25, 7.25],
    "of the shop's state: prices may include it",
  )
  assert.deepEqual(termsOf({ country: 'CH' }, { country: 'AT', isBusiness: true, vatId: 'ATU13585627' }), ['export', 8.1, 8.1])
  const sentenceOf = (country: string) =>
    taxTermsFor({ settings: { ...settings, country }, rates, hasRates: true }, { country: 'JP', isBusiness: false }).sentence
  assert.match(sentenceOf('DE') ?? '', /Article 146 of Directive 2006\/112\/EC/)
  assert.match(sentenceOf('US') ?? '', /no tax of United States is charged/)
})

test('before the shop has said where it is, or set any rate, there is no tax and nothing is said of it', () => {
  for (const shop of [{ country: null }, { rates: [] }])
    for (const country of ['DE', 'AT', 'US'])
      for (const isBusiness of [true, false])
        assert.deepEqual(
          taxTermsFor(
            { settings: { ...settings, ...shop }, rates: shop.rates ?? rates, hasRates: !shop.rates },
            { country, isBusiness, vatId: 'ATU13585627' },
          ),
          {
            ...{ kind: 'none', pricesIncludeTax: false, sentence: null },
            rates: { standard: 0, reduced: 0, zero: 0 },
          },
        )
})

test('a VAT id is known by form and check digits, as it is written', () => {
  const valid = {
    ...{
      ATU13585627: 'AT',
      BE0776091951: 'BE',
      BG7523169263: 'BG',
      CY10259033P: 'CY',
      CZ46505334: 'CZ',
      DE136695976: 'DE',
      DK88146328: 'DK',
    },
    ...{ EE100931558: 'EE', EL094259216: 'GR', ESB58378431: 'ES', FR40303265045: 'FR', HR33392005961: 'HR', HU12892312: 'HU' },
    ...{ IE6388047V: 'IE', IE1234567FA: 'IE', IT00743110157: 'IT', LT119511515: 'LT', LU10000356: 'LU', LV40003521600: 'LV' },
    ...{ MT15121333: 'MT', NL004495445B01: 'NL', PL8567346215: 'PL', PT502757191: 'PT', RO18547290: 'RO', SE556188840401: 'SE' },
    ...{ SI59082437: 'SI', SK2022749619: 'SK', BE1000000120: 'BE', ' de 136.695-976 ': 'DE', GB980780684: 'GB' },
  }
  for (const [vatId, country] of Object.entries(valid)) assert.equal(countryOfVatId(vatId), country, vatId)
  for (const wrong of [
    '',
    'DE',
    'DE123456789',
    'GR094259216',
    'NL123456789B01',
    'XX136695976',
    '136695976',
    `DE${'1'.repeat(500)}`,
    'BE1000000121',
  ])
    assert.equal(countryOfVatId(wrong), undefined, wrong)
})

test('the sets of rates that can be loaded are dated, sourced and complete', () => {
  const [eu, us] = rateSets
  assert.ok(eu && us)
  assert.equal(eu.countries.filter(isInEuVat).length, 27)
  assert.equal(eu.countries.length, 27)
  const euRate = (of: string, taxClass = 'standard') => eu.rates.find((each) => each.country === of && each.taxClass === taxClass)?.ratePpm
  assert.deepEqual([euRate('DE'), euRate('DE', 'reduced'), euRate('FI'), euRate('FI', 'reduced')], [190_000, 70_000, 255_000, 135_000])
  assert.equal(euRate('DK', 'reduced'), undefined)
  assert.equal(us.rates.length, 50)
  assert.equal(us.rates.find(({ state }) => state === 'MN')?.ratePpm, 68_750)
  for (const { source, date, note } of rateSets) assert.ok(source && note && date >= '2025-01-01')
})
