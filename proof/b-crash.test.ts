import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Product } from '#store/catalogue/contract.ts'
import { Purchase } from '#store/orders/contract.ts'
import type { PurchaseState } from '#store/orders/statuses.ts'
import { type CommitPhase, summarizeCommit } from '#test/postgres-proxy.ts'
import { fullRunOnly, isFullRun, sampleSize } from './full-run.ts'
import {
  type ApiClient,
  createProduct,
  intentIdFromSecret,
  mulberry32,
  openPayment,
  orderRequest,
  parseResponse,
  placePurchase,
  recoverySeconds,
  restartTimes,
  type StoreCluster,
  startStoreCluster,
  waitWithin,
} from './store-cluster.ts'

const pieces = 3
const seed = 20_261_121

/** One store for all rows, which is killed and started again in each of them. */
const shop = await startStoreCluster({ proxied: true })
after(() => shop[Symbol.asyncDispose]())

type Cast = { shop: StoreCluster; buyer: ApiClient; admin: ApiClient; tool: Product }
/** What people do, each asking again until there is an answer; and what has become of the order in the end. */
type Story = { title: string; tell(cast: Cast): Promise<Purchase>; ends: PurchaseState; stockLeft: number; mails: RegExp[] }

const openOrder = async ({ buyer, tool }: Cast) => {
  const order = await placePurchase(buyer, tool, pieces)
  return { order, clientSecret: await openPayment(buyer, order) }
}

const stories: Story[] = [
  {
    title: 'a payment and two refunds',
    async tell(cast) {
      const { order, clientSecret } = await openOrder(cast)
      await payFor(cast, order, clientSecret)
      await giveBack(cast.admin, order, { amountCents: 1000, restock: 1 })
      await giveBack(cast.admin, order, { amountCents: order.productCost * 100 - 1000, restock: 1 })
      return order
    },
    ends: 'refunded',
    stockLeft: -1,
    mails: [/not paid yet$/, /^Receipt/, /^\$10 of/, /\$20/],
  },
  {
    title: 'a hold that runs out',
    async tell(cast) {
      const { order } = await openOrder(cast)
      // A day passes, in which the store was not running.
      await cast.shop.db.execute(sql`update orders set hold_until = now() - interval '1 second' where id = ${order._id}`)
      await cast.shop.db.execute(sql`update job_runs set began_at = began_at - interval '1 day'`)
      await cast.shop.store.kill()
      return order
    },
    ends: 'expired',
    stockLeft: 0,
    mails: [/not paid yet$/, /expired|ended/],
  },
  {
    title: 'an order that its buyer cancels',
    async tell(cast) {
      const { order } = await openOrder(cast)
      const answer = await cast.buyer.requestWithRetry('POST', `/purchase/${order._id}/cancel`, {})
      assert.match(`${answer.status} ${answer.body}`, /^200 |^409 .*cancelled/)
      return order
    },
    ends: 'cancelled',
    stockLeft: 0,
    mails: [/not paid yet$/, /is cancelled: nothing was charged$/],
  },
]

/** Pays with a card, and tells the store of it as the browser does. */
async function payFor({ shop, buyer }: Cast, order: Purchase, clientSecret: string) {
  await waitWithin(recoverySeconds, 'the card is taken', async () => {
    const answer = await shop.pay(clientSecret).catch(() => undefined) // the connection broke: the form is sent again
    return answer && /"status": ?"succeeded"/.test(answer.said)
  })
  const paid = parseResponse(
    Purchase,
    await buyer.requestWithRetry('PATCH', `/purchase/${order._id}`, { pay: true, transectionId: intentIdFromSecret(clientSecret) }),
  )
  assert.equal(paid.paid, true)
}

/** Gives money back as an admin does who looks, after a fault, whether it has gone. */
async function giveBack(admin: ApiClient, { _id }: Purchase, { amountCents, restock }: { amountCents: number; restock: number }) {
  const look = async () => parseResponse(Purchase, await admin.requestWithRetry('GET', `/purchase/${_id}`)).refundedCents
  const refundedCentsSeen = await look()
  await waitWithin(recoverySeconds, 'the refund has gone', async () => {
    if ((await look()) === refundedCentsSeen + amountCents) return true
    const answer = await admin.requestWithRetry('POST', `/purchase/${_id}/refund`, { amountCents, restock, refundedCentsSeen })
    assert.ok(answer.status === 200 || answer.status === 409, answer.body) // 409: meanwhile it has gone, or is on its way
    return false
  })
}

