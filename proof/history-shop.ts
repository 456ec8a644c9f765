import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import Stripe from 'stripe'
import { HttpError } from '#platform/http-error.ts'
import type { EmailMessage } from '#platform/mail.ts'
import { checkInvariants } from '#store/orders/payments/invariants.ts'
import type { PaymentMethod } from '#store/orders/statuses.ts'
import { sandboxControls } from '#test/order-actions.ts'
import { createSecondInstance, type SecondInstance } from '#test/second-instance.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { isFullRun } from './full-run.ts'

/*
 * Whole histories of a shop, made up by chance: people buy, pay, cancel and wait, the owner restocks and gives money back, the card
 * provider loses answers and delivers its events late, twice or never, and in the middle of any of this the store is killed. Whatever
 * happened, a minute after the last of it the books must be right, in themselves and against the provider's.
 */

/** An order that was acknowledged. `amount` is what it cost its buyer then, as on the wire. */
export type HistoryOrder = { _id: string; number: number; amount: number; buyer: Actor }

/** The shop that a history happens in: products of its own, and the process that is running at the moment. */
export class HistoryShop {
  store: Store
  cards: Store['cards']
  toolIds: string[]
  running: SecondInstance
  options: InstanceOptions
  orders: HistoryOrder[] = []
  letters: EmailMessage[] = []
  delivered = new Set<string>()
  crashes = 0
  steps = 0

  constructor(store: Store, toolIds: string[], running: SecondInstance, options: InstanceOptions) {
    this.store = store
    this.cards = options.cards
    this.toolIds = toolIds
    this.running = running
    this.options = options
  }

  /** @param nth negative: counted from the newest */
  order(nth: number): HistoryOrder {
    const order = this.orders.at(nth % this.orders.length)
    assert.ok(order)
    return order
  }

