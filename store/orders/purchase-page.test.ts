import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { isFullRun } from '#proof/full-run.ts'
import { createProducts, payOrder, placeLines, sendLines } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  createProduct,
  createTestStoreWithCards,
  expireHold,
  refundPurchase,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { filterAndSortRows } from '#web/list-query.ts'
import { listPurchasePage, type PurchasePage, PurchasePageQuery } from './admin-list-contract.ts'
import type { AdminPurchase } from './contract.ts'
import { endOverdueOrders } from './payments/end-order.ts'
import { listPurchasePage as findPurchasePage } from './purchase-page.ts'

async function pageOf(store: Store, query: string): Promise<PurchasePage> {
  const page = await store.admin.request('GET', `/bookings/page?${query}`)
  assert.equal(page.statusCode, 200, query + page.body)
  return listPurchasePage.schema.response[200].parse(page.json())
}
const all = async (store: Store): Promise<AdminPurchase[]> => (await store.admin.request('GET', '/bookings')).json()

/** Orders of two buyers in each status, some of several lines. */
async function aStoreWithOrders(): Promise<Store> {
  const store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  await store.db.execute(sql`update tools set mpn = 'GR-09_0', brand = 'Grip & Co' where name = 'Drill'`)
  const phone = { phone_number: '+44 (0)20 7946 0018' }
  const [open, cancelled, expired, refunded, partly] = [
    await placeLines(store, { [drill]: 1 }, phone),
    await placeLines(store, { [drill]: 2 }),
    await placeLines(store, { [board]: 1 }),
    await placeLines(store, { [saw]: 3 }),
    await placeLines(store, { [drill]: 4, [saw]: 5, [board]: 1 }),
  ]
  const [first] = open.lines
  assert.ok(first)
  await cancelPurchase(store.customer, cancelled)
  await expireHold(store, expired)
  await endOverdueOrders(store.db, store.cards)
  await payOrder(store, refunded)
  await refundPurchase(store.admin, refunded, { restock: 0 })
  const [bent, lost] = partly.lines
  assert.ok(bent && lost)
  await cancelPurchase(store.customer, lost)
  await payOrder(store, { ...partly, totalCents: partly.totalCents - lost.totalCents })
  await refundPurchase(store.admin, bent, { amountCents: 550, restock: 0 })
  assert.equal((await sendLines(store.otherCustomer, { [saw]: 7, [board]: 2 }, { buyerAddress: 'Rue 100% _ 4' })).statusCode, 201)
  await waitForWebhooks(store)
  return store
}

const text = ({ number, buyerName, buyerEmail, buyerAddress, productName, brand, transectionId }: AdminPurchase) =>
  `${number} ${buyerName} ${buyerEmail} ${buyerAddress} ${productName} ${brand ?? ''} ${transectionId ?? ''}`
const accessors = {
  text,
  number: ({ number }: AdminPurchase) => number,
  codes: ({ mpn, sku }: AdminPurchase) => [mpn ?? '', sku],
  sortKeys: {},
}

type ListedOrder = { first: AdminPurchase; counted: AdminPurchase[] }
const sumOf = (lines: AdminPurchase[], of: (line: AdminPurchase) => number) => lines.reduce((sum, line) => sum + of(line), 0)
const orderSortKeys = {
  name: ({ first }: ListedOrder) => first.buyerName,
  email: ({ first }: ListedOrder) => first.buyerEmail,
  product: ({ first }: ListedOrder) => first.productName,
  quantity: ({ counted }: ListedOrder) => sumOf(counted, ({ productQuantity }) => productQuantity),
  cost: ({ counted }: ListedOrder) => sumOf(counted, ({ productCost }) => productCost),
}

