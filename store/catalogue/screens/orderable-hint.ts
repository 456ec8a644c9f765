import { formatNumber } from '#shared/format-number.ts'
import type { QuantityTerms, SettledQuantity } from '#store/catalogue/settle-quantity.ts'

/** How many pieces can be ordered, for the hint of a quantity field. */
export function orderableQuantityHint(product: QuantityTerms, { orderable }: SettledQuantity): string {
  const { lowest, highest } = orderable ?? { lowest: product.minimum_order_quantity, highest: product.available_quantity }
  const packs = product.order_multiple > 1 ? `, in packs of ${formatNumber(product.order_multiple)}` : ''
  return `${formatNumber(lowest)} to ${formatNumber(highest)} pieces${packs}`
}
