import { amountToCents, lineTotal } from '#shared/money.ts'
import { Amount, MoneyAmount } from '#web/money.tsx'
import { useOwnPrice } from './use-own-price.ts'
import type { ProductWithOrderFigures } from './with-order-figures.ts'

type OwnPriceProps = {
  product: Pick<ProductWithOrderFigures, '_id' | 'minimum_order_quantity' | 'smallestOrderCents' | 'lowered'>
  /** without the cost of the smallest order */
  isShort?: boolean
  /** the day when the price was lowered, for what it was lowered from as a whole sentence */
  loweredOn?: string | null
}

/**
 * What the signed-in customer pays for a piece and for the smallest order, beside the list price. Where everybody pays that, what it was
 * lowered from, which is no claim of a price of their own.
 */
export function OwnPrice({ product, isShort, loweredOn }: OwnPriceProps) {
  const { _id, minimum_order_quantity: minimum, smallestOrderCents, lowered } = product
  const price = useOwnPrice(_id)
  if (price === undefined)
    return (
      lowered && (
        <span className="block text-sm font-semibold text-leaf">
          Lowered from <Amount value={lowered.from} />
          {loweredOn && `, the lowest price of the 30 days before ${loweredOn}`}
        </span>
      )
    )
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
