import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { isVisibleSql, type Viewer } from '#store/orders/buyer.ts'
import { findOrderIdOfLine, orderNotFoundError } from '#store/orders/order-queries.ts'
import { orders } from '#store/orders/table.ts'
import type { OrderDetails } from './contract.ts'
import { orderDetails } from './table.ts'

const columns = {
  name: orderDetails.name,
  deliverTo: orderDetails.deliverTo,
  billTo: orderDetails.billTo,
  company: orderDetails.company,
  vatId: orderDetails.vatId,
  poNumber: orderDetails.poNumber,
  buyerReference: orderDetails.buyerReference,
  deliveryMethod: orderDetails.deliveryMethod,
  partNumbers: orderDetails.partNumbers,
}

/**
 * What was typed at the checkout of an order, for its buyer or an admin.
 * @param id of the order or of one of its lines
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function findOrderDetails(db: Database, viewer: Viewer, id: string): Promise<OrderDetails | null> {
  const orderId = await findOrderIdOfLine(db, id)
  const [found] = await db
    .select({ hasDetails: sql<boolean>`${orderDetails.orderId} is not null`, ...columns })
    .from(orders)
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))
    .where(and(eq(orders._id, orderId), isVisibleSql(viewer)))
  if (!found) throw orderNotFoundError()
  const { hasDetails, ...details } = found
  return hasDetails ? (details as OrderDetails) : null
}

/** What was typed at the last checkout of this buyer, and the phone number of that order. */
export async function findLastDetails(db: Database, buyerId: string): Promise<(OrderDetails & { phone: string | null }) | undefined> {
  const [last] = await db
    .select({ ...columns, phone: orders.phoneNumber })
    .from(orderDetails)
    .innerJoin(orders, eq(orders._id, orderDetails.orderId))
    .where(eq(orders.buyerId, buyerId))
    .orderBy(sql`${orders.number} desc`)
    .limit(1)
  return last
}

/** A request that places the order of a cart: its Idempotency-Key, if it has one, and the hash of its body. */
export type CheckoutRequest = { key: string | undefined; hash: string }

type NewDetails = { orderId: string; cartId: string; request: CheckoutRequest; details: OrderDetails }

/** Keeps what was typed, in the transaction that places the order. */
export const insertOrderDetails = (tx: Database, { orderId, cartId, request, details }: NewDetails) =>
  tx.insert(orderDetails).values({ orderId, cartId, requestKey: request.key ?? null, requestHash: request.hash, ...details })

/**
 * The order that this cart was placed as by an earlier request with the same key.
 * @throws {HttpError} 422 the key was used with another body
 */
export async function findOrderOfRequest(db: Database, cartId: string, { key, hash }: CheckoutRequest): Promise<string | undefined> {
  if (key === undefined) return undefined
  const [placed] = await db
    .select({ orderId: orderDetails.orderId, hash: orderDetails.requestHash })
    .from(orderDetails)
    .where(and(eq(orderDetails.cartId, cartId), eq(orderDetails.requestKey, key)))
  if (placed && placed.hash !== hash)
    throw new HttpError(422, 'This Idempotency-Key was used for another order', undefined, { code: 'idempotency_key_reused' })
  return placed?.orderId
}

const heldPieces = sql<number>`(select coalesce(sum(quantity - cancelled), 0) from order_lines where order_id = ${orders._id})::integer`

/** The orders of a cart that still wait for their payment. There is one, or none, unless two carts were joined. */
export const findOpenOrdersOfCart = (db: Database, cartId: string) =>
  db
    .select({
      _id: orders._id,
      number: orders.number,
      discountCodeId: orders.discountCodeId,
      totalCents: orders.totalCents,
      pieces: heldPieces,
    })
    .from(orderDetails)
    .innerJoin(orders, eq(orders._id, orderDetails.orderId))
    .where(and(eq(orderDetails.cartId, cartId), eq(orders.orderStatus, 'open')))
    .orderBy(asc(orders.number))

/** The orders of a cart that is joined to another one are that one's from then on; their keys, which may stand there too, are over. */
export const moveOrdersToCart = (tx: Database, fromCartId: string, cartId: string) =>
  tx.update(orderDetails).set({ cartId, requestKey: null }).where(eq(orderDetails.cartId, fromCartId))

/**
 * How many pieces of a row of `tools` the unpaid orders of a cart hold. Placing the cart again gives them back first, so they are as good as
 * in stock to it.
 */
export const piecesHeldForCartSql = (cartId: string) => sql<number>`(select coalesce(sum(held.quantity), 0)
  from order_details join orders as placed on placed.id = order_details.order_id join order_lines as held on held.order_id = placed.id
  where order_details.cart_id = ${cartId} and placed.order_status = 'open' and held.tool_id = tools.id and not held.is_released)::integer`
