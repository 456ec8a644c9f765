import { storeCurrency } from './currency.ts'
import { formatNumber } from './format-number.ts'

// Separate from amount-schema.ts, so that public pages do not load zod.

/**
 * An amount of money: a whole number of cents, hundredths of the store's currency. Inside the store all money is in cents; `price` and
 * `productCost` on the wire are amounts of the currency itself, called dollars in the specification.
 */
export type Cents = number

/** @param amount as on the wire, with at most two decimals: 12.35 is 1235 */
export const amountToCents = (amount: number): Cents => Math.round(amount * 100)

/** An amount for the wire: 1235 is 12.35. */
export const centsToAmount = (amountCents: Cents): number => amountCents / 100

/** The cost of so many pieces. */
export const lineTotal = (unitPriceCents: Cents, quantity: number): Cents => unitPriceCents * quantity

/** Formats an amount in the store's currency: 1250 is $12.50, 40000 is $400. */
export function formatCents(amountCents: Cents): string {
  const whole = Math.trunc(Math.abs(amountCents) / 100)
  const cents = Math.abs(amountCents % 100)
  return `${amountCents < 0 ? '-' : ''}${storeCurrency().symbol}${formatNumber(whole)}${cents === 0 ? '' : `.${`${cents}`.padStart(2, '0')}`}`
}

/** Formats an amount without sign and commas, e.g. for an input: "12" or "12.50". */
export const formatPlainCents = (amountCents: Cents): string =>
  amountCents % 100 === 0 ? `${amountCents / 100}` : (amountCents / 100).toFixed(2)

/** A typed amount without the symbol of the store's currency before or after it: "$1,250" and "1,250 $" are "1,250". */
export function withoutCurrency(text: string): string {
  const typed = text.trim()
  const symbol = storeCurrency().symbol.trim()
  const isBefore = typed.startsWith(symbol)
  return isBefore || typed.endsWith(symbol) ? typed.replace(symbol, '').trim() : typed
}

/** Higher amounts are parsed as this, so that too many digits fail the maximum, not the number check. */
const maxParsedCents: Cents = 1e15

/**
 * Parses a typed amount: "12.50", "$1,250" and "12.5" are valid, "12.505" and "1e3" are not.
 * @returns cents, NaN if invalid
 */
export function parseAmountToCents(text: string): Cents {
  const plain = withoutCurrency(text)
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/.test(plain)) return Number.NaN
  const [whole, cents = ''] = plain.replaceAll(',', '').split('.')
  return Math.min(Number(whole) * 100 + Number(cents.padEnd(2, '0')), maxParsedCents)
}
