import { and, desc, eq, gt, inArray, isNull, ne, not, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { type CartVisitor, findCart } from '#store/cart/rules.ts'
import { carts } from '#store/cart/table.ts'
import { asksForProductOfCartSql } from '#store/orders/details/rules.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { orders } from '#store/orders/table.ts'
import type { LastOrder, OtherUnpaidOrders } from './contract.ts'
import { orderedBefore } from './ordered-cookie.ts'

/** For how long after it was placed the page of a paid order is led to. */
const ledToHours = 1

/** `secret`: signs the links to orders of guests; `cookies`: of the browser */
type OrderLinks = { secret: string; cookies: string | undefined }

/** The path of an order's page, for a guest in the browser session alone that has placed it. */
function orderUrlOf({ _id, buyerId }: { _id: string; buyerId: string | null }, { secret, cookies }: OrderLinks): string | null {
  if (buyerId !== null) return `/dashboard/myorder/${_id}`
  return orderedBefore(secret, cookies) === _id ? createOrderLink(secret, _id) : null
}

const [laterDetails, laterOrders] = [alias(orderDetails, 'later_details'), alias(orders, 'later_orders')]

/**
 * The order that the visitor's cart was placed as last, where it is paid, or where it can be paid and ordering the cart as it is now replaces it.
 * A paid order is not the last one where a later one waits for its payment, whatever that asks for.
 * The cart of an account tells of the account's own alone, and that of a visitor leads to the order in the browser session alone that has placed it.
 */
export async function findLastOrder(db: Database, visitor: CartVisitor, links: OrderLinks): Promise<LastOrder | null> {
  const cart = await findCart(db, visitor)
  if (!cart) return null
  const laterOpen = db
    .select({ _id: laterOrders._id })
    .from(laterDetails)
    .innerJoin(laterOrders, eq(laterOrders._id, laterDetails.orderId))
    .where(
      and(
        eq(laterDetails.cartId, cart.cartId),
        eq(laterOrders.orderStatus, 'open'),
        gt(laterOrders.number, orders.number),
        sql`${laterOrders.buyerId} is not distinct from ${orders.buyerId}`,
      ),
    )
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
    .innerJoin(carts, eq(carts._id, orderDetails.cartId))
    .where(
      and(
        eq(orderDetails.cartId, cart.cartId),
        cart.userId === null ? isNull(orders.buyerId) : eq(orders.buyerId, cart.userId),
        or(
          and(inArray(orders.orderStatus, ['placed', 'completed']), notExists(laterOpen)),
          and(eq(orders.orderStatus, 'open'), eq(orderDetails.cartEmptied, false), asksForProductOfCartSql(orders._id)),
        ),
      ),
    )
    .orderBy(desc(orders.number))
    .limit(1)
  if (!last) return null
  const { _id, number, totalCents, buyerId, isPaid, isRecent } = last
  const told = { number, totalCents, isPaid }
  const orderUrl = orderUrlOf(last, links)
  if (orderUrl === null) return { ...told, orderUrl, paymentUrl: null }
  const paymentUrl = buyerId === null ? `${orderUrl}?pay=1` : `/dashboard/payment/${_id}`
  return { ...told, orderUrl: isPaid && !isRecent ? null : orderUrl, paymentUrl: isPaid ? null : paymentUrl }
}

/** How many of the other unpaid orders are named. */
const maxNamed = 3

/**
 * The unpaid orders that ordering the visitor's cart as it is now does not replace, so that whoever orders the rest of a purchase knows that the first
 * one still waits: of an account all of its own, of a guest those of the cart. One whose payment is being checked needs nothing of its buyer.
 */
export async function findOtherUnpaidOrders(db: Database, visitor: CartVisitor, links: OrderLinks): Promise<OtherUnpaidOrders> {
  const cart = await findCart(db, visitor)
  if (!cart) return { orders: [], count: 0 }
  const isOfCart = eq(orderDetails.cartId, cart.cartId)
  const found = await db
    .select({
      ...{ _id: orders._id, number: orders.number, totalCents: orders.totalCents, buyerId: orders.buyerId },
      count: sql<number>`(count(*) over ())::integer`,
    })
    .from(orders)
    .innerJoin(carts, eq(carts._id, cart.cartId))
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id)) // an order from a product's page has none
    .where(
      and(
        eq(orders.orderStatus, 'open'),
        ne(orders.paymentStatus, 'checking'),
        eq(orders.paymentMethod, 'card'), // another one waits for money that is on its way
        cart.userId === null ? and(isOfCart, isNull(orders.buyerId)) : eq(orders.buyerId, cart.userId),
        or(isNull(orderDetails.cartId), ne(orderDetails.cartId, cart.cartId), not(asksForProductOfCartSql(orders._id))),
      ),
    )
    .orderBy(desc(orders.number))
    .limit(maxNamed)
  return {
    orders: found.map((order) => ({ number: order.number, totalCents: order.totalCents, orderUrl: orderUrlOf(order, links) })),
    count: found[0]?.count ?? 0,
  }
}
