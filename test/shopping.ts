import assert from 'node:assert/strict'
import { eq, sql } from 'drizzle-orm'
import type { HistoryLine, Order } from '#store/orders/contract.ts'
import { orders } from '#store/orders/table.ts'
import { type Actor, type Answer, anEmptyStore, type Store } from './store.ts'

/* What people do in tests about orders and money, each by the door that it goes through. */

export const aStoreWithCards = () => anEmptyStore({ cards: true })

/** A tool for sale, and its id. */
export async function sell(store: Store, { dollars = 30, pieces = 40, minimum = 1, name = 'Drill' } = {}): Promise<string> {
  const tool = { name, img: '/drawings/drill.svg', description: 'Turns.', price: dollars, minimum_order_quantity: minimum }
  const added = await store.admin.ask('POST', '/tools', { ...tool, available_quantity: pieces })
  assert.equal(added.statusCode, 201, added.body)
  return added.json()._id
}

type Wish = { toolId?: string; dollars?: number; quantity?: number; buyer?: Actor }

/** An order that is still to be paid; of a tool of its own, unless one is named (then at its price in `dollars`). */
export async function anOrder(store: Store, { toolId, dollars = 30, quantity = 1, buyer = store.customer }: Wish = {}): Promise<Order> {
  const wish = { productName: 'Drill', productQuantity: quantity, productCost: dollars * quantity, buyerAddress: '1 Road' }
  const placed = await buyer.ask('POST', '/purchase', { ...wish, toolId: toolId ?? (await sell(store, { dollars })) })
  assert.equal(placed.statusCode, 201, placed.body)
  return placed.json()
}

export const open = (buyer: Actor, { _id: orderId, productCost }: Order): Promise<Answer> =>
  buyer.ask('POST', '/create-payment-intent', { orderId, productCost })

export const intentIn = (clientSecret: string) => clientSecret.replace(/_secret_.*/, '')

/** Opens the payment of an order, as the payment page does. */
export async function openIntent(store: Store, order: Order, buyer = store.customer): Promise<string> {
  const opened = await open(buyer, order)
  assert.equal(opened.statusCode, 200, opened.body)
  return intentIn(opened.json().clientSecret)
}

/** The card form's part: the card provider takes the money, or throws its refusal. */
export const payWith = (store: Store, intentId: string, card = 'pm_card_visa') =>
  store.cards.stripe.paymentIntents.confirm(intentId, { payment_method: card })

/** The browser's word that it has paid. */
export const record = (buyer: Actor, { _id }: Order, transectionId: string): Promise<Answer> =>
  buyer.ask('PATCH', `/purchase/${_id}`, { pay: true, transectionId })

/** An order, paid with this card and told so by the browser. */
export async function aPaidOrder(store: Store, { card = 'pm_card_visa', ...wish }: Wish & { card?: string } = {}) {
  const buyer = wish.buyer ?? store.customer
  const order = await anOrder(store, wish)
  const intentId = await openIntent(store, order, buyer)
  await payWith(store, intentId, card)
  const recorded = await record(buyer, order, intentId)
  assert.equal(recorded.statusCode, 200, recorded.body)
  return { order: recorded.json() as Order, intentId }
}

export const cancel = (actor: Actor, { _id }: Pick<Order, '_id'>, body: object = {}): Promise<Answer> =>
  actor.ask('POST', `/purchase/${_id}/cancel`, body)
export const refund = (actor: Actor, { _id }: Pick<Order, '_id'>, body: object = {}): Promise<Answer> =>
  actor.ask('POST', `/purchase/${_id}/refund`, body)

/** The time that an order is held for is over. */
export const holdEnds = (store: Store, { _id }: Pick<Order, '_id'>) =>
  store.db.update(orders).set({ holdUntil: sql`now()` }).where(eq(orders._id, _id))

/** The order as an admin sees it now. */
export const seen = async (store: Store, { _id }: Pick<Order, '_id'>): Promise<Order> =>
  (await store.admin.ask('GET', `/purchase/${_id}`)).json()

export const historyOf = async (store: Store, { _id }: Pick<Order, '_id'>): Promise<HistoryLine[]> =>
  (await store.admin.ask('GET', `/purchase/${_id}/history`)).json()

/** What happened to an order, in a word each. */
export const eventsOf = async (store: Store, order: Pick<Order, '_id'>) => (await historyOf(store, order)).map(({ event }) => event)

/** How many pieces of a tool in the catalogue are in stock. */
export const stockOf = async (store: Store, toolId: string): Promise<number> =>
  (await store.visitor.ask('GET', `/tools/${toolId}`)).json().available_quantity

/** The controls of the store's card sandbox. */
export function controlsOf({ sandbox }: Store) {
  assert.ok(sandbox, 'the store was opened without cards')
  return sandbox.controls
}

/** From now on no webhook arrives: what the provider says is found in its list of events, once a minute. */
export const loseWebhooks = (store: Store) => void controlsOf(store).webhooks.disturb({ times: Infinity }, 'drop')

/** Every event of the provider has been delivered and worked off. */
export async function heard(store: Store) {
  await controlsOf(store).webhooks.settled()
  await store.jobs.rest()
}
