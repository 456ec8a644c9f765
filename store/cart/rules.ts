import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { withArrival } from '#store/catalogue/incoming-stock.ts'
import { ownPriceSql } from '#store/catalogue/pricing/own-prices.ts'
import { productDetailsColumns, productNotFoundError } from '#store/catalogue/rules.ts'
import { settleQuantity, unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { products } from '#store/catalogue/table.ts'
import { moveOrdersToCart, piecesHeldForCartSql } from '#store/orders/details/rules.ts'
import { describeCart, lineProblems, type OfferedProduct, type StoredCartLine, termsOf } from './cart-lines.ts'
import { createCartToken, hashCartToken } from './cart-tokens.ts'
import { type Cart, maxCartLines } from './contract.ts'
import { cartLines, carts, cartTokens } from './table.ts'

/** Who asks for a cart: the account of the access token, and the token of the browser's cookie. */
export type CartVisitor = { userId: string | undefined; token: string | undefined }
/** A cart, and the token that the browser has to be given for it, where it has none. */
export type FoundCart = { cartId: string; userId: string | null; newToken: string | undefined }

/** The cart of this visitor, which may be that of their account. Undefined when they have none. */
export async function findCart(db: Database, { userId, token }: CartVisitor): Promise<Omit<FoundCart, 'newToken'> | undefined> {
  const columns = { cartId: carts._id, userId: carts.userId }
  if (userId !== undefined) return (await db.select(columns).from(carts).where(eq(carts.userId, userId)))[0]
  if (token === undefined) return undefined
  const [found] = await db
    .select(columns)
    .from(cartTokens)
    .innerJoin(carts, eq(carts._id, cartTokens.cartId))
    .where(eq(cartTokens.tokenHash, hashCartToken(token)))
  return found
}

/** How many lines are in a visitor's cart, also those that cannot be ordered. */
export async function countCartLines(db: Database, visitor: CartVisitor): Promise<number> {
  const cart = await findCart(db, visitor)
  return cart ? db.$count(cartLines, eq(cartLines.cartId, cart.cartId)) : 0
}

/**
 * Locks the visitor's cart until the end of the transaction, and makes one where there is none. A cart that this browser has filled before
 * signing in is joined to that of the account.
 * @param remembersBrowser whether a browser without a token of the account's cart gets one, with which it finds the cart without the
 *   access token: at each sign-in, not at each request of a program that keeps no cookies
 */
export async function lockCart(tx: Database, { userId, token }: CartVisitor, { remembersBrowser = false } = {}): Promise<FoundCart> {
  const ofBrowser = token === undefined ? undefined : await lockCartOfToken(tx, token)
  if (userId === undefined) return ofBrowser ? { ...ofBrowser, newToken: undefined } : insertCart(tx)
  const [ofAccount] = await tx
    .insert(carts)
    .values({ userId })
    .onConflictDoUpdate({ target: carts.userId, set: { usedAt: sql`now()` } })
    .returning({ cartId: carts._id })
  if (!ofAccount) throw new Error('The cart was not returned')
  const found = { cartId: ofAccount.cartId, userId }
  if (ofBrowser?.cartId === found.cartId) return { ...found, newToken: undefined }
  if (token === undefined || !ofBrowser || ofBrowser.userId !== null)
    return { ...found, newToken: remembersBrowser ? await insertToken(tx, found.cartId) : undefined }
  await joinCarts(tx, ofBrowser.cartId, found)
  await moveOrdersToCart(tx, ofBrowser.cartId, found.cartId)
  await tx.delete(carts).where(eq(carts._id, ofBrowser.cartId)) // with its token, which somebody else may have given this browser
  return { ...found, newToken: await insertToken(tx, found.cartId) }
}

async function lockCartOfToken(tx: Database, token: string): Promise<{ cartId: string; userId: string | null } | undefined> {
  const tokenHash = hashCartToken(token)
  const [locked] = await tx
    .update(carts)
    .set({ usedAt: sql`now()` })
    .from(cartTokens)
    .where(and(eq(cartTokens.tokenHash, tokenHash), eq(carts._id, cartTokens.cartId)))
    .returning({ cartId: carts._id, userId: carts.userId })
  if (locked) await tx.update(cartTokens).set({ usedAt: sql`now()` }).where(eq(cartTokens.tokenHash, tokenHash))
  return locked
}

async function insertCart(tx: Database): Promise<FoundCart> {
  const [cart] = await tx.insert(carts).values({}).returning({ cartId: carts._id })
  if (!cart) throw new Error('The new cart was not returned')
  return { cartId: cart.cartId, userId: null, newToken: await insertToken(tx, cart.cartId) }
}

/** As many browsers of one account know its cart; of more the ones that have used it last. */
const maxBrowsers = 20

async function insertToken(tx: Database, cartId: string): Promise<string> {
  const token = createCartToken()
  await tx.insert(cartTokens).values({ tokenHash: hashCartToken(token), cartId })
  const older = tx
    .select({ hash: cartTokens.tokenHash })
    .from(cartTokens)
    .where(eq(cartTokens.cartId, cartId))
    .orderBy(desc(cartTokens.usedAt))
    .offset(maxBrowsers)
  await tx.delete(cartTokens).where(inArray(cartTokens.tokenHash, older))
  return token
}

/** The browser with this token no longer knows the cart of an account. */
export async function forgetBrowser(db: Database, token: string): Promise<void> {
  const ofAccounts = db.select({ id: carts._id }).from(carts).where(isNotNull(carts.userId))
  await db.delete(cartTokens).where(and(eq(cartTokens.tokenHash, hashCartToken(token)), inArray(cartTokens.cartId, ofAccounts)))
}

/**
 * Two full carts together. Further ones add nothing to it but pieces: whoever joins one basket after the other would have one that takes the
 * store seconds to show.
 */
const maxJoinedLines = 2 * maxCartLines

/** Adds the lines of a visitor's cart to those of an account, as far as there is stock; the buyer is told where there was less. */
async function joinCarts(tx: Database, fromCartId: string, { cartId, userId }: { cartId: string; userId: string }): Promise<void> {
  const [added, present] = [await readLines(tx, fromCartId, userId), await readLines(tx, cartId, userId)]
  const room = maxJoinedLines - present.length
  const isPresent = ({ product }: StoredCartLine) => present.some((line) => line.product._id === product._id)
  for (const { product, quantity, seenPriceCents } of [
    ...added.filter(isPresent),
    ...added.filter((line) => !isPresent(line)).slice(0, Math.max(0, room)),
  ]) {
    const before = present.find((line) => line.product._id === product._id)
    const together = (before?.quantity ?? 0) + quantity
    const most = settleQuantity(termsOf(product), together).orderable?.highest
    const isCapped = most !== undefined && most < together
    const joined = {
      quantity: isCapped ? most : together,
      seenPriceCents: before?.seenPriceCents ?? seenPriceCents,
      cappedFrom: before && isCapped ? together : null,
    }
    await upsertLine(tx, cartId, product._id, before || !isCapped ? joined : { ...joined, quantity })
  }
}

type LineValues = Omit<StoredCartLine, 'product'>

async function upsertLine(tx: Database, cartId: string, toolId: string, values: LineValues): Promise<void> {
  await tx
    .insert(cartLines)
    .values({ cartId, toolId, ...values })
    .onConflictDoUpdate({ target: [cartLines.cartId, cartLines.toolId], set: values })
}

const offeredColumns = (userId: string | null, cartId?: string) => {
  const { specs: _, category: __, description: ___, ...columns } = productDetailsColumns
  const inStock = products.available_quantity
  return {
    ...columns,
    available_quantity: cartId ? sql<number>`${inStock} + ${piecesHeldForCartSql(cartId)}` : sql<number>`${inStock}`,
    isForSale: sql<boolean>`${products.removedAt} is null`,
    ownCents: userId === null ? sql<null>`null` : sql<number | null>`(select own_cents from ${ownPriceSql(userId)} own)`,
  }
}

/** Products as a buyer can have them, sold or not; for a cart what its own unpaid order holds counts as in stock. */
export const findOfferedProducts = (db: Database, ids: string[], userId: string | null, cartId?: string): Promise<OfferedProduct[]> =>
  db.select(offeredColumns(userId, cartId)).from(products).where(inArray(products._id, ids))

async function readLines(db: Database, cartId: string, userId: string | null): Promise<StoredCartLine[]> {
  const rows = await db
    .select({
      product: offeredColumns(userId, cartId),
      quantity: cartLines.quantity,
      seenPriceCents: cartLines.seenPriceCents,
      cappedFrom: cartLines.cappedFrom,
    })
    .from(cartLines)
    .innerJoin(products, eq(products._id, cartLines.toolId))
    .where(eq(cartLines.cartId, cartId))
    .orderBy(asc(cartLines.position))
  return rows
}

/** A cart as its buyer sees it now. */
export async function readCart(db: Database, found: { cartId: string; userId: string | null } | undefined): Promise<Cart> {
  return describeCart(found ? await readLines(db, found.cartId, found.userId) : [], { isOfAccount: found?.userId != null })
}

/** What is asked for: so many pieces in all, or so many more. */
type AskedPieces = { productId: string; quantity: number; isAdded: boolean }

/**
 * Puts pieces of a product into a locked cart.
 * @throws {HttpError} 404 it is not for sale; 400 below the minimum or no whole packs; 409 more than in stock, or the cart is full
 */
export async function putIntoCart(tx: Database, cart: FoundCart, { productId, quantity, isAdded }: AskedPieces): Promise<void> {
  const [product] = await findOfferedProducts(tx, [productId], cart.userId, cart.cartId)
  if (!product?.isForSale) throw productNotFoundError()
  const [before] = await tx
    .select({ quantity: cartLines.quantity, seenPriceCents: cartLines.seenPriceCents })
    .from(cartLines)
    .where(and(eq(cartLines.cartId, cart.cartId), eq(cartLines.toolId, productId)))
  const inCart = isAdded ? (before?.quantity ?? 0) : 0
  const together = inCart + quantity
  refuseQuantity(product, together, inCart)
  if (!before) await refuseFullCart(tx, cart.cartId)
  const terms = termsOf(product)
  const wasTold = !before || before.seenPriceCents === unitPriceAt(terms, before.quantity)
  await upsertLine(tx, cart.cartId, productId, {
    quantity: together,
    seenPriceCents: wasTold ? unitPriceAt(terms, together) : before.seenPriceCents,
    cappedFrom: null,
  })
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

async function refuseFullCart(tx: Database, cartId: string): Promise<void> {
  const [lines] = await tx.select({ count: count() }).from(cartLines).where(eq(cartLines.cartId, cartId))
  if ((lines?.count ?? 0) >= maxCartLines)
    throw new HttpError(409, `A basket has at most ${maxCartLines} lines: order these first, or take some out`, undefined, {
      code: 'cart_full',
    })
}

export async function removeFromCart(tx: Database, { cartId }: FoundCart, productId: string): Promise<void> {
  await tx.delete(cartLines).where(and(eq(cartLines.cartId, cartId), eq(cartLines.toolId, productId)))
}

/** The buyer has been told what changed. */
export async function markSeen(tx: Database, { cartId, userId }: FoundCart): Promise<void> {
  for (const { product, quantity, seenPriceCents, cappedFrom } of await readLines(tx, cartId, userId)) {
    const now = { quantity, seenPriceCents: unitPriceAt(termsOf(product), quantity), cappedFrom: null }
    if (now.seenPriceCents !== seenPriceCents || cappedFrom !== null) await upsertLine(tx, cartId, product._id, now)
  }
}

/** Forgets the cart of a removed account. Runs in the transaction of the removal. */
export const removeCartOf = (tx: Database, userId: string) => tx.delete(carts).where(eq(carts.userId, userId))

/** How long a cart that nobody has signed in to is kept after its last change. */
const keptDays = 60
/** Rows per statement, so that it ends well before the statement timeout. */
const maxForgotten = 5000

/** Forgets the carts of visitors and the tokens of browsers that have not been used for so long. Called every minute. */
export async function deleteOldCarts(db: Database): Promise<void> {
  const since = sql`now() - make_interval(days => ${keptDays})`
  const unused = db
    .select({ id: carts._id })
    .from(carts)
    .where(and(isNull(carts.userId), lt(carts.usedAt, since)))
    .limit(maxForgotten)
  await db.delete(carts).where(inArray(carts._id, unused))
  const unusedTokens = db.select({ hash: cartTokens.tokenHash }).from(cartTokens).where(lt(cartTokens.usedAt, since)).limit(maxForgotten)
  await db.delete(cartTokens).where(inArray(cartTokens.tokenHash, unusedTokens))
}
