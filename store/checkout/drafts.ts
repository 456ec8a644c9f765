import { createHash, randomBytes } from 'node:crypto'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import type { Database } from '#platform/database.ts'
import { carts } from '#store/cart/table.ts'
import { asksForProductOfCartSql } from '#store/orders/details/rules.ts'
import { orders } from '#store/orders/table.ts'
import type { CheckoutFormRefusal } from './contract.ts'
import { checkoutDrafts } from './table.ts'
import { type CheckoutForm, typedForNextOrder } from './typed-checkout.ts'

/** `orderId`: of the order that it was placed as, while ordering the cart again replaces that one */
type Draft = { typed: CheckoutForm; refusal: CheckoutFormRefusal | null; network: string; orderId: string | null }

const cookieName = 'nucleus.checkout'

export const draftTokenOf = (cookies: string | undefined): string | undefined =>
  /(?:^|;\s*)nucleus\.checkout=([\w-]{32})(?:;|$)/.exec(cookies ?? '')?.[1]

const hashToken = (token: string): string => createHash('sha256').update(`checkout ${token}`).digest('base64url')

/**
 * Keeps what was typed with the basket. The basket's cookie stays in a browser for months, so this has one of its own, which ends with the
 * browser's session: whoever sits at the same machine later does not find the address of somebody else.
 */
export async function saveDraft(
  db: Database,
  reply: FastifyReply,
  { cartId, isSecure, ...draft }: Draft & { cartId: string; isSecure: boolean },
): Promise<void> {
  const token = randomBytes(24).toString('base64url') // a new one each time: one that is sent may be somebody else's
  const row = { ...draft, tokenHash: hashToken(token), savedAt: sql`now()` }
  await db
    .insert(checkoutDrafts)
    .values({ cartId, ...row })
    .onConflictDoUpdate({ target: checkoutDrafts.cartId, set: row })
  reply.header('set-cookie', `${cookieName}=${token}; HttpOnly; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`)
}

/** What the session has typed last with the cart. What was typed for one order alone ends with it: once that is paid, or the basket is another purchase. */
export async function findDraft(db: Database, cartId: string, token: string): Promise<Draft | undefined> {
  const { typed, refusal, network, orderId } = checkoutDrafts
  const isOfSession = and(eq(checkoutDrafts.cartId, cartId), eq(checkoutDrafts.tokenHash, hashToken(token)), sql`not ${isOldSql}`)
  const isReplaced = and(eq(orders.orderStatus, 'open'), asksForProductOfCartSql(orders._id))
  const [draft] = await db
    .select({ typed, refusal, network, orderId, isReplaced: sql<boolean>`coalesce(${isReplaced}, false)` })
    .from(checkoutDrafts)
    .innerJoin(carts, eq(carts._id, checkoutDrafts.cartId))
    .leftJoin(orders, eq(orders._id, orderId))
    .where(isOfSession)
  if (!draft) return undefined
  const isOver = draft.orderId !== null && !draft.isReplaced
  const kept = { ...draft.typed, paymentMethod: draft.typed.paymentMethod ?? '' } // which drafts from before it was asked do not have
  return { ...draft, typed: kept, ...(isOver && { typed: typedForNextOrder(kept), orderId: null }) }
}

const isOldSql = lt(checkoutDrafts.savedAt, sql`now() - interval '1 day'`)

/** Rows per statement, so that it ends well before the statement timeout. */
const maxForgotten = 5000

/** Called every minute. */
export async function deleteOldDrafts(db: Database): Promise<void> {
  const old = db.select({ id: checkoutDrafts.cartId }).from(checkoutDrafts).where(isOldSql).limit(maxForgotten)
  await db.delete(checkoutDrafts).where(inArray(checkoutDrafts.cartId, old))
}
