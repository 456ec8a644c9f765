import { amountToCents, lineTotal } from '#shared/money.ts'
import { MoneyAmount } from '#web/money.tsx'
import { useOwnPrice } from './use-own-price.ts'
import type { ProductWithOrderFigures } from './with-order-figures.ts'

type OwnPriceProps = {
  product: Pick<ProductWithOrderFigures, '_id' | 'minimum_order_quantity' | 'smallestOrderCents'>
  /** without the cost of the smallest order */
  isShort?: boolean
}

/** What the signed-in customer pays for a piece and for the smallest order, beside the list price; nothing where everybody pays that. */
export function OwnPrice({ product: { _id, minimum_order_quantity: minimum, smallestOrderCents }, isShort }: OwnPriceProps) {
  const price = useOwnPrice(_id)
  if (price === undefined) return null
  const priceCents = amountToCents(price)
  const totalCents = lineTotal(priceCents, minimum)
  if (totalCents >= smallestOrderCents) return null
  return (
    <span className="own-price block text-sm font-semibold text-leaf">
      Your price: <MoneyAmount amountCents={priceCents} />
      {!isShort && minimum > 1 && (
        <>
          , {minimum} for <MoneyAmount amountCents={totalCents} />
        </>
      )}
    </span>
  )
}
