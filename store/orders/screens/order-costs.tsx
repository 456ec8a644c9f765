import { type CostRow, chargedCentsOf, costParts, costRows } from '#store/orders/cost-rows.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import { MoneyAmount } from '#web/money.tsx'
import { PriceBreakdownLine, PriceBreakdownList } from '#web/price-breakdown.tsx'
import type { DisplayedOrder } from './displayed-order.ts'

type CostedOrder = { order: DisplayedOrder; details: OrderDetails | null }

/** Whether an order costs more than the sum of its lines, is taxed or delivered: then `OrderCosts` says what makes up its total. */
export const hasCostParts = ({ order, details }: CostedOrder): boolean => costParts(order, details).length > 0

/** What an order costs, and what of it has gone back, below its lines. */
export function OrderCosts({ order, details }: CostedOrder) {
  return (
    <>
      <CostRowList rows={costRows(order, details)} />
      {order.taxSentence && <p className="text-sm text-soft">{order.taxSentence}</p>}
    </>
  )
}

function CostRowList({ rows }: { rows: CostRow[] }) {
  return (
    <PriceBreakdownList>
      {rows.map((row, nth) => {
        const { label, kind } = row
        const cents = chargedCentsOf(row)
        const small = kind === 'included' ? 'text-sm text-soft' : ''
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of an order have a fixed order, and two may say the same
          <PriceBreakdownLine key={nth} isTotal={kind === 'total'} label={<span className={small}>{label}</span>}>
            {cents === undefined ? 'free' : <MoneyAmount amountCents={cents} className={small} />}
          </PriceBreakdownLine>
        )
      })}
    </PriceBreakdownList>
  )
}
