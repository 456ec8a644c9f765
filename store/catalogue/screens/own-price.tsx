import { dollarsToCents } from '#shared/money.ts'
import { MoneyAmount } from '#web/money.tsx'
import { useOwnPrice } from './use-own-price.ts'

/** What the signed-in customer pays for a piece, beside the list price; nothing where that is the same. */
export function OwnPrice({ productId }: { productId: string }) {
  const price = useOwnPrice(productId)
  if (price === undefined) return null
  return (
    <span className="block text-sm font-semibold text-leaf">
      Your price: <MoneyAmount amountCents={dollarsToCents(price)} />
    </span>
  )
}
