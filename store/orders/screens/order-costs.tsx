import { type CostRow, costParts, costRows } from '#store/orders/cost-rows.ts'
import { MoneyAmount } from '#web/money.tsx'
import { PriceBreakdownLine, PriceBreakdownList } from '#web/price-breakdown.tsx'
import type { DisplayedOrder } from './displayed-order.ts'

/** Whether an order costs more than the sum of its lines, or is taxed: then `OrderCosts` says what makes up its total. */
export const hasCostParts = (order: DisplayedOrder): boolean => costParts(order).length > 0

/** What an order costs, and what of it has gone back, below its lines. */
export function OrderCosts({ order }: { order: DisplayedOrder }) {
  return (
    <>
      <CostRowList rows={costRows(order)} />
      {order.taxSentence && <p className="text-sm text-soft">{order.taxSentence}</p>}
    </>
  )
}

function CostRowList({ rows }: { rows: CostRow[] }) {
  return (
    <PriceBreakdownList>
      {rows.map(({ label, amountCents, kind }, nth) => {
        const small = kind === 'included' ? 'text-sm text-soft' : ''
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of an order have a fixed order, and two may say the same
          <PriceBreakdownLine key={nth} isTotal={kind === 'total'} label={<span className={small}>{label}</span>}>
            <MoneyAmount amountCents={amountCents} className={small} />
          </PriceBreakdownLine>
        )
      })}
    </PriceBreakdownList>
  )
}
