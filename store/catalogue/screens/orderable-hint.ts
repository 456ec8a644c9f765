import { formatNumber } from '#shared/format-number.ts'
import type { QuantityTerms } from '#store/catalogue/settle-quantity.ts'

/** How many pieces can be ordered, for the hint of a quantity field. */
export const orderableHint = ({
  minimum_order_quantity: min,
  available_quantity: available,
  order_multiple: multiple,
}: Omit<QuantityTerms, 'price' | 'price_breaks'>): string =>
  `${formatNumber(min)} to ${formatNumber(available)} pieces${multiple > 1 ? `, in packs of ${formatNumber(multiple)}` : ''}`
