import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createProduct } from '#test/order-actions.ts'
import type { Actor } from '#test/store.ts'
import { sampleSize } from './full-run.ts'
import { asCommands, type HistoryShop, runHistories, type Step } from './history-shop.ts'
import {
  bank,
  crashesDuring,
  expires,
  lost,
  minute,
  pays,
  paysUnseen,
  refundsAtProvider,
  togetherOf,
  tooLateOf,
  type Which,
  webhooks,
} from './history-steps.ts'

/** Which of the orders so far. */
const anyOrder = fc.nat({ max: 5 })
const toolOf = ({ toolIds: [toolId] }: HistoryShop) => toolId ?? assert.fail()

const buying = (quantity: number, isAda: boolean): Step => ({
  what: `${isAda ? 'Ada' : 'Bob'} buys ${quantity}`,
  needsOrder: false,
  async run(shop) {
    const wish = {
      toolId: toolOf(shop),
      productName: 'Drill',
      productQuantity: quantity,
      productCost: 30 * quantity,
      buyerAddress: '1 Road',
    }
    const buyer: Actor = isAda ? shop.store.customer : shop.store.otherCustomer
    const placed = await shop.ask(buyer, 'POST', '/purchase', wish)
    assert.ok([201, 409].includes(placed.statusCode), placed.body)
    if (placed.statusCode !== 201) return
    const { _id, number, productCost } = placed.json()
    shop.orders.push({ _id, number, amount: productCost, buyer })
  },
})
const buys = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()).map(([quantity, isAda]) => buying(quantity, isAda))

const cancels = (nth: Which) =>
  fc.record({ nth, byAdmin: fc.boolean(), lost }).map(
    ({ nth, byAdmin, lost }): Step => ({
      what: `order ${nth} is cancelled by ${byAdmin ? 'the admin' : 'its buyer'}, lost: ${lost}`,
      needsOrder: true,
      async run(shop) {
        const order = shop.order(nth)
        const actor = byAdmin ? shop.store.admin : order.buyer
        await shop.troubled(lost, '/v1/payment_intents/:id/cancel', () => shop.ask(actor, 'POST', `/purchase/${order._id}/cancel`, {}))
      },
    }),
  )

const refunds = (nth: Which) =>
  fc.record({ nth, amountCents: fc.option(fc.integer({ min: 1, max: 6000 })), restock: fc.nat({ max: 2 }), lost }).map(
    ({ nth, amountCents, restock, lost }): Step => ({
      what: `${amountCents ?? 'all'} cents of order ${nth} go back, ${restock} pieces too, lost: ${lost}`,
      needsOrder: true,
      async run(shop) {
        const body = { restock, ...(amountCents !== null && { amountCents }) }
        await shop.troubled(lost, '/v1/refunds', () => shop.ask(shop.store.admin, 'POST', `/purchase/${shop.order(nth)._id}/refund`, body))
      },
    }),
  )

const restocks = fc.integer({ min: -3, max: 5 }).map(
  (pieces): Step => ({
    what: `the admin corrects the stock by ${pieces}`,
    needsOrder: false,
    async run(shop) {
      const { available_quantity: seen } = (await shop.ask(shop.store.admin, 'GET', `/tools/${toolOf(shop)}`)).json()
      const stock = { available_quantity: Math.max(0, seen + pieces), available_quantity_seen: seen }
      await shop.ask(shop.store.admin, 'PUT', `/tools/${toolOf(shop)}`, { price: 30, minimum_order_quantity: 1, ...stock })
    },
  }),
)

const onOrder = (nth: Which) => [
  pays(nth),
  pays(nth),
  paysUnseen(nth),
  cancels(nth),
  refunds(nth),
  refunds(nth),
  refundsAtProvider(nth),
  expires(nth),
]
const acts = [...onOrder(anyOrder), buys, buys, restocks, minute, bank, webhooks]
const act = fc.oneof(...acts)

const together = togetherOf(anyOrder, onOrder, act)
const tooLate = tooLateOf(anyOrder, cancels)
const crashes = crashesDuring(fc.oneof(act, together, tooLate))
const history = asCommands([...acts, together, together, tooLate, crashes, crashes])

test('A8 histories made up by chance, with lost answers, late webhooks and kills: the books are right after each', async (t) => {
  const said = await runHistories(history, {
    runs: sampleSize(2, 600),
    sampleSeed: 20261121,
    async stock(store) {
      return [await createProduct(store, { pieces: 6 })]
    },
    async begin(shop) {
      // Somebody has bought, so that there is something to do from the first step on.
      await buying(2, true).run(shop)
      await buying(1, false).run(shop)
    },
  })
  t.diagnostic(said)
})
