import type { ReactNode } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { formatCard, type OrderEvent, type OrderHistoryEntry } from '#store/orders/contract.ts'
import { isPaid, isPayable } from '#store/orders/screens/order-status-summary.tsx'
import { DateTime } from '#web/date-time.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { TextLink } from '#web/text-link.tsx'
import { Timeline, TimelineItem } from '#web/timeline.tsx'
import { type DisplayedOrder, getOnlyLine } from './displayed-order.ts'
import { accountTimelineEntry } from './on-account-text.tsx'
import { type OrderAccess, useOrderAccess } from './order-access.ts'
import { payerOf } from './payer.ts'
import { withoutAnsweredRefundRequests } from './pending-refunds.ts'

/** The order's history in the buyer's terms, and the next steps. */
export function OrderTimeline({ order, history }: { order: DisplayedOrder; history: OrderHistoryEntry[] }) {
  const access = useOrderAccess()
  return (
    <Timeline label="What happened to this order">
      {withoutAnsweredRefundRequests(history).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
        <TimelineItem key={index} at={line.at} {...entryOf(line, order, access)} />
      ))}
      {isPayable(order) && (
        <TimelineItem kind="next" title={order.paymentMethod === 'bank_transfer' ? 'Your transfer' : 'Your payment'}>
          Until <DateTime at={order.holdUntil} />
        </TimelineItem>
      )}
      {isPaid(order) && <ToBeSent order={order} />}
    </Timeline>
  )
}

/** The step after the payment, as long as something is left to send. */
export const ToBeSent = ({ order: { lines, shipments } }: { order: Pick<DisplayedOrder, 'lines' | 'shipments'> }) =>
  lines.some(({ toSend }) => toSend > 0) && (
    <TimelineItem kind="next" title={shipments.length > 0 ? 'The rest is to be sent to you' : 'To be sent to you'}>
      You get a mail when it is on its way. <TextLink to="/help#delivery">How long delivery takes</TextLink>
    </TimelineItem>
  )

type TimelineEntry = { title: ReactNode; kind?: 'done' | 'wrong'; children?: ReactNode }

const refundDelayText = 'Banks take up to ten days to show it.'

const entryOf = (line: OrderHistoryEntry, order: DisplayedOrder, access: OrderAccess): TimelineEntry =>
  (order.paymentMethod === 'on_account' ? accountTimelineEntry(line) : undefined) ?? timelineEntry(line, order, access)

function timelineEntry(line: OrderHistoryEntry, order: DisplayedOrder, access: OrderAccess): TimelineEntry {
  const { event, state, actor, by, note, amountCents, items, replacedBy } = line
  const payer = payerOf(order, access)
  const amount = amountCents !== null && <MoneyAmount amountCents={amountCents} />
  const backText = amount && goesBackText(amount, `${payer.card}${event === 'late payment' ? ' by itself' : ''}`)
  const reason = note && `The store says: ${note}`
  if (event === 'transfer booked' || event === 'rest asked' || event === 'transfer reminder') return transferEntry(event, amount)
  const ofGoods = goodsEntries[event]?.(line)
  if (ofGoods) return ofGoods
  switch (event) {
    case 'paid':
      return { title: payer.name ? `Paid by ${payer.name}` : 'Paid', children: order.card && formatCard(order.card) }
    case 'expired':
      return { title: 'Expired', children: expiredText(amountCents) }
    case 'cancelled':
      if (replacedBy !== undefined) return replacedEntry(replacedBy)
      return {
        title: `Cancelled by ${cancellerName({ actor, by }, access)}`,
        children: (
          <>
            {backText || 'Nothing was charged.'} {actor === 'admin' && reason}
          </>
        ),
      }
    case 'line cancelled':
      return {
        title: `A part was cancelled by ${cancellerName({ actor, by }, access)}`,
        children: (
          <>
            {items && `${items}. `}
            {backText || (state === 'open' ? 'Nothing was charged for it.' : 'Its money had gone back before.')}{' '}
            {actor === 'admin' && reason}
          </>
        ),
      }
    case 'refund asked':
      return { title: <>{amount} is on its way back</>, children: reason }
    case 'partly refunded':
    case 'refunded':
      return {
        title: <>{amount} refunded</>,
        children: (
          <>
            {items && `${items}. `}
            {refundDelayText} {reason}
          </>
        ),
      }
    case 'refund failed':
      return { title: <>A refund of {amount} did not go through</>, kind: 'wrong', children: 'The store looks after it.' }
    case 'card declined':
      return { title: 'A card was declined', kind: 'wrong', children: 'Nothing was charged.' }
    case 'late payment':
      return { title: 'A payment came after the order had ended', kind: 'wrong', children: backText }
    default:
      return event === 'invoice corrected' ? correctedEntry(items, reason) : { title: 'Ordered', children: orderedText(order) }
  }
}

