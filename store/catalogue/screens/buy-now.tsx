import { sellsByBasketOnly } from '#shared/sale-terms.ts'
import { addToCartFormId } from '#web/add-to-cart.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Link } from '#web/link.tsx'
import { useSaleTerms } from '#web/sale-terms.ts'

type BuyNowProps = {
  product: { _id: string; name: string; inStock: boolean }
  dense?: boolean
  /** the class names are all there is of its looks */
  isPlain?: boolean
  className?: string
}

/**
 * In lists: leads to the order of a product. In a shop that sells by the basket alone it puts the smallest order into the basket and leads
 * there, by a form that needs no script.
 */
export function BuyNow({ product: { _id, name, inStock }, dense = false, isPlain = false, className = '' }: BuyNowProps) {
  const isByBasket = sellsByBasketOnly(useSaleTerms())
  const shared = { 'aria-label': `Buy Now, ${name}`, className, children: 'Buy Now' }
  const variant = inStock ? 'offer' : 'quiet'
  if (isByBasket && inStock) {
    const line = { form: addToCartFormId, name: 'productId', value: _id }
    return isPlain ? (
      <button type="submit" {...line} {...shared} />
    ) : (
      <Button type="submit" variant={variant} dense={dense} {...line} {...shared} />
    )
  }
  const to = `/${isByBasket ? 'products' : 'purchase'}/${_id}`
  return isPlain ? <Link to={to} prefetch="intent" {...shared} /> : <ButtonLink to={to} variant={variant} dense={dense} {...shared} />
}
