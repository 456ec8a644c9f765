import assert from 'node:assert/strict'
import { eq, sql } from 'drizzle-orm'
import type { OrderHistoryEntry, Purchase } from '#store/orders/contract.ts'
import { orders } from '#store/orders/table.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from './store.ts'

/* What people do in tests about orders and money, each by the door that it goes through. */

export const createTestStoreWithCards = (more: { allowWrongBooks?: boolean } = {}) => anEmptyStore({ cards: true, ...more })

/** A tool for sale, and its id. */
export async function createProduct(store: Store, { dollars = 30, pieces = 40, minimum = 1, name = 'Drill' } = {}): Promise<string> {
  const tool = { name, img: '/drawings/drill.svg', description: 'Turns.', price: dollars, minimum_order_quantity: minimum }
  const added = await store.admin.request('POST', '/tools', { ...tool, available_quantity: pieces })
  assert.equal(added.statusCode, 201, added.body)
  return added.json()._id
}

type PlaceOrderOptions = { toolId?: string; dollars?: number; quantity?: number; buyer?: Actor }

/** An order that is still to be paid; of a tool of its own, unless one is named (then at its price in `dollars`). */
export async function placePurchase(
  store: Store,
  { toolId, dollars = 30, quantity = 1, buyer = store.customer }: PlaceOrderOptions = {},
): Promise<Purchase> {
  const wish = { productName: 'Drill', productQuantity: quantity, productCost: dollars * quantity, buyerAddress: '1 Road' }
  const placed = await buyer.request('POST', '/purchase', { ...wish, toolId: toolId ?? (await createProduct(store, { dollars })) })
  assert.equal(placed.statusCode, 201, placed.body)
  return placed.json()
}

export const openPayment = (buyer: Actor, { _id: orderId, productCost }: Purchase): Promise<ApiResponse> =>
  buyer.request('POST', '/create-payment-intent', { orderId, productCost })

export const intentIdFromSecret = (clientSecret: string) => clientSecret.replace(/_secret_.*/, '')

/** Opens the payment of an order, as the payment page does. */
export async function openPaymentIntent(store: Store, order: Purchase, buyer = store.customer): Promise<string> {
  const opened = await openPayment(buyer, order)
  assert.equal(opened.statusCode, 200, opened.body)
  return intentIdFromSecret(opened.json().clientSecret)
}

/** The card form's part: the card provider takes the money, or throws its refusal. */
export const confirmIntent = (store: Store, intentId: string, card = 'pm_card_visa') =>
  store.cards.stripe.paymentIntents.confirm(intentId, { payment_method: card })

/** The browser's word that it has paid. */
export const recordPayment = (buyer: Actor, { _id }: Pick<Purchase, '_id'>, transectionId: string): Promise<ApiResponse> =>
  buyer.request('PATCH', `/purchase/${_id}`, { pay: true, transectionId })

/** An order, paid with this card and told so by the browser. */
export async function placePaidOrder(store: Store, { card = 'pm_card_visa', ...wish }: PlaceOrderOptions & { card?: string } = {}) {
  const buyer = wish.buyer ?? store.customer
  const order = await placePurchase(store, wish)
  const intentId = await openPaymentIntent(store, order, buyer)
  await confirmIntent(store, intentId, card)
  const recorded = await recordPayment(buyer, order, intentId)
  assert.equal(recorded.statusCode, 200, recorded.body)
  return { order: recorded.json() as Purchase, intentId }
}

export const cancelPurchase = (actor: Actor, { _id }: Pick<Purchase, '_id'>, body: object = {}): Promise<ApiResponse> =>
  actor.request('POST', `/purchase/${_id}/cancel`, body)
export const refundPurchase = (actor: Actor, { _id }: Pick<Purchase, '_id'>, body: object = {}): Promise<ApiResponse> =>
  actor.request('POST', `/purchase/${_id}/refund`, body)

/** The time that an order is held for is over. */
export const expireHold = (store: Store, { _id }: Pick<Purchase, '_id'>) =>
  store.db.update(orders).set({ holdUntil: sql`now()` }).where(eq(orders._id, _id))

/** The order as an admin sees it now. */
export const getOrderAsAdmin = async (store: Store, { _id }: Pick<Purchase, '_id'>): Promise<Purchase> =>
  (await store.admin.request('GET', `/purchase/${_id}`)).json()

export const getOrderHistory = async (store: Store, { _id }: Pick<Purchase, '_id'>): Promise<OrderHistoryEntry[]> =>
  (await store.admin.request('GET', `/purchase/${_id}/history`)).json()

/** What happened to an order, in a word each. */
export const getOrderEventNames = async (store: Store, order: Pick<Purchase, '_id'>) =>
  (await getOrderHistory(store, order)).map(({ event }) => event)

/** How many pieces of a tool in the catalogue are in stock. */
export const getStock = async (store: Store, toolId: string): Promise<number> =>
  (await store.visitor.request('GET', `/tools/${toolId}`)).json().available_quantity

/** The controls of the store's card sandbox. */
export function sandboxControls({ sandbox }: Store) {
  assert.ok(sandbox, 'the store was opened without cards')
  return sandbox.controls
}

/** From now on no webhook arrives: what the provider says is found in its list of events, once a minute. */
export const dropWebhooks = (store: Store) => void sandboxControls(store).webhooks.inject({ times: Infinity }, 'drop')

/** Every event of the provider has been delivered and worked off. */
export async function waitForWebhooks(store: Store) {
  await sandboxControls(store).webhooks.waitUntilDelivered()
  await store.jobs.whenIdle()
}
