import { test } from 'node:test'
import fc from 'fast-check'
import { setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { setUpSeller } from '#test/document-actions.ts'
import { sampleSize } from './full-run.ts'
import { anyOrder, cancels, changes, fillsWith, places, placing, refunds, shoppers, stockOf } from './history-baskets.ts'
import {
  asksToReturn,
  corrects,
  decidesReturn,
  isDelivered,
  isHeldBack,
  paysWell,
  sends,
  takesBack,
  withdraws,
} from './history-fulfilment.ts'
import { asCommands, runHistories } from './history-shop.ts'
import { bank, crashesDuring, expires, minute, refundsAtProvider, togetherOf, type Which, webhooks } from './history-steps.ts'

const onOrder = (nth: Which) => [
  ...[paysWell(nth), paysWell(nth), sends(nth), sends(nth), sends(nth), isHeldBack(nth)],
  ...[takesBack(nth), isDelivered(nth), asksToReturn(nth), asksToReturn(nth), decidesReturn(nth), decidesReturn(nth), withdraws(nth)],
  ...[corrects(nth), cancels(nth), refunds(nth), refundsAtProvider(nth), expires(nth)],
]
const acts = [...onOrder(anyOrder), places, changes, minute, bank, webhooks]
const act = fc.oneof(...acts)
const together = togetherOf(anyOrder, onOrder, act)
const history = asCommands([...acts, together, together, crashesDuring(fc.oneof(act, together))])

test('O3 histories of paid orders made up by chance: sent in parts, taken back, delivered, returned, withdrawn from, corrected, cancelled and refunded by the piece, and killed in between, the books are right after each', async (t) => {
  const said = await runHistories(history, {
    runs: sampleSize(4, 1000),
    sampleSeed: 20261127,
    buyerLimits: 'off',
    async open(store, nth) {
      await setUpSeller(store)
      await setUpTaxAndDelivery(store, { pricesIncludeTax: nth % 2 === 1 })
    },
    stock: stockOf,
    async begin(shop) {
      for (const [nth, who] of shoppers.entries()) {
        await fillsWith(who, nth, 3, true).run(shop)
        await fillsWith(who, 2, 2, true).run(shop)
        await placing({ who, expects: 'nothing', sent: 1, vatId: false, lost: 'no' }).run(shop)
      }
      for (const nth of [0, 1]) {
        const [paid] = fc.sample(paysWell(fc.constant(nth)), { numRuns: 1, seed: nth })
        await paid?.run(shop)
        const [sent] = fc.sample(sends(fc.constant(nth)), { numRuns: 1, seed: nth })
        await sent?.run(shop)
      }
    },
  })
  t.diagnostic(said)
})
