import type { CheckoutEstimate } from '#store/checkout/contract.ts'
import { formatRate } from '#store/tax/rate-text.ts'
import { MoneyAmount } from '#web/money.tsx'
import { PriceBreakdownLine, PriceBreakdownList } from '#web/price-breakdown.tsx'

type CostBreakdownProps = {
  /** of the basket, before an estimate is known */
  goodsCents: number
  estimate: CheckoutEstimate | undefined
  isStale: boolean
  /** the total without tax is the one that counts */
  withoutTax?: boolean
  /** where they stand above it */
  hidesGoods?: boolean
}

/** Goods, reduction, delivery, tax by rate and total. Tax that prices contain is said as a part of the total. */
export function CostBreakdown({ goodsCents, estimate, isStale, withoutTax = false, hidesGoods = false }: CostBreakdownProps) {
  const { totals, taxes = [], pricesIncludeTax, methods = [], taxSentence, problem } = estimate ?? {}
  const totalCents = totals?.totalCents ?? goodsCents
  const taxCents = totals?.taxCents ?? 0
  const notCharged = totals ? totals.goodsCents - totals.reductionCents + totals.deliveryCents - totals.totalCents : 0
  return (
    <div role="status" aria-label="Costs" aria-busy={isStale || undefined} className={isStale ? 'opacity-60' : ''}>
      <PriceBreakdownList>
        {!hidesGoods && (
          <PriceBreakdownLine label="Goods">
            <MoneyAmount amountCents={totals?.goodsCents ?? goodsCents} />
          </PriceBreakdownLine>
        )}
        {totals && totals.reductionCents > 0 && (
          <PriceBreakdownLine label="Reduction">
            <MoneyAmount amountCents={-totals.reductionCents} />
          </PriceBreakdownLine>
        )}
        {totals && !problem && (
          <PriceBreakdownLine label="Delivery">
            {totals.deliveryCents > 0 ? <MoneyAmount amountCents={totals.deliveryCents} /> : methods.length > 0 ? 'free' : 'included'}
          </PriceBreakdownLine>
        )}
        {pricesIncludeTax && notCharged > 0 && (
          <PriceBreakdownLine label="Tax that is not charged">
            <MoneyAmount amountCents={-notCharged} />
          </PriceBreakdownLine>
        )}
        {!pricesIncludeTax && !withoutTax && <TaxLines taxes={taxes} label="Tax" />}
        <PriceBreakdownLine
          label={totals === undefined ? 'Total before delivery and tax' : withoutTax ? 'Total without tax' : 'Total'}
          isTotal
        >
          <MoneyAmount amountCents={withoutTax ? totalCents - taxCents : totalCents} />
        </PriceBreakdownLine>
        {pricesIncludeTax && !withoutTax && <TaxLines taxes={taxes} label="of which tax" />}
        {withoutTax && taxCents > 0 && (
          <PriceBreakdownLine label="With tax">
            <MoneyAmount amountCents={totalCents} />
          </PriceBreakdownLine>
        )}
      </PriceBreakdownList>
      {taxSentence && <p className="mt-2 text-sm text-soft">{taxSentence}</p>}
    </div>
  )
}

function TaxLines({ taxes, label }: { taxes: CheckoutEstimate['taxes']; label: string }) {
  return taxes
    .filter(({ taxCents }) => taxCents > 0)
    .map(({ ratePpm, netCents, taxCents }) => (
      <PriceBreakdownLine
        key={ratePpm}
        label={
          <>
            {label} {formatRate(ratePpm)}
            {taxes.length > 1 && (
              <span className="text-soft">
                {' '}
                of <MoneyAmount amountCents={netCents} />
              </span>
            )}
          </>
        }
      >
        <MoneyAmount amountCents={taxCents} />
      </PriceBreakdownLine>
    ))
}
