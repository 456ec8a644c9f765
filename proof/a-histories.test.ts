import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import Stripe from 'stripe'
import { HttpError } from '#platform/http-error.ts'
import type { EmailMessage } from '#platform/mail.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { checkInvariants } from '#store/orders/payments/invariants.ts'
import { createProduct, intentIdFromSecret, sandboxControls } from '#test/order-actions.ts'
import { createSecondInstance, type SecondInstance } from '#test/second-instance.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { isFullRun, sampleSize } from './full-run.ts'

/*
 * Whole histories of a shop, made up by chance: people buy, pay, cancel and wait, the owner restocks and gives money back, the card
 * provider loses answers and delivers its events late, twice or never, and in the middle of any of this the store is killed. Whatever
 * happened, a minute after the last of it the books must be right, in themselves and against the provider's.
 */

/** The shop that a history happens in: a product of its own, and the process that is running at the moment. */
class Shop {
  store: Store
  cards: Store['cards']
  toolId: string
  running: SecondInstance
  orders: Purchase[] = []
  letters: EmailMessage[] = []
  delivered = new Set<string>()
  crashes = 0

  constructor(store: Store, cards: Store['cards'], toolId: string, running: SecondInstance) {
    this.store = store
    this.cards = cards
    this.toolId = toolId
    this.running = running
  }

  order(nth: number): Purchase {
    const order = this.orders[nth % this.orders.length]
    assert.ok(order)
    return order
  }

  /** Whatever is asked of the store, it has an answer, if only that it cannot say now. */
  async ask(actor: Actor, method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: object): Promise<ApiResponse> {
    const answer = await this.running.request(actor, method, path, body)
    assert.ok(answer.statusCode < 500 || answer.statusCode === 503, `${method} ${path}: ${answer.statusCode} ${answer.body}`)
    return answer
  }

  /** Its intents at the provider, of which the store may know none. */
  async intentsOf({ _id }: Purchase): Promise<Stripe.PaymentIntent[]> {
    const { rows } = await this.store.db.execute<{ object: Stripe.PaymentIntent }>(
      sql`select object from sandbox.intents where object -> 'metadata' ->> 'order_id' = ${_id} order by seq desc`,
    )
    return rows.map(({ object }) => object)
  }

  /** While it lasts the provider does what it is asked and answers with an error, or answers with an error at once. */
  async troubled(lost: Lost, path: string, work: () => Promise<unknown>): Promise<void> {
    if (lost === 'no') return void (await work())
    const at = lost === 'answer' ? 'committed' : 'before'
    const disturbance = sandboxControls(this.store).calls.inject({ path, times: Infinity }, { answer: 'api_error', at })
    await work().finally(() => disturbance.remove())
  }

  async crash(): Promise<void> {
    this.crashes++
    await this.running.crash()
    this.letters.push(...this.running.sentEmails)
    sandboxControls(this.store).calls.clear()
    this.running = await createSecondInstance(this.store, { cards: this.cards })
  }

  /** What has to wait for its next try has waited. */
  async timePasses(): Promise<void> {
    for (const statement of [
      sql`update refunds set next_try_at = now() where state in ('asked', 'pending') and next_try_at > now()`,
      sql`update webhook_events set next_try_at = now() where worked_at is null and next_try_at > now()`,
      sql`update order_history set mail_due_at = now() where mail_due_at > now()`,
    ])
      await this.store.db.execute(statement)
    await this.running.jobs.runAllOnce()
  }
}

type Model = { orders: number }
type Lost = 'no' | 'answer' | 'question'
type Step = { what: string; needsOrder: boolean; run: (shop: Shop) => Promise<void> }

/** A step as fast-check runs it. */
class Command implements fc.AsyncCommand<Model, Shop> {
  step: Step
  constructor(step: Step) {
    this.step = step
  }
  check = ({ orders }: Readonly<Model>) => !this.step.needsOrder || orders > 0
  async run(model: Model, shop: Shop) {
    steps++
    await this.step.run(shop)
    await shop.running.jobs.whenIdle()
    model.orders = shop.orders.length
  }
  toString = () => this.step.what
}

let steps = 0
const buyer = (shop: Shop, { buyerEmail }: Purchase) =>
  buyerEmail === shop.store.customer.email ? shop.store.customer : shop.store.otherCustomer
const good = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_pendingRefund', 'pm_card_refundFail']

/** Which of the orders so far. */
const anyOrder = fc.nat({ max: 5 })
type Which = fc.Arbitrary<number>
const lost: fc.Arbitrary<Lost> = fc.constantFrom('no', 'no', 'no', 'answer', 'question')

