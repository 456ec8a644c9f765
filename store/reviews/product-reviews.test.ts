import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { createPageCache } from '#platform/page-cache.ts'
import { users } from '#store/identity/table.ts'
import { orderLines, orders } from '#store/orders/table.ts'
import { orderOnAccount, setUpAccount } from '#test/on-account-actions.ts'
import { cancelPurchase, createProduct, createTestStoreWithCards, placePaidOrder, placePurchase } from '#test/order-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import type { AdminReview } from './contract.ts'
import type { ProductReviewPage } from './product-review-contract.ts'
import { findReviewsOnProductPage } from './product-reviews.ts'
import { reviews } from './table.ts'

const words = { name: 'Ada', about: 'Quiet, and cool under load.', rating: 4.5 }

const post = (who: Pick<Actor, 'request'>, toolId: string, body: object = words) => who.request('POST', `/products/${toolId}/reviews`, body)
const own = async (who: Actor, toolId: string) => (await who.request('GET', `/products/${toolId}/reviews/own`)).json()
const page = async (store: Store, toolId: string, query = ''): Promise<ProductReviewPage> =>
  (await store.visitor.request('GET', `/products/${toolId}/reviews${query}`)).json()

/** A store without a card provider, in which nobody pays for what is paid: only the states are what this is about. */
const aStore = () => anEmptyStore({ allowWrongBooks: true })

/** An order of the product that counts as paid. @returns its id */
async function buys(store: Store, buyer: Actor, toolId: string): Promise<string> {
  const { _id } = await placePurchase(store, { toolId, buyer })
  await store.db.update(orders).set({ orderStatus: 'placed', paymentStatus: 'paid' }).where(eq(orders._id, _id))
  return _id
}

/** So many reviews of the product, each by a buyer of their own: the first is the oldest. */
async function writtenByBuyers(store: Store, toolId: string, ratings: number[]): Promise<void> {
  for (const [nth, rating] of ratings.entries()) {
    const buyer = store.newCustomer(`Buyer${nth}`)
    await buys(store, buyer, toolId)
    const posted = await post(buyer, toolId, { name: `Buyer ${nth}`, about: `${nth}`, rating })
    assert.equal(posted.statusCode, 201, posted.body)
  }
}

test('who has bought a product posts a review of it, which then stands on its page and in its list with the average', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  await buys(store, store.customer, toolId)

  const posted = await post(store.customer, toolId)

  assert.equal(posted.statusCode, 201, posted.body)
  const { replaced, hidden, shown, ...review } = posted.json()
  assert.deepEqual([replaced, hidden, shown], [false, false, true])
  const { _id, postedAt, ...said } = review
  assert.deepEqual(said, { ...words, bought: true })
  assert.ok(Math.abs(Date.now() - Date.parse(postedAt)) < 60_000, postedAt)
  const summary = { count: 1, average: 4.5, stars: [0, 0, 0, 1, 0] }
  assert.deepEqual(await page(store, toolId), { product: { _id: toolId, name: 'Drill' }, summary, reviews: [review], next: null })
  const shownPage = (await store.visitor.request('GET', `/products/${toolId}`)).json()
  assert.deepEqual(shownPage.reviews, { ...summary, newest: [review] })
  assert.deepEqual(await own(store.customer, toolId), {
    ...{ product: { _id: toolId, name: 'Drill' }, mayPost: true, whyNot: null },
    review: { ...review, hidden: false, hiddenAt: null, shown: true },
  })
})

