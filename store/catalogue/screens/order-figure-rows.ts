import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import type { Comparison } from '#store/catalogue/compare-contract.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { priceSteps } from '#store/catalogue/settle-quantity.ts'

type ComparisonRow = Comparison['rows'][number]

/**
 * Rows of a comparison about ordering: price, minimum order and stock, and packs and price breaks where a product has any. Best are the
 * lowest price, the lowest minimum and the highest stock.
 */
export function orderFigureRows(products: ProductDetails[]): ComparisonRow[] {
  const row = (key: string, label: string, figures: number[], best: number, format = formatNumber): ComparisonRow => {
    const differs = new Set(figures).size > 1
    return {
      key,
      label,
      texts: figures.map(format),
      differs,
      best: differs ? figures.flatMap((figure, index) => (figure === best ? [index] : [])) : [],
    }
  }
  const textRow = (key: string, label: string, text: (product: ProductDetails) => string): ComparisonRow => {
    const texts = products.map(text)
    return { key, label, texts, differs: new Set(texts).size > 1, best: [] }
  }
  const [prices, minimums, stocks] = [
    products.map(({ price }) => price),
    products.map(({ minimum_order_quantity }) => minimum_order_quantity),
    products.map(({ available_quantity }) => available_quantity),
  ]
  return [
    row('price', 'Price', prices, Math.min(...prices), (amount) => formatCents(amountToCents(amount))),
    row('minimum', 'Minimum order', minimums, Math.min(...minimums)),
    row('available', 'Available', stocks, Math.max(...stocks)),
    ...(products.some(({ order_multiple }) => order_multiple > 1)
      ? [textRow('packs', 'Packs of', ({ order_multiple }) => formatNumber(order_multiple))]
      : []),
    ...(products.some(({ price_breaks }) => price_breaks.length > 0) ? [textRow('breaks', 'Price breaks', priceBreaksText)] : []),
  ]
}

const priceBreaksText = (product: ProductDetails): string =>
  priceSteps(product)
    .slice(1)
    .map(({ quantity, unitPriceCents }) => {
      const lack = quantity > product.available_quantity ? ' (not so many in stock)' : ''
      return `${formatCents(unitPriceCents)} from ${formatNumber(quantity)}${lack}`
    })
    .join(', ') || 'None'
