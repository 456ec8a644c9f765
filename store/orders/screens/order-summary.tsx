import type { ReactNode } from 'react'
import { reductionShareText } from '#store/orders/cost-rows.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { OrderedProduct } from '#store/orders/screens/ordered-product.tsx'
import { BreakableText } from '#web/breakable-text.tsx'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { BuyerAndAddress } from './buyer-and-address.tsx'
import { type DisplayedOrder, formatOrderNumbers, getOnlyLine } from './displayed-order.ts'
import { hasCostParts, OrderCosts } from './order-costs.tsx'
import { LineChanges, OrderLines, QuantityAndPrice } from './order-lines.tsx'

type OrderSummaryProps = {
  order: DisplayedOrder
  details: OrderDetails | null
  /** shows this line alone, of an order of several */
  line?: OrderLine | undefined
  /** what can be done with each line */
  lineAction?: ((line: OrderLine) => ReactNode) | undefined
  /** shows until when the pieces are held for the buyer */
  showsHold?: boolean
  /** further items of the description list */
  children?: ReactNode
  /** shown below the list */
  action?: ReactNode
  className?: string
}

/** All data of an order, the most asked for first: products, quantities and cost, then the buyer. For the buyer and for admins. */
export function OrderSummary({ order, details, line, lineAction, showsHold = false, children, action, className = '' }: OrderSummaryProps) {
  const shownLine = line ?? getOnlyLine(order)
  const { totalCents, refundedCents } = line ?? order
  const hasCosts = !line && hasCostParts({ order, details })
  return (
    <Panel as="section" aria-label={`${line ? 'Line of order' : 'Order'} ${order.number}`} className={`flex flex-col gap-4 ${className}`}>
      <Products lines={shownLine ? [shownLine] : order.lines} action={lineAction} />
      {hasCosts && (
        <div className="border-t border-line pt-2">
          <OrderCosts order={order} details={details} />
        </div>
      )}
      <DescriptionList>
        {shownLine && (
          <DescriptionItem name="Quantity">
            <QuantityAndPrice line={shownLine} />
            {(shownLine.sent > 0 || shownLine.toSend > 0) && <LineChanges line={shownLine} />}
          </DescriptionItem>
        )}
        {line && line.reductionCents > 0 && <DescriptionItem name="Reduction">{reductionShareText(line)}</DescriptionItem>}
        {!hasCosts && (
          <DescriptionItem name={line ? 'Line total' : 'Total'}>
            <MoneyAmount amountCents={totalCents} className="text-xl font-semibold" />
          </DescriptionItem>
        )}
        {line && line.chargedCents > line.totalCents && (
          <DescriptionItem name="With its tax">
            <MoneyAmount amountCents={line.chargedCents} />
          </DescriptionItem>
        )}
        {!hasCosts && refundedCents > 0 && (
          <DescriptionItem name="Refunded">
            <MoneyAmount amountCents={refundedCents} className="font-semibold" />
          </DescriptionItem>
        )}
        <DescriptionItem name="Order">
          {order.number}, <DateTime at={order.placedAt} />
        </DescriptionItem>
        {order.replaces.length > 0 && (
          <DescriptionItem name="Replaces">{formatOrderNumbers(order.replaces)}, not paid and cancelled</DescriptionItem>
        )}
        {order.paidBy && (
          <DescriptionItem name="Paid by">
            {order.paidBy.name}, <BreakableText>{order.paidBy.email}</BreakableText>
          </DescriptionItem>
        )}
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

const ProductLink = ({ line: { productId, productName } }: { line: OrderLine }) => (
  <TextLink to={`/products/${productId}`}>{productName}</TextLink>
)

/** The products of an order or of one of its lines, as links to their pages. Of several each has its quantity and cost. */
function Products({ lines, action }: { lines: OrderLine[]; action: OrderSummaryProps['lineAction'] }) {
  const [only, ...others] = lines
  if (!only || others.length > 0) return <OrderLines lines={lines} name={(line) => <ProductLink line={line} />} action={action} />
  return (
    <>
      <OrderedProduct order={only} name={<ProductLink line={only} />} className="text-lg" />
      {action?.(only)}
    </>
  )
}
