import { eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { Order } from '#store/orders/order-contract.ts'
import type { EventActor } from '#store/orders/order-history.ts'
import {
  applyRefundToLines,
  formatRefundedItems,
  insertRefund,
  type NewRefundLine,
  type RefundRow,
} from '#store/orders/payments/refund-lines.ts'
import { appendEventOrComplete, changeOrderStatus, findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderLines, refundLines, refunds } from '#store/orders/table.ts'
import { planPaybacks } from './paybacks.ts'

/** What of an order on account is given back, and why. */
export type Credit = { lines: NewRefundLine[]; endsAs: RefundRow['endsAs']; reason: string | undefined; doer: EventActor }

/**
 * Credits an order on account that the caller has locked: it owes less by it at once, and no money moves. What its parcels were invoiced for gets a
 * credit note; what was not sent is never invoiced. Money that was paid beyond what the order now costs is to be transferred back.
 * @param order as it is now, with what is left to send
 * @returns the refund of no payment that it is
 */
export async function creditOrder(
  tx: Database,
  row: OrderRow,
  order: Pick<Order, 'lines'>,
  { lines, endsAs, reason, doer }: Credit,
): Promise<RefundRow> {
  const credited = await splitByInvoice(tx, row, order, lines)
  const amountCents = credited.reduce((sum, line) => sum + line.amountCents, 0)
  const refund = await insertRefund(
    tx,
    { orderId: row._id, amountCents, endsAs, state: 'succeeded', note: reason, ...userOf(doer) },
    credited,
  )
  const changed = await lockOrder(tx, row._id) // its payment status has followed
  const isAll = changed.paymentStatus === 'refunded' || (await creditedCents(tx, row._id)) === row.totalCents
  const ends = isAll && changed.orderStatus === 'placed'
  await applyRefundToLines(tx, changed, refund._id, { orderGoesOn: !ends, doer })
  await planPaybacks(tx, row._id, doer)
  const items = amountCents === row.totalCents ? undefined : await formatRefundedItems(tx, refund._id)
  const event = { doer, note: reason ?? null, amountCents: amountCents || undefined, ...(items !== undefined && { items }), mail: true }
  const keepsPieces = (await findOrderLines(tx, row._id)).some(({ quantity, restocked }) => restocked < quantity)
  const partEvent = endsAs === 'cancelled' ? 'line cancelled' : 'partly refunded'
  if (!ends) await appendEventOrComplete(tx, row._id, { event: isAll ? 'refunded' : partEvent, ...event })
  else if (endsAs === 'cancelled' && changed.fulfilmentStatus === 'to_send' && !keepsPieces)
    await changeOrderStatus(tx, changed, 'cancelled', { event: 'cancelled', ...event })
  else await changeOrderStatus(tx, changed, 'completed', { event: 'refunded', ...event })
  return refund
}

const userOf = ({ actor, userId }: EventActor) => ({ actor, userId: userId ?? null })

const creditedCents = async (tx: Database, orderId: string): Promise<number> => {
  const { rows } = await tx.execute<{ cents: string }>(sql`select credited_cents_of(${orderId}::uuid) as cents`)
  return Number(rows[0]?.cents ?? 0)
}

type Invoiced = { invoicedCents: number; creditedCents: number; notInvoicedCents: number }

/**
 * What of each line of a credit was invoiced with a parcel and what will not be, see `not_invoiced_cents`. Pieces that were not sent come first, of
 * money for no pieces what was invoiced. With the last pieces that were to be sent goes what their line has left to invoice: shares are rounded.
 */
async function splitByInvoice(
  tx: Database,
  row: OrderRow,
  { lines }: Pick<Order, 'lines'>,
  planned: NewRefundLine[],
): Promise<NewRefundLine[]> {
  const split: NewRefundLine[] = []
  for (const each of planned) {
    const line = lines.find(({ _id }) => _id === each.orderLineId)
    const of = line ? await readInvoiced(tx, line._id) : await readInvoicedDelivery(tx, row._id)
    const chargedCents = line ? line.chargedCents : await chargedDelivery(tx, row)
    const toInvoiceCents = chargedCents - of.invoicedCents - of.notInvoicedCents
    const pieces = each.pieces ?? 0
    const cancelled = pieces - (each.returned ?? 0)
    const unsent = Math.min(cancelled, line?.toSend ?? 0)
    const isClosing = line !== undefined && cancelled > 0 && pieces === line.toSend
    const amountCents = isClosing && Math.abs(each.amountCents - toInvoiceCents) <= pieces ? toInvoiceCents : each.amountCents
    const wanted = line === undefined ? toInvoiceCents : pieces > 0 ? Math.round((amountCents * unsent) / pieces) : 0
    const least = amountCents - (of.invoicedCents - of.creditedCents)
    const notInvoicedCents = Math.max(0, Math.min(Math.max(wanted, least), toInvoiceCents, amountCents))
    split.push({ ...each, amountCents, notInvoicedCents })
  }
  return split.filter(({ amountCents, restock = 0, pieces = 0 }) => amountCents > 0 || restock > 0 || pieces > 0)
}

async function readInvoiced(tx: Database, lineId: string): Promise<Invoiced> {
  const [found] = await tx
    .select({
      invoicedCents: sql<number>`(select coalesce(sum(charged_cents), 0) from shipment_lines where order_line_id = ${orderLines._id})::integer`,
      ...creditedColumns,
    })
    .from(orderLines)
    .leftJoin(refundLines, eq(refundLines.orderLineId, orderLines._id))
    .leftJoin(refunds, eq(refunds._id, refundLines.refundId))
    .where(eq(orderLines._id, lineId))
    .groupBy(orderLines._id)
  return found ?? nothingInvoiced
}

async function readInvoicedDelivery(tx: Database, orderId: string): Promise<Invoiced> {
  const { rows } = await tx.execute<{ cents: number }>(
    sql`select coalesce(sum(delivery_cents), 0)::integer as cents from shipments where order_id = ${orderId}`,
  )
  const [credited] = await tx
    .select(creditedColumns)
    .from(refundLines)
    .innerJoin(refunds, eq(refunds._id, refundLines.refundId))
    .where(sql`${refunds.orderId} = ${orderId} and ${refunds.paymentId} is null and ${refundLines.orderLineId} is null`)
  return { ...nothingInvoiced, ...credited, invoicedCents: rows[0]?.cents ?? 0 }
}

const nothingInvoiced: Invoiced = { invoicedCents: 0, creditedCents: 0, notInvoicedCents: 0 }

/** `creditedCents`: of what was invoiced. */
const creditedColumns = {
  creditedCents: sql<number>`coalesce(sum(${refundLines.amountCents} - ${refundLines.notInvoicedCents}) filter (where ${refunds.state} <> 'failed'), 0)::integer`,
  notInvoicedCents: sql<number>`coalesce(sum(${refundLines.notInvoicedCents}) filter (where ${refunds.state} <> 'failed'), 0)::integer`,
}

async function chargedDelivery(tx: Database, row: OrderRow): Promise<number> {
  const lines = await findOrderLines(tx, row._id)
  return lines.reduce((rest, { isReleased, chargedCents }) => rest - (isReleased ? 0 : chargedCents), row.totalCents)
}
