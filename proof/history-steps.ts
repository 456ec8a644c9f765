import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { intentIdFromSecret, sandboxControls } from '#test/order-actions.ts'
import type { Lost, Step } from './history-shop.ts'

/* What happens to orders in histories, however they were placed. */

const good = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_pendingRefund', 'pm_card_refundFail']

/** Which of the orders so far. */
export type Which = fc.Arbitrary<number>
export const lost: fc.Arbitrary<Lost> = fc.constantFrom('no', 'no', 'no', 'answer', 'question')

export const pays = (nth: Which, creating = lost) =>
  fc
    .record({
      nth,
      card: fc.constantFrom(...good, 'pm_card_visa', 'pm_card_visa_chargeDeclined'),
      tells: fc.boolean(),
      creating,
      asking: lost,
    })
    .map(
      ({ nth, card, tells, creating, asking }): Step => ({
        what: `order ${nth} is paid with ${card}${tells ? ', the browser tells' : ''}, lost: ${creating}, ${asking}`,
        needsOrder: true,
        async run(shop) {
          const order = shop.order(nth)
          let clientSecret: string | undefined
          await shop.troubled(creating, '/v1/payment_intents', async () => {
            const opened = await shop.ask(order.buyer, 'POST', '/create-payment-intent', {
              orderId: order._id,
              productCost: order.amount,
            })
            if (opened.statusCode === 200) clientSecret = opened.json().clientSecret
          })
          if (!clientSecret) return
          const intentId = intentIdFromSecret(clientSecret)
          await shop.store.cards.stripe.paymentIntents.confirm(intentId, { payment_method: card }).catch(() => {})
          if (tells)
            await shop.troubled(asking, '/v1/payment_intents/:id', () =>
              shop.ask(order.buyer, 'PATCH', `/purchase/${order._id}`, { transectionId: intentId }),
            )
        },
      }),
    )

export const paysUnseen = (nth: Which) =>
  nth.map(
    (nth): Step => ({
      what: `an intent of order ${nth} is paid past the store`,
      needsOrder: true,
      async run(shop) {
        const [intent] = (await shop.intentsOf(shop.order(nth))).filter(({ status }) => status === 'requires_payment_method')
        if (intent) await shop.store.cards.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }).catch(() => {}) // paid meanwhile
      },
    }),
  )

export const refundsAtProvider = (nth: Which) =>
  fc.tuple(nth, fc.integer({ min: 1, max: 4000 })).map(
    ([nth, amount]): Step => ({
      what: `${amount} cents of order ${nth} go back from the provider's own site`,
      needsOrder: true,
      async run(shop) {
        const [intent] = (await shop.intentsOf(shop.order(nth))).filter(({ status }) => status === 'succeeded')
        if (intent) await shop.store.cards.stripe.refunds.create({ payment_intent: intent.id, amount }).catch(() => {})
      },
    }),
  )

export const expires = (nth: Which) =>
  nth.map(
    (nth): Step => ({
      what: `the hold of order ${nth} is over`,
      needsOrder: true,
      async run(shop) {
        await shop.store.db.execute(sql`update orders set hold_until = now() where id = ${shop.order(nth)._id}`)
        await shop.timePasses()
      },
    }),
  )

export const minute = fc.constant<Step>({ what: 'a minute passes', needsOrder: false, run: (shop) => shop.timePasses() })

export const bank = fc.constant<Step>({
  what: 'the banks do what they have to do',
  needsOrder: false,
  run: (shop) => sandboxControls(shop.store).bank.runPendingSteps(),
})

export const webhooks = fc
  .record({ copies: fc.integer({ min: 1, max: 3 }), newestFirst: fc.boolean(), every: fc.integer({ min: 1, max: 3 }) })
  .map(
    ({ copies, newestFirst, every }): Step => ({
      what: `each ${every}. webhook arrives ${copies} times${newestFirst ? ', the newest first' : ''}`,
      needsOrder: false,
      async run(shop) {
        const { rows } = await shop.store.db.execute<{ id: string; body: string }>(
          sql`select id, body from sandbox.events order by seq desc limit 60`,
        )
        const events = rows.filter(({ id }, place) => !shop.delivered.has(id) && place % every === 0)
        for (const { id, body } of newestFirst ? events : events.toReversed()) {
          shop.delivered.add(id)
          const signature = shop.cards.stripe.webhooks.generateTestHeaderString({ payload: body, secret: shop.cards.webhookSecret })
          const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
          const post = () => shop.running.app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload: body })
          for (const { statusCode } of await Promise.all(Array.from({ length: copies }, post))) assert.equal(statusCode, 200)
        }
      },
    }),
  )

/** Two things at once, half of the time about the same order. */
export const togetherOf = (which: Which, onOrder: (nth: Which) => fc.Arbitrary<Step>[], act: fc.Arbitrary<Step>) =>
  which
    .chain((one) => {
      const same = fc.oneof(...onOrder(fc.constant(one)))
      return fc.oneof(fc.tuple(same, same), fc.tuple(act, act))
    })
    .map(
      (both): Step => ({
        what: `at once: ${both.map(({ what }) => what).join('; ')}`,
        needsOrder: both.some(({ needsOrder }) => needsOrder),
        run: async (shop) => void (await Promise.all(both.map((each) => each.run(shop)))),
      }),
    )

/** The provider made an intent of which the store never heard, the order ends, and somebody pays. */
export const tooLateOf = (which: Which, cancels: (nth: Which) => fc.Arbitrary<Step>) =>
  which
    .chain((one) => {
      const nth = fc.constant(one)
      return fc.tuple(pays(nth, fc.constant<Lost>('answer')), fc.oneof(cancels(nth), expires(nth)), paysUnseen(nth))
    })
    .map(
      (one): Step => ({
        what: one.map(({ what }) => what).join(', then '),
        needsOrder: true,
        async run(shop) {
          for (const each of one) await each.run(shop)
        },
      }),
    )

/** The store is killed in the middle of a step. */
export const crashesDuring = (step: fc.Arbitrary<Step>) =>
  fc.tuple(step, fc.nat({ max: 40 })).map(
    ([during, afterMs]): Step => ({
      what: `killed ${afterMs} ms after: ${during.what}`,
      needsOrder: during.needsOrder,
      async run(shop) {
        const under = during.run(shop).catch(() => {}) // whoever asked has no answer
        await pause(afterMs)
        await shop.crash()
        await under
      },
    }),
  )
