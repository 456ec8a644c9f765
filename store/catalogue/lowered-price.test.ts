import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { importProducts, ndjson } from '#store/imports/import-test-actions.ts'
import { SearchQuery } from '#store/search/contract.ts'
import { parseSearchQuery } from '#store/search/parsed-query.ts'
import { searchInSql } from '#store/search/search-in-sql.ts'
import { letPricesAge } from '#test/price-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { sampleSize } from '../../proof/full-run.ts'
import { seededRandom } from '../../proof/seeded-random.ts'
import type { Lowered } from './lowered-price.ts'
import type { ProductHistoryEntry } from './product-history-contract.ts'

const pliers = {
  ...{ name: 'Pliers', img: '/drawings/pliers.svg', description: 'Grips.', sku: 'P-1' },
  ...{ price: 12, minimum_order_quantity: 5, available_quantity: 40 },
}
const day = 24

async function addPliers(store: Store, changes: object = {}): Promise<string> {
  return (await store.admin.request('POST', '/tools', { ...pliers, ...changes })).json()._id
}

/** Pliers that have been for sale for so long that a reduction can be claimed. */
async function sellPliers(store: Store): Promise<string> {
  const id = await addPliers(store)
  await letPricesAge(store.db, 30 * day)
  return id
}

async function setPrice(store: Store, id: string, price: number, changes: object = {}) {
  const { minimum_order_quantity, available_quantity } = pliers
  const changed = await store.admin.request('PUT', `/tools/${id}`, { price, minimum_order_quantity, available_quantity, ...changes })
  assert.equal(changed.statusCode, 200, changed.body)
}

/** What the page of a product, its list and the database say that it was lowered from, which is the same. */
async function loweredFrom(store: Store, id: string): Promise<number | null> {
  await store.search.catchUp()
  const { part } = (await store.visitor.request('GET', `/products/${id}`)).json()
  const {
    tools: [listed],
  } = (await store.visitor.request('GET', '/search?q=pliers')).json()
  assert.deepEqual(listed.lowered, part.lowered)
  const found = await store.visitor.request('GET', '/search?lowered=yes')
  assert.equal(found.json().total, part.lowered ? 1 : 0)
  const asked = parseSearchQuery(SearchQuery.parse({ lowered: 'yes' }))
  const { ids, productsJson } = await searchInSql(store.db, asked)
  assert.deepEqual(ids, part.lowered ? [id] : [])
  if (productsJson[0]) assert.deepEqual(JSON.parse(productsJson[0]).lowered, part.lowered)
  return part.lowered?.from ?? null
}

const listHistory = async (store: Store, id: string): Promise<ProductHistoryEntry[]> =>
  (await store.admin.request('GET', `/tools/${id}/history`)).json()

test('a price that is lowered, raised and lowered again names the lowest of the 30 days before, or nothing', async () => {
  await using store = await anEmptyStore()
  const id = await sellPliers(store)
  assert.equal(await loweredFrom(store, id), null, 'a new product is not lowered')
  await setPrice(store, id, 10.5)
  assert.equal(await loweredFrom(store, id), 12)
  await letPricesAge(store.db, 3 * day)
  await setPrice(store, id, 9)
  assert.equal(await loweredFrom(store, id), 12, 'a further reduction names what the first was from')
  await letPricesAge(store.db, 3 * day)
  await setPrice(store, id, 20)
  assert.equal(await loweredFrom(store, id), null, 'a raise ends it')
  await setPrice(store, id, 11)
  assert.equal(await loweredFrom(store, id), null, 'it cost 9 six days ago')
  await setPrice(store, id, 8)
  assert.equal(await loweredFrom(store, id), 9)
})

test('a product that has been for sale for less than 30 days is not shown as lowered', async () => {
  await using store = await anEmptyStore()
  const young = await addPliers(store, { price: 1000 })
  await setPrice(store, young, 900)
  assert.equal(await loweredFrom(store, young), null, 'of the same moment')
  await letPricesAge(store.db, 30 * day - 1)
  await setPrice(store, young, 800)
  assert.equal(await loweredFrom(store, young), null, 'an hour too young')
  await letPricesAge(store.db, 1)
  await setPrice(store, young, 700)
  assert.equal(await loweredFrom(store, young), 800)
})

