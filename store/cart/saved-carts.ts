import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { maxSavedCarts, type SavedCart } from './contract.ts'
import { nothingInCartError, type PutLines, putKeptLines } from './kept-lines.ts'
import type { LockedCart } from './put-into-cart.ts'
import { savedCarts } from './table.ts'

const summaryColumns = {
  _id: savedCarts._id,
  name: savedCarts.name,
  lineCount: sql<number>`jsonb_array_length(${savedCarts.lines})`,
  savedAt: savedCarts.savedAt,
}
const describe = ({ savedAt, ...saved }: Omit<SavedCart, 'savedAt'> & { savedAt: Date }): SavedCart => ({
  ...saved,
  savedAt: savedAt.toISOString(),
})

/** The baskets that an account has saved, the last one first. */
export async function listSavedCarts(db: Database, userId: string): Promise<SavedCart[]> {
  const rows = await db
    .select(summaryColumns)
    .from(savedCarts)
    .where(eq(savedCarts.userId, userId))
    .orderBy(desc(savedCarts.savedAt), desc(savedCarts._id))
  return rows.map(describe)
}

/**
 * Keeps what is in the locked cart of an account under a name, in the place of what was kept under it. The lock lets no second request of the
 * account go past the limit.
 * @throws {HttpError} 409 the cart is empty, or the account has saved as many as it can
 */
export async function saveCart(tx: Database, cart: LockedCart, userId: string, name: string): Promise<SavedCart> {
  const lines = cart.lines.map(({ product, quantity }) => ({ productId: product._id, quantity }))
  if (lines.length === 0) throw nothingInCartError('save')
  const names = await tx.select({ name: savedCarts.name }).from(savedCarts).where(eq(savedCarts.userId, userId))
  if (names.length >= maxSavedCarts && !names.some((saved) => saved.name === name))
    throw new HttpError(409, `An account saves at most ${maxSavedCarts} baskets: delete one first`, undefined, { code: 'saved_carts_full' })
  const [saved] = await tx
    .insert(savedCarts)
    .values({ userId, name, lines })
    .onConflictDoUpdate({ target: [savedCarts.userId, savedCarts.name], set: { lines, savedAt: sql`now()` } })
    .returning(summaryColumns)
  if (!saved) throw new Error('The saved cart was not returned')
  return describe(saved)
}

const ofAccount = (userId: string, id: string) => and(eq(savedCarts.userId, userId), eq(savedCarts._id, id))
const savedCartNotFoundError = () => new HttpError(404, 'This saved basket is gone: it was deleted')

/**
 * Puts what an account has saved into a locked cart, as far as it can be.
 * @throws {HttpError} 404 it has saved no such basket
 */
export async function putSavedCart(tx: Database, cart: LockedCart, userId: string, id: string): Promise<PutLines> {
  const [saved] = await tx.select({ lines: savedCarts.lines }).from(savedCarts).where(ofAccount(userId, id))
  if (!saved) throw savedCartNotFoundError()
  return putKeptLines(tx, cart, saved.lines)
}

/** @throws {HttpError} 404 the account has saved no such basket */
export async function deleteSavedCart(db: Database, userId: string, id: string): Promise<void> {
  const deleted = await db.delete(savedCarts).where(ofAccount(userId, id)).returning({ id: savedCarts._id })
  if (deleted.length === 0) throw savedCartNotFoundError()
}

/** Forgets what a removed account has saved. Runs in the transaction of the removal. */
export const deleteSavedCartsOf = (tx: Database, userId: string) => tx.delete(savedCarts).where(eq(savedCarts.userId, userId))
