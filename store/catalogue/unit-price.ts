import { storeCurrency } from '#shared/currency.ts'
import { amountToCents, formatCents } from '#shared/money.ts'

// Separate from product-attributes.ts, so that public pages do not load zod.

const maxDecimals = 9
/** What is outside is absurd. */
export const unitPriceBounds = { least: 1e-9, most: 1e12 }

/**
 * What one unit costs, such as a GB of a drive: the price of a piece divided by the number of units in it. It is rounded to cents, below 1 to three
 * significant digits, so that what is shown, filtered and sorted is the same number.
 * @param price of a piece, as on the wire
 * @returns an amount of the store's currency; undefined if the number of units is not known, not above zero or absurd
 */
export function pricePerUnit(price: number, units: unknown): number | undefined {
  if (typeof units !== 'number' || !(units > 0) || !Number.isFinite(units)) return undefined
  const exact = price / units
  if (exact < unitPriceBounds.least || exact > unitPriceBounds.most) return undefined
  const scale = 10 ** decimalsOf(exact)
  return Math.round(Number((exact * scale).toPrecision(15))) / scale // half a cent is rounded up, as the database does it
}

/** 12.5 is $12.50, 0.083 is $0.083. */
export function formatUnitPrice(amount: number): string {
  if (Number.isInteger(Number((amount * 100).toFixed(6)))) return formatCents(amountToCents(amount))
  return `${storeCurrency().symbol}${amount.toFixed(decimalsOf(amount)).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

const decimalsOf = (amount: number) => (amount >= 1 ? 2 : Math.min(maxDecimals, 2 - Math.floor(Math.log10(amount))))
