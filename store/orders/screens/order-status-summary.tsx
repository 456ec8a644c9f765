import { formatCard, type PurchaseForViewer } from '#store/orders/contract.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { type PaymentMethod, type PurchaseStatus, purchaseStatusOf } from '#store/orders/statuses.ts'
import { MoneyAmount } from '#web/money.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import { getOnlyLine } from './displayed-order.ts'

type StatusStyle = { kind: 'good' | 'bad' | 'neutral'; label: string }

const statusStyles: Record<PurchaseStatus, StatusStyle> = {
  open: { kind: 'bad', label: 'Not paid yet' },
  checking: { kind: 'neutral', label: 'Payment is being checked' },
  paid: { kind: 'good', label: 'Paid' },
  expired: { kind: 'neutral', label: 'Expired' },
  cancelled: { kind: 'neutral', label: 'Cancelled' },
  refunded: { kind: 'neutral', label: 'Refunded' },
}

type StatusFields = Pick<PurchaseForViewer, 'state' | 'checking'>

export const purchaseStatusLabel = (status: PurchaseStatus): string => statusStyles[status].label

/** Whether the order holds no pieces any more and cannot be paid. */
export const hasEnded = ({ state }: StatusFields): boolean => state === 'expired' || state === 'cancelled' || state === 'refunded'

/** Whether its buyer can pay it now. */
export const isPayable = ({ state, checking, productCost }: Pick<PurchaseForViewer, 'state' | 'checking' | 'productCost'>): boolean =>
  state === 'open' && !checking && productCost > 0

/** Whether the store sends it, or has sent it: it is paid, or on account. */
export const isPaid = (order: StatusFields): boolean => order.state !== 'open' && !hasEnded(order)

type ShownStatus = StatusFields &
  Pick<PurchaseForViewer, 'refundedCents' | 'card' | 'disputed'> &
  Partial<Pick<PurchaseForViewer, 'paid' | 'transectionId'>> & {
    byTransfer?: true | undefined
    onAccount?: true | undefined
    paymentMethod?: PaymentMethod
  }

const isByTransfer = ({ byTransfer, paymentMethod, transectionId }: ShownStatus): boolean =>
  byTransfer === true || paymentMethod === 'bank_transfer' || /^RF\d/.test(transectionId ?? '')

/** Whether an order is sent, or was, and is still to be paid. */
const owes = (order: ShownStatus): boolean => isPaid(order) && (order.onAccount === true || order.paid === false)

/** Of what is on account no money goes back: it is credited. No transaction has paid it. */
const isCredited = ({ onAccount, paymentMethod, transectionId }: ShownStatus): boolean =>
  onAccount === true || paymentMethod === 'on_account' || (paymentMethod === undefined && transectionId === null)

/** The status of an order, and how much of its money goes back to which card. Admins also see whether the buyer's bank disputes the payment. */
export function OrderStatusSummary({ order }: { order: ShownStatus }) {
  const status = purchaseStatusOf(order)
  const { kind, label } = statusStyles[status]
  const isGivenBack = status === 'cancelled' && order.refundedCents > 0 && !isCredited(order)
  return (
    <>
      <StatusBadge kind={kind}>
        {owes(order)
          ? `On account${order.state === 'shipped' ? ', sent' : ''}`
          : isGivenBack
            ? 'Cancelled and refunded'
            : order.state === 'shipped'
              ? 'Paid and sent'
              : status === 'open' && isByTransfer(order)
                ? 'Waiting for your transfer'
                : label}
      </StatusBadge>
      {order.disputed && (
        <>
          {' '}
          <StatusBadge kind="bad">Disputed</StatusBadge>
        </>
      )}
      {order.refundedCents > 0 && (
        <span className="block">
          <MoneyAmount amountCents={order.refundedCents} /> {isPaid(order) && 'of it '}
          {isCredited(order)
            ? 'credited'
            : `refunded to ${order.card ? formatCard(order.card) : isByTransfer(order) ? 'the account that paid' : 'the card that paid'}`}
        </span>
      )}
    </>
  )
}

/** The purchase form for the same product and quantity, at the current price. The form shows what has changed since the order `again`. */
export const orderAgainUrl = ({ _id, toolId, productQuantity }: Pick<PurchaseForViewer, '_id' | 'toolId' | 'productQuantity'>): string =>
  `/purchase/${toolId}?${new URLSearchParams({ quantity: `${productQuantity}`, again: _id })}`

/** The same for an order of one product. There is no form for several. */
export function wholeOrderAgainUrl(order: Pick<Order, 'lines'>): string | undefined {
  const line = getOnlyLine(order)
  return line && orderAgainUrl({ _id: line._id, toolId: line.productId, productQuantity: line.quantity })
}

export function OrderAgainLink({ order }: { order: PurchaseForViewer }) {
  return (
    <TextLink to={orderAgainUrl(order)} aria-label={`Order again, ${order.productName}`}>
      Order again
    </TextLink>
  )
}
