import { formatCents } from '#shared/money.ts'
import type { LastOrder, OtherUnpaidOrders } from '#store/checkout/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { TextLink } from '#web/text-link.tsx'

type UnpaidOrderNoticesProps = {
  /** that the basket was placed as: ordering it again replaces it, where it is not paid */
  order: LastOrder | null
  /** that ordering the basket leaves as they are */
  others: OtherUnpaidOrders
}

/** That the basket was ordered before and not paid, for whoever comes back from the payment, and which orders of other products wait to be paid. */
export function UnpaidOrderNotices({ order, others }: UnpaidOrderNoticesProps) {
  const isOrdered = order !== null && !order.isPaid
  return (
    <>
      {isOrdered && (
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
          {!order.paymentUrl && mailLinkText}Ordering this basket again replaces it.
        </Notice>
      )}
      {others.count > 0 && <OtherUnpaid others={others} also={isOrdered ? 'also ' : ''} />}
    </>
  )
}

const mailLinkText = 'The link in the mail about it leads to it. '

function OtherUnpaid({ others: { orders, count }, also }: { others: OtherUnpaidOrders; also: string }) {
  const [only, ...more] = orders
  if (only && more.length === 0)
    return (
      <Notice
        kind="info"
        title={`You ${also}have an unpaid order ${only.number} of ${formatCents(only.totalCents)}: pay or cancel it`}
        action={
          only.orderUrl && (
            <ButtonLink to={only.orderUrl} variant="quiet">
              Order {only.number}
            </ButtonLink>
          )
        }
      >
        {!only.orderUrl && mailLinkText}It is of other products, so ordering this basket does not replace it.
      </Notice>
    )
  return (
    <Notice kind="info" title={`You ${also}have ${count} unpaid orders: pay or cancel them`}>
      They are of other products, so ordering this basket does not replace them:{' '}
      {orders.map(({ number, totalCents, orderUrl }, index) => (
        <span key={number}>
          {index > 0 && ', '}
          {orderUrl ? <TextLink to={orderUrl}>order {number}</TextLink> : `order ${number}`} of {formatCents(totalCents)}
        </span>
      ))}
      {count > orders.length && ` and ${count - orders.length} more`}.
    </Notice>
  )
}
