import type { Cents } from '#shared/money.ts'
import { isInStock, type Product, type ProductDetails } from '#store/catalogue/contract.ts'
import { costOf, priceSteps } from '#store/catalogue/settle-quantity.ts'

type OrderFigures = {
  inStock: boolean
  /** what the smallest order costs */
  smallestOrderCents: Cents
  /** the lowest price of one piece and the quantity from which it holds, where a larger quantity costs less each */
  lowestPrice: { quantity: number; unitPriceCents: Cents } | undefined
}

export type ProductWithOrderFigures = Product &
  Partial<Pick<ProductDetails, 'brand' | 'mpn' | 'category' | 'specs' | 'order_multiple' | 'lowered'>> &
  OrderFigures
export type ProductDetailsWithOrderFigures = ProductDetails & OrderFigures

type Priced = Pick<Product, 'price' | 'minimum_order_quantity' | 'available_quantity'> & Pick<ProductDetails, 'price_breaks'>

/** Public pages call it in loaders: in a component it would send schemas and price rules to the browser for a few figures. */
export const withOrderFigures = <P extends Priced>(product: P): P & OrderFigures => ({
  ...product,
  inStock: isInStock(product),
  smallestOrderCents: costOf(product, product.minimum_order_quantity),
  lowestPrice: priceSteps(product)
    .slice(1)
    .findLast(({ quantity }) => quantity <= product.available_quantity),
})
