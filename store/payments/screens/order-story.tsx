import type { ReactNode } from 'react'
import { inFigures } from '#store/in-figures.ts'
import { cardWords, type HistoryLine, type Order } from '#store/orders/contract.ts'
import { canBePaid, isPaid } from '#store/orders/screens/order-status.tsx'
import { Amount } from '#web/money.tsx'
import { TextLink } from '#web/text-link.tsx'
import { Happening, Timeline } from '#web/timeline.tsx'
import { When } from '#web/when.tsx'
import { withoutAnsweredAsks } from './money-under-way.ts'

/** What happened to an order, as its buyer would tell it, and what comes next. */
export function OrderStory({ order, history }: { order: Order; history: HistoryLine[] }) {
  return (
    <Timeline label="What happened to this order">
      {withoutAnsweredAsks(history).map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
        <Happening key={place} at={line.at} {...told(line, order)} />
      ))}
      {canBePaid(order) && (
        <Happening kind="next" title="Your payment">
          Until <When at={order.holdUntil} />
        </Happening>
      )}
      {isPaid(order) && (
        <Happening kind="next" title="Packed and sent to you">
          <TextLink to="/help#delivery">How long delivery takes</TextLink>
        </Happening>
      )}
    </Timeline>
  )
}

type Told = { title: ReactNode; kind?: 'done' | 'wrong'; children?: ReactNode }

const patience = 'Banks take up to ten days to show it.'

function told({ event, actor, by, note, amountCents }: HistoryLine, order: Order): Told {
  const amount = amountCents !== null && <Amount amountCents={amountCents} />
  const reason = note && `The store says: ${note}`
  switch (event) {
    case 'paid':
      return { title: 'Paid', children: order.card && cardWords(order.card) }
    case 'expired':
      return { title: 'Expired', children: 'It was not paid in time. The pieces went back into stock, and nothing was charged.' }
    case 'cancelled':
      return {
        title: actor === 'buyer' && by ? 'Cancelled by you' : 'Cancelled by the store',
        children: (
          <>
            {amount ? <>{amount} goes back to your card.</> : 'Nothing was charged.'} {actor === 'admin' && reason}
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
            {patience} {reason}
          </>
        ),
      }
    case 'refund failed':
      return { title: <>A refund of {amount} did not go through</>, kind: 'wrong', children: 'The store looks after it.' }
    case 'card declined':
      return { title: 'A card was declined', kind: 'wrong', children: 'Nothing was charged.' }
    case 'late payment':
      return { title: 'A payment came after the order had ended', kind: 'wrong', children: <>{amount} goes back to your card by itself.</> }
    default:
      return { title: 'Ordered', children: `${inFigures(order.productQuantity)} pieces` }
  }
}
