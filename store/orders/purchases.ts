import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { centsToAmount } from '#shared/money.ts'
import { products } from '#store/catalogue/table.ts'
import type { User } from '#store/identity/contract.ts'
import { attentionConditions } from './attention.ts'
import { isListedSql, isVisibleSql, type Viewer } from './buyer.ts'
import {
  type AdminPurchase,
  type AttentionReason,
  attentionReasons,
  type Purchase,
  type PurchaseForViewer,
  type PurchaseListItem,
} from './contract.ts'
import { orderDetails } from './details/table.ts'
import { lineRefundedCents } from './line-refunds.ts'
import type { Order, OrderLine } from './order-contract.ts'
import { lineRefundableColumns, orderNotFoundError, orderRefundedCents, paymentColumns } from './order-queries.ts'
import { isBeingChecked, isPaidState, owesOnAccount, type PaymentMethod, purchaseState } from './statuses.ts'
import { orderLines, orders, payments, refundLines, refunds } from './table.ts'

/* Lines of orders in the form of the specification's calls, which know each as a purchase. */

const columns = {
  _id: orderLines._id,
  number: orders.number,
  position: orderLines.position,
  placedAt: orders.placedAt,
  toolId: orderLines.toolId,
  productName: orderLines.productName,
  brand: orderLines.brand,
  mpn: orderLines.mpn,
  productQuantity: orderLines.quantity,
  totalCents: orderLines.totalCents,
  buyerName: orders.buyerName,
  buyerEmail: orders.buyerEmail,
  buyerAddress: orders.buyerAddress,
  holdUntil: orders.holdUntil,
  ...paymentColumns,
  refundedCents: lineRefundedCents,
  refundable: lineRefundableColumns,
  restocked: orderLines.restocked,
  orderStatus: orders.orderStatus,
  paymentStatus: orders.paymentStatus,
  fulfilmentStatus: orders.fulfilmentStatus,
  paymentMethod: orders.paymentMethod,
  counters: {
    packed: orderLines.packed,
    sent: orderLines.sent,
    cancelled: orderLines.cancelled,
    chargedCents: orderLines.chargedCents,
    acceptedCents: orderLines.refundedCents,
    isReleased: orderLines.isReleased,
  },
}

type PurchaseRow = Omit<Purchase, 'productCost' | 'paid' | 'state' | 'checking'> &
  Pick<Order, 'orderStatus' | 'paymentStatus' | 'fulfilmentStatus' | 'paymentMethod'> & {
    totalCents: number
    counters: { packed: number; sent: number; cancelled: number; chargedCents: number; acceptedCents: number; isReleased: boolean }
  }

/** The fields of a purchase that follow from the statuses of its order and the counters of its line. */
function withState<Row extends PurchaseRow>(row: Row) {
  const { totalCents, productQuantity: quantity, counters } = row
  const state = purchaseState(row, { quantity, ...counters, refundedCents: counters.acceptedCents })
  return {
    ...row,
    ...(counters.isReleased && { transectionId: null, paidAt: null, card: null }), // the payment of the order is not for this line
    productCost: centsToAmount(totalCents),
    paid: isPaidState(state) && !owesOnAccount(row),
    state,
    checking: isBeingChecked(state, row),
  }
}

/** What a list shows beside a line of its order. */
const listColumns = {
  ...columns,
  sku: products.sku,
  orderTotal: sql<number | null>`case when ${orders.totalCents} <> ${orders.goodsCents} then ${orders.totalCents} end`,
  orderRefunded: orderRefundedCents,
  method: orders.paymentMethod,
  ownNumber: sql<string | null>`(select ${orderDetails.poNumber} from ${orderDetails} where ${orderDetails.orderId} = ${orders._id})`,
}

type Beside = { orderTotal: number | null; orderRefunded: number; ownNumber: string | null; method: PaymentMethod }

const toListItem = <Row extends PurchaseRow & Beside>({ orderTotal, orderRefunded, ownNumber, method, ...row }: Row) => ({
  ...withState(row),
  ...(orderTotal !== null && { orderTotalCents: orderTotal, orderRefundedCents: orderRefunded }),
  ...(ownNumber !== null && { poNumber: ownNumber }),
  ...(method === 'bank_transfer' && { byTransfer: true as const }),
})

/** A line of an order that was just placed. */
export const toPurchase = (order: Order, { _id, productId, quantity, ...line }: OrderLine): Purchase =>
  withState({
    ...order,
    ...line,
    _id,
    toolId: productId,
    productQuantity: quantity,
    counters: {
      packed: line.packed,
      sent: line.sent,
      cancelled: line.cancelled,
      chargedCents: line.chargedCents,
      acceptedCents: line.refundedCents,
      isReleased: !line.inTotal,
    },
  })

