import { createHash } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { isUniqueViolation } from '#platform/database-errors.ts'
import { conflictError, HttpError } from '#platform/http-error.ts'
import type { ErrorCode } from '#shared/error-codes.ts'
import { formatNumber } from '#shared/format-number.ts'
import type { User } from '#store/identity/contract.ts'
import { dueOnSql } from '#store/orders/on-account/due-on.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent, lastEventOf } from '#store/orders/order-history.ts'
import { findOrderIdOfLine } from '#store/orders/order-queries.ts'
import { appendEventOrComplete, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderLines, orders } from '#store/orders/table.ts'
import { carrierText } from './carriers.ts'
import type { SendOrderBody, Shipment } from './contract.ts'
import { findShipmentById } from './find-shipments.ts'
import { leftToSend } from './left-to-send.ts'
import { sendingBlock } from './sending-block.ts'
import { assertWithinSendingLimit, notifyOwnersOfManyShipments, serializeLimitedSending } from './sending-limits.ts'
import { shipmentLines, shipments } from './table.ts'

type SentOrder = { shipment: Shipment; isNew: boolean }

/**
 * Writes down that pieces of an order have left the store, with the buyer's mail about it. An order of which nothing is left to send is completed.
 * @param id of the order, or of one of its lines
 * @param requestKey the admin's Idempotency-Key: the same request again is the same shipment
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such order or line; 400 a line is named twice; 409 it is not paid, has ended, is sent, held back or under review,
 *   or has fewer pieces left; 422 the key was used for something else;
 *   429 admins who are no owners have sent too many within an hour
 */
export async function sendOrder(
  db: Database,
  admin: User,
  id: string,
  body: SendOrderBody,
  requestKey: string | undefined,
): Promise<SentOrder> {
  const orderId = await findOrderIdOfLine(db, id)
  return sendOnce(db, admin, { orderId, requestKey, asked: { orderId, ...body } }, (tx, order, of) =>
    sendPieces(tx, admin, order, { ...body, ...of }),
  )
}

type AskedShipment = { orderId: string; requestKey: string | undefined; asked: object }

/**
 * Sends pieces of an order, which it locks, once for each Idempotency-Key.
 * @param asked what the key stands for
 * @throws {HttpError} 422 the key was used for something else
 */
export async function sendOnce(
  db: Database,
  admin: User,
  { orderId, requestKey, asked }: AskedShipment,
  send: (tx: Database, order: OrderRow, of: Pick<NewShipment, 'request' | 'isLimited'>) => Promise<Shipment>,
): Promise<SentOrder> {
  const requestHash = createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
  const request = requestKey === undefined ? undefined : { requestKey, requestHash }
  try {
    return await db.transaction(async (tx) => {
      const isLimited = await serializeLimitedSending(tx, admin)
      const order = await lockOrder(tx, orderId)
      const sentBefore = request && (await findByRequest(tx, admin, request))
      if (sentBefore) return { shipment: sentBefore, isNew: false }
      return { shipment: await send(tx, order, { request, isLimited }), isNew: true }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw keyReusedError() // for another order, at this very moment
    throw error
  }
}

type SentPieces = SendOrderBody & Pick<NewShipment, 'request' | 'isLimited'>

/**
 * The same of an order that the caller has locked.
 * @throws {HttpError} as `sendOrder`
 */
export async function sendPieces(
  tx: Database,
  admin: User,
  order: OrderRow,
  { isLimited, request, ...body }: SentPieces,
): Promise<Shipment> {
  assertToBeSent(order)
  await assertNotBlocked(tx, order)
  const packed = await findPieces(tx, order._id, body.lines)
  return insertShipment(tx, admin, order._id, { ...body, packed, request, isLimited })
}

type Request = { requestKey: string; requestHash: string }

async function findByRequest(tx: Database, admin: User, { requestKey, requestHash }: Request): Promise<Shipment | undefined> {
  const [found] = await tx
    .select({ _id: shipments._id, hash: shipments.requestHash })
    .from(shipments)
    .where(and(eq(shipments.sentBy, admin.id), eq(shipments.requestKey, requestKey)))
  if (!found) return undefined
  if (found.hash !== requestHash) throw keyReusedError()
  return findShipmentById(tx, found._id)
}

const keyReusedError = () =>
  new HttpError(422, 'This Idempotency-Key was used for another shipment', undefined, { code: 'idempotency_key_reused' })

/** @throws {HttpError} 409 nothing of the order is to be sent now. The order is locked */
export async function assertNotBlocked(tx: Database, order: OrderRow): Promise<void> {
  const block = await sendingBlock(tx, order)
  if (block) throw conflictError(block.text, block.code)
}

function assertToBeSent(order: OrderRow): void {
  const why = whyNothingIsSent(order)
  if (why) throw conflictError(why.text, why.code)
}

/** Why nothing of an order can be sent, whatever is left of its lines: undefined where it is to be sent. */
export function whyNothingIsSent({
  orderStatus,
  fulfilmentStatus,
}: Pick<OrderRow, 'orderStatus' | 'fulfilmentStatus'>): { text: string; code: ErrorCode } | undefined {
  if (orderStatus === 'open') return { text: 'This order is not paid, so nothing of it is sent', code: 'order_not_paid' }
  if (orderStatus === 'placed') return undefined
  const hasLeft = fulfilmentStatus === 'sent' || fulfilmentStatus === 'delivered'
  const why = orderStatus !== 'completed' ? `is ${orderStatus}` : hasLeft ? 'is sent already' : 'is refunded'
  const code = orderStatus === 'completed' && hasLeft ? 'order_shipped' : 'order_not_open'
  return { text: `This order ${why}, so nothing of it is left to send`, code }
}

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
  return conflictError(message, 'more_than_left', { [field]: message })
}

type NewShipment = Pick<SendOrderBody, 'carrier' | 'trackingNumber'> & {
  packed: PackedLine[]
  request?: Request | undefined
  /** whether the hourly limit is for this admin: see `serializeLimitedSending`, which comes before the lock */
  isLimited: boolean
  /** whose pieces go to the buyer again */
  of?: { _id: string; text: string }
}

/** Triggers count the pieces on their lines, and keep the fulfilment status of the order. */
export async function insertShipment(
  tx: Database,
  admin: User,
  orderId: string,
  { packed, request, isLimited, of, ...sent }: NewShipment,
): Promise<Shipment> {
  if (isLimited) await assertWithinSendingLimit(tx)
  const parcel = { carrier: sent.carrier ?? null, trackingNumber: sent.trackingNumber || null }
  const number = sql`(select coalesce(max(number), 0) + 1 from ${shipments} where ${shipments.orderId} = ${orderId})`
  const [row] = await tx
    .insert(shipments)
    .values({ orderId, number, dueOn: of ? null : dueOnSql(orderId), ...parcel, returnId: of?._id, sentBy: admin.id, ...request })
    .returning()
  if (!row) throw new Error('The new shipment was not returned')
  await tx.insert(shipmentLines).values(packed.map(({ _id, quantity }) => ({ shipmentId: row._id, orderLineId: _id, quantity })))
  await appendEventOrComplete(tx, orderId, {
    event: 'sent',
    doer: { actor: 'admin', userId: admin.id },
    note: [of?.text, carrierText(parcel)].filter(Boolean).join(', ') || null,
    items: joinItems(packed.map(formatItem)),
    mail: true,
  })
  await tx
    .update(shipments)
    .set({ eventId: lastEventOf(orderId) })
    .where(eq(shipments._id, row._id))
  if (isLimited) await notifyOwnersOfManyShipments(tx, admin)
  return findShipmentById(tx, row._id)
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
