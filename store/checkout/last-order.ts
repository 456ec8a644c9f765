import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { type CartVisitor, findCart } from '#store/cart/rules.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { orders } from '#store/orders/table.ts'
import type { LastOrder } from './contract.ts'

/** For how long after it was placed the page of a paid order is led to by the basket alone, whose cookie stays in a browser for months. */
const ledToHours = 1

/**
 * The order that the visitor's cart was placed as last, where it can be paid or is paid. Whoever has the cookie of a visitor's cart may follow
 * the order as the guest who has placed it.
 * @param secret signs the links to orders of guests
 */
export async function findLastOrder(db: Database, visitor: CartVisitor, secret: string): Promise<LastOrder | null> {
  const cart = await findCart(db, visitor)
  if (!cart) return null
  const [last] = await db
    .select({
      _id: orders._id,
      number: orders.number,
      totalCents: orders.totalCents,
      buyerId: orders.buyerId,
      isPaid: sql<boolean>`${orders.orderStatus} <> 'open'`,
      isRecent: sql<boolean>`${orders.placedAt} > now() - make_interval(hours => ${ledToHours})`,
    })
    .from(orderDetails)
    .innerJoin(orders, eq(orders._id, orderDetails.orderId))
    .where(and(eq(orderDetails.cartId, cart.cartId), inArray(orders.orderStatus, ['open', 'placed', 'completed'])))
    .orderBy(desc(orders.number))
    .limit(1)
  if (!last) return null
  const { _id, number, totalCents, buyerId, isPaid, isRecent } = last
  const orderUrl = buyerId === null ? createOrderLink(secret, _id) : `/dashboard/myorder/${_id}`
  const paymentUrl = buyerId === null ? `${orderUrl}?pay=1` : `/dashboard/payment/${_id}`
  return { number, totalCents, isPaid, orderUrl: isPaid && !isRecent ? null : orderUrl, paymentUrl: isPaid ? null : paymentUrl }
}
