import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { createProduct, placePurchase } from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import type { Purchase } from './contract.ts'

/** Writes so many orders of this buyer into the books, without their stock and history. */
async function insertOrders(store: Store, buyer: Actor, count: number): Promise<void> {
  const toolId = await createProduct(store)
  await buyer.token()
  await store.db.execute(sql`
    with placed as (
      insert into orders (id, currency, goods_cents, total_cents, buyer_id, buyer_name, buyer_email, buyer_address, hold_until)
      select gen_random_uuid(), 'usd', 3000, 3000, id, name, email, repeat('1 Road ', 140), now() + interval '1 day'
      from users, generate_series(1, ${count}::integer) where email = ${buyer.email}
      returning id)
    insert into order_lines (id, order_id, position, tool_id, product_name, quantity, list_price_cents, unit_price_cents, total_cents)
    select id, id, 1, ${toolId}::uuid, 'Drill', 1, 3000, 3000, 3000 from placed`)
}
const listOf = (buyer: Actor) => buyer.request('GET', `/purchase?buyerEmail=${buyer.email}`)

/** The most rows that a statement of a connection opened from here on has returned. */
function watchRows(t: { after: (end: () => void) => void }): { most: number } {
  const seen = { most: 0 }
  const { query } = pg.Client.prototype
  const note = (result?: pg.QueryResult) => {
    seen.most = Math.max(seen.most, result?.rows?.length ?? 0)
  }
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const done = args.at(-1)
    if (typeof done === 'function')
      args.splice(-1, 1, (error: unknown, result: pg.QueryResult) => {
        note(result)
        done(error, result)
      })
    const answer: unknown = Reflect.apply(query, this, args)
    if (answer instanceof Promise) answer.then(note, () => {})
    return answer
  } as typeof query
  t.after(() => {
    pg.Client.prototype.query = query
  })
  return seen
}

test('a list of a thousand orders is told whole, newest first, and read and sent a few hundred at a time', async (t) => {
  const seen = watchRows(t) // before any connection is opened
  await using store = await anEmptyStore({ allowWrongBooks: true, connectsAnew: true })
  await insertOrders(store, store.customer, 1000)
  await insertOrders(store, store.otherCustomer, 200)
  for (const { answer, count } of [
    { answer: await listOf(store.customer), count: 1000 },
    { answer: await listOf(store.otherCustomer), count: 200 },
    { answer: await store.admin.request('GET', '/bookings'), count: 1200 },
  ]) {
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const numbers = answer.json().map(({ number }: Purchase) => number)
    assert.deepEqual(
      numbers,
      [...new Set<number>(numbers)].sort((a, b) => b - a),
    )
    assert.equal(numbers.length, count)
  }
  assert.equal(seen.most, 200)
})

test('an order that is placed while a list is read takes no other from it', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true, buyerLimits: 'off' })
  await insertOrders(store, store.customer, 600)
  const before: number[] = (await listOf(store.customer)).json().map(({ number }: Purchase) => number)
  const [during] = await Promise.all([listOf(store.customer), placePurchase(store), placePurchase(store)])
  const listed: number[] = during.json().map(({ number }: Purchase) => number)
  assert.deepEqual(
    listed.filter((number) => number <= (before[0] ?? 0)),
    before,
  )
  assert.equal(new Set(listed).size, listed.length)
})

test('an account that asks for its list twenty times at once is answered twice at a time, and beyond a short queue told to wait; others are answered', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  await insertOrders(store, store.customer, 600)
  await insertOrders(store, store.otherCustomer, 1)
  const attack = Array.from({ length: 20 }, () => listOf(store.customer))
  const [others, all, ...answers] = await Promise.all([listOf(store.otherCustomer), store.admin.request('GET', '/bookings'), ...attack])
  assert.deepEqual([others?.statusCode, all?.statusCode], [200, 200])
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  assert.ok(refused.length > 6 && refused.length <= 14, `${refused.length} refused`) // a list that ends makes room for one more
  for (const answer of refused) {
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.headers['retry-after'], '2')
    assert.match(answer.json().message, /^Too much is being asked for at this moment/)
  }
  assert.equal((await listOf(store.customer)).statusCode, 200)
})

test('an empty list is an empty list', async () => {
  await using store = await anEmptyStore()
  assert.deepEqual((await listOf(store.customer)).json(), [])
  assert.deepEqual((await store.admin.request('GET', '/bookings')).json(), [])
})