/** The orders of these lines; of an order that goes on, what was cancelled does not count. */
function ordersOf(rows: AdminPurchase[]): ListedOrder[] {
  const byNumber = Map.groupBy(rows, ({ number }) => number)
  return [...byNumber.values()].flatMap((lines) => {
    const left = lines.filter(({ state }) => state !== 'cancelled')
    const [first] = lines
    return first ? [{ first, counted: left.length > 0 ? left : lines }] : []
  })
}

test('the database searches and sorts all orders as the browser does a list that it has whole', async () => {
  await using store = await aStoreWithOrders()
  const rows = await all(store)
  const sku = rows.at(-1)?.sku ?? ''
  const searches = ['', 'drill', '1002', 'bob', 'GR 090', 'gr-09 0', 'grip drill', 'drill saw', '100%', '_', "o'", 'no such thing']
  const sorts = ['', ...Object.keys(orderSortKeys).flatMap((key) => [key, `-${key}`])]
  for (const [nth, q] of [...searches, sku, sku.toLowerCase().replace('-', ' '), 'pi_'].entries())
    for (const sort of isFullRun || q === '' ? sorts : sorts.slice(nth % sorts.length).slice(0, 1)) {
      const found = new Set(filterAndSortRows(rows, { q, filters: {}, sort: '' }, accessors).map(({ number }) => number))
      const expected = filterAndSortRows(
        ordersOf(rows).filter(({ first }) => found.has(first.number)),
        { q, filters: {}, sort },
        { text: () => q, number: ({ first }) => first.number, sortKeys: orderSortKeys },
      ).map(({ first }) => first.number)
      const { orders, total } = await pageOf(store, `${new URLSearchParams({ q, limit: '100', ...(sort && { sort }) })}`)
      assert.deepEqual(
        orders.map(({ number }) => number),
        expected,
        `${q}, ${sort}`,
      )
      assert.equal(total, expected.length)
    }
})

test('orders are counted and filtered by status, attention and day, with what they come to', async () => {
  await using store = await aStoreWithOrders()
  await store.db.execute(sql`update orders set placed_at = now() - interval '40 days' where number = 1001`)
  const numbers = ({ orders }: PurchasePage) => orders.map(({ number }) => number)
  const everything = await pageOf(store, '')
  assert.deepEqual(everything.statuses, { open: 2, checking: 0, paid: 1, expired: 1, cancelled: 1, refunded: 1 })
  assert.equal(everything.all, 6)
  assert.deepEqual(
    everything.orders.slice(0, 2).map(({ totalCents, pieces, lineCount, lines, state, refundedCents }) => ({
      ...{ totalCents, pieces, lineCount, state, refundedCents },
      lines: lines.map(({ productName, quantity, cancelled }) => [productName, quantity, cancelled]),
    })),
    [
      {
        ...{ totalCents: 54_900, pieces: 9, lineCount: 2, state: 'open', refundedCents: 0 },
        lines: [
          ['Saw', 7, 0],
          ['Board', 2, 0],
        ],
      },
      {
        ...{ totalCents: 37_000, pieces: 5, lineCount: 3, state: 'paid', refundedCents: 550 },
        lines: [
          ['Drill', 4, 0],
          ['Saw', 5, 5],
          ['Board', 1, 0],
        ],
      },
    ],
    'an order of several lines is one entry, with its lines',
  )
  for (const [query, found, cents] of [
    ['status=cancelled', [1002], 6000],
    ['status=refunded', [1004], 2100],
    ['status=paid', [1005], 12_000 + 25_000],
    ['date=paid', [1005, 1004], 12_000 + 25_000 + 2100],
    ['date=refunded', [1005, 1004], 550 + 2100],
    ['date=refunded&status=refunded', [1004], 2100],
    ['date=placed&to=2020-01-01', [], 0],
    ['attention=refund under way', [], 0],
    ['limit=1&page=2&sort=cost&status=open', [1006], 4900 + 50_000 + 3000],
  ] as const) {
    const page = await pageOf(store, query)
    assert.deepEqual(numbers(page), found, query)
    assert.equal(page.sumCents, cents, query)
  }
  const searched = await pageOf(store, 'q=saw&status=paid')
  assert.deepEqual(
    [searched.statuses, searched.all, searched.total],
    [{ open: 1, checking: 0, paid: 1, expired: 0, cancelled: 0, refunded: 1 }, 3, 1],
    'the counts are of what is searched, whatever the status',
  )
  assert.deepEqual(numbers(await pageOf(store, 'q=saw&status=refunded')), [1004])
  const today = new Date().toISOString().slice(0, 10)
  const ofToday = await pageOf(store, `date=placed&from=${today}&to=${today}`)
  assert.deepEqual([ofToday.all, ofToday.statuses.open, ofToday.total], [5, 1, 5])
  for (const wrong of ['status=lost', 'sort=wildest', 'page=0', 'limit=101', 'date=eaten', 'from=yesterday', 'to=0000-01-01'])
    assert.equal((await store.admin.request('GET', `/bookings/page?${wrong}`)).statusCode, 400, wrong)
})

