import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { cartIn, quantitiesIn } from '#test/cart-actions.ts'
import { createProduct } from '#test/order-actions.ts'
import { type Actor, anEmptyStore } from '#test/store.ts'
import { maxSavedCarts } from './contract.ts'

const add = (who: Actor, productId: string, quantity: number) => who.request('POST', '/cart/lines', { productId, quantity })
const save = (who: Actor, name: string) => who.request('POST', '/cart/saved', { name })
const savedBy = async (who: Actor): Promise<{ _id: string; name: string; lineCount: number }[]> =>
  (await who.request('GET', '/cart/saved')).json()

test('a basket that is saved under a name is put into the basket again as far as it can be, and the same name replaces it', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store), await createProduct(store, { name: 'Saw', pieces: 9 })]
  const { customer } = store
  const empty = await save(customer, 'Workshop')
  assert.deepEqual([empty.statusCode, empty.json().code], [409, 'cart_empty'])
  await add(customer, drill, 5)
  const saved = await save(customer, '  Workshop ')
  assert.equal(saved.statusCode, 201, saved.body)
  await add(customer, saw, 8)
  const again = await save(customer, 'Workshop')
  assert.equal(again.json()._id, saved.json()._id)
  const [only, ...others] = await savedBy(customer)
  assert.deepEqual([only?.name, only?.lineCount, others], ['Workshop', 2, []])

  await customer.request('DELETE', `/cart/lines/${drill}`)
  const put = await customer.request('POST', `/cart/saved/${only?._id}`)
  assert.equal(put.statusCode, 200, put.body)
  assert.deepEqual(quantitiesIn(put.json().cart), { Saw: 8, Drill: 5 })
  assert.deepEqual(
    [put.json().added, put.json().notAdded],
    [1, [{ text: '8 x Saw', reason: 'Only 9 left, and 8 are in your basket already: up to 1 more can be put in' }]],
  )
  assert.equal((await savedBy(customer)).length, 1, 'it stays saved')
  const left = await customer.request('DELETE', `/cart/saved/${only?._id}`)
  assert.deepEqual([left.statusCode, left.json()], [200, []])
  const gone = await customer.request('POST', `/cart/saved/${only?._id}`)
  assert.deepEqual([gone.statusCode, gone.json().message], [404, 'This saved basket is gone: it was deleted'])
})

test("nobody reads, takes or deletes what another account has saved, and an account's own go with it", async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  await add(store.customer, drill, 5)
  const { _id } = (await save(store.customer, 'Workshop')).json()
  assert.deepEqual(await savedBy(store.otherCustomer), [])
  assert.equal((await store.otherCustomer.request('POST', `/cart/saved/${_id}`)).statusCode, 404)
  assert.equal((await store.otherCustomer.request('DELETE', `/cart/saved/${_id}`)).statusCode, 404)
  assert.deepEqual(cartIn(await store.otherCustomer.request('GET', '/cart')).lines, [])
  assert.equal((await savedBy(store.customer)).length, 1)
  assert.equal((await store.visitor.request('GET', '/cart/saved')).statusCode, 401)

  await store.admin.request('DELETE', `/user/${store.customer.email}`)
  const { rows } = await store.db.execute(sql`select count(*)::integer as saved from saved_carts`)
  assert.deepEqual(rows, [{ saved: 0 }])
})

test('an account saves fifty baskets, however many at one moment', async () => {
  await using store = await anEmptyStore()
  const { customer } = store
  await add(customer, await createProduct(store), 5)
  const { _id } = (await save(customer, 'No. 0')).json()
  await store.db.execute(sql`insert into saved_carts (id, user_id, name, lines)
    select gen_random_uuid(), user_id, 'No. ' || nth, lines from saved_carts, generate_series(1, ${maxSavedCarts - 2}) nth`)
  const answers = await Promise.all(['A', 'B', 'C'].map((name) => save(customer, name)))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409])
  assert.ok(answers.every((answer) => answer.statusCode === 201 || answer.json().code === 'saved_carts_full'))
  assert.equal((await save(customer, 'No. 0')).json()._id, _id, 'a name that is there can be saved again')
})
