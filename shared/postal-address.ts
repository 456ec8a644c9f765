import { formatAddress } from 'localized-address-format'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { countryName, isCountry } from './countries.ts'
import { labelWithinSentence } from './label-within-sentence.ts'
import { stateCodeOf, statesOf } from './states.ts'

/*
 * Which fields an address has in each country, and in which order they are written, is Google's address data (libaddressinput), as
 * `localized-address-format` has it; the patterns of postal codes are those of `postcode-validator`. `i18n-postal-address` has the order of
 * a fifth as many countries, and no postal codes.
 */

/** An address as it is typed. `country` is an ISO 3166-1 code of two letters, `state` what the country calls it: state, province, county. */
export type PostalAddress = {
  country: string
  line1: string
  line2?: string | undefined
  city: string
  postalCode?: string | undefined
  state?: string | undefined
}

type AddressField = 'line1' | 'line2' | 'city' | 'postalCode' | 'state'
export type AddressFieldRule = { field: AddressField; label: string; isRequired: boolean }

/** As Google's address data requires a state. Elsewhere mail arrives without one. */
const countriesWithState = new Set(['AU', 'BR', 'CA', 'CN', 'ES', 'IN', 'IT', 'JP', 'KR', 'MX', 'US'])

const postalCodeLabels: Record<string, string> = {
  US: 'ZIP code',
  PR: 'ZIP code',
  PH: 'ZIP code',
  IN: 'PIN code',
  IE: 'Eircode',
  GB: 'Postcode',
  AU: 'Postcode',
}
const stateLabels: Record<string, string> = {
  ...{ US: 'State', AU: 'State', BR: 'State', IN: 'State', MX: 'State', MY: 'State', NG: 'State' },
  ...{ GB: 'County', IE: 'County', RO: 'County', JP: 'Prefecture', AE: 'Emirate' },
}

/** The fields of an address in this country, in the order in which they are written there. */
export function addressFieldRules(country: string): AddressFieldRule[] {
  const places: [mark: string, field: 'city' | 'postalCode' | 'state'][] = [
    ['C', 'city'],
    ['Z', 'postalCode'],
    ['S', 'state'],
  ]
  const written = formatAddress({ postalCountry: country, locality: '<C>', postalCode: '<Z>', administrativeArea: '<S>' }).join('\n')
  const ordered = places
    .map(([mark, field]) => ({ field, at: written.indexOf(`<${mark}>`) }))
    .filter(({ field, at }) => at >= 0 || field === 'city') // every address says which town, also where the town is the country
    .sort((a, b) => a.at - b.at)
  return [
    { field: 'line1', label: 'Address', isRequired: true },
    { field: 'line2', label: 'Apartment, suite, floor', isRequired: false },
    ...ordered.map(({ field }) => ruleOf(field, country)),
  ]
}

function ruleOf(field: 'city' | 'postalCode' | 'state', country: string): AddressFieldRule {
  if (field === 'city') return { field, label: 'City', isRequired: true }
  if (field === 'state') return { field, label: stateLabels[country] ?? 'State or province', isRequired: countriesWithState.has(country) }
  return { field, label: postalCodeLabels[country] ?? 'Postal code', isRequired: hasPostalCodePattern(country) }
}

const hasPostalCodePattern = (country: string) => postcodeValidatorExistsForCountry(country)

/** What is wrong with an address, by field. */
export function findAddressErrors(address: PostalAddress): Partial<Record<keyof PostalAddress, string>> {
  const { country, postalCode = '' } = address
  if (!isCountry(country)) return { country: 'Choose a country' }
  const missing = addressFieldRules(country)
    .filter(({ field, isRequired }) => isRequired && !address[field]?.trim())
    .map(({ field, label }) => [field, `Enter the ${labelWithinSentence(label)}`])
  const postalCodeError = findPostalCodeError(country, postalCode)
  const state = address.state?.trim()
  const isWrongState = state && statesOf(country)?.every(({ code }) => code !== stateCodeOf(country, state))
  return {
    ...Object.fromEntries(missing),
    ...(isWrongState && { state: `${countryName(country)} has no state or province ${state}` }),
    ...(postalCodeError && { postalCode: postalCodeError }),
  }
}

/** What is wrong with a postal code; undefined for none, and where the country has no rule. */
export function findPostalCodeError(country: string, postalCode: string): string | undefined {
  const typed = postalCode.trim()
  if (typed === '' || !hasPostalCodePattern(country) || postcodeValidator(typed, country)) return undefined
  return `This is no ${(postalCodeLabels[country] ?? 'postal code').replace(/^P/, 'p')} of ${countryName(country)}`
}

/** The lines of an address as they are written in its country, with the country last. */
export function formatPostalAddress(
  address: PostalAddress,
  { name, company }: { name?: string; company?: string | undefined } = {},
): string[] {
  const { country, line1, line2, city, postalCode, state } = address
  const lines = formatAddress({
    postalCountry: country,
    ...(name && { name }),
    ...(company && { organization: company }),
    addressLines: [line1, line2 ?? ''].filter((line) => line !== ''),
    locality: city,
    ...(postalCode && { postalCode }),
    ...(state && { administrativeArea: state }),
  })
  return [...lines, countryName(country)]
}
