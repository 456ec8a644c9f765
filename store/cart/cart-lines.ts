import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import { type Cents, centsToAmount, formatCents, lineTotal } from '#shared/money.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { withArrival } from '#store/catalogue/incoming-stock.ts'
import {
  costsTooLittleMessage,
  costsTooMuchMessage,
  maxCardPaymentCents,
  type QuantityProblem,
  type QuantityTerms,
  settleQuantity,
  termsForBuyer,
  unitPriceAt,
} from '#store/catalogue/settle-quantity.ts'
import type { TaxClass } from '#store/catalogue/tax-class.ts'
import { orderTotals } from '#store/orders/order-totals.ts'
import { type Cart, type CartLine, type CartNotice, maxCartLines } from './contract.ts'

/** A product as the cart's buyer can have it; `price` is that of the catalogue. */
export type OfferedProduct = QuantityTerms &
  Pick<ProductDetails, 'name' | 'brand' | 'mpn' | 'sku' | 'img' | 'incoming' | 'category'> & {
    _id: string
    taxClass: TaxClass
    /** of a piece, where it is known */
    weightGrams: number | null
    /** of the customer or their group, in cents */
    ownCents: Cents | null
    isForSale: boolean
  }

export type StoredCartLine = { product: OfferedProduct; quantity: number; seenPriceCents: Cents; cappedFrom: number | null }

export const termsOf = (product: OfferedProduct): QuantityTerms =>
  termsForBuyer(product, product.ownCents === null ? undefined : centsToAmount(product.ownCents))

/** What keeps so many pieces of a product from being ordered in one line. What the whole order costs is looked at for all lines together. */
export const lineProblems = (product: OfferedProduct, quantity: number): QuantityProblem[] =>
  settleQuantity(termsOf(product), quantity).problems.filter(({ code }) => code !== 'costs_too_little' && code !== 'costs_too_much')

/** A line of a cart with today's price, and what has to be said of it. */
export function describeLine(stored: StoredCartLine): CartLine {
  const { product, quantity } = stored
  const terms = termsOf(product)
  const { quantity: nearest, cheaper } = settleQuantity(terms, quantity)
  const unitPriceCents = unitPriceAt(terms, quantity)
  const notices = noticesOf(stored, unitPriceCents)
  const isBlocked = notices.some(({ isBlocking }) => isBlocking)
  return {
    productId: product._id,
    productName: product.name,
    brand: product.brand,
    mpn: product.mpn,
    sku: product.sku,
    img: product.img,
    quantity,
    listPriceCents: unitPriceAt({ ...product, price_breaks: [] }, quantity),
    unitPriceCents,
    totalCents: lineTotal(unitPriceCents, quantity),
    orderableQuantity: isBlocked ? (product.isForSale && nearest) || null : quantity,
    cheaper: (product.isForSale && !isBlocked && cheaper) || null,
    minimumOrderQuantity: product.minimum_order_quantity,
    orderMultiple: product.order_multiple,
    availableQuantity: product.available_quantity,
    notices,
  }
}

function noticesOf({ product, quantity, seenPriceCents, cappedFrom }: StoredCartLine, unitPriceCents: Cents): CartNotice[] {
  if (!product.isForSale) return [{ code: 'not_for_sale', message: 'No longer sold', isBlocking: true }]
  const blocking = lineProblems(product, quantity).map((problem): CartNotice => {
    const { code, message } = problem
    return { code: code as CartNotice['code'], message: code === 'stock_too_low' ? stockMessage(product) : message, isBlocking: true }
  })
  const said: (CartNotice | false)[] = [
    cappedFrom !== null && {
      code: 'capped',
      message: `${formatNumber(cappedFrom)} together in your two baskets: ${formatNumber(quantity)} are left`,
      isBlocking: false,
    },
    unitPriceCents !== seenPriceCents && {
      code: 'price_changed',
      message: `Was ${formatCents(seenPriceCents)}, now ${formatCents(unitPriceCents)}`,
      isBlocking: false,
    },
  ]
  return [...blocking, ...said.filter((notice) => notice !== false)]
}

function stockMessage(product: OfferedProduct): string {
  const { available_quantity: available, minimum_order_quantity: minimum } = product
  const left = available < minimum ? 'Out of stock' : `Only ${formatNumber(available)} left`
  return withArrival(left, product)
}

/** A whole cart. Lines that are no longer sold are not in its totals. */
export function describeCart(stored: StoredCartLine[], { isOfAccount }: { isOfAccount: boolean }): Cart {
  const lines = stored.map(describeLine)
  const { goodsCents, deliveryCents, taxCents, totalCents } = orderTotals(lines.filter((_, index) => stored[index]?.product.isForSale))
  const problem = problemOf(lines, totalCents)
  return {
    lines,
    totals: { goodsCents, reductionCents: 0, deliveryCents, taxCents, totalCents },
    currency: storeCurrency().code,
    isOfAccount,
    canBeOrdered: problem === null,
    problem,
  }
}

function problemOf(lines: CartLine[], totalCents: Cents): string | null {
  if (lines.length === 0) return 'Your basket is empty'
  const blocked = lines.filter(({ notices }) => notices.some(({ isBlocking }) => isBlocking))
  if (blocked.length > 0)
    return `${blocked.length === 1 ? 'One line' : `${formatNumber(blocked.length)} lines`} cannot be ordered as ${blocked.length === 1 ? 'it stands' : 'they stand'}`
  if (lines.length > maxCartLines) return `An order has at most ${maxCartLines} lines: take some out`
  if (totalCents < storeCurrency().minCents) return costsTooLittleMessage()
  if (totalCents > maxCardPaymentCents) return costsTooMuchMessage()
  return null
}
