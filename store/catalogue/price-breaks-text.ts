import { amountToCents, withoutCurrency } from '#shared/money.ts'
import { formatPlainCents } from '#shared/typed-amount.ts'
import type { PriceBreak } from './settle-quantity.ts'

/** Price breaks as they are typed into forms and written into tables: "25: 11.30; 100: 10.83". */
export const formatPriceBreaks = (breaks: PriceBreak[], separator = '; '): string =>
  breaks.map(({ min_quantity, price }) => `${min_quantity}: ${formatPlainCents(amountToCents(price))}`).join(separator)

/**
 * Parses price breaks that are separated by semicolons or stand on lines of their own. Quantities and prices are returned as text, which the
 * schema `priceBreaks` reads.
 * @returns undefined for text that is not of this form
 */
export function parsePriceBreaks(text: string): { min_quantity: string; price: string }[] | undefined {
  const parts = text.split(/[;\n]/).filter((part) => part.trim() !== '')
  const parsed = parts.flatMap((part) => {
    const [, quantity, amount = ''] = /^(\d+|\d{1,3}(?:,\d{3})+)\s*:(.*)$/.exec(part.trim()) ?? []
    const min_quantity = quantity?.replaceAll(',', '')
    const price = withoutCurrency(amount)
    return min_quantity && /^\d+(\.\d+)?$/.test(price) ? [{ min_quantity, price }] : []
  })
  return parsed.length === parts.length ? parsed : undefined
}
