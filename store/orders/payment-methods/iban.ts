/* Account numbers by ISO 13616 and references of creditors by ISO 11649. Both are checked by ISO 7064, mod 97-10. */

/** A text of digits and letters as the number that ISO 7064 divides: A is 10, Z is 35. Lower case counts as upper case. */
const mod97 = (text: string): number =>
  [...text.toUpperCase()].reduce((rest, character) => {
    const value = Number.parseInt(character, 36)
    return (rest * (value > 9 ? 100 : 10) + value) % 97
  }, 0)

/** Whether a text that begins with two letters and two check digits is right by them. */
const hasRightCheckDigits = (text: string): boolean => mod97(text.slice(4) + text.slice(0, 4)) === 1

export const normalizeIban = (typed: string): string => typed.replace(/[\s.-]/g, '').toUpperCase()

/** Four characters at a time, as it is printed. */
export const formatIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

/** How many characters the IBAN of a country has, where a typed one is likely to be of one: the members of SEPA. */
const lengths: Record<string, number> = {
  ...{ AD: 24, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27, GB: 22, GI: 23, GR: 27 },
  ...{ HR: 21, HU: 28, IE: 22, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MT: 31, NL: 18, NO: 15, PL: 28, PT: 25, RO: 24 },
  ...{ SE: 24, SI: 19, SK: 24, SM: 27, VA: 22 },
}

/** What is wrong with an IBAN, in words for who has typed it; undefined: nothing. @param iban without spaces, in upper case */
export function findIbanProblem(iban: string): string | undefined {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban))
    return 'An IBAN begins with two letters and two digits, such as DE89 3704 0044 0532 0130 00'
  const length = lengths[iban.slice(0, 2)]
  if (length !== undefined && iban.length !== length)
    return `An IBAN of ${iban.slice(0, 2)} has ${length} characters, and this one ${iban.length}`
  return hasRightCheckDigits(iban) ? undefined : 'A character of this IBAN is wrong: its check digits say so'
}

/** The reference by which a transfer names an order: `RF`, two check digits and the order's number. */
export function creditorReference(orderNumber: number): string {
  const check = 98 - mod97(`${orderNumber}RF00`)
  return `RF${`${check}`.padStart(2, '0')}${orderNumber}`
}

/** The order's number in a text that is such a reference, without spaces; undefined where it is none, or one with a wrong character. */
export function orderNumberOfReference(reference: string): number | undefined {
  const [, number] = /^RF\d{2}0*([1-9]\d{0,9})$/i.exec(reference) ?? []
  return number !== undefined && hasRightCheckDigits(reference) ? Number(number) : undefined
}
