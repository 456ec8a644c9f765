import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { users } from '#store/identity/table.ts'
import { createInitializedDataDir } from '#test/initialized-data-dir.ts'
import { type Actor, anEmptyStore, type Store, testPassword } from '#test/store.ts'
import { sampleSize } from './full-run.ts'
import { startRunningStore } from './running-store.ts'

const atOnce = 8
const withAnyId = (page: string) => page.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '')

test('H3 one account posts review after review: it has one, and the home page is as large as before', async (t) => {
  using folder = await createInitializedDataDir()
  await using store = await startRunningStore({ DATA_DIR: folder.dataDir })
  const body = { name: 'Ada', img: '/drawings/avatar.svg', about: 'x'.repeat(5000), rating: 1 }
  const post = () => store.request('POST', '/api/reviews', { bearer: store.customer, body })
  const home = async () => {
    const { status, body: said } = await store.request('GET', '/')
    assert.equal(status, 200)
    return said
  }
  const listed = async (): Promise<{ about: string }[]> => JSON.parse((await store.request('GET', '/api/reviews')).body)
  assert.equal((await post()).status, 201)
  const [before, reviewsBefore] = [await home(), await listed()]

  const times = sampleSize(30, 8000)
  const statuses: Record<number, number> = {}
  let left = times
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { status, body: said } = await post()
        statuses[status] = (statuses[status] ?? 0) + 1
        assert.ok(status === 201 || status === 429, said)
        assert.match(said, status === 201 ? /"replaced":true/ : /wait \d+ minutes, then try again/)
      }
    }),
  )

  assert.equal((await listed()).length, reviewsBefore.length)
  assert.equal((await listed()).filter(({ about }) => about === body.about).length, 1)
  const after = await home()
  assert.equal(Buffer.byteLength(withAnyId(after)), Buffer.byteLength(withAnyId(before)))
  assert.deepEqual(statuses, { 201: 19, 429: times - 19 })
  t.diagnostic(`${times} posts: 19 taken, the others refused; 1 review; home ${Buffer.byteLength(after)} bytes before and after`)
})

/** A customer of this network, whose e-mail nobody has verified. */
async function aStranger(store: Store, nth: number, address = '10.9.9.9'): Promise<Pick<Actor, 'email' | 'request'>> {
  const email = `stranger${nth}@shop.example`
  const browser = store.visitorFrom(address)
  const { token } = (await browser.request('POST', '/auth/sign-up/email', { name: 'Mallory', email, password: testPassword })).json()
  const taken = await browser.request('PUT', `/user/${email}`, {}, { authorization: `Bearer ${token}` })
  const authorization = `Bearer ${taken.json().token}`
  return { email, request: (method, path, body) => browser.request(method, path, body, { authorization }) }
}

const verify = (store: Store, { email }: Pick<Actor, 'email'>) =>
  store.db.update(users).set({ emailVerified: true }).where(eq(users.email, email))

/** When every process has heard that reviews have changed. */
const reviewsRenewed = (store: Store) => new Promise<void>((resolve) => store.changes.onChange('reviews', resolve))

const answerOf = async (who: Pick<Actor, 'request'>, path: string) => (await who.request('GET', path)).json()
const names = (some: { name: string }[]) => some.map(({ name }) => name)

test('H3 zero stars of 24 new accounts of one network change neither the average nor the home page; 20 of them are taken in an hour', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await verify(store, store.customer)
  const praise = { name: 'Ada', img: '/drawings/avatar.svg', about: 'Counted and complete.', rating: 4.5 }
  assert.equal((await store.customer.request('POST', '/reviews', praise)).json().shown, true)
  const before = await answerOf(store.visitor, '/reviews/summary')
  assert.deepEqual([before.count, before.average], [1, 4.5])

  const bad = { ...praise, name: 'Mallory', rating: 0 }
  const strangers = []
  for (let nth = 0; nth < 24; nth++) strangers.push(await aStranger(store, nth))
  const answers = []
  for (const stranger of strangers) answers.push(await stranger.request('POST', '/reviews', bad))
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [...Array(20).fill(201), ...Array(4).fill(429)],
  )
  assert.match(
    answers[20]?.json().message,
    /^Too many reviews from your network by accounts whose e-mail is not verified: wait \d+ minutes/,
  )
  const again = await strangers[0]?.request('POST', '/reviews', bad)
  assert.deepEqual([again?.statusCode, again?.json().shown], [201, false], 'who has a review already may change it')
  const elsewhere = await aStranger(store, 24, '10.9.9.10')
  assert.equal((await elsewhere.request('POST', '/reviews', bad)).statusCode, 201)

  assert.deepEqual(await answerOf(store.visitor, '/reviews/summary'), before)
  for (const path of ['/reviews/shown', '/reviews/shown?limit=100', '/reviews/shown?cursor=0.1000'])
    assert.deepEqual(names((await answerOf(store.visitor, path)).reviews), ['Ada'], path)
  assert.deepEqual(names((await answerOf(store.visitor, '/reviews/shown?stars=1')).reviews), [])
  assert.equal((await answerOf(store.visitor, '/reviews')).length, 22, 'each posted review is in GET /reviews')
  const { reviews: all }: { reviews: { shown: boolean }[] } = await answerOf(store.admin, '/reviews/all')
  assert.equal(all.filter(({ shown }) => shown).length, 1)
})

