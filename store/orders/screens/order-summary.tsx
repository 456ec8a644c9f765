import type { ReactNode } from 'react'
import type { Purchase } from '#store/orders/contract.ts'
import { OrderedProduct } from '#store/orders/screens/ordered-product.tsx'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { GroupedDigits, MoneyAmount, WholeDollars } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { BuyerAndAddress } from './buyer-and-address.tsx'

type OrderSummaryProps = {
  order: Purchase
  /** shows until when the pieces are held for the buyer */
  showsHold?: boolean
  /** further items of the description list */
  children?: ReactNode
  /** shown below the list */
  action?: ReactNode
  className?: string
}

/** All data of an order, the most asked for first: product, quantity and cost, then the buyer. For the buyer and for admins. */
export function OrderSummary({ order, showsHold = false, children, action, className = '' }: OrderSummaryProps) {
  return (
    <Panel as="section" aria-label={`Order ${order.number}`} className={`flex flex-col gap-4 ${className}`}>
      <OrderedProduct order={order} className="text-lg" />
      <DescriptionList>
        <DescriptionItem name="Quantity">
          <GroupedDigits number={order.productQuantity} /> x <WholeDollars amount={order.productCost / order.productQuantity} />
        </DescriptionItem>
        <DescriptionItem name="Total">
          <WholeDollars amount={order.productCost} className="text-xl font-semibold" />
        </DescriptionItem>
        {order.refundedCents > 0 && (
          <DescriptionItem name="Refunded">
            <MoneyAmount amountCents={order.refundedCents} className="font-semibold" />
          </DescriptionItem>
        )}
        <DescriptionItem name="Order">
          {order.number}, <DateTime at={order.placedAt} />
        </DescriptionItem>
        {showsHold && (
          <DescriptionItem name="Pieces">
            held for you until <DateTime at={order.holdUntil} />
          </DescriptionItem>
        )}
        <BuyerAndAddress order={order} />
        {children}
      </DescriptionList>
      {action}
    </Panel>
  )
}
