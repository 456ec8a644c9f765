import assert from 'node:assert/strict'
import type { Order } from '#store/orders/order-contract.ts'
import type { Return } from '#store/orders/returns/contract.ts'
import { showOrder } from './many-lines-actions.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

/* What people do in tests about returns. */

type Asked = { pieces: number[]; reason?: string; actor?: Actor; headers?: Record<string, string>; note?: string }

/** @param pieces of each line, in the order of the lines */
export async function askToReturn(
  store: Store,
  orderId: string,
  { pieces, reason = 'defective', actor = store.customer, headers = {}, ...more }: Asked,
): Promise<ApiResponse> {
  const { lines } = await showOrder(store.admin, orderId)
  const asked = lines.map(({ _id }, index) => ({ _id, quantity: pieces[index] ?? 0, reason })).filter(({ quantity }) => quantity > 0)
  return actor.request('POST', `/orders/${orderId}/returns`, { lines: asked, ...more }, headers)
}

export async function openReturnOf(store: Store, { _id }: Pick<Order, '_id'>, ...pieces: number[]): Promise<Return> {
  const asked = await askToReturn(store, _id, { pieces })
  assert.equal(asked.statusCode, 201, asked.body)
  return asked.json()
}

/** @param pieces of each line of the return that have arrived so far */
export const receivePieces = (store: Store, { _id, lines }: Return, ...pieces: number[]): Promise<ApiResponse> =>
  store.admin.request('PUT', `/returns/${_id}/arrived`, {
    lines: lines.slice(0, pieces.length).map(({ _id }, index) => ({ _id, arrived: pieces[index] })),
  })

export async function receiveAll(store: Store, asked: Return): Promise<Return> {
  const received = await receivePieces(store, asked, ...asked.lines.map(({ quantity }) => quantity))
  assert.equal(received.statusCode, 200, received.body)
  return received.json()
}

type AskedDecision = [line: number, quantity: number, outcome: string, more?: { restock?: boolean; reason?: string }]

export const decide = (store: Store, { _id, lines }: Return, decisions: AskedDecision[], more: object = {}): Promise<ApiResponse> =>
  store.admin.request('POST', `/returns/${_id}/decisions`, {
    decisions: decisions.map(([line, quantity, outcome, said]) => ({ _id: lines[line]?._id, quantity, outcome, ...said })),
    ...more,
  })
