import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'drizzle-orm'
import { ErrorResponse } from '#shared/endpoint.ts'
import type { Product } from '#store/catalogue/contract.ts'
import { Order } from '#store/orders/order-contract.ts'
import { sampleSize } from './full-run.ts'
import { type ApiClient, createProduct, mulberry32, parseResponse, startStoreCluster } from './store-cluster.ts'

/** Two processes, so that no lock of one process alone keeps orders apart. */
const shop = await startStoreCluster({ stores: 2 })
after(() => shop[Symbol.asyncDispose]())

type Asked = { product: Product; quantity: number }[]

const place = (buyer: ApiClient, lines: Asked) =>
  buyer.requestWithRetry(
    'POST',
    '/orders',
    { lines: lines.map(({ product, quantity }) => ({ productId: product._id, quantity })), buyerAddress: '1 Road' },
    { 'idempotency-key': crypto.randomUUID() },
  )

/** How often PostgreSQL has ended a deadlock in this database. */
async function deadlocks(): Promise<number> {
  const { rows } = await shop.db.execute<{ count: number }>(
    sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
  )
  return rows[0]?.count ?? Number.NaN
}

/** Every answer is an order or names what is short; what was sold and what is left is what there was. */
async function assertSold(products: Product[], answers: { status: number; body: string }[]): Promise<{ placed: Order[]; refused: number }> {
  const placed = answers.filter(({ status }) => status === 201).map((answer) => parseResponse(Order, answer as never))
  const refusals = answers.filter(({ status }) => status !== 201)
  for (const { status, body } of refusals) {
    assert.equal(status, 409, body)
    const { code, lines = [] } = ErrorResponse.parse(JSON.parse(body))
    assert.equal(code, 'stock_too_low', body)
    assert.ok(lines.length > 0 && lines.every(({ asked, available }) => asked > available), body)
  }
  for (const { _id, available_quantity } of products) {
    const { rows } = await shop.db.execute<{ stock: number }>(sql`select available_quantity as stock from tools where id = ${_id}`)
    const sold = placed
      .flatMap(({ lines }) => lines.filter(({ productId }) => productId === _id))
      .reduce((sum, line) => sum + line.quantity, 0)
    assert.deepEqual(rows, [{ stock: available_quantity - sold }])
  }
  assert.deepEqual(await shop.faults(), [])
  return { placed, refused: refusals.length }
}

test('A9 200 buyers who want the same two products, half of them in the opposite order: none is oversold, none waits for another for ever', async (t) => {
  const admin = await shop.admin()
  const count = sampleSize(60, 200)
  const buyers = await shop.createCustomers(count)
  const stock = count / 4
  const products = [await createProduct(admin, stock), await createProduct(admin, stock, { name: 'Washer' })]
  const [screw, washer] = products
  assert.ok(screw && washer)
  const from = performance.now()
  const answers = await Promise.all(
    buyers.map((buyer, nth) => {
      const lines = [
        { product: screw, quantity: 1 },
        { product: washer, quantity: 1 },
      ]
      return place(buyer, nth % 2 ? lines : lines.reverse())
    }),
  )
  const seconds = (performance.now() - from) / 1000
  const { placed, refused } = await assertSold(products, answers)
  assert.deepEqual([placed.length, refused, await deadlocks()], [stock, count - stock, 0])
  t.diagnostic(`${placed.length} orders of two lines, ${refused} refused in ${seconds.toFixed(2)} s, 0 deadlocks`)
})

test('A9 orders of five lines over twenty products in random order: nothing is oversold, each refusal names the lines that are short', async (t) => {
  const admin = await shop.admin()
  const random = mulberry32(16)
  const buyers = await shop.createCustomers(sampleSize(60, 200))
  const products: Product[] = []
  for (let nth = 0; nth < 20; nth++) products.push(await createProduct(admin, 20 + Math.floor(random() * 60), { name: `Part ${nth}` }))
  const drawn = buyers.map((buyer) => {
    const lines = products
      .map((product) => ({ product, quantity: 1 + Math.floor(random() * 5), at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, 5)
    return { buyer, lines }
  })
  const before = await deadlocks()
  const answers = await Promise.all(drawn.map(({ buyer, lines }) => place(buyer, lines)))
  const { placed, refused } = await assertSold(products, answers)
  assert.equal(await deadlocks(), before)
  assert.ok(placed.length > 0 && refused > 0)
  t.diagnostic(`seed 16: ${placed.length} orders of five lines, ${refused} refused, 0 deadlocks`)
})
