import type { OrderState, ShownOrder } from '#store/orders/contract.ts'
import { Amount } from '#web/money.tsx'
import { Status } from '#web/status.tsx'
import { TextLink } from '#web/text-link.tsx'

type Look = { kind: 'good' | 'bad' | 'neutral'; words: string }

const paid: Look = { kind: 'good', words: 'Paid' }
const looks: Record<OrderState, Look> = {
  open: { kind: 'bad', words: 'Not paid yet' },
  paid,
  packed: paid,
  shipped: paid,
  expired: { kind: 'neutral', words: 'Expired' },
  cancelled: { kind: 'neutral', words: 'Cancelled' },
  refunded: { kind: 'neutral', words: 'Refunded' },
}
const beingChecked: Look = { kind: 'neutral', words: 'Payment is being checked' }

/** Everything that `standingOf` can say, in the order of an order's life. */
export const standings: string[] = [...new Set([looks.open, beingChecked, ...Object.values(looks)].map(({ words }) => words))]

type Standing = Pick<ShownOrder, 'state' | 'checking'>
const lookOf = ({ state, checking }: Standing) => (state === 'open' && checking ? beingChecked : looks[state])

/** How an order stands, in a word or two. */
export const standingOf = (order: Standing): string => lookOf(order).words

/** It holds no pieces any more, and no card can pay it. */
export const hasEnded = ({ state }: Standing): boolean => state === 'expired' || state === 'cancelled' || state === 'refunded'

/** Its buyer can pay it now. */
export const canBePaid = ({ state, checking, productCost }: Pick<ShownOrder, 'state' | 'checking' | 'productCost'>): boolean =>
  state === 'open' && !checking && productCost > 0

export const isPaid = (order: Standing): boolean => order.state !== 'open' && !hasEnded(order)

/** How an order stands, and how much of a paid one has gone back; for an admin also whether the buyer's bank disputes the payment. */
export function OrderStatus({ order }: { order: ShownOrder }) {
  const { kind, words } = lookOf(order)
  return (
    <>
      <Status kind={kind}>{words}</Status>
      {order.disputed && (
        <>
          {' '}
          <Status kind="bad">Disputed</Status>
        </>
      )}
      {isPaid(order) && order.refundedCents > 0 && (
        <span className="block">
          <Amount amountCents={order.refundedCents} /> of it refunded
        </span>
      )}
    </>
  )
}

/** Where as many of the same are ordered again, at today's price: the form there says what has changed since. */
export const orderAgain = ({ _id, toolId, productQuantity }: ShownOrder): string =>
  `/purchase/${toolId}?${new URLSearchParams({ quantity: `${productQuantity}`, again: _id })}`

export function OrderAgain({ order }: { order: ShownOrder }) {
  return (
    <TextLink to={orderAgain(order)} aria-label={`Order again, ${order.productName}`}>
      Order again
    </TextLink>
  )
}
