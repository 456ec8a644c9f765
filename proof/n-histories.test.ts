import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { sampleSize } from './full-run.ts'
import { anyOrder, cancels, changes, fills, openSellingShop, orderForAll, places, refunds, stockOf } from './history-baskets.ts'
import { asCommands, type HistoryShop, runHistories } from './history-shop.ts'
import {
  bank,
  crashesDuring,
  expires,
  minute,
  pays,
  paysUnseen,
  refundsAtProvider,
  togetherOf,
  tooLateOf,
  type Which,
  webhooks,
} from './history-steps.ts'

const onOrder = (nth: Which) => [
  ...[pays(nth), pays(nth), paysUnseen(nth), cancels(nth), cancels(nth), refunds(nth), refunds(nth)],
  ...[refundsAtProvider(nth), expires(nth), places],
]
const acts = [...onOrder(anyOrder), fills, fills, places, places, changes, minute, bank, webhooks]
const act = fc.oneof(...acts)
const together = togetherOf(anyOrder, onOrder, act)
const tooLate = tooLateOf(anyOrder, cancels)
const crashes = crashesDuring(fc.oneof(act, together, tooLate, places))
const history = asCommands([...acts, together, together, tooLate, crashes, crashes])

/** No product stands in two unpaid orders of a basket, whatever was sent at the same moment or cut off. */
async function assertNothingOrderedTwice({ store }: HistoryShop) {
  const { rows } = await store.db.execute(
    sql`select d.cart_id, l.tool_id from order_details d join orders o on o.id = d.order_id join order_lines l on l.order_id = o.id
      where order_status = 'open' and not is_released group by 1, 2 having count(*) > 1`,
  )
  assert.deepEqual(rows, [])
}

test('N2 histories of baskets made up by chance, with delivery and tax on net and gross prices: placed, placed again, paid, cancelled and refunded by the piece, repriced and killed in between, the books are right after each', async (t) => {
  const said = await runHistories(history, {
    runs: sampleSize(2, 1000),
    sampleSeed: 20261126,
    buyerLimits: 'off',
    open: openSellingShop,
    stock: stockOf,
    begin: (shop) => orderForAll(shop, { own: 2, shared: 1 }),
    end: assertNothingOrderedTwice,
  })
  t.diagnostic(said)
})
