import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { isVisibleSql, type Viewer } from '#store/orders/buyer.ts'
import { replacedNote } from '#store/orders/order-history.ts'
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

/** What was typed at the checkout of an order; null where no checkout has placed it. */
export async function findDetailsOfOrder(db: Database, orderId: string): Promise<OrderDetails | null> {
  const [found] = await db.select(columns).from(orderDetails).where(eq(orderDetails.orderId, orderId))
  return found ?? null
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

type NewDetails = { cartId: string; request: CheckoutRequest; details: OrderDetails }

/** Keeps what was typed: a part of the statement that places the order, see `PlacedWith`. */
export const insertDetailsSql = ({ cartId, request, details }: NewDetails): SQL => {
  const json = (value: object | null) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`
  const { name, deliverTo, billTo, company, vatId, poNumber, buyerReference, deliveryMethod, partNumbers } = details
  return sql`, details as (
      insert into order_details (order_id, cart_id, cart_emptied, request_key, request_hash, name, deliver_to, bill_to, company, vat_id, po_number,
        buyer_reference, delivery_method, part_numbers)
      select id, ${cartId}::uuid, payment_method <> 'card', ${request.key ?? null}, ${request.hash}, ${name}, ${json(deliverTo)}, ${json(billTo)}, ${company}, ${vatId},
        ${poNumber}, ${buyerReference}, ${json(deliveryMethod)}, ${json(partNumbers)} from placed
    )`
}

/** The order that a cart was placed as by an earlier request with a key. */
type OrderOfRequest = { orderId: string; hash: string }

/** Finds it for a row of `carts`: null where there is none. */
export const orderOfRequestSql = ({ key }: CheckoutRequest) => (key === undefined ? sql<null>`null` : orderOfKeySql(key)) // no parameter that makes the statement cheaper: PostgreSQL would plan it each time

const orderOfKeySql = (key: string) => sql<OrderOfRequest | null>`(
  select json_build_object('orderId', order_id, 'hash', request_hash) from order_details where cart_id = carts.id and request_key = ${key})`

/**
 * The id of the order, if there is one.
 * @throws {HttpError} 422 the key was used with another body
 */
export function assertSameRequest(placed: OrderOfRequest | null, { hash }: CheckoutRequest): string | undefined {
  if (placed && placed.hash !== hash)
    throw new HttpError(422, 'This Idempotency-Key was used for another order', undefined, { code: 'idempotency_key_reused' })
  return placed?.orderId
}

/**
 * An unpaid order of a cart that placing the cart replaces, as both ask for a product. Mostly there is one, or none. What asks for other products
 * alone is another purchase and stays open.
 */
export type OrderToReplace = {
  _id: string
  number: number
  discountCodeId: string | null
  discountCode: string | null
  totalCents: number
  pieces: number
}

/** Whether an order asks for a product that a row of `carts` has now; what was cancelled of the order is none of it. */
export const asksForProductOfCartSql = (orderId: SQLWrapper): SQL<boolean> => sql<boolean>`exists (
  select from order_lines as held join cart_lines on cart_lines.cart_id = carts.id and cart_lines.tool_id = held.tool_id
  where held.order_id = ${orderId} and not held.is_released)`

/** Finds them for a row of `carts`, the oldest first. */
export const ordersToReplaceSql = sql<OrderToReplace[]>`(
  select coalesce(json_agg(json_build_object('_id', placed.id, 'number', placed.number, 'discountCodeId', placed.discount_code_id,
    'discountCode', (select code from discount_codes where discount_codes.id = placed.discount_code_id),
    'totalCents', placed.total_cents,
    'pieces', (select coalesce(sum(quantity - cancelled), 0) from order_lines where order_id = placed.id)) order by placed.number), '[]')
  from order_details join orders as placed on placed.id = order_details.order_id
  where order_details.cart_id = carts.id and not cart_emptied and placed.order_status = 'open' and ${asksForProductOfCartSql(sql`placed.id`)})`

/**
 * Links the orders of a cart that were ended to be replaced to the order that is placed now, if it asks for any of their products: a part of the
 * statement that places it, with the numbers of the linked orders as `replaced`. An earlier request that was then refused may have ended them.
 * An order whose mail about that was sent is not linked: its buyer was told that no other order was placed.
 */
export const linkReplacedOrdersSql = (cartId: string): SQL => sql`, replaced as (
    update order_details set replaced_by = placed.id from placed
    where order_details.cart_id = ${cartId}::uuid and order_details.replaced_by is null
      and exists (select from order_history where order_history.order_id = order_details.order_id
        and event = 'cancelled' and note = ${replacedNote} and mail_due_at is not null)
      and exists (select from order_lines as held join listed on listed.product_id = held.tool_id
        where held.order_id = order_details.order_id and not held.is_released)
    returning (select number from orders where orders.id = order_details.order_id) as number
  )`

/** The numbers that `linkReplacedOrdersSql` has linked, the oldest first. */
export const linkedNumbersSql = sql`(select coalesce(json_agg(number order by number), '[]') from replaced)`

/** The orders of a cart that is joined to another one are that one's from then on; their keys, which may stand there too, are over. */
export const moveOrdersToCart = (tx: Database, fromCartId: string, cartId: string) =>
  tx.update(orderDetails).set({ cartId, requestKey: null }).where(eq(orderDetails.cartId, fromCartId))

/**
 * How many pieces of a row of `tools` the unpaid orders of a cart hold. Placing the cart with that product gives them back first, so they are as
 * good as in stock to it.
 */
export const piecesHeldForCartSql = (cartId: string) => sql<number>`(select coalesce(sum(held.quantity), 0)
  from order_details join orders as placed on placed.id = order_details.order_id join order_lines as held on held.order_id = placed.id
  where order_details.cart_id = ${cartId} and not cart_emptied and placed.order_status = 'open' and held.tool_id = tools.id and not held.is_released)::integer`
