import { type QuantityTerms, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { type ProductChangesFormInput, validFigures } from './product-form.ts'
import { withOrderFigures } from './with-order-figures.ts'

/**
 * What a product costs and how it is ordered with the figures of a form that is being edited.
 * @param stored figures that stand in for those that are empty or invalid; without them these are 0, packs of 1 and no price breaks
 */
export function previewedFigures(formInput: ProductChangesFormInput, stored?: QuantityTerms) {
  const valid = validFigures(formInput)
  const available = valid.available_quantity ?? stored?.available_quantity
  const product = withOrderFigures({
    price: valid.price ?? stored?.price ?? 0,
    minimum_order_quantity: valid.minimum_order_quantity ?? stored?.minimum_order_quantity ?? 0,
    available_quantity: available ?? 0,
    order_multiple: valid.order_multiple ?? stored?.order_multiple ?? 1,
    price_breaks: valid.price_breaks ?? stored?.price_breaks ?? [],
  })
  const { price, minimum_order_quantity: minimum } = product
  return {
    ...product,
    inStock: available === undefined || product.inStock, // nothing is said of a stock that is not typed yet
    /** of the smallest order; undefined until it is known what that costs */
    unitPriceCents: price > 0 && minimum > 0 ? unitPriceAt(product, minimum) : undefined,
  }
}
