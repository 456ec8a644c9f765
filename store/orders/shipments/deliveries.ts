import { and, asc, eq, isNull, lt, not, or, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { instantSql } from '#platform/instant-sql.ts'
import { formatDay } from '#shared/format-day.ts'
import { endOfShopDay, shopDay } from '#shared/shop-day.ts'
import { addDays } from '#store/delivery/delivery-days.ts'
import { findDeliverySettings } from '#store/delivery/rules.ts'
import { isVisibleSql, type Viewer } from '#store/orders/buyer.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent, type EventActor } from '#store/orders/order-history.ts'
import { findOrderIdOfLine, orderNotFoundError } from '#store/orders/order-queries.ts'
import { lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderLines, orders } from '#store/orders/table.ts'
import { findShopCountry } from '#store/tax/rules.ts'
import type { DeliverySource } from './carriers.ts'
import type { Shipment } from './contract.ts'
import { findShipments } from './find-shipments.ts'
import { shipmentLines, shipments } from './table.ts'

/**
 * Writes down on which day a parcel was delivered. A trigger keeps the fulfilment status of its order: with the last parcel it is delivered, if
 * nothing is left to send.
 * @param id of the order, or of one of its lines
 * @param deliveredOn a day in the shop's time zone
 * @throws {HttpError} 404 no such order or parcel; 400 a day before it was sent or after today; 409 it was said before, and the viewer is no admin
 */
export async function recordDelivery(
  db: Database,
  viewer: Viewer,
  { id, shipment: shipmentId }: { id: string; shipment: string },
  deliveredOn = shopDay(new Date()),
): Promise<Shipment> {
  const orderId = await findOrderIdOfLine(db, id)
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if ((await tx.$count(orders, and(eq(orders._id, orderId), isVisibleSql(viewer)))) === 0) throw orderNotFoundError()
    const shipment = (await findShipments(tx, orderId)).find(({ _id }) => _id === shipmentId)
    if (!shipment) throw new HttpError(404, 'There is no such parcel of this order')
    assertDayOfDelivery(shipment, deliveredOn)
    const isSaid = shipment.deliveredOn === deliveredOn && shipment.deliveredSaidBy !== 'assumed'
    if (isSaid) return shipment
    const isAdmin = viewer.role === 'admin'
    if (!isAdmin && shipment.deliveredOn !== null) throw deliveryKnownError(shipment.deliveredOn)
    const saidBy = isAdmin ? 'admin' : 'buyer'
    await setDelivered(tx, order, shipment, {
      deliveredOn,
      saidBy,
      doer: { actor: saidBy, userId: viewer.role === 'guest' ? null : viewer.id },
    })
    return { ...shipment, deliveredOn, deliveredSaidBy: saidBy }
  })
}

function assertDayOfDelivery({ sentAt }: Shipment, deliveredOn: string): void {
  const [sentOn, today] = [shopDay(new Date(sentAt)), shopDay(new Date())]
  if (deliveredOn >= sentOn && deliveredOn <= today) return
  const message =
    deliveredOn < sentOn
      ? `It was sent on ${formatDay(sentOn)}: enter that day or a later one`
      : `Enter today, ${formatDay(today)}, or an earlier day`
  throw new HttpError(400, message, { deliveredOn: message })
}

const deliveryKnownError = (day: string) =>
  new HttpError(409, `This parcel is written down as delivered on ${formatDay(day)}. Is that wrong? Write to us`, undefined, {
    code: 'delivery_known',
  })

type Delivery = { deliveredOn: string; saidBy: DeliverySource; doer: EventActor }

async function setDelivered(
  tx: Database,
  order: OrderRow,
  { _id, number }: Pick<Shipment, '_id' | 'number'>,
  { deliveredOn, saidBy, doer }: Delivery,
): Promise<void> {
  await tx.update(shipments).set({ deliveredOn, deliveredSaidBy: saidBy }).where(eq(shipments._id, _id))
  const lines = await tx
    .select({ productName: orderLines.productName, quantity: shipmentLines.quantity })
    .from(shipmentLines)
    .innerJoin(orderLines, eq(orderLines._id, shipmentLines.orderLineId))
    .where(eq(shipmentLines.shipmentId, _id))
    .orderBy(asc(orderLines.position))
  await appendEvent(tx, order, {
    event: 'delivered',
    doer,
    note: `Parcel ${number}, ${formatDay(deliveredOn)}`,
    items: joinItems(lines.map(formatItem)),
  })
}

/** @returns the day on which a parcel to this country is taken as delivered; null is the shop's */
export async function findAssumedDays(db: Database): Promise<(parcel: { sentAt: string; country: string | null }) => string> {
  const [settings, shopCountry] = [await findDeliverySettings(db), await findShopCountry(db)]
  return ({ sentAt, country }) => {
    const isAbroad = country !== null && country !== shopCountry
    return addDays(shopDay(new Date(sentAt)), isAbroad ? settings.assumedDeliveryDaysAbroad : settings.assumedDeliveryDays)
  }
}

/** How many parcels one run takes. */
const maxAssumed = 200

/**
 * Takes parcels as delivered that were sent so many days ago as the settings say, and of which nobody has said it. An order that names no country,
 * which only calls without a checkout place, is taken to go to the shop's.
 * @returns how many
 */
export async function assumeDeliveries(db: Database): Promise<number> {
  const [settings, shopCountry] = [await findDeliverySettings(db), await findShopCountry(db)]
  const today = shopDay(new Date())
  const wasSentBy = (days: number) => lt(shipments.sentAt, instantSql(endOfShopDay(addDays(today, -days))))
  const isAbroad = sql<boolean>`(${orders.country} <> ${shopCountry}) is true`
  const due = await db
    .select({ _id: shipments._id, orderId: shipments.orderId, number: shipments.number, sentAt: shipments.sentAt, isAbroad })
    .from(shipments)
    .innerJoin(orders, eq(orders._id, shipments.orderId))
    .where(
      and(
        isNull(shipments.deliveredOn),
        isNull(shipments.takenBackAt),
        or(and(isAbroad, wasSentBy(settings.assumedDeliveryDaysAbroad)), and(not(isAbroad), wasSentBy(settings.assumedDeliveryDays))),
      ),
    )
    .orderBy(asc(shipments.sentAt))
    .limit(maxAssumed)
  for (const { orderId, sentAt, isAbroad, ...shipment } of due)
    await db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      const isOnItsWay = and(eq(shipments._id, shipment._id), isNull(shipments.deliveredOn))
      if ((await tx.$count(shipments, isOnItsWay)) === 0) return
      const days = isAbroad ? settings.assumedDeliveryDaysAbroad : settings.assumedDeliveryDays
      const deliveredOn = addDays(shopDay(new Date(sentAt)), days)
      await setDelivered(tx, order, shipment, { deliveredOn, saidBy: 'assumed', doer: { actor: 'store' } })
    })
  return due.length
}
