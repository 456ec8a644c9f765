import assert from 'node:assert/strict'
import type { CheckoutEstimate } from '#store/checkout/contract.ts'
import type { Order } from '#store/orders/order-contract.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

/* What people do in tests about the checkout. */

export const berlin = { country: 'DE', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' }
export const typed = { name: 'Ada Byron', deliverTo: berlin }

export const putIntoCart = async (buyer: Actor, lines: Record<string, number>): Promise<void> => {
  for (const [productId, quantity] of Object.entries(lines)) {
    const added = await buyer.request('POST', '/cart/lines', { productId, quantity })
    assert.equal(added.statusCode, 200, added.body)
  }
}

export const sendCheckout = (buyer: Actor, more: object = {}, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  buyer.request('POST', '/checkout', { ...typed, ...more }, headers)

export type CheckedOut = Order & { totals: { totalCents: number; reductionCents: number }; clientSecret: string | null }

export async function checkOut(buyer: Actor, more: object = {}, headers: Record<string, string> = {}): Promise<CheckedOut> {
  const placed = await sendCheckout(buyer, more, headers)
  assert.equal(placed.statusCode, 201, placed.body)
  return placed.json()
}

export async function askEstimate(actor: Actor, query: Record<string, string> = {}): Promise<CheckoutEstimate> {
  const estimated = await actor.request('GET', `/checkout/estimate?${new URLSearchParams({ country: 'DE', ...query })}`)
  assert.equal(estimated.statusCode, 200, estimated.body)
  return estimated.json()
}

/** A shop in Germany with the EU's rates, whose prices are net unless said otherwise, and a parcel for 4.90 and express for 14.90 to Germany and Austria. */
export async function setUpTaxAndDelivery(store: Store, { pricesIncludeTax = false } = {}): Promise<{ parcel: string; express: string }> {
  const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await store.admin.request(method, path, body)
    assert.ok(answer.statusCode < 300, answer.body)
    return answer.json()
  }
  await send('PUT', '/tax/settings', { country: 'DE', state: null, pricesIncludeTax })
  await send('POST', '/tax/rate-sets', { set: 'eu-vat' })
  await send('PUT', '/delivery/settings', { timeZone: 'Europe/Berlin', unknownWeightGrams: 500 })
  const zone = await send('POST', '/delivery/zones', { name: 'Near', countries: ['DE', 'AT'], states: [], postalPrefixes: [] })
  const add = async (name: string, priceCents: number, daysTo: number) =>
    await send('POST', `/delivery/zones/${zone._id}/methods`, {
      ...{ name, carrier: 'DHL', pricedBy: 'weight', steps: [{ upTo: 31_500, priceCents }], freeFromCents: null },
      ...{ daysFrom: 1, daysTo, cutOff: null, handlingDays: 0, notForCategories: [] },
    })
  return { parcel: (await add('Parcel', 490, 3))._id, express: (await add('Express', 1490, 1))._id }
}
