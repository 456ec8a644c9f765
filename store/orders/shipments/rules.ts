import { createHash } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { isUniqueViolation } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import type { ErrorCode } from '#shared/error-codes.ts'
import { formatNumber } from '#shared/format-number.ts'
import type { User } from '#store/identity/contract.ts'
import { dueOnSql } from '#store/orders/on-account/due-on.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { findOrderIdOfLine } from '#store/orders/order-queries.ts'
import { appendEventOrComplete, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderHistory, orderLines, orders } from '#store/orders/table.ts'
import { carrierText } from './carriers.ts'
import type { SendOrderBody, Shipment } from './contract.ts'
import { findShipments } from './find-shipments.ts'
import { leftToSend } from './left-to-send.ts'
import { sendingBlock } from './sending-block.ts'
import { shipmentLines, shipments } from './table.ts'

type SentOrder = { shipment: Shipment; isNew: boolean }

/**
 * Writes down that pieces of an order have left the store, with the buyer's mail about it. An order of which nothing is left to send is completed.
 * @param id of the order, or of one of its lines
 * @param requestKey the admin's Idempotency-Key: the same request again is the same shipment
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such order or line; 400 a line is named twice; 409 it is not paid, has ended, is sent, held back or under review,
 *   or has fewer pieces left; 422 the key was used for something else
 */
export async function sendOrder(
  db: Database,
  admin: User,
  id: string,
  body: SendOrderBody,
  requestKey: string | undefined,
): Promise<SentOrder> {
  const orderId = await findOrderIdOfLine(db, id)
  const requestHash = createHash('sha256')
    .update(JSON.stringify({ orderId, ...body }))
    .digest('base64url')
  const request = requestKey === undefined ? undefined : { requestKey, requestHash }
  try {
    return await db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      const sentBefore = request && (await findByRequest(tx, admin, request))
      if (sentBefore) return { shipment: sentBefore, isNew: false }
      await assertSendable(tx, order)
      const packed = await findPieces(tx, orderId, body.lines)
      return { shipment: await insertShipment(tx, admin, orderId, { ...body, packed, request }), isNew: true }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw keyReusedError() // for another order, at this very moment
    throw error
  }
}

type Request = { requestKey: string; requestHash: string }

async function findByRequest(tx: Database, admin: User, { requestKey, requestHash }: Request): Promise<Shipment | undefined> {
  const [found] = await tx
    .select({ _id: shipments._id, orderId: shipments.orderId, hash: shipments.requestHash })
    .from(shipments)
    .where(and(eq(shipments.sentBy, admin.id), eq(shipments.requestKey, requestKey)))
  if (!found) return undefined
  if (found.hash !== requestHash) throw keyReusedError()
  return (await findShipments(tx, found.orderId)).find(({ _id }) => _id === found._id)
}

const keyReusedError = () =>
  new HttpError(422, 'This Idempotency-Key was used for another shipment', undefined, { code: 'idempotency_key_reused' })

/** @throws {HttpError} 409 the order cannot be sent now. The order is locked */
async function assertSendable(tx: Database, order: OrderRow): Promise<void> {
  assertToBeSent(order)
  const block = await sendingBlock(tx, order)
  if (block) throw refusal(block.text, block.code)
}

function assertToBeSent(order: OrderRow): void {
  const { orderStatus, fulfilmentStatus } = order
  if (orderStatus === 'open') throw refusal('This order is not paid, so nothing of it is sent', 'order_not_paid')
  if (orderStatus === 'placed') return
  const hasLeft = fulfilmentStatus === 'sent' || fulfilmentStatus === 'delivered'
  const why = orderStatus !== 'completed' ? `is ${orderStatus}` : hasLeft ? 'is sent already' : 'is refunded'
  throw refusal(
    `This order ${why}, so nothing of it is left to send`,
    orderStatus === 'completed' && hasLeft ? 'order_shipped' : 'order_not_open',
  )
}

const refusal = (message: string, code: ErrorCode, errors?: Record<string, string>) => new HttpError(409, message, errors, { code })

type PackedLine = { _id: string; productName: string; quantity: number }

