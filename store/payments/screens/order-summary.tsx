import type { ReactNode } from 'react'
import type { Order } from '#store/orders/contract.ts'
import { Amount, Dollars, GroupedDigits } from '#web/money.tsx'
import { When } from '#web/when.tsx'

type OrderSummaryProps = {
  order: Order
  /** says until when its pieces are held for its buyer */
  held?: boolean
  /** further lines */
  children?: ReactNode
}

/** All of an order: for its buyer before and after paying, and for the owner. */
export function OrderSummary({ order, held = false, children }: OrderSummaryProps) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 self-start rounded border border-line bg-panel p-4">
      <Line name="Order">
        {order.number}
        {held && (
          <>
            , held for you until <When at={order.holdUntil} />
          </>
        )}
      </Line>
      <Line name="Buyer">
        {order.buyerName}, {order.buyerEmail}
      </Line>
      <Line name="Delivered to">
        <span className="whitespace-pre-line">{order.buyerAddress}</span>
      </Line>
      <Line name="Product">{order.productName}</Line>
      <Line name="Ordered">
        <When at={order.placedAt} />
      </Line>
      <Line name="Quantity">
        <GroupedDigits number={order.productQuantity} /> x <Dollars amount={order.productCost / order.productQuantity} />
      </Line>
      <Line name="Total">
        <Dollars amount={order.productCost} className="text-xl font-semibold" />
      </Line>
      {order.refundedCents > 0 && (
        <Line name="Refunded">
          <Amount amountCents={order.refundedCents} className="font-semibold" />
        </Line>
      )}
      {children}
    </dl>
  )
}

export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