const buying = (quantity: number, isAda: boolean): Step => ({
  what: `${isAda ? 'Ada' : 'Bob'} buys ${quantity}`,
  needsOrder: false,
  async run(shop) {
    const wish = {
      toolId: shop.toolId,
      productName: 'Drill',
      productQuantity: quantity,
      productCost: 30 * quantity,
      buyerAddress: '1 Road',
    }
    const placed = await shop.ask(isAda ? shop.store.customer : shop.store.otherCustomer, 'POST', '/purchase', wish)
    assert.ok([201, 409].includes(placed.statusCode), placed.body)
    if (placed.statusCode === 201) shop.orders.push(placed.json())
  },
})
const buys = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()).map(([quantity, isAda]) => buying(quantity, isAda))

const pays = (nth: Which, creating = lost) =>
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
            const opened = await shop.ask(buyer(shop, order), 'POST', '/create-payment-intent', {
              orderId: order._id,
              productCost: order.productCost,
            })
            if (opened.statusCode === 200) clientSecret = opened.json().clientSecret
          })
          if (!clientSecret) return
          const intentId = intentIdFromSecret(clientSecret)
          await shop.store.cards.stripe.paymentIntents.confirm(intentId, { payment_method: card }).catch(() => {})
          if (tells)
            await shop.troubled(asking, '/v1/payment_intents/:id', () =>
              shop.ask(buyer(shop, order), 'PATCH', `/purchase/${order._id}`, { transectionId: intentId }),
            )
        },
      }),
    )

const paysUnseen = (nth: Which) =>
  nth.map(
    (nth): Step => ({
      what: `an intent of order ${nth} is paid past the store`,
      needsOrder: true,
      async run(shop) {
        const [intent] = (await shop.intentsOf(shop.order(nth))).filter(({ status }) => status === 'requires_payment_method')
        if (intent) await shop.store.cards.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
      },
    }),
  )

