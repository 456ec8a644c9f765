import { countryName } from '#shared/countries.ts'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import type { CostPreview } from '#store/delivery/cost-preview-contract.ts'
import { formatWeight } from '#store/delivery/delivery-options.ts'
import type { TaxKind } from '#store/tax/compute-tax.ts'
import { formatRate } from '#store/tax/rate-text.ts'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { PriceBreakdownLine, PriceBreakdownList } from '#web/price-breakdown.tsx'

const kindTexts: Record<TaxKind, string> = {
  none: 'Nothing is taxed.',
  domestic: "Taxed at the rates of the shop's country.",
  'EU consumer': 'Taxed as sold to a consumer of another country of the European Union.',
  'reverse charge': 'Not taxed: reverse charge.',
  export: 'Not taxed: export.',
}

type ResultProps = { preview: CostPreview; place: string; askedVatId: string }

/** What a basket costs there: one bill for each method of delivery. */
export function CostPreviewResult({ preview, place, askedVatId }: ResultProps) {
  const { lines, totals, refusals, vatIdCountry, pricesIncludeTax } = preview
  const weights = lines.map(({ weightGrams, quantity }) => (weightGrams === null ? null : weightGrams * quantity))
  const [first] = totals
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-lg">To {place}</h3>
      <ul className="flex max-w-read flex-col divide-y divide-line border-y border-line">
        {lines.map((line, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same product may stand in several lines
          <li key={nth} className="flex items-baseline justify-between gap-6 py-2">
            <span className="min-w-0 wrap-anywhere">
              {formatNumber(line.quantity)} x {line.name}
              <span className="block text-sm text-soft">
                <MoneyAmount amountCents={line.unitPriceCents} /> a piece, {line.taxClass},{' '}
                {weights[nth] === null || weights[nth] === undefined ? 'weight not known' : formatWeight(weights[nth])}
              </span>
            </span>
            <MoneyAmount amountCents={line.totalCents} />
          </li>
        ))}
      </ul>
      {askedVatId.trim() !== '' && (
        <p>
          {vatIdCountry === null
            ? 'This VAT id has no valid form: it counts as none.'
            : `The VAT id has the form of ${countryName(vatIdCountry)}.`}
        </p>
      )}
      {first && <p>{first.tax.sentence ?? kindTexts[first.tax.kind]}</p>}
      {totals.length === 0 && (
        <Notice kind="warning" title="No method of delivery fits">
          <ul>
            {refusals.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {totals.map((total) => (
          <Panel as="li" key={total.method?.methodId ?? 'none'}>
            <Bill total={total} goodsCents={preview.goodsCents} pricesIncludeTax={pricesIncludeTax} />
          </Panel>
        ))}
      </ul>
      {totals.length > 0 && refusals.length > 0 && (
        <p className="text-soft">Does not fit: {refusals.map(({ message }) => message).join('; ')}.</p>
      )}
    </div>
  )
}

type BillProps = { total: CostPreview['totals'][number]; goodsCents: number; pricesIncludeTax: boolean }

function Bill({ total: { method, deliveryCents, tax, totalCents }, goodsCents, pricesIncludeTax }: BillProps) {
  const taken = goodsCents + deliveryCents - tax.netCents
  const isUntaxed = tax.kind === 'reverse charge' || tax.kind === 'export'
  return (
    <>
      <h4 className="font-semibold">{method ? method.name : 'Delivery is not set up'}</h4>
      {method && (
        <p className="text-soft">
          {method.carrier === null ? 'Arrives' : `${method.carrier}, arrives`} {formatDay(method.earliest)}
          {method.latest !== method.earliest && ` to ${formatDay(method.latest)}`}
        </p>
      )}
      <PriceBreakdownList>
        <PriceBreakdownLine label="Goods">
          <MoneyAmount amountCents={goodsCents} />
        </PriceBreakdownLine>
        {method && (
          <PriceBreakdownLine label="Delivery">
            {deliveryCents === 0 ? 'free' : <MoneyAmount amountCents={deliveryCents} />}
          </PriceBreakdownLine>
        )}
        {pricesIncludeTax && isUntaxed && taken > 0 && (
          <PriceBreakdownLine label="Tax in the prices, not charged">
            <MoneyAmount amountCents={-taken} />
          </PriceBreakdownLine>
        )}
        {!isUntaxed &&
          tax.byRate.map(({ ratePpm, netCents, taxCents }) => (
            <PriceBreakdownLine
              key={ratePpm}
              label={
                <>
                  {pricesIncludeTax ? 'Includes tax' : 'Tax'} {formatRate(ratePpm)}{' '}
                  <span className="text-sm text-soft">
                    of <MoneyAmount amountCents={netCents} />
                  </span>
                </>
              }
            >
              <MoneyAmount amountCents={taxCents} />
            </PriceBreakdownLine>
          ))}
        <PriceBreakdownLine label="Total" isTotal>
          <MoneyAmount amountCents={totalCents} />
        </PriceBreakdownLine>
      </PriceBreakdownList>
    </>
  )
}
