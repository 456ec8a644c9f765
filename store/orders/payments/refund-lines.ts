import { and, asc, eq, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { formatCents } from '#shared/money.ts'
import { isWrittenOff } from '#store/orders/line-refunds.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import type { EventActor } from '#store/orders/order-history.ts'
import { splitAmountOverLines } from '#store/orders/order-totals.ts'
import { returnDecisions } from '#store/orders/returns/table.ts'
import { findOrderLines, type LineRow, type OrderRow, restockLines } from '#store/orders/rules.ts'
import { orderLines, refundLines, refunds } from '#store/orders/table.ts'

export type RefundRow = typeof refunds.$inferSelect
/** What of a refund is for one line; without `orderLineId`, for the delivery or for neither. */
export type NewRefundLine = Omit<typeof refundLines.$inferInsert, 'refundId'>
type NewRefund = PgInsertValue<typeof refunds>

/** Writes a refund and its lines, which add up to it. */
export async function insertRefund(tx: Database, refund: NewRefund, lines: NewRefundLine[]): Promise<RefundRow> {
  const [row] = await tx.insert(refunds).values(refund).returning()
  if (!row) throw new Error('The new refund was not returned')
  await tx.insert(refundLines).values(lines.map((line) => ({ ...line, refundId: row._id })))
  return row
}

/**
 * Shares a refund out to lines by what is left of the money of each. What is beyond them is for the delivery, and beyond that for neither.
 * @param deliveryLeftCents what is left of the money of the delivery
 */
export function shareOutRefund(lines: LineRow[], deliveryLeftCents: number, amountCents: number): NewRefundLine[] {
  const left = lines.map((line) => (line.isReleased ? 0 : line.chargedCents - line.refundedCents))
  const ofLines = Math.min(
    amountCents,
    left.reduce((sum, cents) => sum + cents, 0),
  )
  const shares = splitAmountOverLines(ofLines, left)
  const shared = lines.map((line, index) => ({ orderLineId: line._id, amountCents: shares[index] ?? 0 }))
  return [...shared.filter((line) => line.amountCents > 0), ...refundOfNoLine(amountCents - ofLines, deliveryLeftCents)]
}

/** What of a refund is for no line: for the delivery as far as something is left of that. */
export function refundOfNoLine(amountCents: number, deliveryLeftCents: number): NewRefundLine[] {
  const ofDelivery = Math.min(amountCents, deliveryLeftCents)
  return [
    { orderLineId: null, isDelivery: true, amountCents: ofDelivery },
    { orderLineId: null, amountCents: amountCents - ofDelivery },
  ].filter((line) => line.amountCents > 0)
}

/**
 * Counts a refund on the lines of its order, which the caller has locked, once the provider has accepted it: its money, the pieces that go
 * back into stock and, where the order goes on without them, those that are not sent any more.
 */
export async function applyRefundToLines(
  tx: Database,
  order: OrderRow,
  refundId: string,
  { orderGoesOn, doer }: { orderGoesOn: boolean; doer: EventActor },
): Promise<void> {
  const lines = new Map((await findOrderLines(tx, order._id)).map((line) => [line._id, line]))
  const accepted = (await readRefundLines(tx, refundId)).flatMap((of) => {
    const line = of.orderLineId === null ? undefined : lines.get(of.orderLineId)
    return line ? [{ of, line }] : []
  })
  for (const { of, line } of accepted) {
    const cancelled = orderGoesOn ? Math.min(of.pieces - of.returned, line.quantity - line.packed - line.cancelled) : 0
    await tx
      .update(orderLines)
      .set({ refundedCents: line.refundedCents + of.amountCents, cancelled: line.cancelled + cancelled })
      .where(eq(orderLines._id, line._id))
  }
  const writtenOff = await findWrittenOff(tx, order)
  const restocks = accepted.map(({ of, line }) => {
    const left = line.quantity + line.replaced - line.restocked - (writtenOff.get(line._id) ?? 0)
    return { line, pieces: Math.max(0, Math.min(of.restock, left)) }
  })
  await restockLines(tx, restocks, 'restock', doer)
}

/** Pieces by line: see `isWrittenOff`. */
async function findWrittenOff(tx: Database, { _id }: OrderRow): Promise<Map<string, number>> {
  const found = await tx
    .select({ _id: returnDecisions.orderLineId, pieces: sql<number>`sum(${returnDecisions.quantity})::integer` })
    .from(returnDecisions)
    .innerJoin(orderLines, eq(orderLines._id, returnDecisions.orderLineId))
    .where(and(eq(orderLines.orderId, _id), isWrittenOff))
    .groupBy(returnDecisions.orderLineId)
  return new Map(found.map(({ _id, pieces }) => [_id, pieces]))
}

/** Takes the money of a refund that failed off the lines again. */
export async function removeRefundFromLines(tx: Database, refundId: string): Promise<void> {
  for (const { orderLineId, amountCents } of await readRefundLines(tx, refundId))
    if (orderLineId)
      await tx
        .update(orderLines)
        .set({ refundedCents: sql`${orderLines.refundedCents} - ${amountCents}` })
        .where(eq(orderLines._id, orderLineId))
}

/**
 * What a refund is for: "2 x Drill", "Drill" where it is for no pieces, "Delivery"; of several, each with its amount: "2 x Drill ($20), Delivery ($5)".
 * @returns undefined for a refund of neither lines nor delivery
 */
export async function formatRefundedItems(tx: Database, refundId: string): Promise<string | undefined> {
  const lines = await tx
    .select({
      productName: orderLines.productName,
      quantity: refundLines.pieces,
      isDelivery: refundLines.isDelivery,
      amountCents: refundLines.amountCents,
    })
    .from(refundLines)
    .leftJoin(orderLines, eq(orderLines._id, refundLines.orderLineId))
    .where(eq(refundLines.refundId, refundId))
    .orderBy(asc(orderLines.position))
  const items = lines.flatMap(({ productName, quantity, isDelivery, amountCents }) => {
    if (productName === null && !isDelivery) return []
    const item = productName === null ? 'Delivery' : quantity > 0 ? formatItem({ quantity, productName }) : productName
    return [lines.length > 1 && amountCents > 0 ? `${item} (${formatCents(amountCents)})` : item]
  })
  return items.length > 0 ? joinItems(items) : undefined
}

const readRefundLines = (tx: Database, refundId: string) => tx.select().from(refundLines).where(eq(refundLines.refundId, refundId))
