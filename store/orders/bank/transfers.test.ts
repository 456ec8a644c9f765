import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { removeUser } from '#store/identity/rules.ts'
import { users } from '#store/identity/table.ts'
import { sendDueOrderEmail } from '#store/orders/emails.ts'
import { endOverdueOrders } from '#store/orders/payments/end-order.ts'
import { endBuyerHolds } from '#store/orders/rules.ts'
import { orders } from '#store/orders/table.ts'
import { checkOut, putIntoCart, typed } from '#test/checkout-actions.ts'
import { readPdf, setUpSeller } from '#test/document-actions.ts'
import { holderOfLink } from '#test/guest-actions.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, expireHold } from '#test/order-actions.ts'
import { importEntries, placeTransferOrder, setUpTransfers } from '#test/transfer-actions.ts'
import { referencedNumbers } from './find-match.ts'

const day = 24 * 3600_000
const daysUntil = (instant: string) => Math.round((Date.parse(instant) - Date.now()) / day)

test("a guest's order is held for the days of a transfer once the link of the mail was opened, and not by the link that the browser has", async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const visitor = store.visitorFrom('192.0.2.7')
  const added = await visitor.request('POST', '/cart/lines', { productId: await createProduct(store), quantity: 1 })
  const cookie = [added.headers['set-cookie']]
    .flat()
    .map((each) => `${each}`.split(';')[0])
    .join('; ')
  const placed = await visitor.request(
    'POST',
    '/checkout',
    { ...typed, email: 'gwen@mail.example', paymentMethod: 'bank_transfer' },
    { cookie },
  )
  assert.equal(placed.statusCode, 201, placed.body)
  const order = placed.json()
  const guest = holderOfLink(store, order)
  const shown = (await guest.request('GET', `/orders/${order._id}/transfer`)).json()
  assert.equal(daysUntil(shown.holdUntil), 1)
  assert.equal(daysUntil(shown.longHoldUntil), 7)
  const [mail = assert.fail()] = await store.emailsTo('gwen@mail.example')
  const [, token = ''] = /\?mail=([0-9a-f]{32})/.exec(mail.text) ?? []
  assert.match(mail.text, /IBAN: DE89/)
  assert.ok(!placed.body.includes(token))
  const path = `/orders/${order._id}/confirmed-email`
  assert.equal((await guest.request('POST', path, { token: '0'.repeat(32) })).statusCode, 400)
  assert.equal((await store.otherCustomer.request('POST', path, { token })).statusCode, 404)
  assert.equal((await guest.request('POST', path, { token })).statusCode, 200)
  const held = (await guest.request('GET', `/orders/${order._id}/transfer`)).json()
  assert.deepEqual([daysUntil(held.holdUntil), held.longHoldUntil], [7, null])
})

test('an account that verifies its e-mail has its order held for the days of a transfer', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  await putIntoCart(store.customer, { [await createProduct(store)]: 1 })
  const order = await checkOut(store.customer, { paymentMethod: 'bank_transfer' })
  await store.jobs.runAllOnce()
  assert.equal(daysUntil((await showOrder(store.customer, order._id)).holdUntil), 1)
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.customer.email))
  await store.db.execute(sql`delete from job_runs`)
  await store.jobs.runAllOnce()
  assert.equal(daysUntil((await showOrder(store.customer, order._id)).holdUntil), 7)
})

test('an order of a removed account is not held again for the days of a transfer, and ends', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store)
  await removeUser(store.db, store.admin, store.customer.email, endBuyerHolds) // the store stops before it ends the order
  await store.db.execute(sql`delete from job_runs`)
  await store.jobs.runAllOnce()
  assert.equal((await showOrder(store.admin, order._id)).orderStatus, 'cancelled')
})

