import { formatCents } from '#shared/money.ts'
import type { OrderEvent, OrderHistoryEntry, Purchase } from '#store/orders/contract.ts'
import type { Order } from '#store/orders/order-contract.ts'

const outcomeEvents: ReadonlySet<OrderEvent> = new Set([
  'refund asked',
  'partly refunded',
  'refunded',
  'refund failed',
  'cancelled',
  'line cancelled',
])

type OrderWithHistory = {
  order: Pick<Purchase, 'number' | 'buyerEmail'>
  whole?: Pick<Order, 'paymentMethod'>
  history: Pick<OrderHistoryEntry, 'event' | 'amountCents' | 'note' | 'state'>[]
}

/** What an admin is told after a refund or a cancellation. */
export type ActionOutcome = { kind: 'info' | 'success' | 'error'; title: string; nextStep: string }

export const doneButNotReloaded: ActionOutcome = {
  kind: 'info',
  title: 'It is done, but this page could not be renewed',
  nextStep: 'What it shows is older. Load it again to see the order as it is.',
}

/** The outcome of the last action, from the newest event of the history that tells one; undefined where there is none. */
export function describeOutcome({ order, whole, history }: OrderWithHistory): ActionOutcome | undefined {
  const last = history.findLast(({ event }) => outcomeEvents.has(event))
  if (!last) return undefined
  const amount = formatCents(last.amountCents ?? 0)
  const isOnAccount = whole?.paymentMethod === 'on_account'
  const isByTransfer = whole?.paymentMethod === 'bank_transfer'
  const goesBackText = isOnAccount
    ? `${amount} is owed no more.`
    : isByTransfer
      ? `${amount} is to be transferred back: see the page Bank.`
      : `${amount} goes back to the buyer's card.`
  const mail = `A mail tells ${order.buyerEmail}.`
  switch (last.event) {
    case 'refund asked':
      return {
        kind: 'info',
        title: `The refund of ${amount} is written down`,
        nextStep: isByTransfer ? 'It is to be transferred: see the page Bank.' : 'It goes back as soon as the card provider answers.',
      }
    case 'refund failed':
      return {
        kind: 'error',
        title: `The card provider refused the refund of ${amount}`,
        nextStep: `${last.note ? `It says: ${last.note}. ` : ''}Nothing went back, and the order is as it was.`,
      }
    case 'line cancelled': {
      const money = last.amountCents
        ? goesBackText
        : last.state === 'open'
          ? 'Nothing was charged for it.'
          : 'Its money had gone back before.'
      return { kind: 'success', title: `This line of order ${order.number} is cancelled`, nextStep: `${money} ${mail}` }
    }
    case 'cancelled': {
      const money = last.amountCents ? goesBackText : 'Nothing was charged.'
      return { kind: 'success', title: `Order ${order.number} is cancelled`, nextStep: `${money} ${mail}` }
    }
    default:
      return { kind: 'success', title: `${amount} of order ${order.number} ${isOnAccount ? 'credited' : 'refunded'}`, nextStep: mail }
  }
}
