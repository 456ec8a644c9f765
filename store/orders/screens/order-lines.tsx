import type { ReactNode } from 'react'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { OrderedPartNumber } from './ordered-product.tsx'

type OrderLinesProps = {
  lines: OrderLine[]
  /** the name of a line's product, e.g. as a link */
  name?: (line: OrderLine) => ReactNode
  /** below the line, e.g. a button */
  action?: ((line: OrderLine) => ReactNode) | undefined
}

/** The lines of an order of several products, each with its cost. The cost of one that is no part of the total is struck out. */
export function OrderLines({ lines, name = ({ productName }) => productName, action }: OrderLinesProps) {
  return (
    <ul aria-label="Products of this order" className="flex flex-col divide-y divide-line">
      {lines.map((line) => (
        <li key={line._id} className="flex items-baseline justify-between gap-x-6 py-2 first:pt-0 last:pb-0 print:break-inside-avoid">
          <div className="min-w-0 break-words">
            <p className="font-semibold">{name(line)}</p>
            <OrderedPartNumber order={line} />
            <p>
              <QuantityAndPrice line={line} />
            </p>
            <LineChanges line={line} />
            {action?.(line)}
          </div>
          {line.inTotal ? (
            <MoneyAmount amountCents={line.totalCents} />
          ) : (
            <s className="text-soft">
              <MoneyAmount amountCents={line.totalCents} />
            </s>
          )}
        </li>
      ))}
    </ul>
  )
}

export const QuantityAndPrice = ({
  line: { quantity, unitPriceCents, listPriceCents, reductionCents, reductionReason },
}: {
  line: OrderLine
}) => (
  <>
    <GroupedDigits number={quantity} /> x <MoneyAmount amountCents={unitPriceCents} />
    {unitPriceCents < listPriceCents && (
      <span className="text-soft">
        {' '}
        (list price <MoneyAmount amountCents={listPriceCents} />)
      </span>
    )}
    {reductionCents > 0 && (
      <span className="block">
        less <MoneyAmount amountCents={reductionCents} /> by the code <span className="figures">{reductionReason}</span>
      </span>
    )}
  </>
)

/** What of a line was cancelled or refunded. */
function LineChanges({ line: { quantity, cancelled, refundedCents } }: { line: OrderLine }) {
  if (cancelled === 0 && refundedCents === 0) return null
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      {cancelled === quantity ? (
        <StatusBadge kind="neutral">Cancelled</StatusBadge>
      ) : (
        cancelled > 0 && (
          <span>
            <GroupedDigits number={cancelled} /> of <GroupedDigits number={quantity} /> cancelled
          </span>
        )
      )}
      {refundedCents > 0 && (
        <span>
          <MoneyAmount amountCents={refundedCents} /> refunded
        </span>
      )}
    </p>
  )
}