const cancels = (nth: Which) =>
  fc.record({ nth, byAdmin: fc.boolean(), lost }).map(
    ({ nth, byAdmin, lost }): Step => ({
      what: `order ${nth} is cancelled by ${byAdmin ? 'the admin' : 'its buyer'}, lost: ${lost}`,
      needsOrder: true,
      async run(shop) {
        const order = shop.order(nth)
        const actor = byAdmin ? shop.store.admin : buyer(shop, order)
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

const refundsAtProvider = (nth: Which) =>
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

const restocks = fc.integer({ min: -3, max: 5 }).map(
  (pieces): Step => ({
    what: `the admin corrects the stock by ${pieces}`,
    needsOrder: false,
    async run(shop) {
      const { available_quantity: seen } = (await shop.ask(shop.store.admin, 'GET', `/tools/${shop.toolId}`)).json()
      const stock = { available_quantity: Math.max(0, seen + pieces), available_quantity_seen: seen }
      await shop.ask(shop.store.admin, 'PUT', `/tools/${shop.toolId}`, { price: 30, minimum_order_quantity: 1, ...stock })
    },
  }),
)

const expires = (nth: Which) =>
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

const minute = fc.constant<Step>({ what: 'a minute passes', needsOrder: false, run: (shop) => shop.timePasses() })

const bank = fc.constant<Step>({
  what: 'the banks do what they have to do',
  needsOrder: false,
  run: (shop) => sandboxControls(shop.store).bank.runPendingSteps(),
})

const webhooks = fc
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

/** Two things at once, half of the time about the same order. */
const together = anyOrder
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
const tooLate = anyOrder
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

const crashes = fc.tuple(fc.oneof(act, together, tooLate), fc.nat({ max: 40 })).map(
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

const history = fc.commands(
  [...acts, together, together, tooLate, crashes, crashes].map((step) => step.map((each) => new Command(each))),
  { maxCommands: 14, size: 'max' },
)

/** What nobody does but time: every answer comes in the end, all that waits is tried again. */
async function comesToRest(shop: Shop): Promise<void> {
  sandboxControls(shop.store).calls.clear()
  for (let minutes = 0; minutes < 10; minutes++) {
    await sandboxControls(shop.store).bank.runPendingSteps()
    await shop.timePasses()
    const { rows } = await shop.store.db.execute(
      sql`select 1 from refunds where state in ('asked', 'pending') union all select 1 from webhook_events where worked_at is null
        union all select 1 from order_history where mail_due_at is not null union all select 1 from payments where checking_since is not null`,
    )
    if (rows.length === 0 && minutes > 0) return
  }
  assert.fail('after ten minutes there is still something to do')
}

async function assertAllIsRight(shop: Shop): Promise<void> {
  const { db } = shop.store
  assert.deepEqual(
    (await checkInvariants(db, shop.cards)).flatMap(({ violations }) => violations),
    [],
  )
  const unexpected = shop.running.errors.filter((error) => !(error instanceof HttpError))
  assert.deepEqual(unexpected, [], 'no job has failed but for the provider')
  const sent = new Map([...shop.letters, ...shop.running.sentEmails].map((letter) => [letter.messageIdSeed, letter]))
  const { rows } = await db.execute<{ number: number; id: string; state: string; events: string[]; mails: number }>(
    sql`select number, o.id, (array_agg(h.state order by h.id desc))[1] as state, array_agg(event order by h.id) as events, count(mailed_at)::int as mails
      from orders o join order_history h on h.order_id = o.id where o.id in (select order_id from order_lines where tool_id = ${shop.toolId}) group by o.id`,
  )
  assert.ok(rows.length >= shop.orders.length)
  for (const { _id, number } of shop.orders) {
    const order = rows.find(({ id }) => id === _id)
    assert.ok(order, 'an order that was acknowledged is there')
    const { events, mails, state } = order
    const letters = [...sent.values()].filter(({ messageIdSeed }) => messageIdSeed?.startsWith(`order-${number}-`))
    assert.equal(letters.length, mails, 'a mail for each line that has one, once for its reader')
    assert.ok(events.filter((event) => event === 'paid').length <= 1)
    assert.equal(letters.filter(({ subject }) => subject.startsWith('Receipt')).length, events.includes('paid') ? 1 : 0)
    const taken = (await shop.intentsOf({ _id } as Purchase)).filter(({ status }) => status === 'succeeded')
    assert.ok(taken.length <= 1, 'nobody has paid twice')
    if (state === 'paid') assert.equal(taken.length, 1)
    if (state === 'open') assert.equal(taken.length, 0)
  }
}

const historiesInOneShop = 25

test('A8 histories made up by chance, with lost answers, late webhooks and kills: the books are right after each', async (t) => {
  const seed = Number(process.env.SEED ?? (isFullRun ? Date.now() % 2 ** 31 : 20261121))
  const began = performance.now()
  const counted = { histories: 0, crashes: 0, orders: 0 }
  let opened = new AsyncDisposableStack()
  let house: { store: Store; cards: Store['cards']; histories: number } | undefined

  const openHouse = async () => {
    await opened.disposeAsync()
    opened = new AsyncDisposableStack()
    const store = opened.use(await anEmptyStore({ cards: true, allowWrongBooks: true, buyerLimits: 'off' })) // each history looks at them itself
    await sandboxControls(store).webhooks.pause()
    await sandboxControls(store).bank.pause()
    assert.ok(store.sandbox)
    const { secretKey, host, port, protocol } = store.sandbox
    const stripe = new Stripe(secretKey, { host, port, protocol, maxNetworkRetries: 0, timeout: 6000, telemetry: false })
    await Promise.all([store.customer.token(), store.otherCustomer.token(), store.admin.token()])
    return { store, cards: { ...store.cards, stripe }, histories: 0 }
  }

  try {
    await fc.assert(
      fc.asyncProperty(history, async (commands) => {
        house ??= await openHouse()
        if (++house.histories > historiesInOneShop) house = await openHouse()
        const { store, cards } = house
        const shop = new Shop(store, cards, await createProduct(store, { pieces: 6 }), await createSecondInstance(store, { cards }))
        try {
          // Somebody has bought, so that there is something to do from the first step on.
          await buying(2, true).run(shop)
          await buying(1, false).run(shop)
          await fc.asyncModelRun(() => ({ model: { orders: shop.orders.length }, real: shop }), commands)
          await comesToRest(shop)
          await assertAllIsRight(shop)
        } catch (error) {
          house = undefined // what is wrong in this shop would be wrong for every shorter history, too
          throw error
        } finally {
          await shop.running[Symbol.asyncDispose]()
        }
        // Nobody is held up by the cards that were declined in another history.
        await store.db.execute(sql`update order_history set at = at - interval '2 hours' where event = 'card declined'`)
        counted.histories++
        counted.crashes += shop.crashes
        counted.orders += shop.orders.length
      }),
      { seed, numRuns: sampleSize(4, 600), ...(process.env.SHRINK === 'no' && { endOnFailure: true }) },
    )
  } finally {
    await opened.disposeAsync()
  }
  const { histories, crashes, orders } = counted
  t.diagnostic(
    `seed ${seed}: ${histories} histories, ${steps} steps, ${orders} orders, ${crashes} kills, ${Math.round((performance.now() - began) / 1000)} s`,
  )
})
