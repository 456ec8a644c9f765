import { formatNumber } from '#shared/format-number.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { addToCartUrl } from '#web/add-to-cart.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'

/** In place of the order form, in a shop whose delivery or tax depends on the country: how the product is bought there. */
export function SoldByBasket({ product, initialQuantity }: { product: ProductDetails; initialQuantity: number }) {
  const asked = settleQuantity(product, initialQuantity)
  const smallest = settleQuantity(product, product.minimum_order_quantity)
  const { quantity = product.minimum_order_quantity, unitPriceCents, totalCents } = asked.problems.length > 0 ? smallest : asked
  return (
    <Panel variant="raised" className="flex flex-col gap-4 sm:p-6">
      <Notice kind="info" title="This is bought by the basket">
        What delivery and tax cost depends on where it goes. Put the pieces into your basket: it says what they cost there, and leads to the
        checkout.
      </Notice>
      <p className="text-lg">
        <span className="figures">{formatNumber(quantity)}</span> x <MoneyAmount amountCents={unitPriceCents} /> ={' '}
        <MoneyAmount amountCents={totalCents} className="font-semibold" />
      </p>
      <form method="post" action={addToCartUrl} className="flex flex-wrap gap-3">
        <input type="hidden" name="productId" value={product._id} />
        <input type="hidden" name="quantity" value={quantity} />
        <Button type="submit" className="grow">
          Put {formatNumber(quantity)} into the basket
        </Button>
        <ButtonLink to={`/products/${product._id}?quantity=${quantity}`} variant="quiet">
          Another quantity
        </ButtonLink>
      </form>
    </Panel>
  )
}
