import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { createPageCache } from '#platform/page-cache.ts'
import { users } from '#store/identity/table.ts'
import { orders } from '#store/orders/table.ts'
import { cancelPurchase, createTestStoreWithCards, placePaidOrder } from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import type { AdminReview, Review, ReviewPage, ReviewSummary } from './contract.ts'
import { roundRating } from './round-rating.ts'
import { reviews } from './table.ts'

const praise = { name: 'Ada', img: '/drawings/avatar.svg', about: 'Counted and complete.', rating: 4.5 }

/** So that their review is shown. */
async function verify(store: Store, customer: Actor): Promise<void> {
  await customer.token()
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, customer.email))
}

const listed = async (store: Store): Promise<Review[]> => (await store.visitor.request('GET', '/reviews')).json()

test('what customers say of the store is listed from the newest on, as the specification spells it', async () => {
  await using store = await anEmptyStore()
  assert.deepEqual((await store.visitor.request('GET', '/reviews')).json(), [])
  const written = [
    { name: 'Ada', img: '/people/ada.svg', about: 'Came in time.', rating: 5, example: false },
    { name: 'Bob', img: '/people/bob.svg', about: 'Nearly all of it.', rating: 3.5, example: true },
    { name: 'Cy', img: '/people/cy.svg', about: '<b>Not</b> a word.', rating: 0, example: false },
  ]
  await store.db.insert(reviews).values(written) // no call writes examples

  const answer = await store.visitor.request('GET', '/reviews')

  assert.equal(answer.statusCode, 200)
  const said: Review[] = answer.json()
  assert.deepEqual(
    said.map(({ _id, ...review }) => review),
    written.reverse().map((review) => ({ ...review, bought: false })),
  )
  assert.equal(new Set(said.map(({ _id }) => _id)).size, 3)
})

test('a customer posts a review, is answered with it, and it stands first from then on', async () => {
  await using store = await anEmptyStore()
  const first = (await store.otherCustomer.request('POST', '/reviews', { ...praise, name: 'Bob' })).json()

  const posted = await store.customer.request('POST', '/reviews', praise)

  assert.equal(posted.statusCode, 201, posted.body)
  const { replaced, hidden, shown, ...review } = posted.json()
  assert.match(review._id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(
    { replaced, hidden, shown, ...review },
    { ...praise, _id: review._id, example: false, bought: false, hidden: false, shown: false, replaced: false },
  )
  assert.deepEqual(
    (await listed(store)).map(({ _id }) => _id),
    [review._id, first._id],
  )
  assert.deepEqual((await listed(store))[0], review)
})

test('a second review of a customer takes the place of the first, says so, and stands first as the newest', async () => {
  await using store = await anEmptyStore()
  assert.deepEqual((await store.customer.request('GET', '/reviews/own')).json(), { review: null })
  const first = (await store.customer.request('POST', '/reviews', praise)).json()
  await store.otherCustomer.request('POST', '/reviews', { ...praise, name: 'Bob' })

  const second = await store.customer.request('POST', '/reviews', { ...praise, about: 'Two bags were missing.', rating: 2 })

  assert.equal(second.statusCode, 201)
  const { replaced, ...own } = second.json()
  assert.deepEqual([replaced, own._id, own.about, own.rating], [true, first._id, 'Two bags were missing.', 2])
  assert.deepEqual(
    (await listed(store)).map(({ name, about }) => `${name}: ${about}`),
    ['Ada: Two bags were missing.', 'Bob: Counted and complete.'],
  )
  assert.deepEqual((await store.customer.request('GET', '/reviews/own')).json(), { review: { ...own, hiddenAt: null } })
})

test('reviews that one customer posts at one moment end as one', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => store.customer.request('POST', '/reviews', { ...praise, about: `The ${nth}th` })),
  )

  assert.deepEqual(answers.map((answer) => [answer.statusCode, answer.json().replaced]).sort(), [
    [201, false],
    ...Array.from({ length: 11 }, () => [201, true]),
  ])
  assert.deepEqual(answers.map((answer) => answer.json().about).sort(), Array.from({ length: 12 }, (_, nth) => `The ${nth}th`).sort())
  assert.equal((await listed(store)).length, 1)
})

