import assert from 'node:assert/strict'
import type { PurchaseForViewer, PurchaseListItem } from '#store/orders/contract.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { confirmIntent, createProduct, intentIdFromSecret, recordPayment } from './order-actions.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

/* What people do in tests about orders of several lines. */

/** Pieces by product, or a pair for each line, where a product comes twice. */
export type AskedLines = Record<string, number> | [productId: string, quantity: number][]

export function sendLines(buyer: Actor, asked: AskedLines, more: object = {}, headers = {}): Promise<ApiResponse> {
  const pairs = Array.isArray(asked) ? asked : Object.entries(asked)
  const lines = pairs.map(([productId, quantity]) => ({ productId, quantity }))
  return buyer.request('POST', '/orders', { buyerAddress: '1 Road', lines, ...more }, headers)
}

export async function placeLines(store: Store, asked: AskedLines, more: object = {}): Promise<Order> {
  const placed = await sendLines(store.customer, asked, more)
  assert.equal(placed.statusCode, 201, placed.body)
  return placed.json()
}

/** A drill for $30, a saw for $7 and a board for $250, 40 pieces of each. */
export async function createProducts(store: Store): Promise<[drill: string, saw: string, board: string]> {
  return [
    await createProduct(store, { name: 'Drill', dollars: 30 }),
    await createProduct(store, { name: 'Saw', dollars: 7, minimum: 2 }),
    await createProduct(store, { name: 'Board', dollars: 250 }),
  ]
}

export const showOrder = async (actor: Actor, id: string): Promise<Order> => (await actor.request('GET', `/orders/${id}`)).json()

export const showPurchase = async (store: Store, id: string): Promise<PurchaseForViewer> =>
  (await store.admin.request('GET', `/purchase/${id}`)).json()

export const listPurchases = async (store: Store): Promise<PurchaseListItem[]> =>
  (await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).json()

/** Opens the payment of a whole order, by its id or that of a line. @returns the intent's id */
export async function openOrderPayment(store: Store, order: Order, id = order._id): Promise<string> {
  const opened = await store.customer.request('POST', '/create-payment-intent', { orderId: id, productCost: order.totalCents / 100 })
  assert.equal(opened.statusCode, 200, opened.body)
  return intentIdFromSecret(opened.json().clientSecret)
}

/** The buyer pays a whole order by card. @returns the intent's id */
export async function payOrder(store: Store, order: Order, { id = order._id, card = 'pm_card_visa' } = {}): Promise<string> {
  const intentId = await openOrderPayment(store, order, id)
  await confirmIntent(store, intentId, card)
  assert.equal((await recordPayment(store.customer, { _id: id }, intentId)).statusCode, 200)
  return intentId
}
