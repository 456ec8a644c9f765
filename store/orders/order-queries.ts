import { and, asc, desc, eq, gte, inArray, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { instantSql } from '#platform/instant-sql.ts'
import { endOfShopDay, startOfShopDay } from '#shared/shop-day.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { isListedSql, isOfCompanySql, isVisibleSql, type Viewer } from './buyer.ts'
import { orderDetails } from './details/table.ts'
import { isUnsentRefund, lineRefundedCents, unsentOfLine, writtenOffOfLine } from './line-refunds.ts'
import { maxListedLines, maxOrderNumber, type Order, type OrderLine, type OrderListItem, type OrderListQuery } from './order-contract.ts'
import { matchesOrderSearch } from './order-search.ts'
import { findShipments } from './shipments/find-shipments.ts'
import { leftToSend } from './shipments/left-to-send.ts'
import { orderLines, orders, payments, refundLines, refunds } from './table.ts'
import { taxesOfRefunds } from './taxes-of-refunds.ts'

export const orderNotFoundError = () => new HttpError(404, 'There is no such order')

/**
 * What of the payment of an order is refunded, in cents; of an order on account, what is credited. Capped at the amount paid: a refund made in the provider's dashboard may leave too
 * little for the recorded ones, which the provider then rejects.
 */
export const orderRefundedCents = sql<number>`case when ${orders.paymentMethod} = 'on_account' then credited_cents_of(${orders._id}) else coalesce(least(${payments.amountCents}, ${payments.refundedCents}
  + (select coalesce(sum(${refunds.amountCents}), 0) from ${refunds} where ${refunds.paymentId} = ${payments._id} and ${isUnsentRefund})), 0) end::integer`
const orderRefundableCents = sql<number>`case when ${orders.isPaid}
  then case when ${orders.paymentMethod} = 'on_account' then ${orders.totalCents} else ${payments.amountCents} end - ${orderRefundedCents} else 0 end::integer`

/** What the buyer pays for the delivery with its tax: what of the total is charged for no line. */
const chargedDeliveryCents = sql<number>`(${orders.totalCents} - (select coalesce(sum(charged_cents), 0) from order_lines
  where order_lines.order_id = ${orders._id} and not is_released))::integer`
const refundedDeliveryCents = sql<number>`(select coalesce(sum(${refundLines.amountCents}), 0) from ${refundLines}
  join ${refunds} on ${refunds._id} = ${refundLines.refundId}
  where ${refunds.orderId} = ${orders._id} and ${refundLines.isDelivery} and ${refunds.state} <> 'failed')::integer`

const canRefundLine = sql`${orders.isPaid} and not ${orderLines.isReleased}`
/** What of a line can still be refunded and restocked; used by the refund form and checked again by `requestRefund`. */
export const lineRefundableColumns = {
  cents: sql<number>`case when ${canRefundLine} then least(${orderLines.chargedCents} - ${lineRefundedCents}, ${orderRefundableCents}) else 0 end::integer`,
  pieces: sql<number>`case when ${canRefundLine} then greatest(0, ${orderLines.quantity} + ${orderLines.replaced} - ${orderLines.restocked} - ${writtenOffOfLine} - ${unsentOfLine(sql`${refundLines.restock}`)}) else 0 end::integer`,
}

/** The payment that took the money of an order. */
export const paymentColumns = {
  /** the provider's id or, of a transfer, its reference: see `creditorReference` */
  transectionId: sql<
    string | null
  >`case when ${payments.state} = 'succeeded' then coalesce(${payments.intentId}, case when ${orders.orderStatus} <> 'open'
    then 'RF' || lpad((98 - (${orders.number}::bigint * 1000000 + 271500) % 97)::text, 2, '0') || ${orders.number} end) end`,
  /** null of a transfer that was not all of the money, unless the owner accepted it so */
  paidAt: sql<
    string | null
  >`case when ${payments.state} = 'succeeded' and (${orders.isPaid} or ${payments.amountCents} + ${orders.writtenOffCents} >= ${orders.totalCents}) then ${payments.settledAt} end`.mapWith(
    (at: string) => new Date(at).toISOString(),
  ),
  card: sql<string | null>`case when ${payments.state} = 'succeeded' then ${payments.card} end`,
}

/** The account that has paid a payment: whose browser has said so, or else the only one that could. */
export const payerIdSql = sql<
  string | null
>`coalesce(${payments.paidBy}, case when ${payments.alsoOpenedBy} = '{}' then ${payments.openedBy} end)`

/** Who of the company has paid an order, where that was not its buyer. */
export const paidBy = sql<Order['paidBy']>`(select json_build_object('name', ${users.name}, 'email', ${users.email}) from ${users}
  where ${payments.state} = 'succeeded' and ${users.id} = ${payerIdSql} and ${users.id} <> ${orders.buyerId})`

/** The numbers of the orders that an order has replaced. */
const replaces = sql<number[]>`(select coalesce(json_agg(replaced.number order by replaced.number), '[]')
  from order_details join orders as replaced on replaced.id = order_details.order_id where order_details.replaced_by = ${orders._id})`

const summaryColumns = {
  _id: orders._id,
  number: orders.number,
  placedAt: orders.placedAt,
  orderStatus: orders.orderStatus,
  paymentStatus: orders.paymentStatus,
  fulfilmentStatus: orders.fulfilmentStatus,
  paymentMethod: orders.paymentMethod,
  holdUntil: orders.holdUntil,
  guest: sql<boolean>`${orders.buyerId} is null`,
  buyerName: orders.buyerName,
  buyerEmail: orders.buyerEmail,
  buyerAddress: orders.buyerAddress,
  country: orders.country,
  currency: orders.currency,
  goodsCents: orders.goodsCents,
  deliveryCents: orders.deliveryCents,
  includedTaxCents: orders.includedTaxCents,
  taxCents: orders.taxCents,
  totalCents: orders.totalCents,
}

/** How an order is taxed. */
const taxColumns = {
  taxes: orders.taxes,
  pricesIncludeTax: sql<boolean>`coalesce((${orders.taxTerms} ->> 'pricesIncludeTax')::boolean, false)`,
  taxSentence: sql<string | null>`${orders.taxTerms} ->> 'sentence'`,
}

/** @throws {HttpError} 404 */
export async function findOrderById(db: Database, id: string): Promise<Order> {
  const [order] = await db
    .select({
      ...summaryColumns,
      ...taxColumns,
      ...paymentColumns,
      paidBy,
      replaces,
      refundedCents: orderRefundedCents,
      refundableCents: orderRefundableCents,
      chargedDeliveryCents,
      refundedDeliveryCents,
      taxTerms: orders.taxTerms,
    })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(eq(orders._id, id))
  if (!order) throw orderNotFoundError()
  const { refundableCents, taxTerms, ...rest } = order
  const found = await findLinesWithTaxClass(db, id)
  const pieces = found.reduce((sum, { refundable }) => sum + refundable.pieces, 0)
  return {
    ...rest,
    refundedTaxes: taxesOfRefunds(rest, found, taxTerms),
    refundable: { cents: refundableCents, pieces },
    refundableDeliveryCents: Math.max(0, Math.min(refundableCents, rest.chargedDeliveryCents - rest.refundedDeliveryCents)),
    lines: found.map(({ taxClass: _, ...line }) => line),
    shipments: await findShipments(db, id),
  }
}

type TaxedOrderLine = OrderLine & Pick<typeof orderLines.$inferSelect, 'taxClass'>

/** The lines of an order, by position. Stays correct until the transaction ends if the caller has locked the order and its payment. */
const findLinesWithTaxClass = (db: Database, orderId: string): Promise<TaxedOrderLine[]> =>
  db
    .select({
      _id: orderLines._id,
      productId: orderLines.toolId,
      productName: orderLines.productName,
      brand: orderLines.brand,
      mpn: orderLines.mpn,
      sku: orderLines.sku,
      quantity: orderLines.quantity,
      inTotal: sql<boolean>`not ${orderLines.isReleased}`,
      listPriceCents: orderLines.listPriceCents,
      unitPriceCents: orderLines.unitPriceCents,
      priceReason: orderLines.priceReason,
      reductionCents: orderLines.reductionCents,
      reductionReason: orderLines.reductionReason,
      totalCents: orderLines.totalCents,
      taxCents: orderLines.taxCents,
      chargedCents: orderLines.chargedCents,
      packed: orderLines.packed,
      sent: orderLines.sent,
      toSend: leftToSend,
      cancelled: orderLines.cancelled,
      returned: orderLines.returned,
      restocked: orderLines.restocked,
      returnedRestocked: orderLines.returnedRestocked,
      refundedCents: lineRefundedCents,
      refundedPieces: sql<number>`(select coalesce(sum(${refundLines.pieces}), 0) from ${refundLines}
        join ${refunds} on ${refunds._id} = ${refundLines.refundId}
        where ${refundLines.orderLineId} = ${orderLines._id} and ${refunds.state} <> 'failed')::integer`,
      refundable: lineRefundableColumns,
      taxClass: orderLines.taxClass,
    })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position))

