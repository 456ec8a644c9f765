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

/** A typed amount without the symbol of the store's currency before or after it: "$1,250" and "1,250 $" are "1,250". */
export function withoutCurrency(text: string): string {
  const typed = text.trim()
  const symbol = storeCurrency().symbol.trim()
  const isBefore = typed.startsWith(symbol)
  return isBefore || typed.endsWith(symbol) ? typed.replace(symbol, '').trim() : typed
}
