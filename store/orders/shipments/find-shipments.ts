import { and, asc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { returns } from '#store/orders/returns/table.ts'
import { orderLines } from '#store/orders/table.ts'
import { trackingUrl } from './carriers.ts'
import type { Shipment } from './contract.ts'
import { shipmentLines, shipments } from './table.ts'

/** The shipments of an order that were not taken back, oldest first. Who may see the order is for the caller. */
export const findShipments = (db: Database, orderId: string): Promise<Shipment[]> =>
  findShipmentsWhere(db, and(eq(shipments.orderId, orderId), isNull(shipments.takenBackAt)))

/** Also one that was taken back. */
export async function findShipmentById(db: Database, id: string): Promise<Shipment> {
  const [found] = await findShipmentsWhere(db, eq(shipments._id, id))
  if (!found) throw new Error(`There is no shipment ${id}`)
  return found
}

async function findShipmentsWhere(db: Database, which: SQL | undefined): Promise<Shipment[]> {
  const found = await db
    .select({
      _id: shipments._id,
      number: shipments.number,
      carrier: shipments.carrier,
      trackingNumber: shipments.trackingNumber,
      sentAt: shipments.sentAt,
      deliveredOn: shipments.deliveredOn,
      deliveredSaidBy: shipments.deliveredSaidBy,
      returnNumber: returns.number,
      dueOn: shipments.dueOn,
    })
    .from(shipments)
    .leftJoin(returns, eq(returns._id, shipments.returnId))
    .where(which)
    .orderBy(asc(shipments.number))
  if (found.length === 0) return []
  const lines = await db
    .select({ shipmentId: shipmentLines.shipmentId, _id: shipmentLines.orderLineId, quantity: shipmentLines.quantity })
    .from(shipmentLines)
    .innerJoin(orderLines, eq(orderLines._id, shipmentLines.orderLineId))
    .where(
      inArray(
        shipmentLines.shipmentId,
        found.map(({ _id }) => _id),
      ),
    )
    .orderBy(asc(orderLines.position))
  return found.map(({ returnNumber, dueOn, ...shipment }) => ({
    ...shipment,
    ...(returnNumber !== null && { returnNumber }),
    ...(dueOn !== null && { dueOn }),
    trackingUrl: trackingUrl(shipment),
    lines: lines.filter(({ shipmentId }) => shipmentId === shipment._id).map(({ _id, quantity }) => ({ _id, quantity })),
  }))
}

/** The shipment that an event of the history is about: that it was sent, or that its tracking number was corrected. */
export async function findShipmentOfEvent(db: Database, eventId: number): Promise<Shipment | undefined> {
  const [found] = await findShipmentsWhere(db, or(eq(shipments.eventId, eventId), eq(shipments.trackingEventId, eventId)))
  return found
}
