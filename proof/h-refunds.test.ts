import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { formatCents } from '#shared/money.ts'
import { users } from '#store/identity/table.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { refundLines, refunds } from '#store/orders/table.ts'
import { createProduct, getOrderAsAdmin, placePaidOrder, refundPurchase, sandboxControls, waitForWebhooks } from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { isFullRun, sampleSize } from './full-run.ts'
import { seededRandom } from './seeded-random.ts'

type Chance = ReturnType<typeof seededRandom>
type Act = { what: string; run: () => Promise<unknown> }

const cardsOf = ['pm_card_pendingRefund', 'pm_card_refundFail', 'pm_card_visa']

test('H14 two admins refund the same order at once, in whatever state its refunds are: never more than can be refunded, and the order and the rule agree', async (t) => {
  const seed = Number(process.env.SEED ?? (isFullRun ? Date.now() % 2 ** 31 : 20261123))
  const { below, coin } = seededRandom(seed)
  await using store = await anEmptyStore({ cards: true })
  await sandboxControls(store).bank.pause()
  const toolId = await createProduct(store, { pieces: 10_000 })
  const second = store.newCustomer('Eve')
  await second.token()
  // Admins who are no owners refund at most twenty times an hour.
  await store.db.update(users).set({ role: 'admin', owner: true }).where(eq(users.email, second.email))
  const counted = { orders: sampleSize(2, 60), given: 0, refused: 0, met: new Set<string>() }

  for (let nth = 0; nth < counted.orders; nth++) {
    const card = cardsOf[nth % cardsOf.length] ?? ''
    const { order, intentId } = await placePaidOrder(store, { toolId, quantity: 4, card })
    const disturbed: { remove(): void }[] = []
    const both: Act = {
      what: 'two admins refund at once',
      async run() {
        const { refundable } = await getOrderAsAdmin(store, order)
        // Together more than is left, mostly.
        const wish = () => ({ amountCents: 1 + below(refundable.cents), restock: below(refundable.pieces + 1) })
        const answers = await Promise.all([store.admin, second].map((admin: Actor) => refundPurchase(admin, order, wish())))
        for (const { statusCode, body } of answers) assert.ok([200, 400, 409].includes(statusCode), body)
        counted.given += answers.filter(({ statusCode }) => statusCode === 200).length
        counted.refused += answers.filter(({ statusCode }) => statusCode !== 200).length
      },
    }
    const acts: Act[] = [
      {
        what: 'the provider does not answer from now on',
        run: async () =>
          disturbed.push(
            sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' }),
          ),
      },
      {
        what: "a refund is made at the provider's own site",
        async run() {
          await store.cards.stripe.refunds.create({ payment_intent: intentId, amount: 1 + below(3000) }).catch(() => {})
          await waitForWebhooks(store)
        },
      },
      { what: 'the provider is asked again', run: () => askAgain(store, disturbed) },
      {
        what: "the buyer's bank takes the money, or refuses it",
        async run() {
          await sandboxControls(store).bank.runPendingSteps()
          await waitForWebhooks(store)
        },
      },
    ]
    const told: string[] = []
    for (const act of shuffled(acts, below).flatMap((each) => (coin() ? [both, each, ...(isFullRun ? [both] : [])] : [each, both]))) {
      told.push(act.what)
      await act.run()
      for (const state of await assertAgreed(store, order, `seed ${seed}: ${told.join(', ')}`)) counted.met.add(state)
    }
    await askAgain(store, disturbed)
    await sandboxControls(store).bank.runPendingSteps()
    await waitForWebhooks(store)
    await assertAgreed(store, order, `seed ${seed}: ${told.join(', ')}, and all is answered`)
    const { data } = await store.cards.stripe.refunds.list({ payment_intent: intentId, limit: 100 })
    const gone = data.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
    assert.ok(gone <= order.productCost * 100)
  }
  assert.deepEqual([...counted.met].sort(), ['asked', 'failed', 'made at the provider', 'pending', 'succeeded'])
  t.diagnostic(`${counted.orders} orders, ${counted.given} refunds taken, ${counted.refused} refused, 0 beyond what was left`)
})

/** The provider answers again, and is asked for all that waits for it. */
async function askAgain(store: Store, disturbed: { remove(): void }[]): Promise<void> {
  for (const each of disturbed.splice(0)) each.remove()
  await store.db.update(refunds).set({ nextTryAt: sql`now()` })
  await store.jobs.runAllOnce()
  await waitForWebhooks(store)
}

/**
 * Compares what the order says with its refunds, one by one, and with what the rule refuses.
 * @returns the states of its refunds
 */
async function assertAgreed(store: Store, { _id }: Purchase, when: string): Promise<string[]> {
  const rows = await store.db.select().from(refunds).where(eq(refunds.orderId, _id))
  const now = await getOrderAsAdmin(store, { _id })
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const going = sum(rows.filter(({ state }) => state !== 'failed').map(({ amountCents }) => amountCents))
  const asked = rows.filter(({ state }) => state === 'asked').map(({ _id }) => _id)
  const reserved = sum(
    (await store.db.select().from(refundLines)).filter(({ refundId }) => asked.includes(refundId)).map(({ restock }) => restock),
  )
  const left = {
    cents: Math.max(0, now.productCost * 100 - going),
    pieces: now.productQuantity - now.restocked - reserved,
  }
  assert.deepEqual(now.refundable, now.paid ? left : { cents: 0, pieces: 0 }, when)
  assert.ok(now.refundedCents <= now.productCost * 100, when)
  if (now.refundable.cents > 0)
    for (const [tooMuch, words] of [
      [{ amountCents: now.refundable.cents + 1 }, `At most ${formatCents(now.refundable.cents)} can go back`],
      [{ amountCents: 1, restock: now.refundable.pieces + 1 }, `At most ${now.refundable.pieces} pieces can go back into stock`],
    ] as const) {
      const refused = await refundPurchase(store.admin, { _id }, tooMuch)
      assert.deepEqual([refused.statusCode, refused.json().message], [400, words], when)
    }
  return rows.flatMap(({ state, actor }) => [state, ...(actor === 'card provider' ? ['made at the provider'] : [])])
}

/** The same in an order of chance. */
function shuffled<Each>(all: Each[], below: Chance['below']): Each[] {
  const rest = [...all]
  return all.flatMap(() => rest.splice(below(rest.length), 1))
}
