/** Whether an order holds stock and awaits money, is to be sent, or has ended. */
export const orderStatuses = ['open', 'placed', 'completed', 'cancelled', 'expired'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** What was taken and given back for an order, over the payments that pay for it: see `payment_status_of` in the database. */
export const paymentStatuses = ['unpaid', 'checking', 'partly_paid', 'paid', 'overpaid', 'partly_refunded', 'refunded'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** What of an order has left the store, kept by a trigger on its lines: see `fulfilment_status_of` in the database. */
export const fulfilmentStatuses = ['to_send', 'partly_sent', 'sent', 'delivered'] as const
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number]

/** How a buyer has chosen to pay. What has paid stands in `payments`. */
export const paymentMethods = ['card', 'bank_transfer', 'on_account'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

const withMoney: readonly PaymentStatus[] = ['partly_paid', 'paid', 'overpaid', 'partly_refunded', 'refunded']
const afterMoneyCame: readonly PaymentStatus[] = ['partly_paid', 'paid', 'overpaid']
const others = (from: PaymentStatus, to: readonly PaymentStatus[]) => to.filter((status) => status !== from)

/**
 * The allowed changes of each status, also enforced by triggers (the table `status_steps`). An ended order becomes `placed` again in one
 * case only: its refund failed because the card provider or the buyer's bank rejected it. Money that was taken once stays in the books.
 */
export const allowedStatusChanges: {
  order: Record<OrderStatus, readonly OrderStatus[]>
  payment: Record<PaymentStatus, readonly PaymentStatus[]>
  fulfilment: Record<FulfilmentStatus, readonly FulfilmentStatus[]>
} = {
  order: {
    open: ['placed', 'expired', 'cancelled'],
    placed: ['completed', 'cancelled'],
    completed: ['placed'],
    expired: ['placed'],
    cancelled: ['placed'],
  },
  payment: {
    unpaid: ['checking', 'refunded', ...afterMoneyCame], // refunded: on account, all of it credited before it was paid
    checking: ['unpaid', ...afterMoneyCame],
    partly_paid: others('partly_paid', withMoney),
    paid: others('paid', withMoney),
    overpaid: others('overpaid', withMoney),
    partly_refunded: others('partly_refunded', withMoney),
    refunded: others('refunded', withMoney),
  },
  fulfilment: {
    to_send: ['partly_sent', 'sent'],
    partly_sent: ['sent', 'to_send', 'delivered'],
    sent: ['partly_sent', 'to_send', 'delivered'],
    delivered: ['partly_sent', 'sent'],
  },
}

export type OrderStatuses = { orderStatus: OrderStatus; paymentStatus: PaymentStatus; fulfilmentStatus: FulfilmentStatus }

/** How many pieces of a line were packed, sent and cancelled, and how much of its money is refunded. */
export type LineCounters = {
  quantity: number
  packed: number
  sent: number
  cancelled: number
  chargedCents: number
  refundedCents: number
}

/** The one word that the specification's calls say of a purchase, which is a line of an order. */
export const purchaseStates = ['open', 'paid', 'packed', 'shipped', 'expired', 'cancelled', 'refunded'] as const
export type PurchaseState = (typeof purchaseStates)[number]

/** @param line without its counters, the word for an order as a whole */
export function purchaseState({ orderStatus, paymentStatus, fulfilmentStatus }: OrderStatuses, line?: LineCounters): PurchaseState {
  if (line && line.cancelled === line.quantity) return 'cancelled'
  if (orderStatus !== 'placed' && orderStatus !== 'completed') return orderStatus
  if (paymentStatus === 'refunded' || (line && line.chargedCents > 0 && line.refundedCents === line.chargedCents)) return 'refunded'
  if (line ? line.sent > 0 && line.sent === line.quantity - line.cancelled : hasLeft(fulfilmentStatus)) return 'shipped'
  return line && line.packed > 0 && line.packed === line.quantity - line.cancelled ? 'packed' : 'paid'
}

/** Whether nothing of an order is left to send, and something was sent. */
export const hasLeft = (status: FulfilmentStatus): boolean => status === 'sent' || status === 'delivered'

type DeliveredLine = { _id: string; quantity: number; inTotal: boolean; packed: number; refundedPieces: number; restocked: number }

/** Whether nothing of a paid order is left to be sent, nor was packed, once this line of it is cancelled: its delivery then goes back, too. */
export const endsDelivery = ({ lines }: { lines: DeliveredLine[] }, lineId: string): boolean =>
  lines.every(
    (line) =>
      line.packed === 0 && (line._id === lineId || !line.inTotal || Math.max(line.refundedPieces, line.restocked) === line.quantity),
  )

/** Whether the store keeps money for a purchase in this state. */
export const isPaidState = (state: PurchaseState): state is 'paid' | 'packed' | 'shipped' =>
  state === 'paid' || state === 'packed' || state === 'shipped'

/** Whether an order on account is still to be paid: by its invoices, and while it is sent. */
export const owesOnAccount = ({ paymentMethod, paymentStatus }: { paymentMethod: PaymentMethod; paymentStatus: PaymentStatus }): boolean =>
  paymentMethod === 'on_account' && (paymentStatus === 'unpaid' || paymentStatus === 'partly_paid')

/** Whether the buyer says that a purchase, or an order as a whole, is paid, and the card provider is still to be asked. */
export const isBeingChecked = (state: PurchaseState, { paymentStatus }: Pick<OrderStatuses, 'paymentStatus'>): boolean =>
  state === 'open' && paymentStatus === 'checking'

/** The statuses by which lists are filtered: what is paid, packed and shipped is one, and what is being checked is none of the open ones. */
export const purchaseStatuses = ['open', 'checking', 'paid', 'expired', 'cancelled', 'refunded'] as const
export type PurchaseStatus = (typeof purchaseStatuses)[number]

/** The status by which lists are filtered. `purchaseStatusSql` is the same in SQL. */
export function purchaseStatusOf({ state, checking }: { state: PurchaseState; checking: boolean }): PurchaseStatus {
  if (state === 'open') return checking ? 'checking' : 'open'
  return isPaidState(state) ? 'paid' : state
}
