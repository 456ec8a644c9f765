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
