import { createHash, randomBytes } from 'node:crypto'
import { eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { describeCart } from './cart-lines.ts'
import type { Cart } from './contract.ts'
import { type KeptLine, nothingInCartError, type PutLines, putKeptLines, readKeptLines } from './kept-lines.ts'
import type { LockedCart } from './put-into-cart.ts'
import { findOfferedProducts } from './stored-lines.ts'
import { sharedCarts } from './table.ts'

/**
 * Keeps what is in a cart for whoever has the token.
 * @throws {HttpError} 409 the cart is empty
 */
export async function shareCart(db: Database, cartId: string | undefined): Promise<string> {
  const lines = cartId ? await readKeptLines(db, cartId) : []
  if (lines.length === 0) throw nothingInCartError('share')
  const linesHash = createHash('sha256').update(JSON.stringify(lines)).digest('base64url')
  const [shared] = await db
    .insert(sharedCarts)
    .values({ token: randomBytes(16).toString('hex'), lines, linesHash })
    .onConflictDoUpdate({ target: sharedCarts.linesHash, set: { sharedAt: sql`now()` } })
    .returning({ token: sharedCarts.token })
  if (!shared) throw new Error('The shared cart was not returned')
  return shared.token
}

/** @throws {HttpError} 404 there is no such link any more */
async function findSharedLines(db: Database, token: string): Promise<KeptLine[]> {
  const [shared] = await db.select({ lines: sharedCarts.lines }).from(sharedCarts).where(eq(sharedCarts.token, token))
  if (!shared) throw new HttpError(404, 'This basket is gone: links to baskets end after 90 days')
  return shared.lines
}

/** What a link shows, at the prices of the catalogue. */
export async function readSharedCart(db: Database, token: string): Promise<Cart> {
  const lines = await findSharedLines(db, token)
  const products = new Map(
    (
      await findOfferedProducts(
        db,
        lines.map(({ productId }) => productId),
        null,
      )
    ).map((one) => [one._id, one]),
  )
  const stored = lines.flatMap(({ productId, quantity }) => {
    const product = products.get(productId)
    return product ? [{ product, quantity, seenPriceCents: unitPriceAt(product, quantity), cappedFrom: null }] : []
  })
  return describeCart(stored, { isOfAccount: false })
}

/** Puts what a link shows into a locked cart, as far as it can be. */
export const putSharedCart = async (tx: Database, cart: LockedCart, token: string): Promise<PutLines> =>
  putKeptLines(tx, cart, await findSharedLines(tx, token))

/** Rows per statement, so that it ends well before the statement timeout. */
const maxForgotten = 5000

/** Forgets links that are 90 days old. Called every minute. */
export async function deleteOldSharedCarts(db: Database): Promise<void> {
  const old = db
    .select({ token: sharedCarts.token })
    .from(sharedCarts)
    .where(lt(sharedCarts.sharedAt, sql`now() - interval '90 days'`))
    .limit(maxForgotten)
  await db.delete(sharedCarts).where(inArray(sharedCarts.token, old))
}