test('of a search of many words the eight longest have to be in the order, so that none takes longer than that', async () => {
  await using store = await aStoreWithOrders()
  const eight = '1001 ada ada@shop.example road drill grip co shop'
  for (const [q, found] of [
    [eight, [1001]],
    [`${eight} z`, [1001]],
    [`${eight} zzz`, []],
  ] as const)
    assert.deepEqual(
      (await pageOf(store, `${new URLSearchParams({ q })}`)).orders.map(({ number }) => number),
      found,
      q,
    )
})

test('an order is found by the phone number of its buyer in any spelling, with its country code or without', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const phones = ['+44 (0)20 7946-0018', '0171 987 65 43', '+1 555 010 0199']
  for (const phone_number of phones) await placeLines(store, { [drill]: 1 }, { phone_number })
  await placeLines(store, { [drill]: 1 })
  const find = async (q: string) => (await pageOf(store, `${new URLSearchParams({ q })}`)).orders.map(({ phone_number }) => phone_number)
  for (const q of ['+44 20 7946 0018', '0044 20 79460018', '020 7946 0018', '(020) 7946/0018', '442079460018', '7946 0018'])
    assert.deepEqual(await find(q), [phones[0]], q)
  for (const q of ['+49 171 9876543', '01719876543', '0171-987 65 43']) assert.deepEqual(await find(q), [phones[1]], q)
  for (const q of ['+15550100199', '001 555 010 0199', '555.010.0199']) assert.deepEqual(await find(q), [phones[2]], q)
  for (const q of ['0018', '7946', '+44 20 7946 0019', 'tel 020 7946 0018']) assert.deepEqual(await find(q), [], q)
})

test('a search of all orders compares texts as they are stored with each order and line, and changes none of them', async () => {
  await using store = await aStoreWithOrders()
  const { rows } = await store.db.execute(sql`
    select distinct orders.search_text as of_order, phone_digits, order_lines.search_text as of_line, mpn_code
    from orders join order_lines on order_id = orders.id where number = 1001`)
  assert.deepEqual(rows, [
    { of_order: '1001 ada ada@shop.example 1 road', phone_digits: '442079460018', of_line: 'drill grip & co', mpn_code: 'gr090' },
  ])

  const statements: string[] = []
  const pool = new pg.Pool({ connectionString: store.connectionString })
  const db = drizzle(pool, { logger: { logQuery: (statement) => void statements.push(statement) } })
  for (const q of ['gr-09 0 drill', '020 7946 0018']) await findPurchasePage(db, PurchasePageQuery.parse({ q }))
  await pool.end()
  assert.ok(statements.length >= 4, 'the statements were seen')
  const ofFewRows = /lower\("payments"\."intent_id"\)/g // payments that were made
  const changed = statements.filter((statement) => /\b(lower|replace|regexp_replace|concat_ws)\(/.test(statement.replace(ofFewRows, '')))
  assert.deepEqual(changed, [])
})
