import type { ProductDetails } from '#store/catalogue/contract.ts'
import { QuantityForm } from '#store/catalogue/screens/quantity-form.tsx'
import { Notice } from '#web/notice.tsx'

/** In place of the order form, in a shop whose delivery or tax depends on the country: how the product is bought there. */
export function SoldByBasket({ product, initialQuantity }: { product: ProductDetails; initialQuantity: number }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="info" title="This is bought by the basket">
        What delivery and tax cost depends on where it goes. Put the pieces into your basket: it says what they cost there, and leads to the
        checkout.
      </Notice>
      <QuantityForm product={product} wanted={Number.isNaN(initialQuantity) ? '' : `${initialQuantity}`} />
    </div>
  )
}
