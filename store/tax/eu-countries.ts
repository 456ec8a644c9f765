const members = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')

/** The country whose VAT applies there: Monaco counts as France (Directive 2006/112/EC, Article 7). */
export const vatCountryOf = (country: string): string => (country === 'MC' ? 'FR' : country)

/** Whether VAT of the European Union applies in a country, as `vatCountryOf` says it. */
export const isInEuVat = (country: string): boolean => members.includes(country)