test('a product that was never in stock before is not shown as lowered, and one that has sold out since is', async () => {
  await using store = await anEmptyStore()
  const id = await addPliers(store, { price: 1000, available_quantity: 4 })
  await letPricesAge(store.db, 90 * day)
  await setPrice(store, id, 500)
  assert.equal(await loweredFrom(store, id), null, 'there was less than the smallest order')
  await letPricesAge(store.db, 30 * day)
  await setPrice(store, id, 500, { available_quantity: 0 })
  await setPrice(store, id, 400)
  assert.equal(await loweredFrom(store, id), 500)
})

test('a list price that nobody pays, as a price break makes the smallest order cheaper or no order can cost so much, is not what a price was lowered from', async () => {
  await using store = await anEmptyStore()
  const id = await addPliers(store, { price: 30 })
  const undercutting = [[{ min_quantity: 5, price: 1 }], [{ min_quantity: 2, price: 1 }], [{ min_quantity: 6, price: 20 }]]
  for (const price_breaks of undercutting) {
    await setPrice(store, id, 30, { price_breaks })
    await letPricesAge(store.db, 90 * day)
    await setPrice(store, id, 25)
    assert.equal(await loweredFrom(store, id), null, JSON.stringify(price_breaks))
    await setPrice(store, id, 25, { price_breaks: [] })
    await setPrice(store, id, 24)
    assert.equal(await loweredFrom(store, id), null, 'it was asked for a moment')
    await letPricesAge(store.db, 30 * day)
    await setPrice(store, id, 23)
    assert.equal(await loweredFrom(store, id), 24)
    await setPrice(store, id, 23, { minimum_order_quantity: 10, price_breaks: [{ min_quantity: 10, price: 1 }] })
    assert.equal(await loweredFrom(store, id), null, 'a break that undercuts it ends it')
  }
  await setPrice(store, id, 30, { price_breaks: [{ min_quantity: 6, price: 25.01 }] })
  await letPricesAge(store.db, 30 * day)
  await setPrice(store, id, 26)
  assert.equal(await loweredFrom(store, id), 30, '6 pieces cost more than the smallest order')
  await setPrice(store, id, 200_000, { price_breaks: [] })
  await letPricesAge(store.db, 30 * day)
  await setPrice(store, id, 199_000)
  assert.equal(await loweredFrom(store, id), null, 'no order could cost so much')
})

test('what a product was priced at while it was removed is not what its price was lowered from', async () => {
  await using store = await anEmptyStore()
  const id = await sellPliers(store)
  await setPrice(store, id, 1000)
  assert.equal((await store.admin.request('DELETE', `/tools/${id}`)).statusCode, 200)
  await letPricesAge(store.db, 31 * day)
  assert.equal((await store.admin.request('PUT', `/tools/restored/${id}`)).statusCode, 200)
  await setPrice(store, id, 10)
  assert.equal(await loweredFrom(store, id), null)
  await letPricesAge(store.db, 30 * day)
  await setPrice(store, id, 9)
  assert.equal(await loweredFrom(store, id), 10)
  await store.db.execute(sql`update tools set removed_at = now()`)
  await store.db.execute(sql`update tools set removed_at = null`)
  assert.equal(await loweredFrom(store, id), null, 'a removal ends it, by SQL too')

  await setPrice(store, id, 1000)
  await store.db.execute(sql`update tools set removed_at = now()`)
  await letPricesAge(store.db, 31 * day)
  await importProducts(store, ndjson({ sku: pliers.sku, price: 10 }))
  assert.equal(await loweredFrom(store, id), null, 'brought back and lowered by one import')
})

test('a reduction is shown for 30 days, and one that follows then is from the price that was in force when its 30 days began', async () => {
  await using store = await anEmptyStore()
  const id = await sellPliers(store)
  await letPricesAge(store.db, 90 * day)
  await setPrice(store, id, 10)
  const { lowered }: { lowered: Lowered } = (await store.visitor.request('GET', `/products/${id}`)).json().part
  assert.equal(lowered.from, 12)
  assert.ok(Math.abs(Date.parse(lowered.since) - Date.now()) < 3_600_000, lowered.since)
  await letPricesAge(store.db, 30 * day - 1)
  assert.equal(await loweredFrom(store, id), 12)
  await letPricesAge(store.db, 1)
  assert.equal(await loweredFrom(store, id), null)
  await letPricesAge(store.db, 40 * day)
  await setPrice(store, id, 9)
  assert.equal(await loweredFrom(store, id), 10)
})

