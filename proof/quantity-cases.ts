import type { QuantityTerms } from '#store/catalogue/settle-quantity.ts'
import { maxCardPaymentCents } from '#store/catalogue/settle-quantity.ts'
import type { StoredPriceBreak } from '#store/catalogue/table.ts'
import type { SeededRandom } from './generated-queries.ts'

/** A product as its row has it, the price of a buyer's own, and how many pieces somebody asks for. */
export type QuantityCase = {
  price_cents: number
  own_cents: number | null
  price_breaks: StoredPriceBreak[]
  minimum_order_quantity: number
  order_multiple: number
  available_quantity: number
  quantity: number
}

/** The same product as screens and calls have it. */
export const termsOfCase = ({ price_cents, price_breaks, ...product }: QuantityCase): QuantityTerms => ({
  ...product,
  price: price_cents / 100,
  price_breaks: price_breaks.map(({ min_quantity, price_cents }) => ({ min_quantity, price: price_cents / 100 })),
})

const maxPieces = 10_000_000
const clampPieces = (pieces: number) => Math.min(Math.max(Math.floor(pieces), 1), maxPieces)

/** A product and a quantity made up by chance, the quantity most often one at which something changes, or a piece beside it. */
export function generateQuantityCase({ below, coin }: SeededRandom, minCents: number): QuantityCase {
  /** as many small numbers as large ones */
  const anyUpTo = (most: number) => 1 + below(Math.min(most, 10 ** (1 + below(8))))
  const price_cents = anyUpTo(maxCardPaymentCents)
  const order_multiple = coin() ? 1 : anyUpTo(coin() ? 20 : 1000)
  const minimum_order_quantity = Math.max(1, Math.floor(Math.min(anyUpTo(coin() ? 20 : 5000), maxPieces) / order_multiple)) * order_multiple
  const available_quantity = coin()
    ? minimum_order_quantity + below(50) * order_multiple + below(order_multiple)
    : below(anyUpTo(maxPieces))

  const price_breaks: StoredPriceBreak[] = []
  let breakCents = Math.min(Math.ceil(price_cents * (coin() ? 1.2 : 1)), maxCardPaymentCents)
  let min_quantity = 1
  for (let left = coin() ? 0 : 1 + below(4); left > 0; left--) {
    min_quantity += coin() ? anyUpTo(100) : minimum_order_quantity
    breakCents -= anyUpTo(Math.max(1, Math.floor(breakCents / 3)))
    if (breakCents < 1 || min_quantity > maxPieces) break
    price_breaks.push({ min_quantity, price_cents: breakCents })
  }

  const changing = [
    minimum_order_quantity,
    available_quantity,
    minCents / price_cents,
    maxCardPaymentCents / price_cents,
    ...price_breaks.flatMap(({ min_quantity, price_cents }) => [min_quantity, minCents / price_cents, maxCardPaymentCents / price_cents]),
    anyUpTo(maxPieces),
  ]
  const near = clampPieces(changing[below(changing.length)] ?? 1)
  const packs = coin() ? Math.max(1, Math.round(near / order_multiple)) * order_multiple : near
  return {
    ...{ price_cents, price_breaks, minimum_order_quantity, order_multiple, available_quantity },
    own_cents: coin() ? null : anyUpTo(coin() ? price_cents : maxCardPaymentCents),
    quantity: clampPieces(packs + (coin() ? 0 : below(3) - 1)),
  }
}
