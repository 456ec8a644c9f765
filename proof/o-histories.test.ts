import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from './full-run.ts'
import { anyOrder, cancels, changes, openSellingShop, orderForAll, places, refunds, stockOf } from './history-baskets.ts'
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
    open: openSellingShop,
    stock: stockOf,
    async begin(shop) {
      await orderForAll(shop, { own: 3, shared: 2 })
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
