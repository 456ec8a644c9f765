import { and, asc, eq, gt, inArray, not, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { products } from '#store/catalogue/table.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { paymentColumns } from '#store/orders/order-queries.ts'
import { countToResend } from '#store/orders/returns/list-returns.ts'
import { orderLines, orders, payments } from '#store/orders/table.ts'
import { hasLeftToSend, leftToSend } from './left-to-send.ts'
import { isBlockedSql, sendingBlockSql } from './sending-block.ts'
import { shipments } from './table.ts'
import type { LineToSend, ToSendPage, ToSendQuery } from './to-send-contract.ts'

export const isOfList = (list: ToSendQuery['list']): SQL => (list === 'ready' ? not(isBlockedSql) : isBlockedSql)

/** A page of the orders that are to be sent, or that are not to be sent now, oldest first. */
export async function listOrdersToSend(db: Database, { list, order, limit, cursor }: ToSendQuery): Promise<ToSendPage> {
  const found = await db
    .select({
      _id: orders._id,
      number: orders.number,
      placedAt: orders.placedAt,
      paidAt: paymentColumns.paidAt,
      buyerName: orders.buyerName,
      buyerEmail: orders.buyerEmail,
      buyerAddress: orders.buyerAddress,
      phoneNumber: orders.phoneNumber,
      recipient: sql<string>`coalesce(${orderDetails.name}, ${orders.buyerName})`,
      company: orderDetails.company,
      city: sql<string | null>`${orderDetails.deliverTo} ->> 'city'`,
      poNumber: orderDetails.poNumber,
      buyerReference: orderDetails.buyerReference,
      deliveryMethod: orderDetails.deliveryMethod,
      shipments: sql<number>`(select count(*) from ${shipments} where ${shipments.orderId} = ${orders._id} and ${shipments.takenBackAt} is null)::integer`,
      block: sendingBlockSql,
      heldBackReason: orders.heldBackReason,
    })
    .from(orders)
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))
    .where(
      and(
        hasLeftToSend,
        order ? inArray(orders._id, order) : isOfList(list),
        cursor === undefined ? undefined : gt(orders.number, Number(cursor)),
      ),
    )
    .orderBy(asc(orders.number))
    .limit((order ? order.length : limit) + 1) // one more to detect a next page
  const page = order ? found : found.slice(0, limit)
  const lines = await findLinesToSend(
    db,
    page.map(({ _id }) => _id),
  )
  return {
    orders: page.map((each) => ({ ...each, lines: lines.get(each._id) ?? [] })),
    next: found.length > page.length ? `${page.at(-1)?.number}` : null,
    counts: await countOrdersToSend(db),
  }
}

export async function countOrdersToSend(db: Database): Promise<ToSendPage['counts']> {
  const counted = db
    .select({ all: sql<number>`count(*)::integer`, blocked: sql<number>`(count(*) filter (where ${isBlockedSql}))::integer` })
    .from(orders)
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .where(hasLeftToSend)
  const [[{ all, blocked } = { all: 0, blocked: 0 }], returns] = await Promise.all([counted, countToResend(db)])
  return { ready: all - blocked, blocked, returns }
}

/** The lines with something left, by order and position. */
async function findLinesToSend(db: Database, orderIds: string[]): Promise<Map<string, LineToSend[]>> {
  if (orderIds.length === 0) return new Map()
  const found = await db
    .select({
      orderId: orderLines.orderId,
      _id: orderLines._id,
      productId: orderLines.toolId,
      productName: orderLines.productName,
      brand: orderLines.brand,
      mpn: orderLines.mpn,
      sku: sql<string | null>`coalesce(${orderLines.sku}, ${products.sku})`,
      gtin: products.gtin,
      partNumber: sql<
        string | null
      >`(select own ->> 'partNumber' from ${orderDetails}, jsonb_array_elements(${orderDetails.partNumbers}) as own
        where ${orderDetails.orderId} = ${orderLines.orderId} and own ->> 'productId' = ${orderLines.toolId}::text)`,
      quantity: orderLines.quantity,
      sent: orderLines.sent,
      toSend: leftToSend,
    })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .innerJoin(products, eq(products._id, orderLines.toolId))
    .where(and(inArray(orderLines.orderId, orderIds), sql`${leftToSend} > 0`))
    .orderBy(asc(orders.number), asc(orderLines.position))
  return Map.groupBy(found, ({ orderId }) => orderId) as Map<string, LineToSend[]>
}
