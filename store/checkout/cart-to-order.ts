import { sql } from 'drizzle-orm'
import { type Database, selectPrepared } from '#platform/database.ts'
import type { StoredCartLine } from '#store/cart/cart-lines.ts'
import { hashCartToken } from '#store/cart/cart-tokens.ts'
import { type CartVisitor, isCartOf } from '#store/cart/rules.ts'
import { readLines } from '#store/cart/stored-lines.ts'
import { carts } from '#store/cart/table.ts'
import { chargeSettingsVersionSql } from '#store/delivery/charge-settings.ts'
import { type CheckoutRequest, orderOfRequestSql, ordersToReplaceSql } from '#store/orders/details/rules.ts'

/** A cart with all that decides what ordering it costs, read without a lock: placing it is refused once one of the two versions is another. */
export type CartToOrder = NonNullable<Awaited<ReturnType<typeof findCartToOrder>>>

/** Whether a browser has a cart that is to be joined to that of its account. */
const hasVisitorsCartSql = (
  token: string,
) => sql<boolean>`exists (select from cart_tokens join carts as other on other.id = cart_tokens.cart_id
  where token_hash = ${hashCartToken(token)} and other.user_id is null)`

/**
 * The cart that `findCart` finds. Its lines are read after its version: those of a later version are never taken for those of this one.
 * @param request to find the order that an earlier one has placed
 */
export async function findCartToOrder(db: Database, visitor: CartVisitor, request: CheckoutRequest = { key: undefined, hash: '' }) {
  const { userId, token } = visitor
  if (userId === undefined && token === undefined) return undefined
  const [cart] = await selectPrepared(
    db
      .select({
        cartId: carts._id,
        userId: carts.userId,
        version: carts.version,
        settingsVersion: chargeSettingsVersionSql,
        replaced: ordersToReplaceSql,
        placedBefore: orderOfRequestSql(request),
        hasOther: userId === undefined || token === undefined ? sql<boolean>`false` : hasVisitorsCartSql(token),
      })
      .from(carts)
      .where(isCartOf(visitor)),
  )
  if (!cart) return undefined
  const lines: StoredCartLine[] = await readLines(db, cart)
  return { ...cart, lines }
}