test('after 20 reviews in an hour an account is told to wait, another one is not', async () => {
  await using store = await anEmptyStore()
  for (let nth = 1; nth <= 20; nth++)
    assert.equal((await store.customer.request('POST', '/reviews', { ...praise, about: `${nth}` })).statusCode, 201)

  const refused = await store.customer.request('POST', '/reviews', { ...praise, about: '21' })

  assert.equal(refused.statusCode, 429)
  assert.match(refused.json().message, /^Too many reviews from this account: wait (60|59) minutes, then try again$/)
  assert.ok(Number(refused.headers['retry-after']) > 3500)
  assert.equal((await listed(store))[0]?.about, '20')
  assert.equal((await store.otherCustomer.request('POST', '/reviews', praise)).statusCode, 201)
})

/** So many reviews without an author, as no call writes them: the first is the oldest. */
async function written(store: Store, many: number, rating = (nth: number) => nth % 6): Promise<void> {
  await store.db.insert(reviews).values(Array.from({ length: many }, (_, nth) => ({ ...praise, about: `${nth}`, rating: rating(nth) })))
  store.changes.notify('reviews')
}

const abouts = (some: Review[]) => some.map(({ about }) => Number(about))
const downTo = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, nth) => from - nth)

test('GET /reviews answers the newest hundred, and names the next page where there is one', async () => {
  await using store = await anEmptyStore()
  await written(store, 250)
  const ask = async (query: string) => {
    const answer = await store.visitor.request('GET', `/reviews${query}`)
    return { said: abouts(answer.json()), next: answer.headers['x-next-cursor'] }
  }

  const first = await ask('')
  assert.deepEqual(first.said, downTo(249, 150))
  const second = await ask(`?cursor=${first.next}`)
  assert.deepEqual(second.said, downTo(149, 50))
  assert.deepEqual(await ask(`?cursor=${second.next}`), { said: downTo(49, 0), next: undefined })

  const two = await ask('?limit=2')
  await store.customer.request('POST', '/reviews', praise) // a newer one moves no page
  assert.deepEqual((await ask(`?limit=2&cursor=${two.next}`)).said, [247, 246])
  assert.deepEqual((await ask('?limit=100&other=1')).said.length, 100)
  for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'cursor=0', 'cursor=x', 'cursor=99999999999', 'limit=1&limit=2'])
    assert.equal((await store.visitor.request('GET', `/reviews?${wrong}`)).statusCode, 400, wrong)
})

const pliers = { name: 'Pliers', img: '/p.jpg', description: 'They grip.', price: 12, minimum_order_quantity: 1, available_quantity: 500 }

test('the screens list first who has bought: an order that is paid and still stands makes a buyer, nothing else does', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true }) // paid by nobody: only the states are what this is about
  const { _id: toolId } = (await store.admin.request('POST', '/tools', pliers)).json()
  const wish = { toolId, productName: 'Pliers', productQuantity: 1, productCost: 12, buyerAddress: '1 Road' }
  await written(store, 3)
  await store.customer.request('POST', '/reviews', { ...praise, about: '100' }) // whose e-mail is not verified
  await store.otherCustomer.request('POST', '/reviews', { ...praise, about: '200' })
  await verify(store, store.otherCustomer)
  const { _id } = (await store.customer.request('POST', '/purchase', wish)).json()
  await store.otherCustomer.request('POST', '/purchase', wish) // which stays unpaid
  const shown = async () => (await store.visitor.request('GET', '/reviews/shown')).json()

  for (const [state, statuses, first] of [
    ['open', { orderStatus: 'open' }, [200]],
    ['paid', { orderStatus: 'placed', paymentStatus: 'paid' }, [100, 200]],
    ['partly refunded', { paymentStatus: 'partly_refunded' }, [100, 200]],
    ['sent', { orderStatus: 'completed', fulfilmentStatus: 'sent' }, [100, 200]],
    ['refunded', { paymentStatus: 'refunded' }, [200]],
  ] as const) {
    await store.db.update(orders).set(statuses).where(eq(orders._id, _id))
    const { reviews, next } = await shown()
    assert.deepEqual([abouts(reviews), next], [[...first, 2, 1, 0], null], state)
    assert.deepEqual(
      reviews.filter(({ bought }: Review) => bought).map(({ about }: Review) => about),
      first[0] === 100 ? ['100'] : [],
      state,
    )
  }
  assert.deepEqual(abouts(await listed(store)), [200, 100, 2, 1, 0], 'GET /reviews stays newest first')
  const { _id: another } = (await store.customer.request('POST', '/purchase', wish)).json()
  await store.db.update(orders).set({ orderStatus: 'placed', paymentStatus: 'paid' }).where(eq(orders._id, another))
  assert.deepEqual(abouts((await shown()).reviews), [100, 200, 2, 1, 0])
  assert.equal((await store.admin.request('DELETE', `/user/${store.customer.email}`)).statusCode, 200)
  assert.deepEqual(abouts((await shown()).reviews), [200, 2, 1, 0], 'nor does a buyer whose account is removed')
})

