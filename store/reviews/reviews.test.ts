import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPageCache } from '#platform/page-cache.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { Review } from './contract.ts'
import { reviews } from './table.ts'

const praise = { name: 'Ada', img: '/drawings/avatar.svg', about: 'Counted and complete.', rating: 4.5 }

const listed = async (store: Store): Promise<Review[]> => (await store.visitor.ask('GET', '/reviews')).json()

test('what customers say of the store is listed from the newest on, as the specification spells it', async () => {
  await using store = await anEmptyStore()
  assert.deepEqual((await store.visitor.ask('GET', '/reviews')).json(), [])
  const written = [
    { name: 'Ada', img: '/people/ada.svg', about: 'Came in time.', rating: 5, example: false },
    { name: 'Bob', img: '/people/bob.svg', about: 'Nearly all of it.', rating: 3.5, example: true },
    { name: 'Cy', img: '/people/cy.svg', about: '<b>Not</b> a word.', rating: 0, example: false },
  ]
  await store.db.insert(reviews).values(written) // no call writes examples

  const answer = await store.visitor.ask('GET', '/reviews')

  assert.equal(answer.statusCode, 200)
  const said: Review[] = answer.json()
  assert.deepEqual(
    said.map(({ _id, ...review }) => review),
    written.reverse(),
  )
  assert.equal(new Set(said.map(({ _id }) => _id)).size, 3)
})

test('a customer posts a review, is answered with it, and it stands first from then on', async () => {
  await using store = await anEmptyStore()
  const first = (await store.otherCustomer.ask('POST', '/reviews', { ...praise, name: 'Bob' })).json()

  const posted = await store.customer.ask('POST', '/reviews', praise)

  assert.equal(posted.statusCode, 201, posted.body)
  const { _id, ...rest } = posted.json()
  assert.match(_id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, { ...praise, example: false })
  assert.deepEqual(await listed(store), [posted.json(), first])
})

test('a new review drops the kept pages that show reviews', async () => {
  await using store = await anEmptyStore()
  const pages = openPageCache(store.changes)
  const render = (address: string, shows: string[]) =>
    pages.render(address, async () => ({ status: 200, headers: {}, body: Buffer.from(address), shows }))
  await render('/', ['tools', 'reviews'])
  await render('/allproducts', ['tools'])

  await store.customer.ask('POST', '/reviews', praise)

  assert.equal(pages.kept('/'), undefined)
  assert.ok(pages.kept('/allproducts'))
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
    const posted = await store.customer.ask('POST', '/reviews', { ...praise, rating: said })
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
      const answer = await store.customer.ask('POST', '/reviews', { ...praise, [field]: value })
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [400, { message, errors: { [field]: message } }],
        `${field} ${JSON.stringify(value)}`,
      )
    }

  assert.deepEqual(await listed(store), [])
})

test('reviews are for customers: a visitor is asked to sign in, an admin is refused', async () => {
  await using store = await anEmptyStore()

  assert.equal((await store.visitor.ask('POST', '/reviews', praise)).statusCode, 401)
  const byAdmin = await store.admin.ask('POST', '/reviews', praise)
  assert.deepEqual([byAdmin.statusCode, byAdmin.json().message], [403, 'This is for customers only'])

  assert.deepEqual(await listed(store), [])
})

test('what a browser slips into a review beside the form is ignored', async () => {
  await using store = await anEmptyStore()
  const slipped = { _id: '00000000-0000-4000-8000-000000000000', example: true, position: 99, authorId: 'x', createdAt: '1999-01-01' }

  const posted = await store.customer.ask('POST', '/reviews', { ...praise, ...slipped })

  assert.equal(posted.statusCode, 201, posted.body)
  assert.notEqual(posted.json()._id, slipped._id)
  assert.equal(posted.json().example, false)
})