test('who has not bought a product cannot review it: no order, an unpaid one, one of another product, a cancelled line and a refunded one do not count', async () => {
  await using store = await aStore()
  const [toolId, other] = [await createProduct(store), await createProduct(store, { name: 'Saw' })]
  const refused = async (state: string, who = store.customer) => {
    const answer = await post(who, toolId)
    assert.deepEqual([answer.statusCode, answer.json().code], [403, 'product_not_bought'], state)
    assert.match(answer.json().message, /^Only who has bought a product here can review it: order it from this account and pay/)
    const { mayPost, whyNot } = await own(who, toolId)
    assert.deepEqual([mayPost, whyNot], [false, answer.json().message], state)
  }
  await refused('no order')
  await buys(store, store.customer, other)
  await refused('another product')
  await buys(store, store.otherCustomer, toolId)
  await refused('the order of somebody else')
  await placePurchase(store, { toolId })
  await refused('unpaid')
  for (const [state, statuses] of [
    ['refunded', { paymentStatus: 'refunded' }],
    ['cancelled', { orderStatus: 'cancelled', paymentStatus: 'refunded' }],
  ] as const) {
    await store.db
      .update(orders)
      .set(statuses)
      .where(eq(orders._id, await buys(store, store.customer, toolId)))
    await refused(state)
  }
  const _id = await buys(store, store.customer, toolId)
  for (const [state, line] of [
    ['its line cancelled', { cancelled: 1 }],
    ['its line refunded', { refundedCents: 3000 }],
    ['its line released', { cancelled: 1, isReleased: true }],
  ] as const) {
    await store.db.update(orderLines).set(line).where(eq(orderLines.orderId, _id))
    await refused(state)
    await store.db.update(orderLines).set({ cancelled: 0, refundedCents: 0, isReleased: false }).where(eq(orderLines.orderId, _id))
  }
  assert.equal((await post(store.customer, toolId)).statusCode, 201)
  assert.deepEqual(
    [(await store.visitor.request('POST', `/products/${toolId}/reviews`, words)).statusCode, (await post(store.admin, toolId)).statusCode],
    [401, 403],
  )
})

test('a second review of a product by the same customer takes the place of the first; of another product they have one more', async () => {
  await using store = await aStore()
  const [toolId, other] = [await createProduct(store), await createProduct(store, { name: 'Saw' })]
  for (const id of [toolId, other]) await buys(store, store.customer, id)
  const first = (await post(store.customer, toolId)).json()
  await buys(store, store.otherCustomer, toolId)
  await post(store.otherCustomer, toolId, { ...words, name: 'Bob' })

  const second = await post(store.customer, toolId, { ...words, about: 'It broke.', rating: 1 })

  assert.deepEqual([second.statusCode, second.json().replaced, second.json()._id], [201, true, first._id])
  assert.deepEqual(
    (await page(store, toolId)).reviews.map(({ name, about }) => `${name}: ${about}`),
    ['Ada: It broke.', `Bob: ${words.about}`],
  )
  const elsewhere = await post(store.customer, other)
  assert.deepEqual([elsewhere.statusCode, elsewhere.json().replaced], [201, false])
  const shop = await store.customer.request('POST', '/reviews', { ...words, img: '/drawings/avatar.svg' })
  assert.deepEqual([shop.statusCode, shop.json().replaced], [201, false], 'nor does one of the shop replace any')
  assert.equal((await page(store, toolId)).summary.count, 2)
  const atOnce = await Promise.all(Array.from({ length: 8 }, (_, nth) => post(store.customer, other, { ...words, about: `The ${nth}th` })))
  assert.deepEqual([...new Set(atOnce.map((answer) => `${answer.statusCode} ${answer.json().replaced}`))], ['201 true'])
  assert.equal((await page(store, other)).summary.count, 1)
})

test('reviews of the shop, their counts and the own one never include those of products', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  await buys(store, store.customer, toolId)
  assert.equal((await post(store.customer, toolId)).statusCode, 201)
  const ask = async (who: Pick<Actor, 'request'>, path: string) => (await who.request('GET', path)).json()
  assert.deepEqual(await ask(store.visitor, '/reviews'), [])
  assert.deepEqual(await ask(store.visitor, '/reviews/shown'), { reviews: [], next: null })
  assert.equal((await ask(store.visitor, '/reviews/summary')).count, 0)
  assert.deepEqual(await ask(store.customer, '/reviews/own'), { review: null })
})

test('after 20 reviews in an hour, of the shop and of products together, an account is told to wait', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  await buys(store, store.customer, toolId)
  await store.customer.request('POST', '/reviews', { ...words, img: '/drawings/avatar.svg' })
  for (let nth = 2; nth <= 20; nth++) assert.equal((await post(store.customer, toolId, { ...words, about: `${nth}` })).statusCode, 201)
  const refused = await post(store.customer, toolId)
  assert.equal(refused.statusCode, 429)
  assert.match(refused.json().message, /^Too many reviews from this account: wait \d+ minutes, then try again$/)
  assert.equal((await page(store, toolId)).reviews[0]?.about, '20')
})

