import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Order } from '#store/orders/order-contract.ts'
import { createOrderToken } from '#store/orders/order-link.ts'
import type { PaymentMethod } from '#store/orders/statuses.ts'
import { setUpTaxAndDelivery, typed } from '#test/checkout-actions.ts'
import { setUpSeller } from '#test/document-actions.ts'
import { createProduct } from '#test/order-actions.ts'
import { type Actor, type Store, testSecret } from '#test/store.ts'
import type { HistoryShop, Step } from './history-shop.ts'
import { lost, type Which } from './history-steps.ts'

/* What shoppers do with baskets in histories, and what becomes of the orders that are made of them. */

/** Ada, who has an account, or a guest with a browser. */
const shoppers = ['Ada', 'a guest'] as const
type ShopperName = (typeof shoppers)[number]

/** The cookies of the guests' browsers, by history. */
const jars = new WeakMap<HistoryShop, Map<string, string>>()

const nobody: Pick<Actor, 'token' | 'name' | 'email'> = { name: '', email: '', token: async () => undefined }

async function askAs(shop: HistoryShop, who: ShopperName, method: 'GET' | 'POST' | 'PUT', path: string, body?: object, headers = {}) {
  if (who === 'Ada') return shop.ask(shop.store.customer, method, path, body, headers)
  const jar = jars.get(shop) ?? new Map<string, string>()
  jars.set(shop, jar)
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await shop.ask(nobody as Actor, method, path, body, { ...headers, ...(cookie && { cookie }) })
  for (const { name, value } of answer.cookies as { name: string; value: string }[]) jar.set(name, value)
  return answer
}

/** Who pays and cancels an order: the account, or whoever has its link. */
const buyerOf = (shop: HistoryShop, who: ShopperName, { _id }: Order): Actor =>
  who === 'Ada' ? shop.store.customer : { ...(nobody as Actor), token: async () => `order-${createOrderToken(testSecret, _id)}` }

const anyShopper = fc.constantFrom(...shoppers)
/** Which of the orders so far, the newest most often: those before it are replaced. */
export const anyOrder = fc.constantFrom(-1, -1, -1, -2, -2, 0, 1, 2)

export const fillsWith = (who: ShopperName, product: number, quantity: number, isSet: boolean): Step => ({
  what: `${who} ${isSet ? 'changes to' : 'adds'} ${quantity} of product ${product}`,
  needsOrder: false,
  async run(shop) {
    const productId = shop.toolIds[product]
    const filled = await (isSet
      ? askAs(shop, who, 'PUT', `/cart/lines/${productId}`, { quantity })
      : askAs(shop, who, 'POST', '/cart/lines', { productId, quantity }))
    assert.ok([200, 409, 503].includes(filled.statusCode), filled.body)
  },
})
export const fills = fc
  .record({ who: anyShopper, product: fc.nat({ max: 2 }), quantity: fc.integer({ min: 1, max: 3 }), isSet: fc.boolean() })
  .map(({ who, product, quantity, isSet }) => fillsWith(who, product, quantity, isSet))

type Placing = {
  who: ShopperName
  expects: 'estimate' | 'nothing'
  sent: number
  vatId: boolean
  lost: 'no' | 'answer' | 'question'
  method?: PaymentMethod
}
export const placing = ({ who, expects, sent, vatId, lost, method = 'card' }: Placing): Step => ({
  what: `${who} places the basket by ${method}${sent > 1 ? ` ${sent} times at once under one key` : ''}${vatId ? ' of a business in Austria' : ''}, expecting ${expects}, lost: ${lost}`,
  needsOrder: false,
  async run(shop) {
    const where: Record<string, string> = vatId ? { country: 'AT', vatId: 'ATU13585627' } : { country: 'DE' }
    const estimate = await askAs(shop, who, 'GET', `/checkout/estimate?${new URLSearchParams(where)}`)
    const deliverTo = vatId ? { country: 'AT', line1: 'Ring 1', city: 'Wien', postalCode: '1010' } : typed.deliverTo
    const body = {
      ...{ ...typed, deliverTo, email: 'guest@shop.example', paymentMethod: method },
      ...(vatId && { vatId: 'ATU13585627' }),
      ...(expects === 'estimate' && estimate.statusCode === 200 && { expectedTotalCents: estimate.json().totals.totalCents }),
    }
    const headers = sent > 1 ? { 'idempotency-key': crypto.randomUUID() } : {}
    await shop.troubled(lost, '/v1/payment_intents', () =>
      Promise.all(
        Array.from({ length: sent }, async () => {
          const placed = await askAs(shop, who, 'POST', '/checkout', body, headers)
          assert.ok([201, 409, 503].includes(placed.statusCode), placed.body)
          if (placed.statusCode !== 201) return
          const order: Order = placed.json()
          if (expects === 'estimate') assert.equal(order.totalCents, estimate.json().totals.totalCents, 'it costs what was estimated')
          if (shop.orders.some(({ _id }) => _id === order._id)) return
          shop.orders.push({ _id: order._id, number: order.number, amount: order.totalCents / 100, buyer: buyerOf(shop, who, order) })
        }),
      ),
    )
  },
})
const placesAs = (who: fc.Arbitrary<ShopperName>) =>
  fc
    .record<Placing>({
      ...{ who, expects: fc.constantFrom('estimate', 'estimate', 'nothing'), sent: fc.constantFrom(1, 1, 1, 3) },
      ...{ vatId: fc.constantFrom(false, false, true), lost },
    })
    .map(placing)
