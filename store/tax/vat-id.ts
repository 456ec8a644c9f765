import { checkVAT, countries } from 'jsvat'

/** A VAT id as it is written on an invoice: without spaces, points and hyphens. */
export const normalizeVatId = (text: string): string => text.toUpperCase().replaceAll(/[\s.-]/g, '')

/**
 * The country of a VAT id whose form and check digits are right; undefined for any other text. Whether it was given to anybody, only the
 * country knows.
 */
export function countryOfVatId(text: string): string | undefined {
  const vatId = normalizeVatId(text)
  if (isNewBelgianId(vatId)) return 'BE'
  const { isValid, country } = checkVAT(vatId, countries)
  return isValid ? country?.isoCode.short : undefined
}

/**
 * Belgian numbers that begin with 1, which are given out since 2023 and which jsvat 2.5.4 does not know. The last two digits are 97 less the
 * remainder of the others divided by 97.
 */
function isNewBelgianId(vatId: string): boolean {
  const [, first = '', check = ''] = /^BE(1\d{7})(\d{2})$/.exec(vatId) ?? []
  return first !== '' && 97 - (Number(first) % 97) === Number(check)
}
