import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { build } from 'vite'
import { currencies } from '#shared/currencies.ts'
import { setStoreCurrency, storeCurrency } from '#shared/currency.ts'
import { centsToAmount } from '#shared/money.ts'
import { maxCardPaymentCents, settleQuantity, termsForBuyer } from '#store/catalogue/settle-quantity.ts'
import { products, unitPriceAtSql } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'
import { buyerPriceSql, canBeOrderedSql } from '#store/orders/insert-order.ts'
import { placeOrder } from '#store/orders/place-order.ts'
import { createProduct } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { sampleSize } from './full-run.ts'
import { generateQuantityCase, type QuantityCase, termsOfCase } from './quantity-cases.ts'
import { seededRandom } from './seeded-random.ts'

/** `settleQuantity` as Vite builds it for browsers, minified, with a currency of its own. */
async function buildForBrowser(): Promise<typeof import('./settle-quantity-in-browser.ts')> {
  const entry = path.join(import.meta.dirname, 'settle-quantity-in-browser.ts')
  const environment = process.env.NODE_ENV
  const built = await build({
    ...{ configFile: false, publicDir: false, logLevel: 'error' },
    build: { write: false, minify: true, lib: { entry, formats: ['es'] } },
  })
  if (environment === undefined) delete process.env.NODE_ENV // Vite sets it to production, for the tests that follow in this process, too
  const [bundle] = [built].flat()
  assert.ok(bundle && 'output' in bundle)
  return import(`data:text/javascript,${encodeURIComponent(bundle.output[0].code)}`)
}

type SettledInSql = { unitPriceCents: number; totalCents: string; canBeOrdered: boolean; isProduct: boolean }

/** What the statement that places orders says of each of these products, by the same expressions. */
async function settleInSql({ db }: Store, cases: QuantityCase[]): Promise<SettledInSql[]> {
  const { rows } = await db.execute<SettledInSql>(sql`
    with listed as materialized (
      select asked.*, null::timestamptz as removed_at, ${unitPriceAtSql(sql`quantity`)} as public_cents
      from rows from (jsonb_to_recordset(${JSON.stringify(cases)}::jsonb) as (price_cents integer, own_cents integer, price_breaks jsonb,
        minimum_order_quantity integer, order_multiple integer, available_quantity integer, quantity integer)) with ordinality as asked
    ), priced as materialized (
      select *, ${buyerPriceSql} as unit_price_cents, ${buyerPriceSql}::bigint * quantity as cost_cents from listed
    )
    select unit_price_cents as "unitPriceCents", cost_cents as "totalCents",
      ${canBeOrderedSql} and cost_cents between ${storeCurrency().minCents} and ${maxCardPaymentCents} as "canBeOrdered",
      price_breaks = '[]' or are_price_breaks(price_breaks) as "isProduct"
    from priced order by ordinality`)
  return rows
}

const termsForCase = (one: QuantityCase) =>
  termsForBuyer(termsOfCase(one), one.own_cents === null ? undefined : centsToAmount(one.own_cents))

test('N3 the browser and the statement that places orders settle the same quantity and price, in every currency', async (t) => {
  const before = storeCurrency()
  t.after(() => setStoreCurrency(before))
  await using store = await anEmptyStore()
  const browser = await buildForBrowser()
  const random = seededRandom(3)
  const [batches, size] = [sampleSize(2, 50), sampleSize(2000, 20_000)]
  let orderable = 0
  for (let batch = 0; batch < batches; batch++) {
    const [code, currency] = Object.entries(currencies)[batch % Object.keys(currencies).length] ?? assert.fail()
    for (const settings of [setStoreCurrency, browser.setStoreCurrency]) settings({ code, ...currency })
    const cases = Array.from({ length: size }, () => generateQuantityCase(random, currency.minCents))
    const inSql = await settleInSql(store, cases)
    for (const [nth, one] of cases.entries()) {
      const terms = termsForCase(one)
      const settled = settleQuantity(terms, one.quantity)
      const said = JSON.stringify(settled)
      if (JSON.stringify(browser.settleQuantity(terms, one.quantity)) !== said) assert.fail(`the browser differs: ${JSON.stringify(one)}`)
      const row = inSql[nth] ?? assert.fail()
      const isSame =
        row.isProduct &&
        row.unitPriceCents === settled.unitPriceCents &&
        Number(row.totalCents) === settled.totalCents &&
        row.canBeOrdered === (settled.problems.length === 0)
      if (!isSame) assert.fail(`SQL says ${JSON.stringify(row)}, settleQuantity ${said} of ${JSON.stringify(one)}`)
      if (row.canBeOrdered) orderable++
    }
  }
  assert.ok(orderable > (batches * size) / 10 && orderable < (batches * size * 9) / 10, `${orderable} can be ordered`)
  t.diagnostic(
    `${batches * size} cases in ${Math.min(batches, Object.keys(currencies).length)} currencies, ${orderable} of them can be ordered`,
  )
})

/** Thrown to undo an order. */
class Undo extends Error {}

test('N3 an order is placed exactly where its quantity is settled without a problem, at that price, and else refused for the first problem', async (t) => {
  await using store = await anEmptyStore()
  const id = await createProduct(store)
  await store.customer.token()
  const [account] = await store.db.select().from(users).where(eq(users.email, store.customer.email))
  assert.ok(account)
  const random = seededRandom(4)
  const policy = { holdMinutes: 1440, newBuyerHoldMinutes: 1440, buyerLimits: undefined }
  const cases = sampleSize(60, 5000)
  const counted = new Map<string, number>()
  for (let nth = 0; nth < cases; nth++) {
    const one = { ...generateQuantityCase(random, storeCurrency().minCents), own_cents: null }
    const settled = settleQuantity(termsForCase(one), one.quantity)
    const answer = await store.db
      .transaction(async (tx) => {
        const { price_cents: priceCents, quantity, own_cents: _, ...columns } = one
        await tx
          .update(products)
          .set({ ...columns, priceCents })
          .where(eq(products._id, id))
        const request = { lines: [{ productId: id, quantity }], buyerAddress: '1 Road' }
        const { order } = await placeOrder(tx, { ...account }, request, policy, { network: 'none' })
        throw new Undo(JSON.stringify([order.lines[0]?.unitPriceCents, order.totalCents]))
      })
      .catch((error: Error) => error)
    const [problem] = settled.problems
    const said = `${answer.message} of ${JSON.stringify(one)}`
    if (!problem) assert.equal(answer.message, JSON.stringify([settled.unitPriceCents, settled.totalCents]), said)
    else assert.ok(!(answer instanceof Undo) && answer.message === problem.message, `${said}, settleQuantity says ${problem.message}`)
    const what = problem?.code ?? 'placed'
    counted.set(what, (counted.get(what) ?? 0) + 1)
  }
  t.diagnostic(`${cases} orders: ${[...counted].map(([what, times]) => `${times} ${what}`).join(', ')}`)
})