/**
 * The order with this id, or with a line of this id.
 * @throws {HttpError} 404
 */
export async function findOrderIdOfLine(db: Database, id: string): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select coalesce((select id from orders where id = ${id}), (select order_id from order_lines where id = ${id})) as id`)
  const [found] = rows
  if (!found?.id) throw orderNotFoundError()
  return found.id
}

/**
 * One order, for its buyer or an admin, see `isVisibleSql`.
 * @param id of the order or of one of its lines
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function findOrder(db: Database, viewer: Viewer, id: string): Promise<Order> {
  const orderId = await findOrderIdOfLine(db, id)
  if ((await db.$count(orders, and(eq(orders._id, orderId), isVisibleSql(viewer)))) === 0) throw orderNotFoundError()
  return findOrderById(db, orderId)
}

type OrderPage = { orders: OrderListItem[]; next: string | null }

/**
 * A page of orders. A buyer is answered their own, or those of their company.
 * @returns next: the cursor of the next page, if there is one
 */
export async function listOrders(db: Database, viewer: User, query: OrderListQuery): Promise<OrderPage> {
  const named = namedNumber(query)
  const found = await db
    .select({
      ...summaryColumns,
      poNumber: orderDetails.poNumber,
      refundedCents: orderRefundedCents,
      card: paymentColumns.card,
      paidBy,
      lineCount: sql<number>`(select count(*) from order_lines where order_lines.order_id = orders.id)::integer`,
    })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))
    .where(and(...filters(viewer, query), isAfterCursor(query)))
    .orderBy(...(named === undefined ? [] : [desc(eq(orders.number, named))]), ...sortings[query.sort])
    .limit(query.limit + 1) // one more to detect a next page
  const page = found.slice(0, query.limit)
  const last = found.length > query.limit ? page.at(-1) : undefined
  const lines = await findListedLines(
    db,
    page.map(({ _id }) => _id),
  )
  return {
    orders: page.map((order) => ({ ...order, lines: lines.filter(({ orderId }) => orderId === order._id) })),
    next: last ? cursorAfter(query, last) : null,
  }
}

/** The first lines of each of these orders. */
export const findListedLines = async (db: Database, orderIds: string[]) =>
  orderIds.length === 0
    ? []
    : db
        .select({
          orderId: orderLines.orderId,
          _id: orderLines._id,
          productId: orderLines.toolId,
          productName: orderLines.productName,
          sku: orderLines.sku,
          quantity: orderLines.quantity,
          totalCents: orderLines.totalCents,
          cancelled: orderLines.cancelled,
        })
        .from(orderLines)
        .where(and(inArray(orderLines.orderId, orderIds), lte(orderLines.position, maxListedLines)))
        .orderBy(asc(orderLines.position))

const isByTotal = ({ sort }: OrderListQuery) => sort === 'highest' || sort === 'lowest'

const sortings: Record<OrderListQuery['sort'], SQL[]> = {
  newest: [desc(orders.number)],
  oldest: [asc(orders.number)],
  highest: [desc(orders.totalCents), desc(orders.number)],
  lowest: [asc(orders.totalCents), asc(orders.number)],
}

/** The number of an order that is all that is searched: it comes before all others. With others, the list is read in the order of an index. */
const namedNumber = ({ q = '' }: OrderListQuery) => (/^[1-9]\d{0,9}$/.test(q) && Number(q) <= maxOrderNumber ? Number(q) : undefined)

const isRising = ({ sort }: OrderListQuery) => sort === 'oldest' || sort === 'lowest'

/** @param last the last order of a page: where it is the one that the search names, all others come after it */
function cursorAfter(query: OrderListQuery, last: { number: number; totalCents: number }): string {
  const isNamed = last.number === namedNumber(query)
  const beforeAll = isRising(query) ? 0 : maxOrderNumber
  const [number, totalCents] = isNamed ? [beforeAll, beforeAll] : [last.number, last.totalCents]
  return isByTotal(query) ? `${totalCents}.${number}` : `${number}`
}

function isAfterCursor(query: OrderListQuery): SQL | undefined {
  const [after, named] = [isAfterNumbers(query), namedNumber(query)]
  return after && named !== undefined ? and(after, ne(orders.number, named)) : after
}

function isAfterNumbers(query: OrderListQuery): SQL | undefined {
  if (query.cursor === undefined) return undefined
  const [first = 0, second] = query.cursor.split('.').map(Number)
  const after = sql.raw(isRising(query) ? '>' : '<')
  if (isByTotal(query) !== (second !== undefined)) throw new HttpError(400, 'This cursor is of a list with another order')
  if (second === undefined) return sql`${orders.number} ${after} ${first}`
  return sql`(${orders.totalCents}, ${orders.number}) ${after} (${first}, ${second})`
}

function filters(viewer: User, query: OrderListQuery): (SQL | undefined)[] {
  const { buyerEmail, orderStatus, paymentStatus, fulfilmentStatus, q, from, to } = query
  return [
    query.of === 'company' ? isOfCompanySql(viewer) : isListedSql(viewer),
    buyerEmail === undefined ? undefined : eq(orders.buyerEmail, buyerEmail),
    orderStatus && eq(orders.orderStatus, orderStatus),
    paymentStatus && eq(orders.paymentStatus, paymentStatus),
    fulfilmentStatus && eq(orders.fulfilmentStatus, fulfilmentStatus),
    from === undefined ? undefined : gte(orders.placedAt, instantSql(startOfShopDay(from))),
    to === undefined ? undefined : lt(orders.placedAt, instantSql(endOfShopDay(to))),
    q ? matchesOrderSearch(q, viewer) : undefined,
  ]
}
