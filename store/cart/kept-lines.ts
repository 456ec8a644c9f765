import { asc, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { PastedLine } from './contract.ts'
import { type LockedCart, putAllIntoCart } from './put-into-cart.ts'
import { findOfferedProducts } from './stored-lines.ts'
import { cartLines } from './table.ts'

/* The products and quantities of a cart, kept apart from it: in a shared link, or under a name. */

export type KeptLine = { productId: string; quantity: number }
/** How many lines were put into a cart, and why the others were not. */
export type PutLines = { added: number; notAdded: PastedLine[] }

export const readKeptLines = (db: Database, cartId: string): Promise<KeptLine[]> =>
  db
    .select({ productId: cartLines.toolId, quantity: cartLines.quantity })
    .from(cartLines)
    .where(eq(cartLines.cartId, cartId))
    .orderBy(asc(cartLines.position))

export const nothingInCartError = (verb: 'share' | 'save') =>
  new HttpError(409, `There is nothing in your basket to ${verb}`, undefined, { code: 'cart_empty' })

/** Puts kept lines into a locked cart, as far as they can be, at today's prices. */
export async function putKeptLines(tx: Database, cart: LockedCart, lines: KeptLine[]): Promise<PutLines> {
  const products = await findOfferedProducts(
    tx,
    lines.map(({ productId }) => productId),
    cart.userId,
  )
  const refusals = await putAllIntoCart(
    tx,
    cart,
    lines.map((line) => ({ ...line, isAdded: true })),
  )
  const notAdded = lines.flatMap(({ productId, quantity }, nth): PastedLine[] => {
    const refusal = refusals[nth]
    const name = products.find(({ _id }) => _id === productId)?.name ?? 'A part'
    return refusal ? [{ text: `${quantity} x ${name}`, reason: refusal.reason }] : []
  })
  return { added: lines.length - notAdded.length, notAdded }
}
