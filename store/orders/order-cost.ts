import { and, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { centsToAmount } from '#shared/money.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { discountReductionCents, findUsableDiscount, orderBelowCodeMinimumError } from '#store/catalogue/pricing/discount-codes.ts'
import { ownPriceSql } from '#store/catalogue/pricing/own-prices.ts'
import { isForSale, quantityTermsColumns } from '#store/catalogue/rules.ts'
import { costOf, listCostOf, type QuantityTerms, termsForBuyer, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { products } from '#store/catalogue/table.ts'
import { orderTotals } from './order-totals.ts'

/* What an order costs before it is placed. Placing it resolves the same once more, in its one statement. */

export type RequestedLine = { productId: string; quantity: number }
/** A line of one product, which may have been asked for in several; `index` is that of the first. */
export type DistinctLine = RequestedLine & { index: number }
type OrderedProduct = QuantityTerms & Pick<ProductDetails, 'name' | 'incoming'>
/** A line with its product as it is for the buyer, and as it is in the catalogue. */
export type AskedLine = DistinctLine & { product: OrderedProduct; listed: QuantityTerms }

/**
 * These lines with their products.
 * @throws {HttpError} 404 one of them is not for sale
 */
export async function findRequestedProducts(db: Database, buyerId: string | null, lines: DistinctLine[]): Promise<AskedLine[]> {
  const ids = lines.map(({ productId }) => productId)
  const ownCents = sql<number | null>`(select own_cents from ${ownPriceSql(buyerId)} own)`
  const rows = await db
    .select({ _id: products._id, name: products.name, incoming: products.incoming, ...quantityTermsColumns, ownCents })
    .from(products)
    .where(and(inArray(products._id, ids), isForSale))
  const byId = new Map(rows.map((row) => [row._id, row]))
  return lines.map((line) => {
    const listed = byId.get(line.productId)
    if (!listed) throw new HttpError(404, 'There is no such product')
    const ownPrice = listed.ownCents === null ? undefined : centsToAmount(listed.ownCents)
    return { ...line, listed, product: termsForBuyer(listed, ownPrice) }
  })
}

/**
 * What these lines cost their buyer together now, in cents.
 * @throws {HttpError} 400 the discount code cannot be used
 */
export async function findOrderCost(
  db: Database,
  buyer: { id: string | null; network: string },
  asked: AskedLine[],
  discountCode: string | undefined,
): Promise<number> {
  const { totalCents } = orderTotals(asked.map(({ quantity, product }) => ({ quantity, unitPriceCents: unitPriceAt(product, quantity) })))
  if (discountCode === undefined) return totalCents
  const discount = await findUsableDiscount(db, buyer, discountCode)
  if (totalCents < discount.minimumCents) throw orderBelowCodeMinimumError(discountCode, discount.minimumCents)
  const pieces = asked.reduce((sum, { quantity }) => sum + quantity, 0)
  return totalCents - discountReductionCents(discount, totalCents, pieces)
}

/** What these lines cost anybody: with and without price breaks. */
export const totalsAtCataloguePrices = (asked: AskedLine[]): number[] =>
  [costOf, listCostOf].map((cost) => asked.reduce((sum, { quantity, listed }) => sum + cost(listed, quantity), 0))
