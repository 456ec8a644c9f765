import { formatNumber } from '#shared/format-number.ts'
import type { PurchaseListItem } from '#store/orders/contract.ts'
import { hasEnded, isPayable, OrderAgainLink, OrderStatusSummary } from '#store/orders/screens/order-status-summary.tsx'
import { OrderedPartNumber } from '#store/orders/screens/ordered-product.tsx'
import { PayLink } from '#store/orders/screens/pay-link.tsx'
import { purchaseStatusOf } from '#store/orders/statuses.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { Amount, MoneyAmount } from '#web/money.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { type OrderOfLines, wholeOf } from './orders-of-lines.ts'

type MyOrderRowProps = {
  place: number
  order: OrderOfLines
  /** @param line of an order that goes on without it; undefined: the whole order */
  onCancel: (line: PurchaseListItem | undefined, button: HTMLElement) => void
}

/** An order of the buyer, with its lines where it has several. */
export function MyOrderRow({ place, order, onCancel }: MyOrderRowProps) {
  const { number, first, lines } = order
  const whole = wholeOf(order)
  const orderLink = (
    <>
      <TextLink to={`/dashboard/myorder/${first._id}`}>Order {number}</TextLink>, <DateTime at={first.placedAt} />
      {first.poNumber && `, your number ${first.poNumber}`}
    </>
  )
  return (
    <Row className="@3xl:*:align-top">
      <Cell label="No." isNumeric>
        {place}
      </Cell>
      <Cell label="Product Name" isRowHeader className="@3xl:min-w-52">
        {lines.length === 1 ? (
          <>
            {first.productName}
            <OrderedPartNumber order={first} />
            <span className="block font-normal text-soft">{orderLink}</span>
          </>
        ) : (
          <>
            <span className="block font-normal text-soft">
              {orderLink}: {lines.length} products
            </span>
            <LineList order={order} whole={whole} onCancel={onCancel} />
          </>
        )}
      </Cell>
      <Cell label="Product Quantity" isNumeric>
        {formatNumber(whole.productQuantity)}
      </Cell>
      <Cell label="Product Cost" isNumeric>
        <Amount value={whole.productCost} />
        {whole.orderTotalCents !== undefined && whole.state !== 'cancelled' && (
          <span className="block text-soft">
            Total{' '}
            <span className="@3xl:block">
              <MoneyAmount amountCents={whole.orderTotalCents} />
            </span>
          </span>
        )}
      </Cell>
      <Cell label="Buyer Name">{first.buyerName}</Cell>
      <Cell label="Buyer Email" className="@3xl:min-w-28 @3xl:wrap-anywhere">
        <BreakableText>{first.buyerEmail}</BreakableText>
      </Cell>
      <Cell label="Buyer Address" className="whitespace-pre-line @3xl:min-w-28">
        {first.buyerAddress}
      </Cell>
      <Cell label="Pay" className="@3xl:min-w-40 @5xl:min-w-60">
        <PaymentCell order={whole} isOfSeveral={lines.length > 1} onCancel={(button) => onCancel(undefined, button)} />
      </Cell>
    </Row>
  )
}

type LineListProps = Omit<MyOrderRowProps, 'place'> & { whole: PurchaseListItem }

/** More lines are folded away, so that the cost and the button of a long order, and the order after it, are in view. */
const maxLinesInView = 3

/** The lines of an order of several, each with its status where that is not the order's. */
function LineList({ order: { number, lines }, whole, onCancel }: LineListProps) {
  const canCancelOne = lines.filter(isPayable).length > 1
  const items = (shown: PurchaseListItem[]) =>
    shown.map((line) => <LineItem key={line._id} line={line} whole={whole} onCancel={canCancelOne ? onCancel : undefined} />)
  const folded = lines.slice(maxLinesInView)
  return (
    <>
      <ul aria-label={`Products of order ${number}`} className="mt-1 flex flex-col gap-2">
        {items(lines.slice(0, maxLinesInView))}
      </ul>
      {folded.length > 0 && (
        <details className="mt-2">
          <summary className="min-h-6 cursor-pointer">and {formatNumber(folded.length)} more</summary>
          <ul aria-label={`More products of order ${number}`} className="mt-1 flex flex-col gap-2">
            {items(folded)}
          </ul>
        </details>
      )}
    </>
  )
}

type LineItemProps = {
  line: PurchaseListItem
  whole: PurchaseListItem
  /** undefined: no line can be cancelled alone */
  onCancel: MyOrderRowProps['onCancel'] | undefined
}

function LineItem({ line, whole, onCancel }: LineItemProps) {
  return (
    <li>
      {line.productName}
      <OrderedPartNumber order={line} />
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-normal @max-3xl:justify-end">
        <span>
          {formatNumber(line.productQuantity)} x, <Amount value={line.productCost} />
        </span>
        {onCancel && isPayable(line) && (
          <Button
            dense
            variant="quiet"
            aria-label={`Cancel this part of order ${line.number}, ${line.productName}`}
            onClick={({ currentTarget }) => onCancel(line, currentTarget)}
          >
            Cancel this part
          </Button>
        )}
      </span>
      {(line.refundedCents > 0 || purchaseStatusOf(line) !== purchaseStatusOf(whole)) && (
        <span className="block font-normal">
          <OrderStatusSummary order={line} />
        </span>
      )}
    </li>
  )
}

type PaymentCellProps = { order: PurchaseListItem; isOfSeveral: boolean; onCancel: (button: HTMLElement) => void }

/** The status of an order and the actions that its buyer can take now. */
function PaymentCell({ order, isOfSeveral, onCancel }: PaymentCellProps) {
  const payment = `/dashboard/payment/${order._id}`
  if (order.state === 'open' && order.checking)
    return (
      <>
        <OrderStatusSummary order={order} />
        <span className="block">You need not pay again.</span>
      </>
    )
  if (order.state === 'open')
    return (
      order.productCost > 0 && (
        <span className="flex flex-col gap-2 @max-3xl:items-end @3xl:items-start">
          <span className="flex flex-wrap gap-2 @max-3xl:justify-end">
            <PayLink dense order={order} aria-label={`${order.byTransfer ? 'How to transfer' : 'Pay Now'}, order ${order.number}`}>
              {order.byTransfer ? 'How to transfer' : 'Pay Now'}
            </PayLink>
            <Button
              dense
              variant="quiet"
              aria-label={`Cancel order ${order.number}`}
              onClick={({ currentTarget }) => onCancel(currentTarget)}
            >
              Cancel order
            </Button>
          </span>
          <OrderStatusSummary order={order} />
          <span className="text-soft">
            held until <DateTime at={order.holdUntil} />
          </span>
        </span>
      )
    )
  return (
    <>
      <OrderStatusSummary order={order} />
      {order.refundedCents > 0 && <span className="block text-soft">Banks take up to ten days to show it</span>}
      {order.transectionId && (
        <>
          <span className="block">
            Transaction ID: <span className="figures break-all">{order.transectionId}</span>
          </span>
          <span className="block min-h-6">
            <TextLink to={payment} aria-label={`Receipt of order ${order.number}`}>
              Receipt
            </TextLink>
          </span>
        </>
      )}
      {hasEnded(order) && !isOfSeveral && (
        <span className="block min-h-6">
          <OrderAgainLink order={order} />
        </span>
      )}
    </>
  )
}