test('a transfer that has not come is asked for once, two days before its order ends, which expires like any other', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store)
  const runJobs = async () => {
    await store.db.execute(sql`delete from job_runs`)
    await store.jobs.runAllOnce()
  }
  const reminders = async () =>
    (await store.emailsTo(store.customer.email)).filter(({ subject }) => /waits for your transfer/.test(subject))
  await runJobs()
  assert.equal((await reminders()).length, 0)
  const days = (count: number) => sql`now() - make_interval(days => ${count})`
  await store.db
    .update(orders)
    .set({ placedAt: days(6), transferHoldUntil: sql`now() + interval '1 day'`, holdUntil: sql`now() + interval '1 day'` })
  await runJobs()
  await runJobs()
  const [reminder, ...more] = await reminders()
  assert.deepEqual(more, [])
  assert.match(`${reminder?.text}`, new RegExp(order.reference))
  await expireHold(store, order)
  await endOverdueOrders(store.db, store.cards)
  assert.equal((await showOrder(store.customer, order._id)).orderStatus, 'expired')
})

test('an unpaid order has a pro forma with account and reference, outside of the numbers of invoices', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store)
  const path = `/orders/${order._id}/pro-forma`
  assert.equal((await store.customer.request('GET', path)).statusCode, 409, 'nobody has said who sells')
  await setUpSeller(store)
  const loaded = await store.customer.request('GET', path)
  assert.equal(loaded.statusCode, 200, loaded.body)
  const { text } = await readPdf(loaded.rawPayload)
  for (const words of [
    `Pro forma invoice PF-${order.number}`,
    'DE89 3704 0044 0532 0130 00',
    order.reference,
    'This is no invoice',
    '$30.00',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  assert.deepEqual((await store.db.execute(sql`select * from documents`)).rows, [])
  assert.equal((await store.otherCustomer.request('GET', path)).statusCode, 404)
})

test('references are found in what payers write, in groups and beside other numbers, and none where a character is wrong', () => {
  for (const text of ['RF401001', 'order RF40 1001, thanks', 'Rechnung 2026 rf40-1001', 'RF40 1001 24.11.2026', 'XX RF401001 RF401001'])
    assert.deepEqual(referencedNumbers(text), [1001], text)
  for (const text of ['', 'RF411001', 'RF401002', 'RF40', 'ARF401001', 'RF40100', 'order 1001'])
    assert.deepEqual(referencedNumbers(text), [], text)
})

test('an order is also found by its plain number where name and amount agree and no other order of that name awaits the same amount', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const drill = await createProduct(store)
  const order = await placeTransferOrder(store, { toolId: drill })
  const again = { again: 'true' }
  const entry = { amountCents: 3000, text: `Order no. ${order.number}`, name: 'BYRON, Ada' }
  assert.equal((await importEntries(store, [{ ...entry, name: 'Somebody Else', reference: 'B-1' }])).waiting, 1)
  assert.equal((await importEntries(store, [{ ...entry, amountCents: 3001, reference: 'B-2' }])).waiting, 1)
  const other = await placeTransferOrder(store, { toolId: drill })
  assert.equal((await importEntries(store, [{ ...entry, reference: 'B-3' }], again)).waiting, 1, 'the number may be mistyped')
  assert.equal((await store.customer.request('POST', `/orders/${other._id}/cancel`, {})).statusCode, 200)
  assert.equal((await importEntries(store, [{ ...entry, reference: 'B-4' }], again)).booked, 1)
})

test('an order is not locked while the mail about its transfer is sent', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store)
  const lock = () => store.db.execute(sql`select from orders where id = ${order._id} for update nowait`)
  const locked: string[] = []
  await store.jobs.whenIdle()
  await store.db.execute(sql`update order_history set mail_due_at = now() where event = 'placed'`)
  const mailer = { close() {}, send: ({ subject }: { subject: string }) => lock().then(() => void locked.push(subject)) }
  assert.equal(await sendDueOrderEmail(store.db, mailer, { publicUrl: 'https://shop.example', secret: 'x' }), true)
  assert.equal(locked.length, 1)
})
