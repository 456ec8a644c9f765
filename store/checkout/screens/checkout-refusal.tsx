import type { Cart } from '#store/cart/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import type { ApiError } from '#web/api-error.ts'
import { ButtonLink } from '#web/button.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { ChangedTotal } from './changed-basket.tsx'

type CheckoutRefusalProps = {
  refusal: ApiError
  /** of the estimate as it is now */
  totalCents: number | undefined
  cart: Cart
  /** of the basket since the form was opened */
  changes: string[]
}

/** Why the order was not placed, and what to do now. */
export function CheckoutRefusal({ refusal, totalCents, cart, changes }: CheckoutRefusalProps) {
  const { code, message } = refusal
  if (code === 'total_changed' || code === 'stock_changed')
    return (
      <Notice kind="warning" title={message} ref={focusOnMount}>
        <ChangedTotal {...{ totalCents, cart, changes }} />
      </Notice>
    )
  if (code === 'cart_changed' || code === 'cart_empty' || code === 'stock_too_low')
    return (
      <Notice
        kind="error"
        title={message}
        ref={focusOnMount}
        action={
          <ButtonLink to="/cart" prefetch="none">
            To the basket
          </ButtonLink>
        }
      >
        Nothing was ordered, and what you typed is kept. Correct it in your basket and come back.
      </Notice>
    )
  if (code === 'order_not_open' || code === 'over_buyer_limit')
    return (
      <Notice
        kind="error"
        title={message}
        ref={focusOnMount}
        action={
          <ButtonLink to="/dashboard/myorder" variant="quiet">
            My Orders
          </ButtonLink>
        }
      >
        Nothing more was ordered.
      </Notice>
    )
  return (
    <RefusalNotice
      refusal={refusal}
      outcomeUnknown="We do not know whether your order has arrived. What you typed is kept: order again, and it will be one order, not two."
      ref={focusOnMount}
    >
      Nothing was ordered, and what you typed is kept. Correct it and order again.
    </RefusalNotice>
  )
}