/** A point at which the store is killed: at the nth commit, or at the nth call to the card provider. */
type Point = { of: 'database' | 'provider'; nth: number; moment: CommitPhase }
type Killed = { at: string }

/** Lets the store die at this point of what comes. @returns tells whether it came to that, and lifts what was not reached */
function killAt({ proxy, sandbox, store }: StoreCluster, { of, nth, moment }: Point): () => Killed | undefined {
  const killed: Killed[] = []
  const die = async (at: string) => {
    killed.push({ at })
    await store.kill()
  }
  proxy.resetCommits()
  if (of === 'database') proxy.interceptCommit(nth, moment, (commit) => die(summarizeCommit(commit)))
  else {
    const step = async ({ method, path }: { method: string; path: string }) => {
      await die(`${method} ${path.replace(/(pi|re|ch)_\w+/, ':id')}`)
      return path.endsWith('/confirm') ? undefined : 'cut' // the browser that confirms lives on
    }
    sandbox.controls.calls.inject({ nth }, { [{ before: 'before', unanswered: 'committed', after: 'answered' }[moment]]: step })
  }
  return () => {
    proxy.resetCommits()
    sandbox.controls.calls.clear()
    return killed[0]
  }
}

/** Waits until nothing is left to be done and the books are right. @returns after how many seconds they were */
async function rightAgain(
  shop: StoreCluster,
  story: Story,
  { _id, number }: Purchase,
  stockBefore: number,
  toolId: string,
): Promise<number> {
  const from = performance.now()
  let wrong: unknown[] = []
  await waitWithin(recoverySeconds, story.title, async () => {
    const [{ state } = { state: 'lost' }, undone] = await Promise.all([shop.findOrder(_id), shop.listPendingWork()])
    wrong = state === story.ends ? undone : [`the order is ${state}`, ...undone]
    return wrong.length === 0
  }).catch((error) => assert.fail(`${error.message}; ${wrong.join(', ')}; the store said: ${shop.store.said()}`))
  const seconds = (performance.now() - from) / 1000

  assert.deepEqual(await shop.faults(), [])
  assert.equal((await shop.listPaymentIntents(_id)).length, 1, 'one intent at the provider')
  const mails = await shop.listEmailSubjects(number)
  assert.equal(mails.length, story.mails.length, `one mail of each kind: ${mails.join('; ')}`)
  for (const kind of story.mails)
    assert.equal(mails.filter((subject) => kind.test(subject)).length, 1, `one mail ${kind}: ${mails.join('; ')}`)
  const { rows } = await shop.db.execute<{ stock: number }>(sql`select available_quantity as stock from tools where id = ${toolId}`)
  assert.equal(rows[0]?.stock, stockBefore + story.stockLeft, 'the stock')
  return seconds
}

// The last crash of a row may have come after all that it looked at.
beforeEach(() => shop.store.opened())

