import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import type { Order } from '#store/orders/order-contract.ts'
import type { Shipment } from '#store/orders/shipments/contract.ts'
import { createProducts, payOrder, placeLines, showOrder } from './many-lines-actions.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

/* What people do in tests about sending. */

/** A paid order of 3 drills and 2 saws. */
export async function placePaidLines(store: Store): Promise<Order> {
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
  await payOrder(store, order)
  return order
}

/** How many pieces of each line, in the order of the lines; of all that are left to send where it is not said. */
export async function askToSend(
  store: Store,
  orderId: string,
  {
    pieces,
    actor = store.admin,
    headers = {},
    ...more
  }: { pieces?: number[]; actor?: Actor; headers?: Record<string, string> } & Record<string, unknown> = {},
): Promise<ApiResponse> {
  const { lines } = await showOrder(store.admin, orderId)
  const asked = lines.map(({ _id, toSend }, index) => ({ _id, quantity: pieces ? (pieces[index] ?? 0) : toSend }))
  const body = { lines: asked.filter(({ quantity }) => quantity > 0), ...more }
  return actor.request('POST', `/orders/${orderId}/shipments`, body, headers)
}

export async function sendPieces(store: Store, { _id }: Pick<Order, '_id'>, ...pieces: number[]): Promise<Shipment> {
  const sent = await askToSend(store, _id, pieces.length > 0 ? { pieces } : {})
  assert.equal(sent.statusCode, 201, sent.body)
  return sent.json()
}

/** Says that a parcel was delivered, on this day or today. */
export const sayDelivered = (
  actor: Actor,
  order: Pick<Order, '_id'>,
  parcel: Pick<Shipment, '_id'>,
  deliveredOn?: string,
): Promise<ApiResponse> => actor.request('PUT', `/orders/${order._id}/shipments/${parcel._id}/delivered`, { deliveredOn })

/** As if a parcel had been sent so many days ago, at this time of day. */
export const sentDaysAgo = (store: Store, { _id }: Pick<Shipment, '_id'>, days: number) =>
  store.db.execute(sql`update shipments set sent_at = now() - make_interval(days => ${days}::integer) where id = ${_id}`)
