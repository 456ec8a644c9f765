import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { openDatabase } from '#platform/database.ts'
import type { User } from '#store/identity/contract.ts'
import { PurchasePageQuery } from '#store/orders/admin-list-contract.ts'
import { OrderListQuery } from '#store/orders/order-contract.ts'
import { listOrders } from '#store/orders/order-queries.ts'
import { listPurchasePage } from '#store/orders/purchase-page.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { sampleSize } from './full-run.ts'

const linesPerOrder = 100
const linesPerStatement = 20_000
const productsOnSale = sampleSize(5000, 100_000)

/** Orders of a hundred lines each, of 5,000 of the products and 400 buyers, as if they had been placed: the checks of placing would take hours. */
async function writeOrders({ db, customer }: Store, lines: number): Promise<void> {
  await customer.token()
  await db.execute(sql`
    insert into tools (id, name, img, description, price_cents, minimum_order_quantity, available_quantity, brand, mpn, sku)
    select gen_random_uuid(), 'Part model ' || nth, '/drawings/drill.svg', 'A part.', 100, 1, 1000, 'Grip & Co', 'GR-' || nth, 'SKU-' || nth
    from generate_series(1, ${productsOnSale}::integer) nth`)
  for (let written = 0; written < lines; written += linesPerStatement)
    await db.execute(sql`
      with placed as (
        insert into orders (id, buyer_id, buyer_name, buyer_email, buyer_address, phone_number, currency, goods_cents, total_cents, hold_until)
        select gen_random_uuid(), users.id, 'Buyer ' || nth % 400, 'buyer' || nth % 400 || '@shop.example', nth || ' Analytical Road, London',
          '+44 20 79' || lpad(nth::text, 6, '0'), 'usd', ${linesPerOrder}::integer * 100, ${linesPerOrder}::integer * 100, now()
        from users, generate_series(${written / linesPerOrder + 1}::integer, ${(written + linesPerStatement) / linesPerOrder}::integer) nth
        where users.email = ${customer.email}
        returning id, number
      ), numbered as (
        insert into order_details (order_id, cart_id, request_hash, name, deliver_to, po_number, part_numbers)
        select id, gen_random_uuid(), '', 'Buyer', '{}', 'PO-2026/' || number, '[]' from placed
      ), part as materialized (
        select *, row_number() over (order by length(sku), sku) as place from tools
      )
      insert into order_lines (id, order_id, position, tool_id, product_name, brand, mpn, sku, quantity, list_price_cents, unit_price_cents, total_cents)
      select gen_random_uuid(), placed.id, nth, part.id, part.name, part.brand, part.mpn, part.sku, 1, 100, 100, 100
      from placed, generate_series(1, ${linesPerOrder}::integer) nth, part
      where place = (number * 37 + nth * 49) % 5000 + 1`)
  await db.execute(sql`analyze orders, order_details, order_lines, tools`)
}

test('H15 admins read, count and search the lines of all orders of a large shop, each statement within the time that it has', async (t) => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  const lines = sampleSize(20_000, 500_000)
  const orders = lines / linesPerOrder
  await writeOrders(store, lines)
  const { db, pool } = openDatabase(store.connectionString, assert.ifError) // with the statement timeout of a store
  try {
    const took: string[] = []
    for (const [q, found] of [
      ['', orders],
      ['grip london', orders],
      ['no such part', 0],
      ['po-2026/', orders],
      ['+44 20 79000007', 1],
      ['gr-17 sku-17 nobody', 0],
      ['buyer7@shop.example', Math.ceil(orders / 400)],
    ] as const) {
      const at = performance.now()
      const { total, all } = await listPurchasePage(db, PurchasePageQuery.parse({ q }))
      took.push(`${q || 'all'} ${Math.round(performance.now() - at)} ms`)
      assert.deepEqual([q, total, all], [q, found, found])
    }
    const admin = { id: '', name: '', email: '', role: 'admin' } as const
    for (const [q, found] of [
      ['grip london', 24],
      ['no such part', 0],
      ['gr-17 sku-17 nobody', 0],
    ] as const) {
      const at = performance.now()
      const page = await listOrders(db, admin, OrderListQuery.parse({ q }))
      took.push(`GET /orders ${q} ${Math.round(performance.now() - at)} ms`)
      assert.equal(page.orders.length, found, q)
    }
    t.diagnostic(`${lines} lines, ${productsOnSale} products: ${took.join(', ')}`)
  } finally {
    await pool.end()
  }
})

test('H15 who has one order searches it without a look at the products that others have ordered, or nobody', async (t) => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  await writeOrders(store, linesPerStatement)
  const { otherCustomer } = store
  await otherCustomer.token()
  await store.db.execute(sql`
    update orders set buyer_id = users.id from users where users.email = ${otherCustomer.email} and number = (select min(number) from orders)`)
  const { rows } = await store.db.execute<User>(sql`select id, name, email, role from users where email = ${otherCustomer.email}`)
  const [viewer] = rows
  assert.ok(viewer)
  const statements: { sql: string; params: unknown[] }[] = []
  const pool = new pg.Pool({ connectionString: store.connectionString })
  const db = drizzle(pool, { logger: { logQuery: (text, params) => void statements.push({ sql: text, params }) } })
  try {
    for (const q of ['part', 'sku-17', 'no such part of anybody at all here now']) {
      statements.length = 0
      const { orders } = await listOrders(db, viewer, OrderListQuery.parse({ q }))
      assert.equal(orders.length, q.startsWith('no') ? 0 : 1, q)
      const [search] = statements
      const explained = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${search?.sql}`,
        search?.params as unknown[],
      )
      const read = productsRead(explained.rows[0]?.['QUERY PLAN'][0].Plan)
      t.diagnostic(`"${q}" reads ${read} products`)
      assert.ok(read <= linesPerOrder * 10, `"${q}" reads ${read} products`) // of each line for each word, and all words
    }
  } finally {
    await pool.end()
  }
})

type Plan = { 'Relation Name'?: string; 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] }

/** How many rows of `tools` a plan has read. */
function productsRead(plan: Plan | undefined): number {
  if (!plan) return 0
  const own = plan['Relation Name'] === 'tools' ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + productsRead(part), 0)
}