for (const [nth, story] of stories.entries())
  test(
    `B1 ${story.title}: killed before and after each commit and each call to the card provider, the books come right by themselves`,
    nth === 0 ? {} : fullRunOnly,
    async (t) => {
      const { store } = shop
      const admin = await shop.admin()
      const buyer = await shop.registerCustomer(`Ada${nth}`)
      const startsBefore = store.startsMs.length
      let stock = 1000
      const tool = await createProduct(admin, stock)
      const slowest: number[] = []
      const places = new Set<string>()

      /** Tells the story once, with a crash at this point; without a point the whole of it is only counted. */
      async function tell(point?: Point): Promise<Killed | undefined> {
        const lift = point && killAt(shop, point)
        const order = await story.tell({ shop, buyer, admin, tool })
        await store.opened()
        slowest.push(await rightAgain(shop, story, order, stock, tool._id))
        stock += story.stockLeft
        return lift?.()
      }

      /** How many commits and calls the story takes when nothing happens to it. */
      async function count() {
        const calls = shop.sandbox.controls.calls.inject({ times: Number.POSITIVE_INFINITY })
        shop.proxy.resetCommits()
        await tell()
        calls.remove()
        return { database: shop.proxy.commits.length, provider: calls.affected.length }
      }
      const counted = isFullRun ? await count() : { database: 30, provider: 10 } // a sample begins with a crash at one of so many

      const moments: CommitPhase[] = ['before', 'unanswered', 'after']
      const all = (['database', 'provider'] as const).flatMap((of) =>
        Array.from({ length: counted[of] }, (_, nth) => moments.map((moment): Point => ({ of, nth: nth + 1, moment }))).flat(),
      )
      const random = mulberry32(seed)
      const drawn = Array.from({ length: 20 }, () => all[Math.floor(random() * all.length)]) // mails go out together or apart: not every point is met again
      const enough = isFullRun ? all.length : sampleSize(1, 0)
      let [tried, reached] = [0, 0]
      for (const point of isFullRun ? all : drawn) {
        if (!point || reached === enough) break
        tried++
        const killed = await tell(point).catch((cause) => {
          throw new Error(`Killed ${point.moment} the ${point.nth}. of the ${point.of}: ${cause.message}`, { cause })
        })
        if (!killed) continue
        reached++
        places.add(`${point.moment} ${killed.at}`)
      }

      assert.ok(reached > 0, 'the store was killed')
      const starts = restartTimes(store, startsBefore)
      t.diagnostic(
        `${story.title}: ${counted.database} commits and ${counted.provider} calls; killed at ${reached} of ${tried} points (seed ${seed}), ${places.size} of different kinds; ` +
          `${starts.said}; books right after ${Math.max(...slowest).toFixed(1)} s at most`,
      )
    },
  )

/** Where the store dies after the provider has taken the money, and how it may still hear of it. */
const gaps: { title: string; at: Point['moment'] | 'confirmed'; told: boolean }[] = [
  { title: 'killed when the card is confirmed, with webhooks', at: 'confirmed', told: true },
  { title: 'killed when the card is confirmed, without any webhook', at: 'confirmed', told: false },
  { title: 'killed before the commit that says paid', at: 'before', told: true },
  { title: 'killed before the answer to that commit', at: 'unanswered', told: true },
]
test('B2 killed between the confirmation of the card and the update of the order, the order is paid after the restart, once', async (t) => {
  const { db, proxy, sandbox, store } = shop
  const [admin, buyer] = [await shop.admin(), await shop.registerCustomer('Bob')]
  const tool = await createProduct(admin, 100)
  const slowest: number[] = []
  for (const { title, at, told } of isFullRun ? gaps : gaps.slice(1, 2)) {
    const order = await placePurchase(buyer, tool)
    const clientSecret = await openPayment(buyer, order)
    await waitWithin(recoverySeconds, 'quiet', async () => (await shop.listPendingWork()).length === 0)
    // Otherwise a start so soon after the last one leaves the reconciling to the next minute.
    await db.execute(sql`update job_runs set began_at = began_at - interval '1 minute'`)
    const lost = told ? undefined : sandbox.controls.webhooks.inject({ times: Number.POSITIVE_INFINITY }, 'drop')
    const died = Promise.withResolvers<void>()
    const die = async () => {
      await store.kill()
      died.resolve()
    }
    if (at === 'confirmed') sandbox.controls.calls.inject({ path: '/v1/payment_intents/:id/confirm' }, { committed: die })
    else proxy.interceptCommit((commit) => /update orders/.test(summarizeCommit(commit)), at, die)
    await shop.pay(clientSecret)
    const from = performance.now()
    await died.promise
    await waitWithin(recoverySeconds, `${title}: paid`, async () => (await shop.findOrder(order._id))?.state === 'paid')
    slowest.push((performance.now() - from) / 1000)
    lost?.remove()

    await waitWithin(recoverySeconds, 'quiet', async () => (await shop.listPendingWork()).length === 0)
    assert.deepEqual(await shop.faults(), [], title)
    const { rows } = await db.execute(sql`
      select (select count(*)::int from payments where state = 'succeeded' and id = o.payment_id) as payments,
        (select count(*)::int from order_history where order_id = o.id and event = 'paid') as records
      from orders o where id = ${order._id}`)
    assert.deepEqual(rows, [{ payments: 1, records: 1 }], title)
    const receipts = (await shop.listEmailSubjects(order.number)).filter((subject) => subject.startsWith('Receipt'))
    assert.equal(receipts.length, 1, title)
  }
  t.diagnostic(`${slowest.length} ways: paid ${slowest.map((seconds) => seconds.toFixed(1)).join(', ')} s after the card was taken`)
})

