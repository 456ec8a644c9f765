import assert from 'node:assert/strict'
import type { CorrectableInvoice } from '#store/orders/documents/corrections/contract.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { checkOut, putIntoCart, setUpTaxAndDelivery } from './checkout-actions.ts'
import { setUpSeller } from './document-actions.ts'
import { payOrder } from './many-lines-actions.ts'
import { createProduct, createTestStoreWithCards } from './order-actions.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

/* What people do in tests about the corrections of invoices. */

export async function aSellingStore(): Promise<Store> {
  const store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  await setUpSeller(store)
  return store
}

/** Two drills for $10 and a saw for $5, delivered for $4.90, all with 19 % tax: $35.58, paid. */
export async function placePaidCheckout(store: Store, more: object = {}, card = 'pm_card_visa'): Promise<Order> {
  const [drill, saw] = [await createProduct(store, { dollars: 10 }), await createProduct(store, { name: 'Saw', dollars: 5 })]
  await putIntoCart(store.customer, { [drill]: 2, [saw]: 1 })
  const order = await checkOut(store.customer, more)
  await payOrder(store, order, { card })
  return order
}

export async function showCorrectable(store: Store, { _id }: Pick<Order, '_id'>): Promise<CorrectableInvoice> {
  await store.jobs.runAllOnce()
  const shown = await store.admin.request('GET', `/orders/${_id}/documents/corrections`)
  assert.equal(shown.statusCode, 200, shown.body)
  return shown.json()
}

/** What the form of the correction sends where only this was changed. */
export function correctionOf({ _id, address, addressText: _, numbers: __, lines, ...words }: CorrectableInvoice, changed: object = {}) {
  const said = Object.entries({ ...words, ...address }).filter(([, text]) => text !== null)
  const sent = lines.map(({ partNumber, ...line }) => ({ ...line, ...(partNumber !== null && { partNumber }) }))
  return { invoice: _id, ...Object.fromEntries(said), lines: sent, reason: 'The buyer has moved', ...changed }
}

export const sendCorrection = (actor: Actor, { _id }: Pick<Order, '_id'>, body: object): Promise<ApiResponse> =>
  actor.request('POST', `/orders/${_id}/documents/corrections`, body)

/** Corrects the invoice of an order. */
export async function correct(store: Store, order: Pick<Order, '_id'>, changed: object): Promise<void> {
  const corrected = await sendCorrection(store.admin, order, correctionOf(await showCorrectable(store, order), changed))
  assert.equal(corrected.statusCode, 201, corrected.body)
}
