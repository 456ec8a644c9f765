import { formatNumber } from '#shared/format-number.ts'
import { formatUnitPrice } from '#store/catalogue/unit-price.ts'

export const appendUnit = (figure: string, unit: string | undefined): string => (unit ? `${figure} ${unit}` : figure)

/** Formats a number as "4,680"; other text is returned as it is. */
export function formatIfNumber(value: string | number): string {
  const number = Number(value)
  return Number.isFinite(number) ? formatNumber(number) : `${value}`
}

/** A number of a facet without its unit: years are not grouped, amounts have the symbol of the currency. */
export function formatFacetNumber({ key, price_per }: { key: string; price_per?: string | undefined }, value: string | number): string {
  const number = Number(value)
  if (key.endsWith('_year') || !Number.isFinite(number)) return `${value}`
  return key === 'price' || price_per !== undefined ? formatUnitPrice(number) : formatNumber(number)
}