test('the screens list page by page and by stars, and a summary counts all of them', async () => {
  await using store = await anEmptyStore()
  assert.deepEqual((await store.visitor.request('GET', '/reviews/summary')).json(), {
    count: 0,
    examples: 0,
    average: null,
    stars: [0, 0, 0, 0, 0],
  })
  await written(store, 1, () => 3)
  store.changes.notify('reviews')
  assert.equal((await store.visitor.request('GET', '/reviews/summary')).json().average, 3)
  await store.db.delete(reviews)
  const ratings = [-3, 0, 0.94, 1.96, 2, 2.95, 3.5, 4.25, 4.95, 5, 7, 1e15, 4.5]
  await written(store, ratings.length, (nth) => ratings[nth] ?? 0)
  await store.db.update(reviews).set({ example: true }).where(eq(reviews.about, '0'))
  store.changes.notify('reviews')

  const pages: number[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer: ReviewPage = (await store.visitor.request('GET', `/reviews/shown?limit=5${cursor && `&cursor=${cursor}`}`)).json()
    pages.push(abouts(answer.reviews))
    cursor = answer.next
  }
  assert.deepEqual(pages, [downTo(12, 8), downTo(7, 3), downTo(2, 0)])

  const summary: ReviewSummary = (await store.visitor.request('GET', '/reviews/summary')).json()
  const sum = ratings.reduce((sum, rating) => sum + roundRating(rating), 0)
  assert.equal(summary.average?.toFixed(9), (sum / ratings.length).toFixed(9))
  assert.deepEqual([summary.count, summary.examples, summary.stars], [13, 1, [3, 2, 2, 2, 4]])
  for (const [place, count] of summary.stars.entries()) {
    const { reviews }: ReviewPage = (await store.visitor.request('GET', `/reviews/shown?stars=${place + 1}`)).json()
    assert.equal(reviews.length, count, `${place + 1} stars`)
    for (const { rating } of reviews) assert.equal(Math.max(Math.floor(roundRating(rating)), 1), place + 1)
  }
  for (const wrong of ['stars=0', 'stars=6', 'stars=x', 'limit=101', 'cursor=x', 'cursor=2.1', 'cursor=1.99999999999'])
    assert.equal((await store.visitor.request('GET', `/reviews/shown?${wrong}`)).statusCode, 400, wrong)
})

test('the summary is counted once for all who ask, and anew when a review has changed', async () => {
  await using store = await anEmptyStore()
  const count = async () => (await store.visitor.request('GET', '/reviews/summary')).json().count
  await written(store, 2)
  assert.equal(await count(), 2)
  await verify(store, store.customer)
  await store.db.insert(reviews).values(praise) // past the calls, so nobody is told
  assert.equal(await count(), 2)
  await store.customer.request('POST', '/reviews', praise)
  assert.equal(await count(), 4)
})

test('a summary that could not be counted is counted anew for who asks next', async () => {
  await using store = await anEmptyStore()
  await written(store, 2)
  const ask = () => store.visitor.request('GET', '/reviews/summary')
  await store.db.execute(sql`alter table reviews rename to away`)
  const { error } = console
  console.error = () => {}
  const failed = await ask()
  console.error = error
  assert.equal(failed.statusCode, 500, failed.body)
  await store.db.execute(sql`alter table away rename to reviews`)
  assert.equal((await ask()).json().count, 2)
})

