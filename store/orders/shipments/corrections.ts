import { and, eq, gte, isNull, ne, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { conflictError, HttpError } from '#platform/http-error.ts'
import type { AdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent, lastEventOf } from '#store/orders/order-history.ts'
import { findOrderIdOfLine } from '#store/orders/order-queries.ts'
import { returns } from '#store/orders/returns/table.ts'
import { changeOrderStatus, findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderHistory, refunds } from '#store/orders/table.ts'
import { carrierText, trackingNumberFault } from './carriers.ts'
import type { Shipment } from './contract.ts'
import { type ShipmentCorrection, takeBackHours } from './correction-contract.ts'
import { findShipmentById } from './find-shipments.ts'
import { shipments } from './table.ts'

type ShipmentRow = typeof shipments.$inferSelect

/** Each is a mail to a buyer. */
export const correctionLimit: AdminLimit = {
  key: 'corrections of shipments by admins',
  window: { max: 300, seconds: 3600 },
  what: 'Admins who are no owners have corrected or taken back 300 parcels within an hour, which is as many as they can together',
}

/** Of an order that the caller has locked. @throws {HttpError} 404 there is none; 409 it is taken back */
async function findCounted(tx: Database, order: OrderRow, id: string): Promise<ShipmentRow> {
  const [shipment] = await tx
    .select()
    .from(shipments)
    .where(and(eq(shipments._id, id), eq(shipments.orderId, order._id)))
  if (!shipment) throw new HttpError(404, 'There is no such parcel of this order')
  if (shipment.takenBackAt) throw conflictError(`Parcel ${shipment.number} is taken back already`, 'shipment_taken_back')
  return shipment
}

/**
 * Corrects carrier and tracking number of a parcel, with a mail to the buyer where they change. While the mail that it was sent is still to go,
 * that one says the new number, and there is no other.
 * @param id of the order, or of one of its lines
 * @throws {HttpError} 404 no such order or parcel; 400 a tracking number without a carrier; 409 the parcel was taken back
 */
export async function correctShipment(
  db: Database,
  admin: User,
  { id, shipment: shipmentId }: { id: string; shipment: string },
  correction: ShipmentCorrection,
): Promise<{ shipment: Shipment; isChanged: boolean }> {
  const orderId = await findOrderIdOfLine(db, id)
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const shipment = await findCounted(tx, order, shipmentId)
    const isChanged = await changeTracking(tx, admin, order, shipment, correction)
    return { shipment: await findShipmentById(tx, shipment._id), isChanged }
  })
}

/** @returns false: they are as they were. The order is locked */
export async function changeTracking(
  tx: Database,
  admin: User,
  order: OrderRow,
  shipment: ShipmentRow,
  { carrier = shipment.carrier, trackingNumber = shipment.trackingNumber }: ShipmentCorrection,
): Promise<boolean> {
  const now = { carrier, trackingNumber: trackingNumber || null }
  if (now.trackingNumber !== null && now.carrier === null) {
    const message = 'Say which carrier this tracking number is of'
    throw new HttpError(400, message, { carrier: message })
  }
  const fault = trackingNumberFault(now)
  if (fault) throw new HttpError(400, fault, { trackingNumber: fault })
  if (now.carrier === shipment.carrier && now.trackingNumber === shipment.trackingNumber) return false
  await tx.update(shipments).set(now).where(eq(shipments._id, shipment._id))
  const isToldBySent = await isMailDue(tx, shipment.eventId)
  await dropDueMail(tx, shipment.trackingEventId)
  await appendEvent(tx, order, {
    event: 'tracking changed',
    doer: { actor: 'admin', userId: admin.id },
    note: `${carrierText(now) || 'None'}, before: ${carrierText(shipment) || 'none'}`,
    items: `Parcel ${shipment.number}`,
    mail: !isToldBySent,
  })
  await tx
    .update(shipments)
    .set({ trackingEventId: lastEventOf(order._id) })
    .where(eq(shipments._id, shipment._id))
  return true
}

