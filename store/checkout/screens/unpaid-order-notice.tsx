import { formatCents } from '#shared/money.ts'
import type { LastOrder } from '#store/checkout/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'

/** That the basket was ordered before and not paid, for whoever comes back from the payment. */
export function UnpaidOrderNotice({ order }: { order: LastOrder | null }) {
  if (!order || order.isPaid) return null
  return (
    <Notice
      kind="info"
      title={`You have an unpaid order ${order.number} of ${formatCents(order.totalCents)}`}
      action={
        order.paymentUrl && (
          <ButtonLink to={order.paymentUrl} variant="quiet">
            Pay order {order.number}
          </ButtonLink>
        )
      }
    >
      {!order.paymentUrl && 'The link in the mail about it leads to it. '}Ordering this basket again replaces it.
    </Notice>
  )
}