test('a review of a product with a wrong field is refused in words, and not posted', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  await buys(store, store.customer, toolId)
  for (const [field, values, message] of [
    ['name', ['', '  ', null, undefined], 'Enter the name to show'],
    ['name', ['x'.repeat(81)], 'At most 80 characters'],
    ['name', ['www.cheap.example', 'Ada of shop.example'], 'A name has no web address in it: leave it out, or put a space after the dot'],
    ['name', ['Ada\nByron'], 'A name stands on one line, without control characters'],
    ['about', ['', ' ', null, undefined], 'Say something about the product'],
    ['about', ['x'.repeat(5001)], 'At most 5000 characters'],
    ['rating', [0, 0.5, 5.5, 6, -1, 4.25, '4.3', '', 'five', null, undefined, 1e15], 'Rate it from 1 to 5, in whole or half steps'],
  ] as const)
    for (const value of values) {
      const answer = await post(store.customer, toolId, { ...words, [field]: value })
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [400, { message, errors: { [field]: message }, code: 'invalid_request' }],
        `${field} ${JSON.stringify(value)}`,
      )
    }
  assert.equal((await page(store, toolId)).summary.count, 0)
  for (const rating of [1, 1.5, 5, '2.5'])
    assert.equal((await post(store.customer, toolId, { ...words, rating })).json().rating, Number(rating))
  await assert.rejects(store.db.update(reviews).set({ rating: 0.5 }), 'the database refuses it, too')
})

test('the reviews of a product are listed newest first, page by page and by stars, and the counts are of all of them', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  assert.deepEqual((await page(store, toolId)).summary, { count: 0, average: null, stars: [0, 0, 0, 0, 0] })
  await writtenByBuyers(store, toolId, [1, 1.5, 2, 4.5, 5])
  const abouts = ({ reviews: some }: ProductReviewPage) => some.map(({ about }) => Number(about))
  const pages: number[][] = []
  for (let cursor: number | null = 0; cursor !== null; ) {
    const answer: ProductReviewPage = await page(store, toolId, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    pages.push(abouts(answer))
    assert.deepEqual(answer.summary, { count: 5, average: 2.8, stars: [2, 1, 0, 1, 1] })
    cursor = answer.next
  }
  assert.deepEqual(pages, [[4, 3], [2, 1], [0]])
  assert.deepEqual(abouts(await page(store, toolId, '?stars=1')), [1, 0])
  assert.deepEqual(abouts(await page(store, toolId, '?stars=3')), [])
  const { reviews: onPage } = (await store.visitor.request('GET', `/products/${toolId}`)).json()
  assert.deepEqual(abouts({ reviews: onPage.newest } as ProductReviewPage), [4, 3, 2], 'the page of the product has the newest three')
  for (const wrong of ['stars=0', 'stars=6', 'limit=0', 'limit=101', 'cursor=0', 'cursor=x'])
    assert.equal((await store.visitor.request('GET', `/products/${toolId}/reviews?${wrong}`)).statusCode, 400, wrong)
})

test('an admin hides the review of a product and brings it back, and reads in the list which product it is about', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  await buys(store, store.customer, toolId)
  const { _id } = (await post(store.customer, toolId)).json()
  const hide = (hidden: boolean) => store.admin.request('PUT', `/reviews/${_id}/hidden`, { hidden })
  const all = async (): Promise<AdminReview[]> => (await store.admin.request('GET', '/reviews/all')).json().reviews
  const product = { _id: toolId, name: 'Drill', removed: false }

  const hidden = (await hide(true)).json()
  assert.deepEqual([hidden.hidden, hidden.shown, hidden.bought, hidden.product], [true, false, true, product])
  assert.deepEqual((await page(store, toolId)).summary.count, 0)
  assert.deepEqual((await page(store, toolId)).reviews, [])
  const { review } = await own(store.customer, toolId)
  assert.deepEqual([review.hidden, review.shown, typeof review.hiddenAt], [true, false, 'string'])
  const again = (await post(store.customer, toolId, { ...words, about: 'Again.' })).json()
  assert.deepEqual([again.replaced, again.hidden, again.shown], [true, true, false], 'posting another brings nothing back')
  assert.deepEqual((await hide(false)).json().shown, true)
  assert.deepEqual(
    (await all()).map(({ about, shown, product }) => ({ about, shown, product })),
    [{ about: 'Again.', shown: true, product }],
  )
  await store.customer.request('POST', '/reviews', { ...words, img: '/drawings/avatar.svg' })
  assert.equal((await all())[0]?.product, null, 'of the shop')
})