/** The lines that are sent, in the order of the order. @throws {HttpError} where one is not of the order, is named twice, or has fewer pieces left */
async function findPieces(tx: Database, orderId: string, asked: SendOrderBody['lines']): Promise<PackedLine[]> {
  const lines = await tx
    .select({
      _id: orderLines._id,
      productName: orderLines.productName,
      quantity: orderLines.quantity,
      sent: orderLines.sent,
      left: leftToSend,
    })
    .from(orderLines)
    .innerJoin(orders, eq(orders._id, orderLines.orderId))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position))
  const quantities = new Map<string, number>()
  for (const [index, { _id, quantity }] of asked.entries()) {
    const line = lines.find((line) => line._id === _id)
    if (!line) throw new HttpError(404, 'There is no such line in this order')
    const field = `lines.${index}.quantity`
    if (quantities.has(_id)) throw new HttpError(400, 'This line is named twice', { [field]: 'This line is named twice' })
    if (quantity > line.left) throw moreThanLeftError(field, line)
    quantities.set(_id, quantity)
  }
  return lines.flatMap((line) => {
    const quantity = quantities.get(line._id)
    return quantity === undefined ? [] : [{ ...line, quantity }]
  })
}

function moreThanLeftError(field: string, line: PackedLine & { sent: number; left: number }): HttpError {
  const { quantity, sent, left } = line
  const gone = quantity - sent - left
  const why = [sent > 0 ? `${formatNumber(sent)} sent` : '', gone > 0 ? `${formatNumber(gone)} cancelled or refunded` : ''].filter(Boolean)
  const message = `${left === 0 ? 'Nothing' : `Only ${formatNumber(left)}`} of ${formatItem(line)} is left to send${why.length > 0 ? `: ${why.join(', ')}` : ''}`
  return refusal(message, 'more_than_left', { [field]: message })
}

type NewShipment = Pick<SendOrderBody, 'carrier' | 'trackingNumber'> & { packed: PackedLine[]; request: Request | undefined }

/** Triggers count the pieces on their lines, and keep the fulfilment status of the order. */
async function insertShipment(tx: Database, admin: User, orderId: string, { packed, request, ...sent }: NewShipment): Promise<Shipment> {
  const parcel = { carrier: sent.carrier ?? null, trackingNumber: sent.trackingNumber || null }
  const number = sql`(select coalesce(max(number), 0) + 1 from ${shipments} where ${shipments.orderId} = ${orderId})`
  const [row] = await tx
    .insert(shipments)
    .values({ orderId, number, dueOn: dueOnSql(orderId), ...parcel, sentBy: admin.id, ...request })
    .returning()
  if (!row) throw new Error('The new shipment was not returned')
  await tx.insert(shipmentLines).values(packed.map(({ _id, quantity }) => ({ shipmentId: row._id, orderLineId: _id, quantity })))
  await appendEventOrComplete(tx, orderId, {
    event: 'sent',
    doer: { actor: 'admin', userId: admin.id },
    note: carrierText(parcel) || null,
    items: joinItems(packed.map(formatItem)),
    mail: true,
  })
  const eventId = sql`(select max(id) from ${orderHistory} where ${orderHistory.orderId} = ${orderId})`
  await tx.update(shipments).set({ eventId }).where(eq(shipments._id, row._id))
  const inserted = (await findShipments(tx, orderId)).at(-1)
  if (!inserted) throw new Error('The new shipment was not found')
  return inserted
}

/**
 * Keeps a paid order from being sent, until it is released.
 * @throws {HttpError} 404 no such order; 409 it is not paid, has ended or is sent
 */
export const holdOrderBack = (db: Database, admin: User, id: string, reason: string): Promise<void> =>
  changeHoldBack(db, id, async (tx, order) => {
    assertToBeSent(order)
    if (order.heldBackReason === reason) return
    await tx.update(orders).set({ heldBackReason: reason }).where(eq(orders._id, order._id))
    await appendEvent(tx, order, { event: 'held back', doer: { actor: 'admin', userId: admin.id }, note: reason })
  })

/** @throws {HttpError} 404 no such order */
export const releaseOrder = (db: Database, admin: User, id: string): Promise<void> =>
  changeHoldBack(db, id, async (tx, order) => {
    if (order.heldBackReason === null) return
    await tx.update(orders).set({ heldBackReason: null }).where(eq(orders._id, order._id))
    await appendEvent(tx, order, { event: 'released', doer: { actor: 'admin', userId: admin.id } })
  })

async function changeHoldBack(db: Database, id: string, change: (tx: Database, order: OrderRow) => Promise<void>): Promise<void> {
  const orderId = await findOrderIdOfLine(db, id)
  await db.transaction(async (tx) => change(tx, await lockOrder(tx, orderId)))
}
