import type { ReactNode } from 'react'
import type { Order } from '#store/orders/contract.ts'
import { OrderedPart } from '#store/orders/screens/ordered-part.tsx'
import { Fact, Facts } from '#web/facts.tsx'
import { LongWord } from '#web/long-word.tsx'
import { Amount, Dollars, GroupedDigits } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { When } from '#web/when.tsx'

type OrderSummaryProps = {
  order: Order
  /** says until when its pieces are held for its buyer */
  held?: boolean
  /** further lines */
  children?: ReactNode
  /** the way to change it */
  action?: ReactNode
  className?: string
}

/** All of an order in the order of the questions about it: what, how many, how much; then whose it is. For its buyer and for the owner. */
export function OrderSummary({ order, held = false, children, action, className = '' }: OrderSummaryProps) {
  return (
    <Panel as="section" aria-label={`Order ${order.number}`} className={`flex flex-col gap-4 ${className}`}>
      <OrderedPart order={order} className="text-lg" />
      <Facts>
        <Fact name="Quantity">
          <GroupedDigits number={order.productQuantity} /> x <Dollars amount={order.productCost / order.productQuantity} />
        </Fact>
        <Fact name="Total">
          <Dollars amount={order.productCost} className="text-xl font-semibold" />
        </Fact>
        {order.refundedCents > 0 && (
          <Fact name="Refunded">
            <Amount amountCents={order.refundedCents} className="font-semibold" />
          </Fact>
        )}
        <Fact name="Order">
          {order.number}, <When at={order.placedAt} />
        </Fact>
        {held && (
          <Fact name="Pieces">
            held for you until <When at={order.holdUntil} />
          </Fact>
        )}
        <Fact name="Buyer">
          {order.buyerName},{' '}
          <span className="inline-block max-w-full">
            <LongWord>{order.buyerEmail}</LongWord>
          </span>
        </Fact>
        <Fact name="Delivery address">
          <span className="whitespace-pre-line">{order.buyerAddress}</span>
        </Fact>
        {children}
      </Facts>
      {action}
    </Panel>
  )
}
