import { countryName } from '#shared/countries.ts'
import type { TaxTerms } from './compute-tax.ts'
import type { TaxRate, TaxSettings } from './contract.ts'
import { isInEuVat, vatCountryOf } from './eu-countries.ts'
import { countryOfVatId } from './vat-id.ts'

/** Where an order goes, and to whom. `state` as in ISO 3166-2, with or without the country: CA or US-CA. */
export type TaxDestination = {
  country: string
  state?: string | null | undefined
  vatId?: string | null | undefined
  isBusiness: boolean
}

/** What the shop has set. `rates`: at least those of its country and of the destination; `hasRates`: whether any is set for any place. */
export type TaxSetup = { settings: TaxSettings; rates: Omit<TaxRate, '_id'>[]; hasRates: boolean }

type Rates = TaxTerms['rates']
const noRates: Rates = { standard: 0, reduced: 0, zero: 0 }

/**
 * Which rates apply, and why:
 * - in the shop's country, those of the destination's state, else of the country;
 * - to another country of the EU, for a business with a VAT id of an EU country other than the shop's, no tax (Directive 2006/112/EC, Article
 *   138); for everybody else the destination's rates where they are set, else the shop's (Articles 33 and 59c);
 * - to all other countries no tax, as the goods leave (Article 146).
 */
export function taxTermsFor({ settings, rates, hasRates }: TaxSetup, destination: TaxDestination): TaxTerms {
  const { country: shopCountry, pricesIncludeTax } = settings
  const none: TaxTerms = { kind: 'none', pricesIncludeTax, rates: noRates, sentence: null }
  if (shopCountry === null || !hasRates) return none
  const [from, to] = [vatCountryOf(shopCountry), vatCountryOf(destination.country.toUpperCase())]
  const ofShop = ratesOf(rates, from, settings.state)
  if (from === to) {
    const ofDestination = ratesOf(rates, to, stateCode(destination))
    return ofDestination ? { ...none, kind: 'domestic', rates: ofDestination } : none
  }
  if (!isInEuVat(from) || !isInEuVat(to))
    return { ...none, kind: 'export', rates: ofShop ?? noRates, sentence: exportSentence(from, shopCountry) }
  if (destination.isBusiness && isForeignEuVatId(destination.vatId, from))
    return { ...none, kind: 'reverse charge', rates: ofShop ?? noRates, sentence: reverseChargeSentence }
  const found = ratesOf(rates, to, stateCode(destination)) ?? ofShop
  return found ? { ...none, kind: 'EU consumer', rates: found } : none
}

/** Whether an order that was taxed as `kind` would be taxed in another way with this VAT id: see `taxTermsFor`. */
export function isTaxedOtherwise(kind: TaxTerms['kind'], vatId: string | null, shopCountry: string): boolean {
  const isReverseCharge = isForeignEuVatId(vatId, vatCountryOf(shopCountry))
  return kind === 'reverse charge' ? !isReverseCharge : kind === 'EU consumer' && isReverseCharge
}

export const reverseChargeSentence =
  'Intra-Community supply, exempt from VAT under Article 138 of Directive 2006/112/EC: the buyer accounts for the VAT (reverse charge).'
const exportSentence = (from: string, shopCountry: string): string =>
  isInEuVat(from)
    ? 'Export, exempt from VAT under Article 146 of Directive 2006/112/EC. Taxes and duties of the destination are on the recipient.'
    : `Export: no tax of ${countryName(shopCountry)} is charged. Taxes and duties of the destination are on the recipient.`

/** Undefined where no rate holds there. Without a reduced rate the standard one holds for the reduced class, too. */
function ratesOf(rates: TaxSetup['rates'], country: string, state: string | null): Rates | undefined {
  const rateFor = (taxClass: TaxRate['taxClass']) => {
    const ofClass = rates.filter((rate) => rate.country === country && rate.taxClass === taxClass)
    const found = ofClass.find((rate) => rate.state !== null && rate.state === state) ?? ofClass.find((rate) => rate.state === null)
    return found?.ratePpm
  }
  const [standard, reduced] = [rateFor('standard'), rateFor('reduced')]
  if (standard === undefined && reduced === undefined) return undefined
  return { standard: standard ?? 0, reduced: reduced ?? standard ?? 0, zero: 0 }
}

const stateCode = ({ country, state }: TaxDestination): string | null =>
  state?.toUpperCase().replace(`${country.toUpperCase()}-`, '') ?? null

function isForeignEuVatId(vatId: string | null | undefined, from: string): boolean {
  const country = vatId ? countryOfVatId(vatId) : undefined
  return country !== undefined && isInEuVat(country) && country !== from
}