test('a reduction ends in lists by time alone, without a change of the product', async (t) => {
  await using store = await anEmptyStore()
  const id = await sellPliers(store)
  await setPrice(store, id, 10)
  assert.equal(await loweredFrom(store, id), 12)
  const asked = (lowered: '' | 'yes') => {
    const found = store.search.search(parseSearchQuery(SearchQuery.parse({ lowered })))
    const facet = found?.facets.find(({ key }) => key === 'lowered')
    return [found?.productsJson.map((json) => JSON.parse(json).lowered?.from ?? null), facet?.kind === 'choice' && facet.choices[0]?.count]
  }
  assert.deepEqual(
    [asked(''), asked('yes')],
    [
      [[12], 1],
      [[12], 1],
    ],
  )
  const now = Date.now()
  t.mock.method(Date, 'now', () => now + 30 * day * 3_600_000)
  assert.deepEqual(
    [asked(''), asked('yes')],
    [
      [[null], false],
      [[], 0],
    ],
  )
})

test('every change of a price is kept once, with who made it and in which import, by SQL too', async () => {
  await using store = await anEmptyStore()
  const id = await sellPliers(store)
  await setPrice(store, id, 10.5)
  await importProducts(store, ndjson({ sku: pliers.sku, price: 9, price_breaks: [{ min_quantity: 25, price: 8.5 }] }))
  await store.db.execute(sql`update tools set price_cents = 800, price_breaks = '[{"min_quantity": 25, "price_cents": 700}]'`)
  await store.db.execute(sql`update tools set price_cents = 800, available_quantity = 40`)

  const history = await listHistory(store, id)
  const { email } = store.admin
  assert.deepEqual(
    history.map(({ field, before, after, by, importId }) => [field, before, after, by, importId !== null]),
    [
      ['price', '9', '8', null, false],
      ['price_breaks', '25: 8.50', '25: 7', null, false],
      ['price', '10.5', '9', email, true],
      ['price_breaks', null, '25: 8.50', email, true],
      ['price', '12', '10.5', email, false],
    ],
  )
  assert.equal(await loweredFrom(store, id), 12)
})

test('what a price was lowered from cannot be typed, by SQL neither', async () => {
  await using store = await anEmptyStore()
  await sellPliers(store)
  const typed = /tools_lowered_by_price|follows from its changes/
  const refused = (statement: ReturnType<typeof sql>) =>
    assert.rejects(store.db.execute(statement), (error: Error) => typed.test(`${error.message} ${error.cause}`))
  await refused(sql`update tools set lowered_from_cents = 9900, lowered_at = now()`)
  await refused(sql`update tools set price_cents = 1000, lowered_from_cents = 9900, lowered_at = now()`)
  await refused(sql`update tools set list_price_asked_since = now() - interval '90 days'`)
  await refused(
    sql`insert into tools (id, sku, name, description, price_cents, minimum_order_quantity, available_quantity, lowered_from_cents, lowered_at)
      values (gen_random_uuid(), 'X', 'X', 'X', 100, 1, 0, 200, now())`,
  )
})

test('the books say where a price is shown as lowered from what its changes do not make of it', async () => {
  await using store = await anEmptyStore({ allowWrongBooks: true })
  const id = await sellPliers(store)
  await setPrice(store, id, 10)
  assert.deepEqual(await store.faults(), [])
  const typed = async (statement: ReturnType<typeof sql>) => {
    await store.db.execute(sql`alter table tools disable trigger keep_price_change`)
    await store.db.execute(statement)
    await store.db.execute(sql`alter table tools enable trigger keep_price_change`)
    return store.faults()
  }
  assert.deepEqual(await typed(sql`update tools set lowered_from_cents = 1500`), [
    'Pliers is shown as lowered from 1500 cents, its changes make it 1200',
  ])
  assert.deepEqual(await typed(sql`update tools set lowered_from_cents = null, lowered_at = null`), [
    'Pliers is shown as lowered from none cents, its changes make it 1200',
  ])
  assert.equal((await typed(sql`update tools set lowered_from_cents = 1200, lowered_at = now() - interval '9 days'`)).length, 1)
  for (const half of [sql`lowered_at = null`, sql`lowered_from_cents = 1000`])
    await assert.rejects(
      typed(sql`update tools set ${half}`).finally(() => store.db.execute(sql`alter table tools enable trigger keep_price_change`)),
      ({ cause }: Error) => String(cause).includes('"tools_lowered"'),
    )
  for (const unasked of [sql`removed_at = now()`, sql`list_price_asked_since = null`])
    await assert.rejects(
      typed(sql`update tools set ${unasked}`).finally(() => store.db.execute(sql`alter table tools enable trigger keep_price_change`)),
      ({ cause }: Error) => String(cause).includes('"tools_list_price_asked"'),
    )
  assert.deepEqual(await typed(sql`update tools set lowered_at = now(), list_price_asked_since = now() - interval '29 days'`), [
    'Pliers is shown as lowered from 1200 cents, its changes make it none',
  ])
  assert.deepEqual(
    await typed(
      sql`update tools set list_price_asked_since = now() - interval '31 days', price_breaks = '[{"min_quantity": 5, "price_cents": 100}]'`,
    ),
    ['Pliers is shown as lowered from 1200 cents, its changes make it none'],
  )
  assert.deepEqual(await typed(sql`update tools set price_breaks = '[]', lowered_at = (select at from product_history)`), [])
  await store.db.execute(sql`delete from product_history`)
  assert.deepEqual(await store.faults(), ['Pliers is shown as lowered from 1200 cents, its changes make it none'])
})

