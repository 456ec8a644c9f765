import { and, inArray } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import { isForSale, quantityTermsColumns } from '#store/catalogue/rules.ts'
import { listCostOf, orderCostLimits, type QuantityTerms, settleQuantity, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { products } from '#store/catalogue/table.ts'
import type { User } from '#store/identity/contract.ts'
import { type BuyerLimits, findExceededBuyerLimit } from './buyer-limits.ts'
import { orderTotals } from './order-totals.ts'

/* Why an order was not placed, in words for its buyer. */

export type RequestedLine = { productId: string; quantity: number }
export type OrderRequest = {
  lines: RequestedLine[]
  buyerAddress: string
  phone_number?: string | undefined
  country?: string | undefined
  /** the total that the buyer was shown; without it the order costs what the catalogue says */
  expectedTotalCents?: number | undefined
  /** `expectedTotalCents` may also be the total without price breaks: the order then costs less */
  acceptsListTotal?: boolean
}

/** A line of one product, which may have been asked for in several; `index` is that of the first. */
export type SummedLine = RequestedLine & { index: number }
export type SizedRequest = OrderRequest & { lines: SummedLine[]; totalCents: number }

/** What the errors of a refused order say, for the call that it came by. */
export type RefusalWording = {
  /** the name of a line's quantity in `errors` */
  quantityField: (index: number) => string
  /** the order costs another total than the expected one */
  totalChangedError: (totalCents: number, lines: RequestedLine[]) => HttpError
  /** whether the error names the lines of which less is in stock */
  namesShortLines: boolean
}

export const orderRefusals: RefusalWording = {
  quantityField: (index) => `lines.${index}.quantity`,
  totalChangedError: (totalCents) =>
    new HttpError(409, `The order now costs ${formatCents(totalCents)}`, undefined, { code: 'total_changed', details: { totalCents } }),
  namesShortLines: true,
}

/**
 * The error for an order that was not inserted, with the form's messages. Too few pieces is the buyer's mistake (400). Too many, or another
 * total, means that stock or price has changed meanwhile (409).
 * @returns 'total changed' where the total is not the catalogue's and was not promised to the buyer either
 */
export async function explainRefusal(
  db: Database,
  buyer: User,
  { lines, totalCents, expectedTotalCents, acceptsListTotal }: SizedRequest,
  buyerLimits: BuyerLimits | undefined,
  network: string,
  { quantityField, totalChangedError, namesShortLines }: RefusalWording,
): Promise<HttpError | 'total changed'> {
  const asked = await findForSale(db, lines)
  const wrong = asked.flatMap((line) => {
    const problems = settleQuantity(line.product, line.quantity).problems
    // What a payment has to be at least and may be at most is asked of the whole order.
    const problem = problems.find(({ code }) => lines.length === 1 || (code !== 'costs_too_little' && code !== 'costs_too_much'))
    return problem ? [{ ...line, ...problem }] : []
  })
  const [first] = wrong
  if (first) {
    const errors = Object.fromEntries(wrong.map(({ index, message }) => [quantityField(index), message]))
    const short = wrong.filter(({ quantity, product }) => quantity > product.available_quantity)
    if (short.length > 0) return stockTooLowError(short, errors, namesShortLines)
    const { code } = first
    return new HttpError(400, first.message, errors, code === 'below_minimum' || code === 'not_a_multiple' ? { code } : {})
  }
  const catalogueCents = catalogueTotalCents(asked)
  const isExpected =
    totalCents === catalogueCents ||
    (acceptsListTotal && totalCents === asked.reduce((sum, { quantity, product }) => sum + listCostOf(product, quantity), 0))
  if (!isExpected) return expectedTotalCents === undefined ? 'total changed' : totalChangedError(catalogueCents, lines)
  const { minCents, maxCents } = orderCostLimits
  if (catalogueCents < minCents)
    return new HttpError(400, `An order costs at least ${formatCents(minCents)}, which is the least that a card can pay`)
  if (catalogueCents > maxCents) return new HttpError(400, `An order costs at most ${formatCents(maxCents)}`)
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const over =
    buyerLimits && (await findExceededBuyerLimit(db, buyer.id, buyerLimits, { pieces, totalCents: limitedCents(totalCents) }, network))
  return over ?? stockChangedError()
}

type AskedLine = { quantity: number; product: QuantityTerms }

/** What the catalogue says that these lines cost together, in cents. */
export const catalogueTotalCents = (asked: AskedLine[]): number =>
  orderTotals(asked.map(({ quantity, product }) => ({ quantity, unitPriceCents: unitPriceAt(product, quantity) }))).totalCents

/** What the buyer limits count of an order with this total: a total that no order can have is refused for another reason. */
export const limitedCents = (totalCents: number): number => Math.min(Math.max(totalCents, 0), orderCostLimits.maxCents)

export const stockChangedError = () =>
  new HttpError(409, 'The stock is changing at this moment: try again', undefined, { code: 'stock_changed' })

type ShortLine = RequestedLine & { message: string; product: { name: string; available_quantity: number } }

/** Names every line that is short, so that one answer is enough to mend the order. */
function stockTooLowError(short: ShortLine[], errors: Record<string, string>, namesShortLines: boolean): HttpError {
  const [first] = short
  const names = short.map(
    ({ product, quantity }) => `${product.name} (${formatNumber(product.available_quantity)} of ${formatNumber(quantity)})`,
  )
  const message = short.length === 1 && first ? first.message : `Less is in stock than you ask for: ${names.join(', ')}`
  const lines = short.map(({ productId, quantity, product }) => ({ productId, asked: quantity, available: product.available_quantity }))
  return new HttpError(409, message, errors, { code: 'stock_too_low', ...(namesShortLines && { details: { lines } }) })
}

/**
 * These lines with their products.
 * @throws {HttpError} 404 one of them is not for sale
 */
export async function findForSale<Line extends RequestedLine>(db: Database, lines: Line[]) {
  const ids = lines.map(({ productId }) => productId)
  const rows = await db
    .select({ _id: products._id, name: products.name, ...quantityTermsColumns })
    .from(products)
    .where(and(inArray(products._id, ids), isForSale))
  const byId = new Map(rows.map((row) => [row._id, row]))
  return lines.map((line) => {
    const product = byId.get(line.productId)
    if (!product) throw new HttpError(404, 'There is no such product')
    return { ...line, product }
  })
}