test('a page of reviews is read in the order of an index: no answer looks at all of them', async () => {
  await using store = await anEmptyStore()
  await written(store, 3_000)
  await store.db.execute(sql`analyze reviews`)
  const read = async (path: string) => {
    const counted = async () => {
      await store.db.execute(sql`select pg_stat_force_next_flush()`)
      const { rows } = await store.db.execute<{ scans: number }>(
        sql`select seq_scan::int as scans from pg_stat_user_tables where relname = 'reviews'`,
      )
      return rows[0]?.scans
    }
    const before = await counted()
    assert.equal((await store.visitor.request('GET', path)).statusCode, 200)
    assert.equal(await counted(), before, path)
  }
  for (const path of ['/reviews', '/reviews?cursor=1500', '/reviews/shown', '/reviews/shown?stars=1', '/reviews/shown?cursor=0.1500'])
    await read(path)
})

test('an admin hides a review and brings it back: hidden it is in no public answer, and only its author and admins read it', async () => {
  await using store = await anEmptyStore()
  await written(store, 2)
  await verify(store, store.customer)
  const { _id } = (await store.customer.request('POST', '/reviews', { ...praise, about: '100' })).json()
  const hide = (hidden: boolean) => store.admin.request('PUT', `/reviews/${_id}/hidden`, { hidden })
  const seen = async () => {
    const [newest, shown, summary] = await Promise.all(
      ['/reviews', '/reviews/shown', '/reviews/summary'].map(async (path) => (await store.visitor.request('GET', path)).json()),
    )
    return [abouts(newest), abouts(shown.reviews), summary.count]
  }
  const own = async () => (await store.customer.request('GET', '/reviews/own')).json().review
  const told: string[] = []
  store.changes.subscribe((topic) => void told.push(topic))

  assert.equal((await store.otherCustomer.request('PUT', `/reviews/${_id}/hidden`, { hidden: true })).statusCode, 403)
  assert.equal((await store.visitor.request('PUT', `/reviews/${_id}/hidden`, { hidden: true })).statusCode, 401)
  const hidden = await hide(true)
  assert.deepEqual([hidden.statusCode, hidden.json()._id, hidden.json().hidden], [200, _id, true])
  assert.deepEqual(await seen(), [[1, 0], [1, 0], 2])
  assert.deepEqual([(await own()).hidden, (await own()).shown], [true, false])
  const { hiddenAt } = await own()
  assert.ok(Math.abs(Date.now() - Date.parse(hiddenAt)) < 60_000, hiddenAt)
  await hide(true)
  assert.equal((await own()).hiddenAt, hiddenAt, 'hidden again it is hidden since then')

  const again = (await store.customer.request('POST', '/reviews', { ...praise, about: '101' })).json()
  assert.deepEqual([again.replaced, again.hidden], [true, true], 'posting another brings nothing back')
  assert.deepEqual(await seen(), [[1, 0], [1, 0], 2])
  const all: { reviews: AdminReview[]; total: number } = (await store.admin.request('GET', '/reviews/all')).json()
  assert.deepEqual([all.total, all.reviews.map(({ about, hidden }) => `${about} ${hidden}`)], [3, ['101 true', '1 false', '0 false']])
  assert.deepEqual(abouts((await store.admin.request('GET', '/reviews/all?limit=1&cursor=1')).json().reviews), [1])

  assert.equal((await hide(false)).json().hidden, false)
  assert.equal((await own()).hiddenAt, null)
  assert.deepEqual(await seen(), [[101, 1, 0], [101, 1, 0], 3])
  assert.deepEqual(told, ['reviews', 'reviews', 'reviews', 'reviews'])

  assert.equal((await store.admin.request('PUT', `/reviews/${crypto.randomUUID()}/hidden`, { hidden: true })).statusCode, 404)
  assert.equal((await store.admin.request('PUT', '/reviews/none/hidden', { hidden: true })).statusCode, 404)
  assert.equal((await store.admin.request('PUT', `/reviews/${_id}/hidden`, { hidden: 'yes' })).statusCode, 400)
})

test('a new review drops the kept pages that show reviews', async () => {
  await using store = await anEmptyStore()
  const pages = createPageCache(store.changes)
  const render = (address: string, shows: string[]) =>
    pages.renderOnce(address, async () => ({ status: 200, headers: {}, body: Buffer.from(address), cacheTags: shows }))
  await render('/', ['products', 'reviews'])
  await render('/allproducts', ['products'])

  await store.customer.request('POST', '/reviews', praise)

  assert.equal(pages.get('/'), undefined)
  assert.ok(pages.get('/allproducts'))
})

