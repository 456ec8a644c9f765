import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import type { Company } from '#store/companies/contract.ts'
import type { CompanyAccount } from '#store/orders/on-account/contract.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { type CheckedOut, checkOut, putIntoCart } from './checkout-actions.ts'
import { companyOf } from './company-actions.ts'
import { setUpSeller } from './document-actions.ts'
import type { Actor, ApiResponse, Store } from './store.ts'
import { setUpTransfers } from './transfer-actions.ts'

/* What people do in tests about orders on account. */

export const approveCredit = (store: Store, { _id }: Pick<Company, '_id'>, limitCents: number, more: object = {}): Promise<ApiResponse> =>
  store.admin.request('PUT', `/companies/${_id}/credit`, { limitCents, dueDays: 30, ...more })

/** A company of the customer that may owe so much, in a shop that says who sells and to which account buyers transfer. */
export async function setUpAccount(
  store: Store,
  limitCents: number,
  { members = [], ...more }: { members?: Actor[]; dueDays?: number } = {},
) {
  await setUpTransfers(store, { onAccount: true })
  await setUpSeller(store)
  const company = await companyOf(store, store.customer, ...members)
  const approved = await approveCredit(store, company, limitCents, more)
  assert.equal(approved.statusCode, 200, approved.body)
  return company
}

export async function orderOnAccount(buyer: Actor, lines: Record<string, number>, more: object = {}): Promise<CheckedOut> {
  await putIntoCart(buyer, lines)
  return checkOut(buyer, { paymentMethod: 'on_account', ...more })
}

export async function accountOf(store: Store, { _id }: Pick<Company, '_id'>, query = ''): Promise<CompanyAccount> {
  const shown = await store.admin.request('GET', `/receivables/${_id}${query}`)
  assert.equal(shown.statusCode, 200, shown.body)
  return shown.json()
}

export const bookPayment = (store: Store, { _id }: Pick<Order, '_id'>, amountCents: number, more: object = {}): Promise<ApiResponse> =>
  store.admin.request('POST', `/orders/${_id}/payments`, { amountCents, on: '2026-01-15', ...more })

/** As if the parcels of an order had been sent so many days before. */
export async function sendEarlier(store: Store, { _id }: Pick<Order, '_id'>, days: number): Promise<void> {
  await store.db.execute(sql`alter table shipments disable trigger parcel_charge_stays`)
  await store.db.execute(
    sql`update shipments set sent_at = sent_at - make_interval(days => ${days}), due_on = due_on - ${days}::integer where order_id = ${_id}`,
  )
  await store.db.execute(sql`alter table shipments enable trigger parcel_charge_stays`)
}
