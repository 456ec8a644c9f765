import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { addProducts } from '#store/catalogue/rules.ts'
import { putIntoCart, typed } from '#test/checkout-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'

/** Products of one dollar, and their ids. */
async function sellMany(store: Store, many: number): Promise<string[]> {
  const fields = { img: '/drill.svg', description: 'A part.', price: 1, minimum_order_quantity: 1, available_quantity: 1000 }
  await addProducts(
    store.db,
    Array.from({ length: many }, (_, nth) => ({ ...fields, name: `Part ${nth}` })),
  )
  const tools: { _id: string; name: string }[] = (await store.visitor.request('GET', '/tools')).json()
  return tools.sort((one, other) => Number(one.name.slice(5)) - Number(other.name.slice(5))).map(({ _id }) => _id)
}

/** Orders a piece of each product, from a network of its own. */
async function order(store: Store, buyer: Actor, network: number, productIds: string[], quantity = 1): Promise<ApiResponse> {
  const lines = productIds.map((productId) => ({ productId, quantity }))
  const from = store.visitorFrom(`192.0.2.${network}`)
  return from.request('POST', '/orders', { lines, buyerAddress: '1 Road' }, { authorization: `Bearer ${await buyer.token()}` })
}

const lockProducts = (tx: Database, ids: string[]) =>
  tx.execute(sql`select from tools where id = any(${sql.param(ids)}::uuid[]) order by id for update`)

/** Statements that wait for a lock. */
async function waiting({ db }: Store): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::integer from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.count ?? 0
}

async function buyersOf(store: Store, many: number): Promise<Actor[]> {
  const buyers = Array.from({ length: many }, (_, nth) => store.newCustomer(`Buyer${nth}`))
  for (const buyer of buyers) await buyer.token()
  return buyers
}

test('of the orders that all buyers of all networks send at one moment six are placed at a time, so that everything else finds a connection', async () => {
  await using store = await anEmptyStore()
  const ids = await sellMany(store, 24)
  const buyers = await buyersOf(store, 24)
  const placed = await store.db.transaction(async (tx) => {
    await lockProducts(tx, ids)
    const placing = buyers.map((buyer, nth) => order(store, buyer, nth, ids.slice(nth, nth + 1)))
    while ((await waiting(store)) < 6) await setImmediate()
    for (const buyer of buyers) assert.equal((await buyer.request('GET', '/orders')).statusCode, 200)
    assert.ok(await store.newCustomer('Cleo').token())
    assert.equal(await waiting(store), 6)
    return { placing }
  })
  for (const { statusCode, body } of await Promise.all(placed.placing)) assert.equal(statusCode, 201, body)
})

test('one network has four of the places: orders of others do not wait for what its orders wait for', async () => {
  await using store = await anEmptyStore()
  const ids = await sellMany(store, 13)
  const buyers = await buyersOf(store, 12)
  const [free, ...locked] = ids
  assert.ok(free)
  const placed = await store.db.transaction(async (tx) => {
    await lockProducts(tx, locked)
    const placing = buyers.map((buyer, nth) => order(store, buyer, 1, locked.slice(nth, nth + 1)))
    while ((await waiting(store)) < 4) await setImmediate()
    assert.equal((await order(store, store.customer, 100, [free])).statusCode, 201)
    assert.equal(await waiting(store), 4)
    return { placing }
  })
  for (const { statusCode, body } of await Promise.all(placed.placing)) assert.equal(statusCode, 201, body)
})

test('a basket that is checked out takes one of the same places', async () => {
  await using store = await anEmptyStore()
  const ids = await sellMany(store, 12)
  const buyers = await buyersOf(store, 12)
  for (const [nth, buyer] of buyers.slice(4).entries()) await putIntoCart(buyer, { [ids[nth + 4] ?? '']: 1 })
  const checkOutFrom = async (buyer: Actor, network: number) =>
    store.visitorFrom(`192.0.2.${network}`).request('POST', '/checkout', typed, { authorization: `Bearer ${await buyer.token()}` })
  const placed = await store.db.transaction(async (tx) => {
    await lockProducts(tx, ids)
    const placing = buyers.map((buyer, nth) => (nth < 4 ? order(store, buyer, nth, ids.slice(nth, nth + 1)) : checkOutFrom(buyer, nth)))
    while ((await waiting(store)) < 6) await setImmediate()
    for (const buyer of buyers) assert.equal((await buyer.request('GET', '/orders')).statusCode, 200)
    assert.equal(await waiting(store), 6)
    return { placing }
  })
  for (const { statusCode, body } of await Promise.all(placed.placing)) assert.equal(statusCode, 201, body)
})

test('orders of many lines have two of the places: one of few lines does not wait for them', async () => {
  await using store = await anEmptyStore()
  const ids = await sellMany(store, 12)
  const buyers = await buyersOf(store, 8)
  const [free, ...locked] = ids
  assert.ok(free)
  const placed = await store.db.transaction(async (tx) => {
    await lockProducts(tx, locked)
    const placing = buyers.map((buyer, nth) => order(store, buyer, nth, locked))
    while ((await waiting(store)) < 2) await setImmediate()
    assert.equal((await order(store, store.customer, 100, [free])).statusCode, 201)
    assert.equal(await waiting(store), 2)
    return { placing }
  })
  for (const { statusCode, body } of await Promise.all(placed.placing)) assert.equal(statusCode, 201, body)
})

test('an order of many lines that is plainly short is refused without waiting for a product that others are ordering; one that is not waits, and is judged then', async () => {
  await using store = await anEmptyStore()
  const ids = await sellMany(store, 12)
  const [first = '', second = ''] = ids
  await store.db.execute(sql`update tools set available_quantity = 1 where id = ${second}`)
  await store.db.execute(sql`insert into stock_movements (tool_id, pieces, reason) values (${second}, -999, 'correction')`)
  const waits = await store.db.transaction(async (tx) => {
    await lockProducts(tx, [first])
    const refused = await order(store, store.customer, 1, ids, 2)
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'stock_too_low'])
    assert.deepEqual(
      refused.json().lines.map(({ productId, available }: { productId: string; available: number }) => [productId, available]),
      [[second, 1]],
    )
    const judging = order(store, store.otherCustomer, 2, ids)
    while ((await waiting(store)) < 1) await setImmediate()
    await tx.execute(sql`update tools set available_quantity = 0 where id = ${first}`)
    await tx.execute(sql`insert into stock_movements (tool_id, pieces, reason) values (${first}, -1000, 'correction')`)
    return { judging }
  })
  const judged = await waits.judging
  assert.deepEqual([judged.statusCode, judged.json().code], [409, 'stock_too_low'], 'as the stock is once the others are done')
})
