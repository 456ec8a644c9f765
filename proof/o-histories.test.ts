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
import { asCommands, runHistories, type Step } from './history-shop.ts'
import { bank, crashesDuring, expires, minute, refundsAtProvider, togetherOf, type Which, webhooks } from './history-steps.ts'
import {
  booksByHand,
  decidesEntry,
  openShopWithTransfers,
  orderByBank,
  placesByAnyMethod,
  transferAllRefunds,
  transfers,
  transfersRefund,
} from './history-transfers.ts'

const onPaidOrder = (nth: Which) => [
  ...[paysWell(nth), paysWell(nth), sends(nth), sends(nth), sends(nth), isHeldBack(nth)],
  ...[takesBack(nth), isDelivered(nth), asksToReturn(nth), asksToReturn(nth), decidesReturn(nth), decidesReturn(nth), withdraws(nth)],
  ...[corrects(nth), cancels(nth), refunds(nth), refundsAtProvider(nth), expires(nth)],
]
/** By those who do one thing after the other, two at once, and a store that is killed meanwhile. */
function historyOf(onOrder: (nth: Which) => fc.Arbitrary<Step>[], others: fc.Arbitrary<Step>[]) {
  const acts = [...onOrder(anyOrder), ...others]
  const act = fc.oneof(...acts)
  const together = togetherOf(anyOrder, onOrder, act)
  return asCommands([...acts, together, together, crashesDuring(fc.oneof(act, together))])
}

test('O3 histories of paid orders made up by chance: sent in parts, taken back, delivered, returned, withdrawn from, corrected, cancelled and refunded by the piece, and killed in between, the books are right after each', async (t) => {
  const said = await runHistories(historyOf(onPaidOrder, [places, changes, minute, bank, webhooks]), {
    runs: sampleSize(2, 1000),
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

const onOrderByBank = (nth: Which) => [
  ...[transfers(nth), transfers(nth), transfers(nth), decidesEntry(nth), decidesEntry(nth), booksByHand(nth), booksByHand(nth)],
  ...[sends(nth), sends(nth), takesBack(nth), asksToReturn(nth), decidesReturn(nth), withdraws(nth), corrects(nth)],
  ...[paysWell(nth), cancels(nth), refunds(nth), expires(nth)],
]

test('O4 histories of orders by transfer and on account made up by chance: money that is too little, too much, late or without a reference, booked by itself and by hand, sent back, with parcels, returns and refunds, and killed in between, the books are right after each', async (t) => {
  const others = [placesByAnyMethod, placesByAnyMethod, transfersRefund, transfersRefund, changes, minute, bank, webhooks]
  const said = await runHistories(historyOf(onOrderByBank, others), {
    runs: sampleSize(2, 1000),
    sampleSeed: 20261128,
    buyerLimits: 'off',
    open: openShopWithTransfers,
    stock: stockOf,
    begin: orderByBank,
    atRest: transferAllRefunds,
  })
  t.diagnostic(said)
})