test('B3 killed at random moments while twenty customers order, every order that was confirmed to somebody is there, and the stock is right', async (t) => {
  const { store } = shop
  const startsBefore = store.startsMs.length
  const admin = await shop.admin()
  const stock = 100_000
  const tool = await createProduct(admin, stock)
  const buyers = await shop.createCustomers(20)
  const random = mulberry32(seed)
  const crashes = sampleSize(1, 50)
  const confirmed = new Map<string, Purchase>()
  let closing = false
  let unanswered = 0

  /** As long as the store is killed again and again there may be no answer; afterwards there has to be one. */
  async function askUntilAnswered<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
    while (!closing) {
      const answer = await ask()
      if (answer) return answer
      await pause(50)
    }
    return waitWithin(recoverySeconds, 'an answer', ask)
  }

  /** Orders again and again; after a crash half of the customers ask for the same order again, the others have gone. */
  const shopping = buyers.map(async (buyer, nth) => {
    for (let turn = 0; !closing; turn++) {
      const key = `${nth} ${turn}`
      const pieces = 1 + Math.floor(random() * 3)
      // A busy store that refuses at once has not answered either.
      const order = async () => {
        const given = await buyer
          .request('POST', '/purchase', orderRequest(tool, pieces), { 'idempotency-key': key })
          .catch(() => undefined)
        return given?.status === 503 ? undefined : given
      }
      let answer = await order()
      if (!answer) {
        unanswered++
        await store.opened()
        if (nth % 2) answer = await askUntilAnswered(order)
      }
      if (!answer) continue
      const placed = parseResponse(Purchase, answer)
      assert.equal(placed.productQuantity, pieces)
      confirmed.set(key, placed)
    }
  })
  const shopped = Promise.all(shopping)
  shopped.catch(() => {}) // waited for below
  for (let nth = 0; nth < crashes; nth++) {
    const before = confirmed.size
    await waitWithin(recoverySeconds, 'customers order again', async () => confirmed.size > before)
    await pause(random() * 500) // the random moment
    await store.kill()
  }
  closing = true
  await store.opened()
  await shopped

  await waitWithin(recoverySeconds, 'every mail is sent', async () => (await shop.listPendingWork()).length === 0)
  assert.deepEqual(await shop.faults(), [])
  const { rows } = await shop.db.execute<{ _id: string; pieces: number; key: string }>(
    sql`select l.id as "_id", quantity as pieces, request_key as key from order_lines l join orders o on o.id = order_id where tool_id = ${tool._id}`,
  )
  const kept = new Map(rows.map((row) => [row._id, row]))
  for (const [key, { _id, productQuantity }] of confirmed)
    assert.deepEqual(kept.get(_id), { _id, pieces: productQuantity, key }, `the order of ${key} was confirmed`)
  const sold = rows.reduce((sum, { pieces }) => sum + pieces, 0)
  const left = await shop.db.execute<{ stock: number }>(sql`select available_quantity as stock from tools where id = ${tool._id}`)
  assert.deepEqual(left.rows, [{ stock: stock - sold }])
  const starts = restartTimes(store, startsBefore)
  t.diagnostic(
    `${crashes} crashes (seed ${seed}): ${confirmed.size} orders confirmed and there, ${rows.length - confirmed.size} there unheard, ` +
      `${unanswered} requests broken off; ${starts.said}`,
  )
})