/** A price from an hour on, in hours since the test began. */
type PriceFrom = { hour: number; cents: number }

/** What the last of these prices was lowered from and since which hour: from the definition, in intervals, apart from how the store does it. */
function referenceReduction(prices: PriceFrom[]): { cents: number; hour: number } | undefined {
  const [last, previous] = [prices.at(-1), prices.at(-2)]
  if (!last || !previous || last.cents > previous.cents) return undefined
  const running = referenceReduction(prices.slice(0, -1))
  if (running && last.hour - running.hour < 30 * day) return running
  if (last.hour - (prices[0]?.hour ?? last.hour) < 30 * day) return undefined
  const inForce = prices.slice(0, -1).filter((_, at) => (prices[at + 1]?.hour ?? last.hour) > last.hour - 30 * day)
  const lowest = Math.min(...inForce.map(({ cents }) => cents))
  return last.cents < lowest ? { cents: lowest, hour: last.hour } : undefined
}

test('whatever prices a product has had, it is shown as lowered from what a plain reference says, and so says its history', async () => {
  await using store = await anEmptyStore()
  const { below } = seededRandom(97)
  const many = 30
  await store.db.execute(
    sql`insert into tools (id, sku, name, description, price_cents, minimum_order_quantity, available_quantity)
      select gen_random_uuid(), 'P-' || nth, 'Pliers', 'Grips.', 1000, 1, 1 from generate_series(1, ${many}) nth`,
  )
  await store.db.execute(sql`insert into stock_movements (tool_id, pieces, reason) select id, 1, 'initial' from tools`)
  const prices = new Map(Array.from({ length: many }, (_, nth): [string, PriceFrom[]] => [`P-${nth + 1}`, [{ hour: 0, cents: 1000 }]]))
  let [hour, shown, ended] = [0, 0, 0]
  for (let step = 0; step < sampleSize(40, 400); step++) {
    const hours = below(3) === 0 ? below(60 * day) : below(9 * day)
    hour += hours
    await letPricesAge(store.db, hours)
    const changed = [...prices].flatMap(([sku, before]) => {
      const cents = 700 + 55 * below(7)
      if (below(3) === 0 || before.at(-1)?.cents === cents) return []
      before.push({ hour, cents })
      return [{ sku, cents }]
    })
    await store.db.execute(
      sql`update tools set price_cents = cents from json_to_recordset(${JSON.stringify(changed)}::json) as to_be (sku text, cents integer) where tools.sku = to_be.sku`,
    )
    const { rows } = await store.db.execute<{ sku: string; cents: number | null; days: number; by_history: boolean }>(
      sql`select sku, tools.lowered_from_cents as cents, extract(epoch from now() - tools.lowered_at)::float8 / 86400 as days,
          (h.lowered_from_cents, h.lowered_at) is not distinct from (tools.lowered_from_cents, tools.lowered_at) as by_history
        from tools, price_by_history(id) h`,
    )
    for (const { sku, cents, days, by_history } of rows) {
      const due = referenceReduction(prices.get(sku) ?? [])
      assert.equal(cents, due?.cents ?? null, `${sku} after ${JSON.stringify(prices.get(sku))}`)
      if (due) assert.ok(Math.abs(days * day - (hour - due.hour)) < 1, `${sku} since ${days} days, not ${(hour - due.hour) / day}`)
      assert.ok(by_history, `the history of ${sku}: ${JSON.stringify(prices.get(sku))}`)
      if (due && hour - due.hour < 30 * day) shown++
      else ended++
    }
  }
  assert.ok(shown > 100 && ended > 100, `${shown} shown, ${ended} not`)
})