test('the review of a removed account is not shown; that of a removed product is answered with 404, and comes back with it', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  await buys(store, store.customer, toolId)
  await post(store.customer, toolId)
  await store.admin.request('DELETE', `/user/${store.customer.email}`)
  assert.deepEqual([(await page(store, toolId)).summary.count, (await page(store, toolId)).reviews], [0, []])
  await store.admin.request('PUT', `/user/restored/${store.customer.email}`)
  assert.equal((await page(store, toolId)).summary.count, 1)

  await buys(store, store.otherCustomer, toolId)
  await store.admin.request('DELETE', `/tools/${toolId}`)
  for (const answer of [
    await store.visitor.request('GET', `/products/${toolId}/reviews`),
    await store.otherCustomer.request('GET', `/products/${toolId}/reviews/own`),
    await post(store.otherCustomer, toolId),
  ])
    assert.deepEqual([answer.statusCode, answer.json().message], [404, 'There is no such product'])
  assert.equal((await store.admin.request('GET', '/reviews/all')).json().reviews[0].product.removed, true)
  await store.admin.request('PUT', `/tools/restored/${toolId}`)
  assert.equal((await page(store, toolId)).summary.count, 1)
  assert.equal((await store.visitor.request('GET', `/products/${crypto.randomUUID()}/reviews`)).statusCode, 404)
  assert.equal((await store.visitor.request('GET', '/products/none/reviews')).statusCode, 404)
})

test('the review of an order that is cancelled before it is sent goes with it; once sent it stays without its badge, also when the money goes back', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  const orderId = await buys(store, store.customer, toolId)
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.customer.email))
  await post(store.customer, toolId)
  const seen = async () => (await page(store, toolId)).reviews.map(({ bought }) => bought)
  assert.deepEqual(await seen(), [true])
  await store.db.update(orders).set({ paymentStatus: 'refunded' }).where(eq(orders._id, orderId))
  assert.deepEqual(await seen(), [], 'it would cost nothing')
  const another = await buys(store, store.customer, toolId)
  await store.db.update(orders).set({ fulfilmentStatus: 'sent' }).where(eq(orders._id, another))
  await store.db.update(orderLines).set({ packed: 1, sent: 1 }).where(eq(orderLines.orderId, another))
  assert.deepEqual(await seen(), [true])
  await store.db.update(orders).set({ paymentStatus: 'refunded' }).where(eq(orders._id, another))
  assert.deepEqual(await seen(), [false])
})

/** Keeps a page of this product, one of another and one with reviews of the shop, and says which of them are kept after something. */
function watchPages(store: Store, toolId: string) {
  const pages = createPageCache(store.changes)
  const keep = async () => {
    for (const [address, topic] of [
      ['/products/1', `reviews:${toolId}`],
      ['/products/2', `reviews:${crypto.randomUUID()}`],
      ['/', 'reviews'],
    ] as const)
      await pages.renderOnce(address, async () => ({ status: 200, headers: {}, body: Buffer.from(address), cacheTags: [topic] }))
  }
  /** Which pages are kept after this. Announcements come in the order of their transactions. */
  return async (act: () => Promise<unknown>) => {
    await keep()
    await act()
    const { promise: isLast, resolve } = Promise.withResolvers<void>()
    store.changes.subscribe((topic) => topic === 'last' && resolve())
    await store.db.execute(sql`select pg_notify('changes', 'test last')`)
    await isLast
    return ['/products/1', '/products/2', '/'].filter((address) => pages.get(address))
  }
}

