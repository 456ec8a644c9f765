import type { Database } from '#platform/database.ts'
import type { Cents } from '#shared/money.ts'
import { splitInProportion } from '#shared/split-in-proportion.ts'
import type { Cart } from '#store/cart/contract.ts'
import { discountReductionCents, findUsableDiscount, orderBelowCodeMinimumError } from '#store/catalogue/pricing/discount-codes.ts'
import { findOpenOrdersOfCart } from '#store/orders/details/rules.ts'
import type { ChargedLine } from './charges.ts'

export type PricedCart = {
  /** of the lines that are for sale, before the reduction */
  goodsCents: Cents
  reductionCents: Cents
  lines: ChargedLine[]
}

/**
 * What the lines of a cart that are for sale cost, with a discount code shared out to them as placing the order does: by largest remainder, in
 * proportion to what can be taken off each, since every piece still costs a cent.
 * @param found whose cart it is: a code that its own unpaid order uses can be used again, as that order is replaced
 * @param network hashed, for codes of guests
 * @throws {HttpError} 400 the discount code cannot be used
 */
export async function priceCart(
  db: Database,
  found: { cartId: string; userId: string | null } | undefined,
  cart: Cart,
  { discountCode, network }: { discountCode: string | undefined; network: string },
): Promise<PricedCart> {
  const lines = linesForSale(cart)
  const goodsCents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0)
  const reductionCents = discountCode === undefined ? 0 : await findReduction()
  const shares = splitInProportion(
    reductionCents,
    lines.map(({ totalCents, quantity }) => totalCents - quantity),
  )
  return {
    goodsCents,
    reductionCents,
    lines: lines.map(({ productId, quantity, totalCents }, nth) => ({
      productId,
      quantity,
      amountCents: totalCents - (shares[nth] ?? 0),
    })),
  }

  async function findReduction(): Promise<Cents> {
    const code = discountCode ?? ''
    const replaced = found ? await findOpenOrdersOfCart(db, found.cartId) : []
    const replacedCode = replaced.find(({ discountCodeId }) => discountCodeId !== null)?.discountCodeId
    const discount = await findUsableDiscount(db, { id: found?.userId ?? null, network }, code, replacedCode)
    if (goodsCents < discount.minimumCents) throw orderBelowCodeMinimumError(code, discount.minimumCents)
    const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
    return discountReductionCents(discount, goodsCents, pieces)
  }
}

const linesForSale = ({ lines }: Cart) => lines.filter(({ notices }) => !notices.some(({ code }) => code === 'not_for_sale'))
