import { checkVAT, countries } from 'jsvat'
import { countryName } from '#shared/countries.ts'

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

/** What is wrong with a text that is to be a VAT id, in the words of its field; undefined where nothing is. */
export function findVatIdProblem(text: string): string | undefined {
  if (countryOfVatId(text) !== undefined) return undefined
  const vatId = normalizeVatId(text)
  const letters = vatId.slice(0, 2)
  const code = letters === 'EL' ? 'GR' : letters // ids of Greece begin with EL
  if (!countries.some(({ codes }) => codes[0] === code))
    return 'This is no VAT id: it begins with the letters of its country, such as DE136695976'
  const fault = checkVAT(vatId, countries).isValidFormat ? 'a digit of the rest is wrong' : 'the rest does not have its form'
  return `This is no VAT id of ${countryName(code)}: ${letters} is right, but ${fault}`
}

/**
 * Belgian numbers that begin with 1, which are given out since 2023 and which jsvat 2.5.4 does not know. The last two digits are 97 less the
 * remainder of the others divided by 97.
 */
function isNewBelgianId(vatId: string): boolean {
  const [, first = '', check = ''] = /^BE(1\d{7})(\d{2})$/.exec(vatId) ?? []
  return first !== '' && 97 - (Number(first) % 97) === Number(check)
}