  /** Whatever is asked of the store, it has an answer, if only that it cannot say now. */
  async ask(actor: Actor, method: Method, path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse> {
    const answer = await this.running.request(actor, method, path, body, headers)
    assert.ok(answer.statusCode < 500 || answer.statusCode === 503, `${method} ${path}: ${answer.statusCode} ${answer.body}`)
    return answer
  }

  /** Its intents at the provider, of which the store may know none. */
  async intentsOf({ _id }: Pick<HistoryOrder, '_id'>): Promise<Stripe.PaymentIntent[]> {
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
    this.running = await createSecondInstance(this.store, this.options)
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
export type Lost = 'no' | 'answer' | 'question'
export type Step = { what: string; needsOrder: boolean; run: (shop: HistoryShop) => Promise<void> }

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A step as fast-check runs it. */
export class Command implements fc.AsyncCommand<Model, HistoryShop> {
  step: Step
  constructor(step: Step) {
    this.step = step
  }
  check = ({ orders }: Readonly<Model>) => !this.step.needsOrder || orders > 0
  async run(model: Model, shop: HistoryShop) {
    shop.steps++
    await this.step.run(shop)
    await shop.running.jobs.whenIdle()
    model.orders = shop.orders.length
  }
  toString = () => this.step.what
}

/** What nobody does but time: every answer comes in the end, all that waits is tried again. */
async function comesToRest(shop: HistoryShop, atRest: (shop: HistoryShop) => Promise<void>): Promise<void> {
  sandboxControls(shop.store).calls.clear()
  for (let minutes = 0; minutes < 10; minutes++) {
    await sandboxControls(shop.store).bank.runPendingSteps()
    await shop.timePasses()
    await atRest(shop)
    const { rows } = await shop.store.db.execute(
      sql`select 1 from refunds where state in ('asked', 'pending') union all select 1 from webhook_events where worked_at is null
        union all select 1 from order_history where mail_due_at is not null union all select 1 from payments where checking_since is not null`,
    )
    if (rows.length === 0 && minutes > 0) return
  }
  assert.fail('after ten minutes there is still something to do')
}

async function assertAllIsRight(shop: HistoryShop): Promise<void> {
  const { db } = shop.store
  assert.deepEqual(
    (await checkInvariants(db, shop.cards)).flatMap(({ violations }) => violations),
    [],
  )
  const unexpected = shop.running.errors.filter((error) => !(error instanceof HttpError))
  assert.deepEqual(unexpected, [], 'no job has failed but for the provider')
  const sent = new Map([...shop.letters, ...shop.running.sentEmails].map((letter) => [letter.messageIdSeed, letter]))
  const { rows } = await db.execute<{ number: number; id: string; method: PaymentMethod; state: string; events: string[]; mails: number }>(
    sql`select number, o.id, payment_method as method, (array_agg(h.state order by h.id desc))[1] as state, array_agg(event order by h.id) as events, count(mailed_at)::int as mails
      from orders o join order_history h on h.order_id = o.id where o.id in (select order_id from order_lines where tool_id = any(${sql.param(shop.toolIds)}::uuid[])) group by o.id`,
  )
  assert.ok(rows.length >= shop.orders.length)
  for (const { _id, number } of shop.orders) {
    const order = rows.find(({ id }) => id === _id)
    assert.ok(order, 'an order that was acknowledged is there')
    const { method, events, mails, state } = order
    const letters = [...sent.values()].filter(({ messageIdSeed }) => messageIdSeed?.startsWith(`order-${number}-`))
    assert.equal(letters.length, mails, 'a mail for each line that has one, once for its reader')
    if (method !== 'on_account') assert.ok(events.filter((event) => event === 'paid').length <= 1) // which is paid in parts, each told
    assert.equal(
      letters.filter(({ subject }) => subject.startsWith('Receipt for')).length,
      events.includes('paid') && method !== 'on_account' ? 1 : 0,
    )
    // The intent of a total that has fallen since, and of which the store never heard, may be paid: all of that goes back.
    const returned = await db.execute<{ id: string }>(sql`select intent_id as id from payments
      where order_id = ${_id} and is_surplus and refunded_cents = amount_cents`)
    const isKept = ({ id, status }: Stripe.PaymentIntent) => status === 'succeeded' && !returned.rows.some((surplus) => surplus.id === id)
    const taken = (await shop.intentsOf({ _id })).filter(isKept)
    assert.ok(taken.length <= 1, 'nobody has paid twice')
    if (state === 'paid' && method === 'card') assert.equal(taken.length, 1)
    if (state === 'open') assert.equal(taken.length, 0)
  }
}

/** A history of up to fourteen of these steps. */
export const asCommands = (steps: fc.Arbitrary<Step>[]) =>
  fc.commands(
    steps.map((step) => step.map((each) => new Command(each))),
    { maxCommands: 14, size: 'max' },
  )

type InstanceOptions = { cards: Store['cards']; buyerLimits?: 'off' }
type Histories = {
  runs: number
  /** of the quick sample; `SEED` says another one */
  sampleSeed: number
  /** readies a store for the histories that it is to have */
  open?: (store: Store, nth: number) => Promise<unknown>
  /** the products of a history */
  stock: (store: Store) => Promise<string[]>
  begin: (shop: HistoryShop) => Promise<void>
  /** what people do each minute when nothing else happens any more */
  atRest?: (shop: HistoryShop) => Promise<void>
  /** what must be true at its end, besides the books */
  end?: (shop: HistoryShop) => Promise<void>
  buyerLimits?: 'off'
}

const historiesInOneStore = 25

/** Runs so many histories, each in a shop of its own. @returns what was run, for the figures of the proof */
export async function runHistories(
  history: ReturnType<typeof asCommands>,
  { runs, sampleSeed, open = async () => {}, stock, begin, atRest = async () => {}, end = async () => {}, buyerLimits }: Histories,
): Promise<string> {
  const seed = Number(process.env.SEED ?? (isFullRun ? Date.now() % 2 ** 31 : sampleSeed))
  const began = performance.now()
  const counted = { histories: 0, crashes: 0, orders: 0, steps: 0 }
  let opened = new AsyncDisposableStack()
  let house: { store: Store; options: InstanceOptions; histories: number } | undefined
  let houses = 0

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
    await open(store, houses++)
    return { store, options: { cards: { ...store.cards, stripe }, ...(buyerLimits && { buyerLimits }) }, histories: 0 }
  }

  try {
    await fc.assert(
      fc.asyncProperty(history, async (commands) => {
        house ??= await openHouse()
        if (++house.histories > historiesInOneStore) house = await openHouse()
        const { store, options } = house
        const shop = new HistoryShop(store, await stock(store), await createSecondInstance(store, options), options)
        try {
          await begin(shop)
          await fc.asyncModelRun(() => ({ model: { orders: shop.orders.length }, real: shop }), commands)
          await comesToRest(shop, atRest)
          await assertAllIsRight(shop)
          await end(shop)
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
        counted.steps += shop.steps
      }),
      { seed, numRuns: runs, ...(process.env.SHRINK === 'no' && { endOnFailure: true }) },
    )
  } finally {
    await opened.disposeAsync()
  }
  const { histories, crashes, orders, steps } = counted
  const seconds = Math.round((performance.now() - began) / 1000)
  return `seed ${seed}: ${histories} histories, ${steps} steps, ${orders} orders, ${crashes} kills, ${seconds} s`
}
