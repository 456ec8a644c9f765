import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { lockOrder } from '#store/orders/rules.ts'
import { orderLines, orders, payments } from '#store/orders/table.ts'
import type { TrackingFile, TrackingReport, TrackingRow } from './carrier-files-contract.ts'
import { trackingActions } from './carrier-files-contract.ts'
import { changeTracking, correctionLimit } from './corrections.ts'
import { hasLeftToSend, leftToSend } from './left-to-send.ts'
import { sendPieces, whyNothingIsSent } from './rules.ts'
import { blockText, sendingBlockSql } from './sending-block.ts'
import { serializeLimitedSending } from './sending-limits.ts'
import { shipments } from './table.ts'
import { readTrackingFile, type TypedTracking } from './tracking-file.ts'
import { type OrderToTrack, orderNumberOf, type PlannedRow, planRows } from './tracking-plan.ts'

/**
 * Takes over a carrier's file of tracking numbers, or says what would become of it. Each row is done in a transaction of its own, in which it is decided
 * anew: what was sent, held back or filled meanwhile is not done, and the same file again does nothing.
 * @throws {HttpError} 400 the file cannot be read
 */
export async function importTrackingNumbers(db: Database, admin: User, { file, carrier, run }: TrackingFile): Promise<TrackingReport> {
  const typed = readTrackingFile(file)
  const planned = planRows(typed, await findOrdersOf(db, typed), carrier)
  const rows: TrackingRow[] = []
  for (const [nth, row] of planned.entries()) {
    const of = typed[nth]
    rows.push(toRow(run && of && isAct(row) ? await takeOver(db, admin, { row, typed: of, carrier }) : row))
  }
  const counts = Object.fromEntries(
    trackingActions.map((action) => [action, rows.filter((row) => row.action === action).length]),
  ) as TrackingReport['counts']
  return { rows, counts, done: run }
}

const isAct = ({ action }: PlannedRow) => action === 'fill' || action === 'send'
const toRow = ({ orderId: _, shipmentId: __, ...row }: PlannedRow): TrackingRow => row

type RowToDo = { row: PlannedRow; typed: TypedTracking; carrier: TrackingFile['carrier'] }

/** @returns the row as it was done; refused where it could not be */
async function takeOver(db: Database, admin: User, { row, typed, carrier }: RowToDo): Promise<PlannedRow> {
  try {
    return await db.transaction(async (tx) => {
      const isLimited = await serializeLimitedSending(tx, admin)
      const order = await lockOrder(tx, row.orderId ?? '')
      const [now] = planRows([typed], await findOrdersOf(tx, [typed]), carrier)
      if (!now || !isAct(now)) return now ?? row
      const parcel = { carrier: now.carrier ?? undefined, trackingNumber: now.trackingNumber }
      if (now.action === 'send') {
        const lines = await findLinesLeft(tx, order._id)
        await sendPieces(tx, admin, order, { ...parcel, lines, isLimited })
        return { ...now, text: 'Sent with this number' }
      }
      const [shipment] = await tx
        .select()
        .from(shipments)
        .where(eq(shipments._id, now.shipmentId ?? ''))
      if (!shipment) throw new Error(`The parcel of order ${order.number} went away while it was locked`)
      if (isLimited) await enforceAdminLimit(tx, admin, correctionLimit)
      await changeTracking(tx, admin, order, shipment, parcel)
      return { ...now, text: `Parcel ${shipment.number} has this number now` }
    })
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { ...row, action: 'refused', text: error.message }
  }
}

const findLinesLeft = (tx: Database, orderId: string) =>
  tx
    .select({ _id: orderLines._id, quantity: leftToSend })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .where(sql`${orderLines.orderId} = ${orderId} and ${leftToSend} > 0`)

/** The orders that these rows name, by number. */
async function findOrdersOf(db: Database, rows: TypedTracking[]): Promise<Map<number, OrderToTrack>> {
  const numbers = [...new Set(rows.map(({ order }) => orderNumberOf(order)).filter((number) => number !== undefined))]
  if (numbers.length === 0) return new Map()
  const found = await db
    .select({
      order: orders,
      block: sendingBlockSql,
      hasLeft: sql<boolean>`${hasLeftToSend}`,
      carrier: sql<string | null>`${orderDetails.deliveryMethod} ->> 'carrier'`,
    })
    .from(orders)
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .leftJoin(orderDetails, eq(orderDetails.orderId, orders._id))
    .where(sql`${orders.number} = any(${sql.param(numbers)}::integer[])`)
  const ids = found.map(({ order }) => order._id)
  const parcels = await db
    .select({
      orderId: shipments.orderId,
      _id: shipments._id,
      number: shipments.number,
      carrier: shipments.carrier,
      trackingNumber: shipments.trackingNumber,
    })
    .from(shipments)
    .where(and(inArray(shipments.orderId, ids), isNull(shipments.takenBackAt), isNull(shipments.returnId)))
    .orderBy(shipments.number)
  const byOrder = Map.groupBy(parcels, ({ orderId }) => orderId)
  return new Map(
    found.map(({ order, block, hasLeft, carrier }) => [
      order.number,
      {
        _id: order._id,
        whyNot:
          blockText(block, order)?.text ?? whyNothingIsSent(order)?.text ?? (hasLeft ? null : 'Nothing of this order is left to send'),
        carrier,
        shipments: byOrder.get(order._id) ?? [],
      },
    ]),
  )
}
