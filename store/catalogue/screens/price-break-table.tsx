import { formatNumber } from '#shared/format-number.ts'
import { dollarsToCents } from '#shared/money.ts'
import type { QuantityTerms } from '#store/catalogue/settle-quantity.ts'
import { MoneyAmount } from '#web/money.tsx'

/** What one piece costs, by quantity. Nothing where there are no price breaks. */
export function PriceBreakTable({ product }: { product: Pick<QuantityTerms, 'price' | 'minimum_order_quantity' | 'price_breaks'> }) {
  const lower = product.price_breaks.filter(({ price }) => price < product.price)
  if (lower.length === 0) return null
  const rows = [{ min_quantity: product.minimum_order_quantity, price: product.price }, ...lower]
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
        {rows.map(({ min_quantity, price }) => (
          <tr key={min_quantity} className="border-b border-line last:border-b-0">
            <th scope="row" className="py-1 pr-6 font-normal">
              {formatNumber(min_quantity)} or more
            </th>
            <td className="py-1 text-right">
              <MoneyAmount amountCents={dollarsToCents(price)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
