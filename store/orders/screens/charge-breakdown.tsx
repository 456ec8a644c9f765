import { chargeLines } from '#store/orders/charge-lines.ts'
import { MoneyAmount } from '#web/money.tsx'
import { PriceBreakdownLine, PriceBreakdownList } from '#web/price-breakdown.tsx'
import type { DisplayedOrder } from './displayed-order.ts'

/** Goods, delivery and tax, above the total of an order; nothing where the total is the sum of the lines. */
export function ChargeBreakdown({ order }: { order: DisplayedOrder }) {
  return chargeLines(order).map(({ label, amountCents, isIncluded }) => (
    <PriceBreakdownLine key={label} label={<span className={isIncluded ? 'text-sm text-soft' : undefined}>{label}</span>}>
      <MoneyAmount amountCents={amountCents} className={isIncluded ? 'text-sm text-soft' : ''} />
    </PriceBreakdownLine>
  ))
}

/** The same as a list of its own, with why there is no tax. */
export function OrderCharges({ order }: { order: DisplayedOrder }) {
  if (chargeLines(order).length === 0) return null
  return (
    <div className="border-t border-line pt-2">
      <PriceBreakdownList>
        <ChargeBreakdown order={order} />
      </PriceBreakdownList>
      <TaxSentence order={order} />
    </div>
  )
}

export const TaxSentence = ({ order: { taxSentence } }: { order: DisplayedOrder }) =>
  taxSentence && <p className="text-sm text-soft">{taxSentence}</p>
