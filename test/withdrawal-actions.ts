import assert from 'node:assert/strict'
import type { Order } from '#store/orders/order-contract.ts'
import type { OrderWithdrawal, Withdrawal } from '#store/orders/withdrawals/contract.ts'
import { createProducts, payOrder, placeLines } from './many-lines-actions.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

/* What people do in tests about withdrawals. */

/** A paid order of 3 drills for $30 and 2 saws for $7, delivered to Germany. */
export async function placePaidInGermany(store: Store, country = 'DE'): Promise<Order> {
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 }, { country })
  await payOrder(store, order)
  return order
}

export const declared = { name: 'Ada Byron', email: 'ada@shop.example' }

/** @param pieces of each line in the order of the lines; all where none are said */
export function askToWithdraw(
  actor: Actor,
  order: Pick<Order, '_id' | 'lines'>,
  pieces: number[] = [],
  more: object = {},
): Promise<ApiResponse> {
  const lines = order.lines.map(({ _id }, nth) => ({ _id, quantity: pieces[nth] ?? 0 })).filter(({ quantity }) => quantity > 0)
  return actor.request('POST', `/orders/${order._id}/withdrawal`, { ...declared, ...(pieces.length > 0 && { lines }), ...more })
}

export async function withdrawFrom(actor: Actor, order: Pick<Order, '_id' | 'lines'>, ...pieces: number[]): Promise<Withdrawal> {
  const answer = await askToWithdraw(actor, order, pieces)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

export async function showWithdrawal(actor: Actor, { _id }: Pick<Order, '_id'>): Promise<OrderWithdrawal> {
  const answer = await actor.request('GET', `/orders/${_id}/withdrawal`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

/** Sends a form of the page of a withdrawal as a browser without JavaScript does. @returns the address that follows, and the cookie that is set */
export async function sendWithdrawalForm(
  store: Store,
  page: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string; cookie: string }> {
  const sent = await store.app.inject({
    method: 'POST',
    url: page,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: `${new URLSearchParams(fields)}`,
  })
  return {
    status: sent.statusCode,
    location: `${sent.headers.location ?? ''}`,
    cookie: `${sent.headers['set-cookie'] ?? ''}`.split(';')[0] ?? '',
  }
}
