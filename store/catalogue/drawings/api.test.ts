import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import * as catalogue from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import { anEmptyStore, type Store } from '#test/store.ts'

const part = { name: 'Card', description: 'Draws.', price: 12, minimum_order_quantity: 1, available_quantity: 5 }
const card = { ...part, category: 'video-card', specs: { length_mm: 300, slots: 2, fan_count: 2, cooling: '2 Fans' } }
const get = (store: Store, url: string) => store.app.inject({ url })

async function aProduct(
  store: Store,
  { name = card.name, ...product }: { name?: string; category?: string },
): Promise<{ _id: string; img: string }> {
  await catalogue.addProducts(store.db, [{ ...card, ...product, name }])
  const [added] = (await store.db.select({ _id: products._id }).from(products).where(eq(products.name, name))) ?? []
  return (await store.visitor.request('GET', `/tools/${added?._id}`)).json()
}

test('the drawing of a product is kept under its revision, and changes its address with its attributes, its name and its maker only', async () => {
  await using store = await anEmptyStore()
  const { _id, img } = await aProduct(store, {})
  const drawing = await get(store, img)
  assert.deepEqual([drawing.statusCode, drawing.headers['content-type']], [200, 'image/svg+xml'])
  assert.match(`${drawing.headers['cache-control']}`, /^public, max-age=\d{5}/)
  assert.match(drawing.body, /^<svg /)
  assert.notEqual((await get(store, `${img}&size=large`)).body, drawing.body)

  const seen = { price: 13, minimum_order_quantity: 1, available_quantity_seen: 5, available_quantity: 5 }
  const changed = await store.admin.request('PUT', `/tools/${_id}`, seen)
  assert.equal(changed.statusCode, 200, changed.body)
  assert.equal((await store.visitor.request('GET', `/tools/${_id}`)).json().img, img, 'another price is no other drawing')

  await store.db.execute(`update tools set specs = '{"length_mm": 200}' where id = '${_id}'`)
  const after = (await store.visitor.request('GET', `/tools/${_id}`)).json()
  assert.notEqual(after.img, img)
  await store.db.execute(`update tools set name = 'Card with a heat sink' where id = '${_id}'`)
  const renamed = (await store.visitor.request('GET', `/tools/${_id}`)).json()
  assert.notEqual(renamed.img, after.img, 'the name stands on the label')
  assert.equal((await get(store, renamed.img)).headers['cache-control'], drawing.headers['cache-control'])
  const old = await get(store, `/drawings/${_id}.svg?v=00000000`)
  assert.deepEqual(
    [old.statusCode, old.headers['cache-control']],
    [200, 'no-cache'],
    'what is asked for under another revision is not kept',
  )
})

test('drawings of the current revision are kept in memory, and those on a scale of their own or under another revision are not', async () => {
  await using store = await anEmptyStore()
  const { _id, img } = await aProduct(store, {})
  const kept = [img, `${img}&size=small`, `${img}&size=large`, `${img}&odd=1`]
  const notKept = [
    ...[`${img}&span=300`, `${img}&size=large&span=301`, `${img}&beside=hand`, `${img}&size=large&beside=coin`],
    ...[`/drawings/${_id}.svg`, `/drawings/${_id}.svg?v=00000000`],
  ]
  for (const url of [...kept, ...notKept]) assert.equal((await get(store, url)).statusCode, 200, url)

  // what is in memory is answered without the product
  await store.admin.request('DELETE', `/tools/${_id}`)
  for (const url of kept) assert.equal((await get(store, url)).statusCode, 200, url)
  for (const url of notKept) assert.equal((await get(store, url)).statusCode, 404, url)
})

test('a part of a kind without drawings of its parts is sent to the drawing of its kind, or to that of a part', async () => {
  await using store = await anEmptyStore()
  for (const [category, drawing] of [
    ['webcam', 'webcam'],
    ['no such kind', 'part'],
  ]) {
    const { _id, img } = await aProduct(store, { name: `One of ${category}`, category })
    assert.equal(img, `/drawings/${drawing}.svg`)
    const sent = await get(store, `/drawings/${_id}.svg`)
    assert.deepEqual([sent.statusCode, sent.headers.location], [302, `/drawings/${drawing}.svg`])
  }
})

test('a drawing that cannot be is refused, and none runs a script', async () => {
  await using store = await anEmptyStore()
  const { _id, img } = await aProduct(store, {})
  for (const query of ['size=huge', 'span=0', 'span=1e9', 'span=x', 'beside=dog']) {
    const refused = await get(store, `/drawings/${_id}.svg?${query}`)
    assert.equal(refused.statusCode, 400, query)
  }
  for (const id of ['00000000-0000-4000-8000-000000000000', '-'.repeat(36)])
    assert.equal((await get(store, `/drawings/${id}.svg`)).statusCode, 404)
  assert.match(`${(await get(store, img)).headers['content-security-policy']}`, /^default-src 'none'/)
  await store.admin.request('DELETE', `/tools/${_id}`)
  assert.equal((await get(store, `/drawings/${_id}.svg?v=other`)).statusCode, 404)
})
