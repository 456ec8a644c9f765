import { type Cents, withoutCurrency } from './money.ts'

// Separate from money.ts, so that pages without a field for an amount do not load it.

/** Formats an amount without sign and commas, e.g. for an input: "12" or "12.50". */
export const formatPlainCents = (amountCents: Cents): string =>
  amountCents % 100 === 0 ? `${amountCents / 100}` : (amountCents / 100).toFixed(2)

/** Higher amounts are parsed as this, so that too many digits fail the maximum, not the number check. */
const maxParsedCents: Cents = 1e15

/** A comma before one or two last digits is no thousands separator: "4,90", and "1.250,50" with points between thousands. */
const decimalCommaPattern = /^(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})$/

/**
 * Parses a typed amount: "12.50", "$1,250", "12.5" and "12,50" are valid, "12.505" and "1e3" are not.
 * @returns cents, NaN if invalid
 */
export function parseAmountToCents(text: string): Cents {
  const plain = withoutCurrency(text).replace(
    decimalCommaPattern,
    (_, whole: string, cents: string) => `${whole.replaceAll('.', '')}.${cents}`,
  )
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/.test(plain)) return Number.NaN
  const [whole, cents = ''] = plain.replaceAll(',', '').split('.')
  return Math.min(Number(whole) * 100 + Number(cents.padEnd(2, '0')), maxParsedCents)
}
