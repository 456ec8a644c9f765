import { formatNumber } from './format-number.ts'

// Separate from the schema of dollars.ts, so that public pages do not load zod.

/** An amount of money, a whole number of cents. Inside the store all money is in cents; `price` and `productCost` on the wire are in dollars. */
export type Cents = number

/** @param dollars an amount on the wire, with at most two decimals: 12.35 is 1235 */
export const dollarsToCents = (dollars: number): Cents => Math.round(dollars * 100)

/** An amount for the wire: 1235 is 12.35. */
export const centsToDollars = (amountCents: Cents): number => amountCents / 100

/** The cost of so many pieces. */
export const lineTotal = (unitPriceCents: Cents, quantity: number): Cents => unitPriceCents * quantity

/** @param amountCents e.g. 1250 is $12.50, 40000 is $400 */
export function formatCents(amountCents: Cents): string {
  const dollars = Math.trunc(amountCents / 100)
  const cents = Math.abs(amountCents % 100)
  return `$${amountCents < 0 && dollars === 0 ? '-' : ''}${formatNumber(dollars)}${cents === 0 ? '' : `.${`${cents}`.padStart(2, '0')}`}`
}

/** Formats an amount without sign and commas, e.g. for an input: "12" or "12.50". */
export const formatPlainCents = (amountCents: Cents): string =>
  amountCents % 100 === 0 ? `${amountCents / 100}` : (amountCents / 100).toFixed(2)

/** Higher amounts are parsed as this, so that too many digits fail the maximum, not the number check. */
const maxParsedCents: Cents = 1e15

/** Parses a typed amount in dollars: "12.50", "$1,250" and "12.5" are valid, "12.505" and "1e3" are not. @returns cents, NaN if invalid */
export function parseDollarsToCents(text: string): Cents {
  const plain = text.trim().replace(/^\$\s*/, '')
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/.test(plain)) return Number.NaN
  const [dollars, cents = ''] = plain.replaceAll(',', '').split('.')
  return Math.min(Number(dollars) * 100 + Number(cents.padEnd(2, '0')), maxParsedCents)
}