test('pages that show reviews are made anew when their author pays an order, and when the money goes back', async () => {
  await using store = await createTestStoreWithCards()
  let announced: string[] = []
  store.changes.subscribe((topic) => announced.push(topic))
  /** Whether reviews have been announced since it was asked last. Announcements come in the order of their transactions. */
  const areReviewsAnnounced = async () => {
    const { promise: isLast, resolve } = Promise.withResolvers<void>()
    store.changes.subscribe((topic) => topic === 'last' && resolve())
    await store.db.execute(sql`select pg_notify('changes', 'test last')`)
    await isLast
    const topics = announced
    announced = []
    return topics.includes('reviews')
  }
  await store.customer.request('POST', '/reviews', praise)
  assert.equal(await areReviewsAnnounced(), true, 'a review was written')
  await placePaidOrder(store, { buyer: store.otherCustomer })
  assert.equal(await areReviewsAnnounced(), false, 'an order of somebody without a review was paid')
  const { order } = await placePaidOrder(store)
  assert.equal(await areReviewsAnnounced(), true, 'it was paid')
  await cancelPurchase(store.admin, order)
  assert.equal(await areReviewsAnnounced(), true, 'the money went back')
})

test('a rating written as text is read as a float, and no range is checked', async () => {
  await using store = await anEmptyStore()

  for (const [said, kept] of [
    ['4.5', 4.5],
    [' 3 ', 3],
    ['0.25', 0.25],
    [5, 5],
    ['7', 7],
    [-1, -1],
    ['1000', 1000],
    [0, 0],
  ] as const) {
    const posted = await store.customer.request('POST', '/reviews', { ...praise, rating: said })
    assert.deepEqual([posted.statusCode, posted.json().rating], [201, kept], JSON.stringify(said))
    assert.equal((await listed(store))[0]?.rating, kept)
  }
})

test('a review with a wrong field is refused in the words of the form, and not posted', async () => {
  await using store = await anEmptyStore()

  for (const [field, values, message] of [
    ['name', ['', '  ', null, 1, undefined], 'UserName is required'],
    ['img', ['', ' ', null, undefined], 'user image is required'],
    [
      'img',
      ['javascript:alert(1)', 'data:image/png;base64,', '//evil.example/a.png'],
      'The picture is an address that begins with https:// or /',
    ],
    ['about', ['', ' ', null, undefined], 'field is required'],
    ['about', ['x'.repeat(5001)], 'At most 5000 characters'],
    ['rating', ['', ' ', 'five', '4,5', '1e1', null, true, [5], undefined], 'need to give rating'],
  ] as const)
    for (const value of values) {
      const answer = await store.customer.request('POST', '/reviews', { ...praise, [field]: value })
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [400, { message, errors: { [field]: message }, code: 'invalid_request' }],
        `${field} ${JSON.stringify(value)}`,
      )
    }

  assert.deepEqual(await listed(store), [])
})

test('reviews are for customers: a visitor is asked to sign in, an admin is refused', async () => {
  await using store = await anEmptyStore()

  assert.equal((await store.visitor.request('POST', '/reviews', praise)).statusCode, 401)
  const byAdmin = await store.admin.request('POST', '/reviews', praise)
  assert.deepEqual([byAdmin.statusCode, byAdmin.json().message], [403, 'This is for customers only'])

  assert.deepEqual(await listed(store), [])
})

test('what a browser slips into a review beside the form is ignored', async () => {
  await using store = await anEmptyStore()
  const slipped = {
    ...{ _id: '00000000-0000-4000-8000-000000000000', position: 99, authorId: 'x', createdAt: '1999-01-01' },
    ...{ example: true, bought: true, hidden: true, replaced: true },
  }

  const posted = await store.customer.request('POST', '/reviews', { ...praise, ...slipped })

  assert.equal(posted.statusCode, 201, posted.body)
  assert.notEqual(posted.json()._id, slipped._id)
  const { example, bought, hidden, replaced } = posted.json()
  assert.deepEqual({ example, bought, hidden, replaced }, { example: false, bought: false, hidden: false, replaced: false })
})