/** A part of a list that is ordered by falling order number, then by position: at most `limit` lines, those after `after` where it is given. */
export type PurchaseBatch = { after?: { number: number; position: number } | undefined; limit: number }

const isAfter = ({ after }: PurchaseBatch): SQL | undefined =>
  after && sql`${orders.number} <= ${after.number} and (${orders.number} < ${after.number} or ${orderLines.position} > ${after.position})`

const listOrder = [desc(orders.number), asc(orderLines.position)] as const

/**
 * The purchases with this e-mail that the viewer may see. Orders of guests with the e-mail of an account are not the account's until it has
 * verified the e-mail: anybody can register it.
 */
export async function findPurchasesOfBuyer(
  db: Database,
  viewer: User,
  buyerEmail: string,
  page: PurchaseBatch,
): Promise<(PurchaseListItem & { position: number })[]> {
  const rows = await db
    .select(listColumns)
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .innerJoin(products, eq(products._id, orderLines.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders.buyerEmail, buyerEmail), isListedSql(viewer), isAfter(page)))
    .orderBy(...listOrder)
    .limit(page.limit)
  return rows.map(toListItem)
}

export const readAllPurchases = (db: Database, page: PurchaseBatch): Promise<(AdminPurchase & { position: number })[]> =>
  listAdminPurchases(db, { where: isAfter(page), orderBy: listOrder, limit: page.limit })

type AdminList = { where: SQL | undefined; orderBy: readonly SQL[]; limit: number; offset?: number }

export async function listAdminPurchases(
  db: Database,
  { where, orderBy, limit, offset = 0 }: AdminList,
): Promise<(AdminPurchase & { position: number })[]> {
  // Looked up for each line of the page: a join would sum up the refunds of all orders for every page.
  const back = sql<AdminPurchase['refunds']>`coalesce((select json_agg(json_build_object('amountCents', ${refundLines.amountCents}, 'at',
      to_char(${refunds.askedAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by ${refunds.askedAt})
    from ${refundLines} join ${refunds} on ${refunds._id} = ${refundLines.refundId}
    where ${refundLines.orderLineId} = ${orderLines._id} and ${refundLines.amountCents} > 0 and ${refunds.state} <> 'failed'), '[]')`
  const reasons = attentionReasons.map(
    (attention) => sql`case when ${attentionConditions[attention]} then ${sql.raw(`'${attention}'`)} end`,
  )
  // Apart from what each line shows, which PostgreSQL would look up for the lines before this page too.
  const shown = db
    .select({ _id: orderLines._id })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .innerJoin(products, eq(products._id, orderLines.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset)
  const rows = await db
    .select({
      ...listColumns,
      buyerId: orders.buyerId,
      phone_number: orders.phoneNumber,
      disputed: isDisputed,
      refunds: back,
      attention: sql<AttentionReason[]>`array_remove(array[${sql.join(reasons, sql`, `)}], null)`,
    })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .innerJoin(products, eq(products._id, orderLines.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(inArray(orderLines._id, shown))
    .orderBy(...orderBy)
  return rows.map(({ buyerId, ...row }) => toListItem({ ...row, guest: buyerId === null ? (true as const) : undefined }))
}

/** Whether the buyer's bank disputes the payment, or has decided against the store. */
export const isDisputed = sql<boolean>`coalesce(${payments.disputeStatus} not in ('won', 'warning_closed'), false)`

/** Finds a line by its own id, or by that of its order: the only line of that, or the first one. */
const lineIdOf = (id: string, ofOrder: 'only' | 'first') => sql`coalesce((select id from order_lines where id = ${id}),
  (select (array_agg(id order by position))[1] from order_lines where order_id = ${id}
    having count(*) = 1 or ${ofOrder === 'first'}))`

/**
 * One purchase, for its buyer or an admin, see `isVisibleSql`.
 * @param id of a line or of an order; `ofOrder`: which line the id of an order stands for, by default only that of an order of one line
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function findPurchase(
  db: Database,
  viewer: Viewer,
  id: string,
  { ofOrder = 'only' }: { ofOrder?: 'only' | 'first' } = {},
): Promise<PurchaseForViewer & { orderId: string }> {
  const isAdmin = viewer.role === 'admin'
  const [row] = await db
    .select({ ...columns, orderId: orders._id, ...(isAdmin && { disputed: isDisputed, phone_number: orders.phoneNumber }) })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orderLines._id, lineIdOf(id, ofOrder)), isVisibleSql(viewer)))
  if (!row) throw orderNotFoundError()
  return withState(row)
}
