import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { ErrorResponse } from '#shared/endpoint.ts'
import type { Product } from '#store/catalogue/contract.ts'
import { Order } from '#store/orders/order-contract.ts'
import { sampleSize } from './full-run.ts'
import { openShopper, type Shopper, type ShopperResponse } from './shopper.ts'
import { createProduct, mulberry32, startStoreCluster } from './store-cluster.ts'

const deliverTo = { country: 'DE', line1: 'Invalidenstraße 116', city: 'Berlin', postalCode: '10115' }

test('N1 baskets of five lines over twenty products, filled and ordered at once by guests and accounts: nothing is oversold, nobody waits for another for ever, each refusal names the lines that are short', async (t) => {
  await using shop = await startStoreCluster({ stores: sampleSize(1, 2) })
  const admin = await shop.admin()
  const seed = 17
  const random = mulberry32(seed)
  const count = sampleSize(24, 200)
  const accounts = await shop.createCustomers(count)
  const products: Product[] = []
  for (let nth = 0; nth < 20; nth++)
    products.push(await createProduct(admin, Math.ceil(count * (0.1 + random() * 0.5)), { name: `Part ${nth}` }))
  const deadlocks = async () => {
    const { rows } = await shop.db.execute<{ count: number }>(
      sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
    )
    return rows[0]?.count
  }
  const before = await deadlocks()
  const refusedLines: ShopperResponse[] = []
  const answers: ShopperResponse[] = []

  const buy = async (shopper: Shopper, email: string) => {
    const wanted = products
      .map((product) => ({ productId: product._id, quantity: 1 + Math.floor(random() * 3), at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, 5)
    for (const { productId, quantity } of wanted) {
      const added = await shopper.insist('POST', '/cart/lines', { productId, quantity })
      if (added.status !== 200) refusedLines.push(added)
    }
    answers.push(await shopper.insist('POST', '/checkout', { name: 'Ada', email, deliverTo }))
  }
  const from = performance.now()
  await Promise.all(
    accounts.map(({ token, email }, nth) =>
      buy(openShopper(shop.addresses[nth % shop.addresses.length] ?? '', nth % 2 === 1 ? undefined : token), email),
    ),
  )
  const seconds = (performance.now() - from) / 1000

  const placed = answers.filter(({ status }) => status === 201).map(({ body }) => Order.parse(JSON.parse(body)))
  const refusals = [...answers.filter(({ status }) => status !== 201), ...refusedLines]
  for (const { status, body } of refusals) {
    assert.equal(status, 409, body)
    const { code, lines = [] } = ErrorResponse.parse(JSON.parse(body))
    if (code === 'cart_empty') continue // none of its lines could be put in
    assert.ok(code === 'stock_too_low' || code === 'cart_changed', body)
    assert.ok(lines.length > 0 && lines.every(({ asked, available }) => asked > available), body)
  }
  for (const { _id, available_quantity } of products) {
    const { rows } = await shop.db.execute<{ stock: number }>(sql`select available_quantity as stock from tools where id = ${_id}`)
    const sold = placed
      .flatMap(({ lines }) => lines.filter(({ productId }) => productId === _id))
      .reduce((sum, { quantity }) => sum + quantity, 0)
    assert.deepEqual(rows, [{ stock: available_quantity - sold }])
  }
  assert.equal(await deadlocks(), before)
  assert.ok(placed.length > 0 && answers.length > placed.length && placed.some(({ guest }) => guest))
  assert.deepEqual(await shop.faults(), [])
  t.diagnostic(
    `seed ${seed}: ${count} buyers, ${placed.length} orders (${placed.filter(({ guest }) => guest).length} of guests), ${answers.length - placed.length} baskets and ${refusedLines.length} lines refused in ${seconds.toFixed(1)} s, 0 deadlocks`,
  )
})