export const places = placesAs(anyShopper)

/** The order as its admin sees it now: there it has its lines, each with its id. */
export const linesOf = async (shop: HistoryShop, id: string): Promise<Order['lines']> =>
  (await shop.ask(shop.store.admin, 'GET', `/orders/${id}`)).json().lines ?? []

export const cancels = (nth: Which) =>
  fc.record({ nth, byAdmin: fc.boolean(), line: fc.option(fc.nat({ max: 2 })), lost }).map(
    ({ nth, byAdmin, line, lost }): Step => ({
      what: `${line === null ? 'all' : `line ${line}`} of order ${nth} is cancelled by ${byAdmin ? 'the admin' : 'its buyer'}, lost: ${lost}`,
      needsOrder: true,
      async run(shop) {
        const { _id, buyer } = shop.order(nth)
        const actor = byAdmin ? shop.store.admin : buyer
        const lines = line === null ? [] : await linesOf(shop, _id)
        const one = lines.at((line ?? 0) % Math.max(lines.length, 1))
        const path = one ? `/purchase/${one._id}/cancel` : `/orders/${_id}/cancel`
        await shop.troubled(lost, '/v1/payment_intents/:id/cancel', () => shop.ask(actor, 'POST', path, {}))
      },
    }),
  )

export const refunds = (nth: Which) =>
  fc.record({ nth, line: fc.nat({ max: 2 }), pieces: fc.nat({ max: 3 }), delivery: fc.boolean(), restock: fc.nat({ max: 2 }), lost }).map(
    ({ nth, line, pieces, delivery, restock, lost }): Step => ({
      what: `${pieces} pieces of line ${line} of order ${nth} are refunded${delivery ? ' with the delivery' : ''}, ${restock} of them restocked, lost: ${lost}`,
      needsOrder: true,
      async run(shop) {
        const { _id } = shop.order(nth)
        const lines = await linesOf(shop, _id)
        const one = lines.at(line % Math.max(lines.length, 1))
        if (!one) return
        const asked = { _id: one._id, quantity: Math.min(pieces, one.quantity), restock: Math.min(restock, pieces, one.quantity) }
        const refund = { lines: pieces > 0 ? [asked] : [], delivery: delivery || pieces === 0 }
        await shop.troubled(lost, '/v1/refunds', () => shop.ask(shop.store.admin, 'POST', `/orders/${_id}/refunds`, refund))
      },
    }),
  )

export const changes = fc
  .record({ product: fc.nat({ max: 2 }), cents: fc.integer({ min: 103, max: 4999 }), pieces: fc.integer({ min: -3, max: 5 }) })
  .map(
    ({ product, cents, pieces }): Step => ({
      what: `product ${product} costs ${cents} cents, and its stock is corrected by ${pieces}`,
      needsOrder: false,
      async run(shop) {
        const path = `/tools/${shop.toolIds[product]}`
        const { available_quantity: seen } = (await shop.ask(shop.store.admin, 'GET', path)).json()
        const stock = { available_quantity: Math.max(0, seen + pieces), available_quantity_seen: seen }
        await shop.ask(shop.store.admin, 'PUT', path, { price: cents / 100, minimum_order_quantity: 1, ...stock })
      },
    }),
  )

/** Three products, of two tax classes. */
export async function stockOf(store: Store): Promise<string[]> {
  const ids: string[] = []
  for (const [nth, dollars] of [10.3, 7.99, 25].entries())
    ids.push(await createProduct(store, { dollars, pieces: 12, name: `Part ${nth}` }))
  await store.db.execute(sql`update tools set tax_class = 'reduced' where id = ${ids[1]}`)
  return ids
}

/** A shop that invoices, taxes and delivers, at prices with tax or without, by turns. */
export async function openSellingShop(store: Store, nth: number): Promise<void> {
  await setUpSeller(store)
  await setUpTaxAndDelivery(store, { pricesIncludeTax: nth % 2 === 1 })
}

/** Both shoppers have a basket and an order, so that there is something to do from the first step on. */
export async function orderForAll(shop: HistoryShop, pieces: { own: number; shared: number }): Promise<void> {
  for (const [nth, who] of shoppers.entries()) {
    await fillsWith(who, nth, pieces.own, true).run(shop)
    await fillsWith(who, 2, pieces.shared, true).run(shop)
    await placing({ who, expects: 'nothing', sent: 1, vatId: false, lost: 'no' }).run(shop)
  }
}