test('the pages of a product are made anew when a review of it is posted or hidden, when its author is removed, and when the money goes back; those of others are kept', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store)
  const keptAfter = watchPages(store, toolId)
  const { order } = await placePaidOrder(store, { toolId })
  const others = ['/products/2', '/']
  let reviewId = ''
  const posts = async () => {
    reviewId = (await post(store.customer, toolId)).json()._id
  }
  const { email } = store.customer
  assert.deepEqual(await keptAfter(posts), others, 'posted')
  assert.deepEqual(await keptAfter(() => store.admin.request('PUT', `/reviews/${reviewId}/hidden`, { hidden: true })), others, 'hidden')
  assert.deepEqual(await keptAfter(() => store.admin.request('PUT', `/reviews/${reviewId}/hidden`, { hidden: false })), others, 'back')
  assert.deepEqual(await keptAfter(() => store.admin.request('DELETE', `/user/${email}`)), others, 'the author was removed')
  assert.deepEqual(await keptAfter(() => store.admin.request('PUT', `/user/restored/${email}`)), others, 'and came back')
  assert.deepEqual(await keptAfter(() => cancelPurchase(store.admin, order)), others, 'the money went back')
})

test('the pages of a product are made anew when the line of its reviewer is cancelled or refunded while the order goes on', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  const orderId = await buys(store, store.customer, toolId)
  await post(store.customer, toolId)
  const keptAfter = watchPages(store, toolId)
  const change = (line: Partial<typeof orderLines.$inferInsert>) => () =>
    store.db.update(orderLines).set(line).where(eq(orderLines.orderId, orderId))
  assert.deepEqual(await keptAfter(change({ refundedCents: 1 })), ['/products/1', '/products/2', '/'], 'a part of its money went back')
  for (const line of [{ refundedCents: 3000 }, { refundedCents: 0 }, { cancelled: 1 }, { cancelled: 0 }])
    assert.deepEqual(await keptAfter(change(line)), ['/products/2', '/'], JSON.stringify(line))
  const giveBack = () => store.db.update(orders).set({ paymentStatus: 'refunded' }).where(eq(orders._id, orderId))
  assert.deepEqual(await keptAfter(giveBack), ['/products/2', '/'], 'the order ends')
})

test('a product without reviews costs its page one more query, by an index', async (t) => {
  await using store = await aStore()
  const [toolId, other] = [await createProduct(store), await createProduct(store, { name: 'Saw' })]
  await buys(store, store.customer, other)
  await store.db.insert(reviews).values(
    Array.from({ length: 2000 }, (_, nth) => ({ name: 'Ada', img: '/a.svg', about: `${nth}`, rating: 3 })), // of the shop
  )
  await post(store.customer, other)
  await store.db.execute(sql`analyze reviews`)
  await store.db.transaction(async (tx) => {
    // of the connection: what transactions before have read is among it for a second
    const readWhole = async () =>
      (await tx.execute(sql`select seq_scan::int as whole from pg_stat_xact_user_tables where relname = 'reviews'`)).rows
    const before = await readWhole()
    const asked = t.mock.method(tx._.session, 'prepareQuery')
    assert.equal((await findReviewsOnProductPage(tx, toolId)).count, 0)
    assert.equal(asked.mock.callCount(), 1)
    assert.deepEqual(await readWhole(), before)
  })
})

test('an order on account counts once the product is sent, not before', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000)
  const toolId = await createProduct(store)
  const order = await orderOnAccount(store.customer, { [toolId]: 1 })
  assert.equal((await post(store.customer, toolId)).statusCode, 403)
  await sendPieces(store, order, 1)
  assert.equal((await post(store.customer, toolId)).statusCode, 201)
})

test('a review of blank signs is refused, and no run of empty lines pushes the page away', async () => {
  await using store = await aStore()
  const toolId = await createProduct(store)
  await buys(store, store.customer, toolId)
  for (const blank of [{ about: '\u200b' }, { about: '\u3164' }, { name: '\u3164' }])
    assert.equal((await post(store.customer, toolId, { ...words, ...blank })).statusCode, 400, JSON.stringify(blank))
  const posted = await post(store.customer, toolId, { ...words, about: `Quiet.${'\n'.repeat(4000)}Cool.` })
  assert.equal(posted.json().about, 'Quiet.\n\nCool.')
})
