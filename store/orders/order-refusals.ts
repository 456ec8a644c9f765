import { sql } from 'drizzle-orm'
import { type Database, executePrepared } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { expectedArrival, formatArrival, withArrival } from '#store/catalogue/incoming-stock.ts'
import { costsTooLittleMessage, costsTooMuchMessage, maxCardPaymentCents, settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { assertChargesNothingMore } from './assert-charges-nothing-more.ts'
import type { Buyer } from './buyer.ts'
import { type BuyerLimits, findExceededBuyerLimit } from './buyer-limits.ts'
import { assertCurrencyIsKept } from './database-currency.ts'
import { fewLines } from './keyed-limiter.ts'
import { assertCreditFits } from './on-account/credits.ts'
import { type ComputedOrderCharges, chargedBesideGoods } from './order-charges.ts'
import {
  type AskedLine,
  type DistinctLine,
  findOrderCost,
  findRequestedProducts,
  type RequestedLine,
  totalsAtCataloguePrices,
} from './order-cost.ts'
import { noCharges } from './order-totals.ts'
import { assertMethodIsOn } from './payment-methods/rules.ts'
import type { PaymentMethod } from './statuses.ts'

/* Why an order was not placed, in words for its buyer. */

export type RequestedOrder = {
  lines: RequestedLine[]
  buyerAddress: string
  phone_number?: string | undefined
  country?: string | undefined
  /** undefined: the first that the shop offers */
  paymentMethod?: PaymentMethod | undefined
  /** takes something off the goods */
  discountCode?: string | undefined
  /** the total that the buyer was shown; without it the order costs what the catalogue says */
  expectedTotalCents?: number | undefined
  /** `expectedTotalCents` may also be the total without price breaks, or without prices of the buyer's own: the order then costs less */
  acceptsListTotal?: boolean
  /** delivery and tax, of what the lines are expected to cost. The totals above are those of the goods */
  charges?: ComputedOrderCharges | undefined
}

export type RequestedOrderWithTotal = RequestedOrder & { lines: DistinctLine[]; totalCents: number }

/** What the errors of a refused order say, for the call that it came by. */
export type RefusalWording = {
  /** the name of a line's quantity in `errors` */
  quantityField: (index: number) => string
  /** the order costs another total than the expected one */
  totalChangedError: (totalCents: number, lines: RequestedLine[]) => HttpError
  /** whether the error names the lines of which less is in stock */
  namesShortLines: boolean
}

export const orderRefusalWording: RefusalWording = {
  quantityField: (index) => `lines.${index}.quantity`,
  totalChangedError: (totalCents) =>
    new HttpError(409, `The order now costs ${formatCents(totalCents)}`, undefined, { code: 'total_changed', details: { totalCents } }),
  namesShortLines: true,
}

/**
 * The error for an order that was not inserted, with the form's messages. Too few pieces is the buyer's mistake (400). Too many, or another
 * total, means that stock or price has changed meanwhile (409).
 * @returns 'total changed' where the order costs another total by now, and none was promised to the buyer
 * @throws {HttpError} 404 one of the products is not for sale; 400 the discount code cannot be used; 409 the shop has set a tax or a delivery, and
 *   the order has neither
 */
export async function explainRefusal(
  db: Database,
  buyer: Buyer,
  { lines, totalCents, expectedTotalCents, acceptsListTotal, discountCode, charges, paymentMethod }: RequestedOrderWithTotal,
  buyerLimits: BuyerLimits | undefined,
  network: string,
  wording: RefusalWording,
): Promise<HttpError | 'total changed'> {
  if (!charges) await assertChargesNothingMore(db)
  if (paymentMethod) await assertMethodIsOn(db, paymentMethod)
  const asked = await findRequestedProducts(db, buyer.id, lines)
  const wrong = explainWrongLines(asked, discountCode, wording)
  if (wrong) return wrong
  await assertCurrencyIsKept(db)
  const currentCents = await findOrderCost(db, { id: buyer.id, network }, asked, discountCode)
  const isExpected = totalCents === currentCents || (acceptsListTotal && totalsAtCataloguePrices(asked).includes(totalCents))
  if (!isExpected) return expectedTotalCents === undefined ? 'total changed' : wording.totalChangedError(currentCents, lines)
  const payableCents = currentCents + chargedBesideGoods(charges ?? noCharges)
  assertPayable(payableCents)
  if (paymentMethod === 'on_account') await assertCreditFits(db, buyer.id, payableCents)
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const over =
    buyerLimits &&
    (await findExceededBuyerLimit(
      db,
      buyer.id,
      buyerLimits,
      { lines: lines.length, pieces, totalCents: clampToPayableCents(payableCents) },
      network,
    ))
  return over ?? stockChangedError()
}

/** @throws {HttpError} 400 no card can pay so little, or so much */
export function assertPayable(totalCents: number): void {
  if (totalCents < storeCurrency().minCents) throw new HttpError(400, costsTooLittleMessage(), undefined, { code: 'costs_too_little' })
  if (totalCents > maxCardPaymentCents) throw new HttpError(400, costsTooMuchMessage(), undefined, { code: 'costs_too_much' })
}

/**
 * The error for an order of many lines of which one asks for more than there is, without the locks that placing it takes. An order that this
 * lets pass may still be short: only the statement that places it knows.
 * @returns undefined also for an order of few lines, which the statement that would have placed it refuses as cheaply
 * @throws {HttpError} 404 one of the products is not for sale
 */
export async function refuseShortOrder(
  db: Database,
  buyer: Buyer,
  { lines, discountCode }: Pick<RequestedOrderWithTotal, 'lines' | 'discountCode'>,
  wording: RefusalWording,
): Promise<HttpError | undefined> {
  if (lines.length <= fewLines) return undefined
  const [stock] = await executePrepared<{ is_short: boolean }>(
    db,
    sql`select exists (
      select from unnest(${sql.param(lines.map(({ productId }) => productId))}::uuid[], ${sql.param(lines.map(({ quantity }) => quantity))}::integer[])
        as asked (product_id, quantity) join tools on tools.id = product_id
      where available_quantity < quantity) as is_short`,
  )
  return stock?.is_short ? explainWrongLines(await findRequestedProducts(db, buyer.id, lines), discountCode, wording) : undefined
}

/** What is wrong with the quantities of lines, if anything. */
function explainWrongLines(
  asked: AskedLine[],
  discountCode: string | undefined,
  { quantityField, namesShortLines }: RefusalWording,
): HttpError | undefined {
  const wrong = asked.flatMap((line) => {
    const problems = settleQuantity(line.product, line.quantity).problems
    // What a payment has to be at least and may be at most is asked of the whole order, after its reduction.
    const isWhole = asked.length === 1 && discountCode === undefined
    const problem = problems.find(({ code }) => isWhole || (code !== 'costs_too_little' && code !== 'costs_too_much'))
    if (!problem) return []
    const isShort = line.quantity > line.product.available_quantity
    const message = problem.code === 'stock_too_low' ? withArrival(problem.message, line.product) : problem.message
    return [{ ...line, ...problem, isShort, message }]
  })
  const [first] = wrong
  if (!first) return undefined
  const errors = Object.fromEntries(wrong.map(({ index, message }) => [quantityField(index), message]))
  const short = wrong.filter(({ isShort }) => isShort)
  if (short.length > 0) return stockTooLowError(short, errors, namesShortLines)
  const { code } = first
  return new HttpError(400, first.message, errors, code === 'not_a_whole_number' ? {} : { code })
}

/** What the buyer limits count of an order with this total: a total that no order can have is refused for another reason. */
export const clampToPayableCents = (totalCents: number): number => Math.min(Math.max(totalCents, 0), maxCardPaymentCents)

export const stockChangedError = () =>
  new HttpError(409, 'The stock is changing at this moment: try again', undefined, { code: 'stock_changed' })

type ShortLine = RequestedLine & { message: string; product: Pick<ProductDetails, 'name' | 'available_quantity' | 'incoming'> }

/** Names every line that is short, so that one answer is enough to mend the order, and when more of it arrives. */
function stockTooLowError(short: ShortLine[], errors: Record<string, string>, namesShortLines: boolean): HttpError {
  const [first] = short
  const message =
    short.length === 1 && first ? first.message : `Less is in stock than you ask for: ${short.map(describeShortLine).join(', ')}`
  const lines = short.map(({ productId, quantity, product }) => ({
    productId,
    asked: quantity,
    available: product.available_quantity,
    incoming: expectedArrival(product),
  }))
  return new HttpError(409, message, errors, { code: 'stock_too_low', ...(namesShortLines && { details: { lines } }) })
}

/** "Drill (40 of 41)" or "Drill (40 of 41, 200 more arrive on 12 Dec 2026)" */
function describeShortLine({ product, quantity }: ShortLine): string {
  const arrival = expectedArrival(product)
  const left = `${formatNumber(product.available_quantity)} of ${formatNumber(quantity)}`
  return `${product.name} (${arrival ? `${left}, ${formatArrival(arrival)}` : left})`
}
