import type { Database } from '#platform/database.ts'
import { type Cents, lineTotal } from '#shared/money.ts'
import { splitWithin } from '#shared/split-in-proportion.ts'
import { type StoredCartLine, termsOf } from '#store/cart/cart-lines.ts'
import { discountReductionCents, findUsableDiscount, orderBelowCodeMinimumError } from '#store/catalogue/pricing/discount-codes.ts'
import { unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import type { CartToOrder } from './cart-to-order.ts'
import type { ChargedLine } from './charges.ts'

export type PricedCart = {
  /** of the lines that are for sale, before the reduction */
  goodsCents: Cents
  reductionCents: Cents
  lines: ChargedLine[]
  /** what they cost before the reduction */
  linesBeforeCode: ChargedLine[]
}

/**
 * What the lines of a cart that are for sale cost, with a discount code shared out to them as placing the order does: in proportion to
 * what each costs, by largest remainder; every piece still costs a cent.
 * @param cart a code that an unpaid order uses which it replaces can be used again; undefined: there is none
 * @param network hashed, for codes of guests
 * @throws {HttpError} 400 the discount code cannot be used
 */
export async function priceCart(
  db: Database,
  cart: CartToOrder | undefined,
  { discountCode, network }: { discountCode: string | undefined; network: string },
): Promise<PricedCart> {
  const lines = (cart?.lines ?? []).filter(({ product }) => product.isForSale).map(priceLine)
  const goodsCents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0)
  const reductionCents = discountCode === undefined ? 0 : await findReduction(discountCode)
  const shares = splitWithin(
    reductionCents,
    lines.map(({ totalCents }) => totalCents),
    lines.map(({ totalCents, quantity }) => totalCents - quantity),
  )
  return {
    goodsCents,
    reductionCents,
    lines: lines.map(({ totalCents, ...line }, nth) => ({ ...line, amountCents: totalCents - (shares[nth] ?? 0) })),
    linesBeforeCode: lines.map(({ totalCents, ...line }) => ({ ...line, amountCents: totalCents })),
  }

  async function findReduction(code: string): Promise<Cents> {
    const replacedCode = cart?.replaced.find(({ discountCode }) => discountCode === code)?.discountCodeId
    const discount = await findUsableDiscount(db, { id: cart?.userId ?? null, network }, code, replacedCode)
    if (goodsCents < discount.minimumCents) throw orderBelowCodeMinimumError(code, discount.minimumCents)
    const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
    return discountReductionCents(discount, goodsCents, pieces)
  }
}

function priceLine({ product, quantity }: StoredCartLine) {
  const { _id: productId, taxClass, category, weightGrams } = product
  return { productId, quantity, totalCents: lineTotal(unitPriceAt(termsOf(product), quantity), quantity), taxClass, category, weightGrams }
}
