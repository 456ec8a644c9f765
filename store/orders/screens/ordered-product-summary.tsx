import { amountToCents } from '#shared/money.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { BrandAndPartNumber } from '#store/catalogue/screens/brand-and-part-number.tsx'
import { PriceBreakTable } from '#store/catalogue/screens/price-break-table.tsx'
import { PriceNote } from '#store/catalogue/screens/price-note.tsx'
import { ProductImage } from '#store/catalogue/screens/product-image.tsx'
import { costOf } from '#store/catalogue/settle-quantity.ts'
import { GroupedDigits, GroupedMoney, MoneyAmount } from '#web/money.tsx'
import { TextLink } from '#web/text-link.tsx'

/** The product that the form beside it orders, at the price of the buyer. */
export function OrderedProductSummary({ product, listPrice }: { product: ProductDetails; listPrice: number }) {
  return (
    <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-6">
      <div className="flex gap-4">
        <ProductImage product={product} isAboveFold className="aspect-3/2 w-28 self-start sm:w-44" />
        <div className="flex min-w-0 flex-col gap-1">
          <BrandAndPartNumber product={product} />
          <p className="text-xl font-semibold">
            Price: <GroupedMoney amountCents={amountToCents(product.price)} />
          </p>
          <PriceNote />
          {product.price < listPrice && (
            <p className="text-sm text-soft">
              Your own price. The list price is <MoneyAmount amountCents={amountToCents(listPrice)} />
            </p>
          )}
          <PriceBreakTable product={product} />
        </div>
      </div>
      <p className="line-clamp-3 text-soft lg:line-clamp-6">{product.description}</p>
      <p>
        Minimum Order Quantity: <GroupedDigits number={product.minimum_order_quantity} />{' '}
        <span className="text-soft">
          = <MoneyAmount amountCents={costOf(product, product.minimum_order_quantity)} />
        </span>
      </p>
      <p>
        Available Quantity: <GroupedDigits number={product.available_quantity} />
      </p>
      <p className="text-sm text-soft">
        <TextLink to={`/products/${product._id}`}>All details</TextLink>, <TextLink to="/help#delivery">delivery</TextLink>,{' '}
        <TextLink to="/help#returns">returns</TextLink>, <TextLink to="/help#contact">questions</TextLink>
      </p>
    </div>
  )
}
