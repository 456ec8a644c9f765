import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import { costOf, type QuantityTerms, settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import type { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import type { QuantityState } from './quantity-field.tsx'

/** Price or stock are no longer those of the form. */
export const isStaleProductError = ({ code }: ApiError) => code === 'price_changed' || code === 'stock_too_low' || code === 'stock_changed'

type OrderErrorNoticeProps = {
  error: ApiError
  /** cost of the rejected order */
  costCents: number
  product: QuantityTerms & { _id: string }
  quantityState: QuantityState
  onOrderInstead: (quantity: number) => void
}

/** Why an order was refused, and what to order instead where price or stock have changed. */
export function OrderErrorNotice({ error, costCents, product, quantityState: { quantity }, onOrderInstead }: OrderErrorNoticeProps) {
  if (error.code === 'not_found')
    return (
      <Notice
        kind="error"
        title={error.message}
        ref={focusOnMount}
        action={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}
      >
        It has left the catalogue while you were here. Nothing was ordered.
      </Notice>
    )
  if (error.code === 'checkout_required')
    return (
      <Notice
        kind="error"
        title="This shop charges delivery or tax now, which depend on where it goes"
        ref={focusOnMount}
        action={
          // loads the document anew: that of this page is from before
          <ButtonLink to={`/products/${product._id}?quantity=${quantity}`} reloadDocument prefetch="none">
            Buy by the basket
          </ButtonLink>
        }
      >
        Nothing was ordered. The basket says what both cost, and leads to the checkout.
      </Notice>
    )
  if (error.code === 'over_buyer_limit') return <OverBuyerLimitNotice message={error.message} />
  if (isStaleProductError(error))
    return <StaleProductNotice error={error} costCents={costCents} product={product} quantity={quantity} onOrderInstead={onOrderInstead} />
  return (
    <RefusalNotice
      refusal={error}
      outcomeUnknown="We do not know whether your order has arrived. What you typed is kept: order again, and it will be one order, not two."
      ref={focusOnMount}
    >
      Nothing was ordered, and what you typed is kept. Correct it and order again.
    </RefusalNotice>
  )
}

function OverBuyerLimitNotice({ message }: { message: string }) {
  return (
    <Notice
      kind="error"
      title={message}
      ref={focusOnMount}
      action={
        <div className="flex flex-wrap gap-3">
          <ButtonLink variant="quiet" to="/dashboard/myorder">
            My Orders
          </ButtonLink>
          <ButtonLink variant="quiet" to="/dashboard">
            My Profile
          </ButtonLink>
          <ButtonLink variant="quiet" to="/help#contact">
            Write to us
          </ButtonLink>
        </div>
      }
    >
      Nothing was ordered, and what you typed is kept.
    </Notice>
  )
}

type StaleProductNoticeProps = Omit<OrderErrorNoticeProps, 'quantityState'> & { quantity: number }

/** Price or stock have changed: what so many cost now, or how many there are. */
function StaleProductNotice({ error, costCents, product, quantity, onOrderInstead }: StaleProductNoticeProps) {
  const instead = settleQuantity(product, quantity).quantity ?? quantity
  const insteadCents = costOf(product, instead)
  if (instead === quantity && insteadCents === costCents)
    return (
      <Notice kind="error" title={error.message} ref={focusOnMount}>
        Nothing was ordered, and what you typed is kept. Price and stock are as they were: order again.
      </Notice>
    )
  return (
    <Notice
      kind="error"
      title={error.message}
      ref={focusOnMount}
      action={
        Number.isNaN(quantity) ? undefined : (
          <Button variant="quiet" onClick={() => onOrderInstead(instead)}>
            {instead !== quantity ? `Order ${formatNumber(instead)} instead` : `Accept ${formatCents(insteadCents)}`}
          </Button>
        )
      }
    >
      Nothing was ordered, and what you typed is kept. The figures above are new
      {instead !== quantity && `: ${formatNumber(instead)} pieces cost ${formatCents(insteadCents)}`}.
    </Notice>
  )
}
