import { formatNumber } from '#shared/format-number.ts'
import { amountToCents } from '#shared/money.ts'
import { priceSteps, type QuantityTerms } from '#store/catalogue/settle-quantity.ts'
import { MoneyAmount } from '#web/money.tsx'

/** What one piece costs, by quantity. Nothing where there are no price breaks. */
export function PriceBreakTable({
  product,
}: {
  product: Pick<QuantityTerms, 'price' | 'minimum_order_quantity' | 'price_breaks' | 'available_quantity'>
}) {
  const steps = priceSteps(product)
  if (steps.length === 1 && steps[0]?.unitPriceCents === amountToCents(product.price)) return null
  return (
    <table className="self-start border-collapse text-left text-sm">
      <caption className="sr-only">Price of one piece by quantity</caption>
      <thead>
        <tr className="border-b border-line text-soft">
          <th scope="col" className="py-1 pr-6 font-normal">
            Pieces
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            Each
          </th>
        </tr>
      </thead>
      <tbody className="figures">
        {steps.map(({ quantity, unitPriceCents }) => (
          <tr key={quantity} className="border-b border-line last:border-b-0">
            <th scope="row" className="py-1 pr-6 font-normal">
              {formatNumber(quantity)} or more
              {quantity > product.available_quantity && <span className="block font-sans text-soft"> (not so many in stock)</span>}
            </th>
            <td className="py-1 text-right">
              <MoneyAmount amountCents={unitPriceCents} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
