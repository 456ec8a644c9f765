import type { ReactNode } from 'react'
import type { OrderHistoryEntry } from '#store/orders/contract.ts'
import { isPaid } from '#store/orders/screens/order-status-summary.tsx'
import { ButtonLink } from '#web/button.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import type { DisplayedOrder } from './displayed-order.ts'
import { useOrderAccess } from './order-access.ts'

/* What an order on account says of its payment: nothing of it goes by card. */

export function accountStatusText(order: DisplayedOrder): string {
  if (order.paid) return 'On account, and paid.'
  if (isPaid(order)) return 'On account: you pay the invoice that comes with each parcel, by the day that stands on it.'
  return order.state === 'cancelled'
    ? 'Its pieces went back into stock, and nothing of it is owed.'
    : 'All of it was credited: nothing of it is owed.'
}

/** What its history says otherwise than of an order by card; undefined: the same. */
export function accountTimelineEntry({
  event,
  amountCents,
  items,
  note,
}: OrderHistoryEntry): { title: ReactNode; children?: ReactNode } | undefined {
  const amount = amountCents !== null && <MoneyAmount amountCents={amountCents} />
  const said = [items && `${items}.`, note && `The store says: ${note}`].filter(Boolean).join(' ')
  switch (event) {
    case 'paid':
      return { title: amount ? <>{amount} came by bank</> : 'Paid' }
    case 'cancelled':
      return { title: 'Cancelled by the store', children: `Nothing of it is owed. ${said}` }
    case 'line cancelled':
      return {
        title: 'A part was cancelled by the store',
        children: (
          <>
            {amount && <>You owe {amount} less. </>}
            {said}
          </>
        ),
      }
    case 'partly refunded':
    case 'refunded':
      return { title: amount ? <>{amount} credited</> : 'Credited', children: said }
    default:
      return undefined
  }
}

/** In the place of a payment: an order on account has none of its own. */
export function OrderOnAccount({ order }: { order: DisplayedOrder }) {
  const access = useOrderAccess()
  return (
    <>
      <Notice kind="success" title={`Order ${order.number} is placed on account`} ref={focusOnMount} className="max-w-read">
        <p>
          <MoneyAmount amountCents={order.totalCents} />. {accountStatusText(order)}
        </p>
      </Notice>
      <div>
        <ButtonLink to={access.orderUrl(order)}>Show order {order.number}</ButtonLink>
      </div>
    </>
  )
}