/** @param transferredCents what has come of the money: it goes back */
const expiredText = (transferredCents: number | null): string =>
  `It was not paid in time. The pieces went back into stock${transferredCents === null ? ', and nothing was charged' : ''}.`

/** Of the goods themselves, once they are sent. */
const goodsEntries: Partial<Record<OrderEvent, (line: OrderHistoryEntry) => TimelineEntry>> = {
  sent: ({ items }) => ({ title: 'Sent to you', children: items }),
  'tracking changed': ({ items }) => ({ title: 'How to follow a parcel was corrected', children: items }),
  'taken back': ({ items }) => ({ title: 'A parcel was not sent after all', children: items && `${items}: to be sent to you.` }),
  delivered: ({ actor, items }) => ({ title: actor === 'store' ? 'Taken to be delivered by now' : 'Delivered', children: items }),
  withdrawn: ({ items }) => ({ title: 'Withdrawn from the contract', children: items }),
  'return asked': ({ note, items }) => ({ title: `Return ${note} asked for`, children: items }),
  'return taken back': ({ note, items }) => ({ title: `Return ${note} cancelled by the buyer`, children: items }),
  'return arrived': ({ note, items }) => ({ title: `Return ${note} has arrived`, children: items }),
  'return decided': ({ note, items }) => ({ title: `Return ${note} is decided`, children: items }),
}
const correctedEntry = (items: string | null, reason: string | null): TimelineEntry => ({
  title: 'The invoice was corrected',
  children: [items && `${items}.`, reason].filter(Boolean).join(' '),
})

function transferEntry(event: 'transfer booked' | 'rest asked' | 'transfer reminder', amount: ReactNode): TimelineEntry {
  if (event === 'transfer booked') return { title: <>Your transfer of {amount} has come</> }
  if (event === 'transfer reminder') return { title: 'You were reminded of the transfer' }
  return { title: 'A part of the money is missing', children: 'The mail says how much, and where to transfer it to.' }
}

const goesBackText = (amount: ReactNode, card: string) => (
  <>
    {amount} goes back to {card}.
  </>
)

/** The buyer has ordered some of it again from the same basket. @param replacedBy the new order; null: unknown, or not placed after all */
const replacedEntry = (replacedBy: OrderHistoryEntry['replacedBy']): TimelineEntry => ({
  title: replacedBy ? (
    <>
      Replaced by{' '}
      {replacedBy._id ? (
        <TextLink to={`/dashboard/myorder/${replacedBy._id}`}>{`order ${replacedBy.number}`}</TextLink>
      ) : (
        `order ${replacedBy.number}`
      )}
    </>
  ) : (
    'Cancelled when some of it was ordered again'
  ),
  children: `${replacedBy ? 'It asks for some of the same products, and nothing is ordered twice. ' : ''}Nothing was charged.${
    replacedBy?._id === null ? ' The link in the mail about it leads to it.' : ''
  }`,
})

/** The buyer, another member of their company, or the store. */
function cancellerName({ actor, by }: Pick<OrderHistoryEntry, 'actor' | 'by'>, { isViewer }: OrderAccess): string {
  if (actor !== 'buyer' || !by) return 'the store'
  return isViewer(by) ? 'you' : by
}

function orderedText(order: DisplayedOrder): string {
  const count = order.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const pieces = count === 1 ? '1 piece' : `${formatNumber(count)} pieces`
  return getOnlyLine(order) ? pieces : `${order.lines.length} products, ${pieces}`
}
