import assert from 'node:assert/strict'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { createOrderToken } from '#store/orders/order-link.ts'
import type { RequestedOrder } from '#store/orders/order-refusals.ts'
import { placeOrder } from '#store/orders/place-order.ts'
import type { AskedLines } from './many-lines-actions.ts'
import { confirmIntent, intentIdFromSecret, recordPayment } from './order-actions.ts'
import { type Actor, type Store, testSecret } from './store.ts'

/* What guests do in tests: they order without an account, and come back by the link of their order. */

export type GuestOrder = {
  name?: string
  email?: string
  /** the address that they order from */
  from?: string
  more?: Partial<RequestedOrder>
}

/** An order of a guest, as the checkout places it. */
export async function placeGuestOrder(
  store: Store,
  asked: AskedLines,
  { name = 'Gwen', email = 'gwen@mail.example', from = '192.0.2.1', more }: GuestOrder = {},
): Promise<Order> {
  const pairs = Array.isArray(asked) ? asked : Object.entries(asked)
  const lines = pairs.map(([productId, quantity]) => ({ productId, quantity }))
  const request = { lines, buyerAddress: '2 Lane', ...more }
  const context = { network: widestClientNetwork(from) }
  const { order } = await placeOrder(store.db, { id: null, name, email }, request, store.orderPolicy, context)
  store.events.orderPlaced()
  return order
}

/** Why an order of a guest is refused: the status, and the words. */
export const refusalOfGuest = (
  store: Store,
  asked: AskedLines,
  order?: GuestOrder,
): Promise<{ status: number; message: string } | undefined> =>
  placeGuestOrder(store, asked, order).then(
    () => undefined,
    ({ status, message }) => ({ status, message }),
  )

export const linkHeader = (token: string) => ({ authorization: `Bearer order-${token}` })

/** Whoever has the link of an order, or has this token for it. */
export function holderOfLink(store: Store, { _id }: Pick<Order, '_id'>, token = createOrderToken(testSecret, _id)): Actor {
  const { request } = store.visitor
  return {
    name: '',
    email: '',
    token: async () => undefined,
    request: (method, path, body, headers) => request(method, path, body, { ...linkHeader(token), ...headers }),
  }
}

/** Opens the payment and pays by card, by the link alone. */
export async function payAsGuest(store: Store, order: Order) {
  const guest = holderOfLink(store, order)
  const opened = await guest.request('POST', '/create-payment-intent', { orderId: order._id, productCost: order.totalCents / 100 })
  assert.equal(opened.statusCode, 200, opened.body)
  const intentId = intentIdFromSecret(opened.json().clientSecret)
  await confirmIntent(store, intentId)
  return { guest, intentId, recorded: await recordPayment(guest, order, intentId) }
}