test('H3 a review is shown and counted from the moment its author has verified the e-mail', async () => {
  await using store = await anEmptyStore()
  const stranger = await aStranger(store, 1)
  const words = { name: 'Eve', img: '/drawings/avatar.svg', about: 'Two bags were missing.', rating: 2 }
  assert.equal((await stranger.request('POST', '/reviews', words)).statusCode, 201)
  assert.deepEqual((await answerOf(stranger, '/reviews/own')).review.shown, false)
  assert.equal((await answerOf(store.visitor, '/reviews/summary')).count, 0)
  const renewed = reviewsRenewed(store)
  await verify(store, stranger)
  await renewed
  assert.deepEqual((await answerOf(stranger, '/reviews/own')).review.shown, true)
  assert.equal((await answerOf(store.visitor, '/reviews/summary')).count, 1)
  assert.deepEqual(names((await answerOf(store.visitor, '/reviews/shown')).reviews), ['Eve'])
})

test('H3 the review of a removed account is gone from every public answer, and comes back with the account', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await verify(store, store.customer)
  const words = { name: 'Ada', img: '/drawings/avatar.svg', about: 'Counted and complete.', rating: 4.5 }
  assert.equal((await store.customer.request('POST', '/reviews', words)).statusCode, 201)
  const seen = async () => {
    const [newest, shown, summary] = await Promise.all(
      ['/reviews', '/reviews/shown', '/reviews/summary'].map((path) => answerOf(store.visitor, path)),
    )
    return [newest.length, shown.reviews.length, summary.count]
  }
  assert.deepEqual(await seen(), [1, 1, 1])

  for (const [method, path, left] of [
    ['DELETE', `/user/${store.customer.email}`, [0, 0, 0]],
    ['PUT', `/user/restored/${store.customer.email}`, [1, 1, 1]],
  ] as const) {
    const renewed = reviewsRenewed(store)
    assert.equal((await store.admin.request(method, path)).statusCode, 200)
    await renewed
    assert.deepEqual(await seen(), left, method)
    const { reviews: all } = await answerOf(store.admin, '/reviews/all')
    assert.deepEqual([all.length, all[0].shown], [1, left[0] === 1], 'admins read it all the same')
  }
})

test('H3 the home page loads no picture from where the author of a review says, which GET /reviews answers as it was sent', async () => {
  await using store = await anEmptyStore()
  const authors = [store.customer, store.otherCustomer, store.newCustomer('Eve')]
  const imgs = ['https://stranger.example/pixel.gif', '/api/search?q=all', '/drawings/cooler.svg']
  for (const [nth, author] of authors.entries()) {
    await author.token()
    await verify(store, author)
    const words = { name: author.name, img: imgs[nth], about: 'Counted and complete.', rating: 4.5 }
    assert.equal((await author.request('POST', '/reviews', words)).statusCode, 201)
  }
  const pictures = (some: { img: string }[]) => some.map(({ img }) => img).reverse()
  assert.deepEqual(pictures((await answerOf(store.visitor, '/reviews/shown')).reviews), [
    '/drawings/avatar.svg',
    '/drawings/avatar.svg',
    '/drawings/cooler.svg',
  ])
  assert.deepEqual(pictures(await answerOf(store.visitor, '/reviews')), imgs)
})

test('H3 a thousand posts of one buyer leave one review of the product, and its page as large as before', async (t) => {
  using folder = await createInitializedDataDir()
  await using store = await startRunningStore({ DATA_DIR: folder.dataDir })
  const bought: { _id: string; toolId: string } = JSON.parse((await store.placePurchase()).body)
  const books = new pg.Client({ connectionString: embeddedConnectionString(folder.dataDir) })
  await books.connect()
  await books.query(`update orders set order_status = 'placed', payment_status = 'paid' where id = $1`, [bought._id])
  await books.end()
  const body = { name: 'Ada', about: 'x'.repeat(5000), rating: 1 }
  const path = `/products/${bought.toolId}`
  const post = () => store.request('POST', `/api${path}/reviews`, { bearer: store.customer, body })
  const sizes = () =>
    Promise.all([path, `${path}/reviews`].map(async (one) => Buffer.byteLength(withAnyId((await store.request('GET', one)).body))))
  const first = await post()
  assert.equal(first.status, 201, first.body)
  const before = await sizes()

  const times = sampleSize(40, 1000)
  const statuses: Record<number, number> = {}
  let left = times
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { status } = await post()
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )

  assert.deepEqual(statuses, { 201: 19, 429: times - 19 })
  const { summary, reviews } = JSON.parse((await store.request('GET', `/api${path}/reviews`)).body)
  assert.deepEqual([summary.count, reviews.length], [1, 1])
  assert.deepEqual(await sizes(), before)
  t.diagnostic(`${times} posts: 19 taken, the others refused; 1 review; page ${before[0]} bytes before and after`)
})
