import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { withArrival } from '#store/catalogue/incoming-stock.ts'
import { productNotFoundError } from '#store/catalogue/rules.ts'
import { settleQuantity, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { lineProblems, type OfferedProduct, type StoredCartLine, termsOf } from './cart-lines.ts'
import { maxCartLines } from './contract.ts'
import type { FoundCart } from './rules.ts'
import { findOfferedProducts, writeLines } from './stored-lines.ts'
import { cartLines } from './table.ts'

/** A cart that the transaction has locked, with its lines as they are now: what changes lines in the database changes them here, too. */
export type LockedCart = FoundCart & { lines: StoredCartLine[] }

/** What is asked for: so many pieces in all, or so many more. */
type AskedPieces = { productId: string; quantity: number; isAdded: boolean }

/**
 * Puts pieces of a product into a locked cart.
 * @throws {HttpError} 404 it is not for sale; 400 below the minimum or no whole packs; 409 more than in stock, or the cart is full
 */
export async function putIntoCart(tx: Database, cart: LockedCart, asked: AskedPieces): Promise<void> {
  const [refused] = await putAllIntoCart(tx, cart, [asked])
  if (refused) throw refused.error
}

/** `reason`: for whoever has asked for many products at once, what is left of this one and what can still be put in. */
type RefusedPieces = { error: HttpError; reason: string }

/**
 * Puts pieces of products into a locked cart, as far as each can be, one after the other.
 * @returns why not, with the errors of `putIntoCart`, by the index of what was asked for; undefined for what was put in
 */
export async function putAllIntoCart(tx: Database, cart: LockedCart, asked: AskedPieces[]): Promise<(RefusedPieces | undefined)[]> {
  const offered = await findProducts(tx, cart, asked)
  const changed = new Map<string, StoredCartLine>()
  const refusals = asked.map((one) => {
    const product = offered.get(one.productId.toLowerCase())
    try {
      const line = settleLine(cart, product, one)
      cart.lines = cart.lines.some((other) => other.product._id === line.product._id)
        ? cart.lines.map((other) => (other.product._id === line.product._id ? line : other))
        : [...cart.lines, line]
      changed.set(line.product._id, line)
      return undefined
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      return { error, reason: product && error.code === 'stock_too_low' ? shortageReason(product, cart) : error.message }
    }
  })
  await writeLines(tx, cart.cartId, [...changed.values()])
  return refusals
}

/** The products that are asked for, by id: those of the cart's lines were read with them. */
async function findProducts(
  tx: Database,
  { cartId, userId, lines }: LockedCart,
  asked: AskedPieces[],
): Promise<Map<string, OfferedProduct>> {
  const known = new Map(lines.map(({ product }) => [product._id, product]))
  const ids = new Set(asked.map(({ productId }) => productId.toLowerCase()).filter((id) => !known.has(id)))
  if (ids.size > 0) for (const product of await findOfferedProducts(tx, [...ids], userId, cartId)) known.set(product._id, product)
  return known
}

/** The line of a product once it has the pieces that are asked for. Throws as `putIntoCart`. */
function settleLine({ lines }: LockedCart, product: OfferedProduct | undefined, { quantity, isAdded }: AskedPieces): StoredCartLine {
  if (!product?.isForSale) throw productNotFoundError()
  const before = lines.find((line) => line.product._id === product._id)
  const inCart = isAdded ? (before?.quantity ?? 0) : 0
  const together = inCart + quantity
  refuseQuantity(product, together, inCart)
  if (!before && lines.length >= maxCartLines) throw cartFullError()
  const terms = termsOf(product)
  const wasTold = !before || before.seenPriceCents === unitPriceAt(terms, before.quantity)
  return { product, quantity: together, seenPriceCents: wasTold ? unitPriceAt(terms, together) : before.seenPriceCents, cappedFrom: null }
}

function refuseQuantity(product: OfferedProduct, quantity: number, inCart: number): void {
  const [problem] = lineProblems(product, quantity)
  if (!problem) return
  const said = problem.code === 'stock_too_low' ? withArrival(problem.message, product) : problem.message
  const message = inCart > 0 ? `${said}. ${formatNumber(inCart)} are in your basket already` : said
  const { available_quantity: available, incoming, _id: productId } = product
  const lines = [{ productId, asked: quantity, available, ...(incoming && { incoming }) }]
  if (problem.code === 'stock_too_low')
    throw new HttpError(409, message, { quantity: message }, { code: 'stock_too_low', details: { lines } })
  throw new HttpError(400, message, { quantity: message }, { code: problem.code === 'not_a_multiple' ? 'not_a_multiple' : 'below_minimum' })
}

function shortageReason(product: OfferedProduct, { lines }: LockedCart): string {
  const { available_quantity: available, minimum_order_quantity: minimum } = product
  const most = settleQuantity(termsOf(product), available).orderable?.highest ?? 0
  const inCart = lines.find((line) => line.product._id === product._id)?.quantity ?? 0
  const more = most - inCart
  if (available === 0) return withArrival('Out of stock', product)
  const left = `Only ${formatNumber(available)} left`
  if (inCart > 0 && more > 0)
    return withArrival(
      `${left}, and ${formatNumber(inCart)} are in your basket already: up to ${formatNumber(more)} more can be put in`,
      product,
    )
  if (inCart > 0) return withArrival(`${left}, and ${formatNumber(inCart)} are in your basket already`, product)
  if (most === 0) return withArrival(`${left}, and the smallest order is ${formatNumber(minimum)}`, product)
  return withArrival(`${left}: none was put into your basket, and up to ${formatNumber(most)} can be`, product)
}

const cartFullError = () =>
  new HttpError(409, `A basket has at most ${maxCartLines} lines: order these first, or take some out`, undefined, { code: 'cart_full' })

export async function removeFromCart(tx: Database, cart: LockedCart, productId: string): Promise<void> {
  await tx.delete(cartLines).where(and(eq(cartLines.cartId, cart.cartId), eq(cartLines.toolId, productId)))
  cart.lines = cart.lines.filter(({ product }) => product._id !== productId.toLowerCase())
}

/** The line as it is once the buyer has been told what has changed of it. */
export const asSeen = (line: StoredCartLine): StoredCartLine => ({
  ...line,
  seenPriceCents: unitPriceAt(termsOf(line.product), line.quantity),
  cappedFrom: null,
})

/** Of which the buyer has not been told all that has changed. */
export const isUnseen = (line: StoredCartLine): boolean => line.cappedFrom !== null || line.seenPriceCents !== asSeen(line).seenPriceCents

/** The buyer has been told what changed. */
export async function markSeen(tx: Database, cart: LockedCart): Promise<void> {
  await writeLines(tx, cart.cartId, cart.lines.filter(isUnseen).map(asSeen))
  cart.lines = cart.lines.map(asSeen)
}

/** The same in a statement that writes something else: a CTE, for lines that were read before. */
export function markSeenSql(name: SQL, cartId: string, lines: StoredCartLine[], condition: SQL): SQL {
  const seen = lines.filter(isUnseen).map(asSeen)
  const [ids, cents] = [seen.map(({ product }) => product._id), seen.map(({ seenPriceCents }) => seenPriceCents)]
  return sql`${name} as (
    update cart_lines set seen_price_cents = cents, capped_from = null
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(cents)}::integer[]) as told (product_id, cents)
    where cart_lines.cart_id = ${cartId}::uuid and cart_lines.tool_id = told.product_id and ${condition})`
}