/**
 * Takes back a parcel that was marked as sent and was not: its pieces are to be sent again, and an order that it completed is placed. The buyer gets a
 * mail, unless none has said that it was sent.
 * @throws {HttpError} 404 no such order or parcel; 409 it is taken back, was sent too long ago, was delivered, or pieces or money of it came back
 */
export async function takeShipmentBack(
  db: Database,
  admin: User,
  { id, shipment: shipmentId }: { id: string; shipment: string },
): Promise<Shipment> {
  const orderId = await findOrderIdOfLine(db, id)
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const shipment = await findCounted(tx, order, shipmentId)
    await assertCanBeTakenBack(tx, order, shipment)
    await tx.update(shipments).set({ takenBackAt: sql`now()` }).where(eq(shipments._id, shipment._id)) // a trigger takes its pieces off the lines
    const wasTold = !(await dropDueMail(tx, shipment.eventId))
    await dropDueMail(tx, shipment.trackingEventId)
    const taken = await findShipmentById(tx, shipment._id)
    const names = new Map((await findOrderLines(tx, orderId)).map(({ _id, productName }) => [_id, productName]))
    const event = {
      event: 'taken back',
      doer: { actor: 'admin', userId: admin.id },
      note: `Parcel ${shipment.number}`,
      items: joinItems(taken.lines.map(({ _id, quantity }) => formatItem({ quantity, productName: names.get(_id) ?? '' }))),
      mail: wasTold,
    } as const
    const changed = await lockOrder(tx, orderId) // its fulfilment status has followed its lines
    if (changed.orderStatus === 'completed') await changeOrderStatus(tx, changed, 'placed', event)
    else await appendEvent(tx, changed, event)
    return taken
  })
}

async function assertCanBeTakenBack(
  tx: Database,
  order: OrderRow,
  { number, sentAt, returnId, deliveredOn, dueOn }: ShipmentRow,
): Promise<void> {
  if (dueOn) throw conflictError(`Its invoice is issued: parcel ${number} cannot be taken back, only credited`, 'order_shipped')
  if (returnId) throw conflictError(`Parcel ${number} belongs to a return: it cannot be taken back`, 'order_shipped')
  if (Date.now() - new Date(sentAt).getTime() > takeBackHours * 3_600_000)
    throw conflictError(
      `Parcel ${number} was sent more than ${takeBackHours} hours ago: it cannot be taken back, only refunded`,
      'order_shipped',
    )
  if (deliveredOn !== null) throw conflictError(`Parcel ${number} was delivered: it cannot be taken back, only refunded`, 'order_shipped')
  const asked = and(eq(returns.orderId, order._id), ne(returns.status, 'taken back'))
  if ((await tx.$count(returns, asked)) > 0)
    throw conflictError('The buyer returns pieces of this order, so they were sent: refund them', 'order_shipped')
  const since = and(eq(refunds.orderId, order._id), ne(refunds.state, 'failed'), gte(refunds.askedAt, sql`${sentAt}::timestamptz`))
  if (!order.isPaid || (await tx.$count(refunds, since)) > 0)
    throw conflictError(`Money of this order went back since parcel ${number} was sent, so it cannot be taken back`, 'refunds_changed')
}

const isUnsentMail = (eventId: number) =>
  and(eq(orderHistory._id, eventId), isNull(orderHistory.mailedAt), sql`${orderHistory.mailDueAt} is not null`)

const isMailDue = async (tx: Database, eventId: number | null): Promise<boolean> =>
  eventId !== null && (await tx.$count(orderHistory, isUnsentMail(eventId))) > 0

/** @returns whether the mail about the event was still to go, and does not any more. One that goes at this moment has gone */
async function dropDueMail(tx: Database, eventId: number | null): Promise<boolean> {
  if (eventId === null) return false
  const dropped = await tx.update(orderHistory).set({ mailDueAt: null }).where(isUnsentMail(eventId))
  return Boolean(dropped.rowCount)
}
