import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { companyMembers } from '#store/companies/table.ts'
import { users } from '#store/identity/table.ts'
import type { OrderDocument } from '#store/orders/documents/contract.ts'
import { dueDocuments } from '#store/orders/documents/table.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { orders } from '#store/orders/table.ts'
import { putIntoCart, sendCheckout, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { documentsOf, loadFile, parseXml } from '#test/document-actions.ts'
import { brokenRules, totalOf } from '#test/en16931.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { accountOf, approveCredit, bookPayment, orderOnAccount, sendEarlier, setUpAccount } from '#test/on-account-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import { askToSend, sendPieces } from '#test/shipment-actions.ts'
import type { Store } from '#test/store.ts'
import { sampleSize } from './full-run.ts'
import { seededRandom } from './seeded-random.ts'

/** All of them: a credit note that comes before the invoice of its parcel waits for some seconds. */
async function issuedDocuments(store: Store, order: Pick<Order, '_id'>): Promise<OrderDocument[]> {
  for (;;) {
    const issued = await documentsOf(store, store.admin, order)
    const waiting = await store.db.update(dueDocuments).set({ nextTryAt: sql`now()` })
    if (waiting.rowCount === 0) return issued
  }
}

test('P1 of up to 50 orders of one company on account at once as many are placed as its limit has room for, and each other one is told why', async (t) => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 70, pieces: 1000 })
  const members = Array.from({ length: sampleSize(20, 50) }, (_, nth) => store.newCustomer(`Member${nth}`))
  for (const member of members) {
    await member.token()
    const [user] = await store.db
      .update(users)
      .set({ emailVerified: true })
      .where(eq(users.email, member.email))
      .returning({ id: users.id })
    await store.db.insert(companyMembers).values({ userId: user?.id ?? '', companyId: company._id, role: 'member' })
    await putIntoCart(member, { [drill]: 1 })
  }
  const answers = await Promise.all(members.map((member) => sendCheckout(member, { paymentMethod: 'on_account' })))
  const placed = answers.filter(({ statusCode }) => statusCode === 201)
  const refused = answers.filter(({ statusCode }) => statusCode !== 201)
  assert.equal(placed.length, Math.floor(100_000 / 7000))
  for (const answer of refused) assert.deepEqual([answer.statusCode, answer.json().code], [409, 'credit_refused'], answer.body)
  assert.equal((await accountOf(store, company)).owedCents, placed.length * 7000)
  t.diagnostic(`${answers.length} orders of $70 at once, $1,000 to owe: ${placed.length} placed, ${refused.length} refused in words`)
})

test('P2 an order beyond the limit is taken by no statement: not by one that names another company, another total or no terms', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const order = await orderOnAccount(store.customer, { [await createProduct(store)]: 1 })
  const { db } = store
  await assert.rejects(db.execute(sql`update account_orders set owed_cents = limit_cents where order_id = ${order._id}`), 'the limit')
  await assert.rejects(db.update(orders).set({ paymentMethod: 'bank_transfer' }).where(eq(orders._id, order._id)), 'it stays on account')
  await assert.rejects(
    db.execute(sql`insert into orders (id, buyer_id, company_id, buyer_name, buyer_email, buyer_address, currency, goods_cents, total_cents, payment_method, order_status, hold_until)
      select gen_random_uuid(), buyer_id, company_id, buyer_name, buyer_email, buyer_address, currency, goods_cents, total_cents, payment_method, order_status, hold_until from orders`),
    'no terms',
  )
  assert.equal((await approveCredit(store, company, -1)).statusCode, 400)
})

test('P3 overdue stops more on account at the checkout and at placing, and what is paid in part stays overdue', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000, { dueDays: 1 })
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 2 })
  await sendPieces(store, order)
  await putIntoCart(store.customer, { [drill]: 1 })
  const ask = async () => (await sendCheckout(store.customer, { paymentMethod: 'on_account' })).statusCode
  await sendEarlier(store, order, 2)
  assert.equal(await ask(), 409)
  await bookPayment(store, order, 5999)
  assert.equal(await ask(), 409, 'a cent is overdue')
  await bookPayment(store, order, 1)
  assert.equal(await ask(), 201)
})

test("P4 whatever is ordered, sent in whatever parcels, cancelled and credited: the invoices and credit notes are the order's to the cent, and follow EN 16931", async (t) => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store, { pricesIncludeTax: true })
  const company = await setUpAccount(store, 900_000_000)
  const { below } = seededRandom(4)
  const products: string[] = []
  for (const dollars of [9.99, 3.33, 0.07, 101.5])
    products.push(await createProduct(store, { dollars, pieces: 5000, name: `Part ${dollars}` }))
  let documents = 0
  for (let nth = 0; nth < sampleSize(4, 60); nth++) {
    const wanted = Object.fromEntries(products.map((id) => [id, 1 + below(7)]))
    const order = await orderOnAccount(store.customer, { [products[3] ?? '']: 1, ...wanted })
    for (let step = 0; step < 8; step++) {
      const { lines, orderStatus } = await showOrder(store.admin, order._id)
      if (orderStatus !== 'placed') break
      const pieces = lines.map(({ toSend }) => below(toSend + 1))
      const line = lines[below(lines.length)]
      const what = below(4)
      if (what < 2 && pieces.some((quantity) => quantity > 0)) await sendPieces(store, order, ...pieces)
      else if (what === 2 && line && line.quantity > line.refundedPieces) {
        const body = { lines: [{ _id: line._id, quantity: 1 + below(line.quantity - line.refundedPieces) }], delivery: below(9) === 0 }
        const credited = await store.admin.request('POST', `/orders/${order._id}/refunds`, body)
        assert.ok([200, 409].includes(credited.statusCode), credited.body)
      } else if (line && line.refundable.cents > 2) {
        const credited = await store.admin.request('POST', `/purchase/${line._id}/refund`, { amountCents: 1 + below(2) })
        assert.equal(credited.statusCode, 200, credited.body)
      }
    }
    if ((await showOrder(store.admin, order._id)).lines.some(({ toSend }) => toSend > 0))
      assert.equal((await askToSend(store, order._id)).statusCode, 201)
    const issued = await issuedDocuments(store, order)
    for (const document of issued) {
      const xml = parseXml((await loadFile(store.admin, document.xml)).body)
      assert.deepEqual(brokenRules(xml), [], document.number)
      assert.equal(totalOf(xml), document.totalCents)
    }
    documents += issued.length
    const billed = issued.reduce((sum, { kind, totalCents }) => sum + (kind === 'invoice' ? totalCents : -totalCents), 0)
    const whole = await showOrder(store.admin, order._id)
    assert.equal(billed, whole.totalCents - whole.refundedCents, `order ${whole.number}`)
    assert.deepEqual(await store.faults(), [])
  }
  t.diagnostic(`${documents} documents of ${sampleSize(4, 60)} orders; ${(await accountOf(store, company)).owedCents} cents are owed`)
})
