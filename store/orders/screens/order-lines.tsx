import type { ReactNode } from 'react'
import { listedLineCents, reductionShareText } from '#store/orders/cost-rows.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { takenOffDelivery } from '#store/orders/unsent-pieces.ts'
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

/** The lines of an order of several products, each with its cost, to be followed by `OrderCosts`. The cost of one that is no part of the total is struck out. */
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
            {line.inTotal && line.reductionCents > 0 && <p className="text-sm text-soft">{reductionShareText(line)}</p>}
            <LineChanges line={line} />
            {action?.(line)}
          </div>
          {line.inTotal ? (
            <MoneyAmount amountCents={listedLineCents(line)} />
          ) : (
            <s className="text-soft">
              <MoneyAmount amountCents={listedLineCents(line)} />
            </s>
          )}
        </li>
      ))}
    </ul>
  )
}

export const QuantityAndPrice = ({ line: { quantity, unitPriceCents, listPriceCents } }: { line: OrderLine }) => (
  <>
    <GroupedDigits number={quantity} /> x <MoneyAmount amountCents={unitPriceCents} />
    {unitPriceCents < listPriceCents && (
      <span className="text-soft">
        {' '}
        (list price <MoneyAmount amountCents={listPriceCents} />)
      </span>
    )}
  </>
)

/** What of a line was cancelled, returned or refunded, or does not come any more. */
export function LineChanges({ line }: { line: OrderLine }) {
  const { quantity, cancelled, returned, refundedCents } = line
  const isLeft = refundedCents < line.chargedCents && line.inTotal && cancelled < quantity
  const unsent = isLeft ? takenOffDelivery(line) : 0 // of an order that has ended, all of it went back into stock
  if (cancelled === 0 && refundedCents === 0 && returned === 0) return null
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
      {unsent > 0 && refundedCents > 0 && (
        <span>
          <GroupedDigits number={unsent} /> of <GroupedDigits number={quantity} /> not sent any more
        </span>
      )}
      {returned > 0 && (
        <span>
          <GroupedDigits number={returned} /> returned
        </span>
      )}
      {refundedCents > 0 && (
        <span>
          <MoneyAmount amountCents={refundedCents} /> refunded
        </span>
      )}
    </p>
  )
}
