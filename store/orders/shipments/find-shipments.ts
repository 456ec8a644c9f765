import { asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { orderLines } from '#store/orders/table.ts'
import { trackingUrl } from './carriers.ts'
import type { Shipment } from './contract.ts'
import { shipmentLines, shipments } from './table.ts'

/** The shipments of an order, oldest first. Who may see the order is for the caller. */
export async function findShipments(db: Database, orderId: string): Promise<Shipment[]> {
  const found = await db
    .select({
      _id: shipments._id,
      number: shipments.number,
      carrier: shipments.carrier,
      trackingNumber: shipments.trackingNumber,
      sentAt: shipments.sentAt,
      dueOn: shipments.dueOn,
    })
    .from(shipments)
    .where(eq(shipments.orderId, orderId))
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
  return found.map(({ dueOn, ...shipment }) => ({
    ...shipment,
    ...(dueOn !== null && { dueOn }),
    trackingUrl: trackingUrl(shipment),
    lines: lines.filter(({ shipmentId }) => shipmentId === shipment._id).map(({ _id, quantity }) => ({ _id, quantity })),
  }))
}

/** The shipment that an event of the history of this order is about. */
export async function findShipmentOfEvent(db: Database, orderId: string, eventId: number): Promise<Shipment | undefined> {
  const [found] = await db.select({ _id: shipments._id }).from(shipments).where(eq(shipments.eventId, eventId))
  return found && (await findShipments(db, orderId)).find(({ _id }) => _id === found._id)
}
