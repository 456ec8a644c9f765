import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { documentsOf, loadFile } from '#test/document-actions.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { accountOf, orderOnAccount, setUpAccount } from '#test/on-account-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import { decide as decideReturn, openReturnOf, receiveAll } from '#test/return-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import { decide, importEntries, waitingEntries } from '#test/transfer-actions.ts'

test('what comes back of a parcel that is not paid is credited with its decision, and a replacement is sent without an invoice', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 4 })
  await sendPieces(store, order, 3)
  const asked = await openReturnOf(store, order, 2)
  await receiveAll(store, asked)
  const decided = await decideReturn(store, asked, [
    [0, 1, 'refund', { restock: true }],
    [0, 1, 'replacement'],
  ])
  assert.equal(decided.statusCode, 200, decided.body)
  const documentsSoFar = async () => (await documentsOf(store, store.admin, order)).map(({ kind, totalCents }) => [kind, totalCents])
  assert.equal((await documentsSoFar()).length, 2)
  const [line] = (await showOrder(store.admin, order._id)).lines
  assert.deepEqual([line?.toSend, line?.cancelled, line?.refundedCents], [1, 0, 3000])
  const sent = await store.admin.request('POST', `/returns/${asked._id}/shipments`, { lines: [{ _id: order.lines[0]?._id, quantity: 1 }] })
  assert.equal(sent.statusCode, 201, sent.body)
  await sendPieces(store, order, 1)
  assert.deepEqual(await documentsSoFar(), [
    ['invoice', 9000],
    ['credit note', 3000],
    ['invoice', 3000],
  ])
  const { owedCents, byAge } = await accountOf(store, company)
  assert.deepEqual([owedCents, byAge['not due']], [9000, 9000])
})

test('a transfer pays an order on account, in parts and after it is completed; what is missing can be asked for no more', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 4 })
  await sendPieces(store, order, 4)
  const statusOf = async () => {
    const { orderStatus, paymentStatus } = await showOrder(store.admin, order._id)
    return [orderStatus, paymentStatus]
  }
  const text = creditorReference(order.number)
  await importEntries(store, [{ amountCents: 5000, text, reference: 'B-1' }])
  const [first = assert.fail()] = await waitingEntries(store)
  assert.equal(first.reason, 'too little')
  const orders = (amountCents: number) => [{ number: order.number, amountCents }]
  assert.equal((await decide(store.admin, first, { decision: 'assign', orders: orders(5000) })).statusCode, 200)
  assert.deepEqual(await statusOf(), ['completed', 'partly_paid'])
  assert.equal((await accountOf(store, company)).owedCents, 7000)
  await importEntries(store, [{ amountCents: 6990, text, reference: 'B-2' }])
  const [second = assert.fail()] = await waitingEntries(store)
  const accepted = await decide(store.admin, second, {
    decision: 'accept the shortfall',
    orders: orders(6990),
    reason: 'A fee of the bank',
  })
  assert.equal(accepted.statusCode, 200, accepted.body)
  assert.deepEqual(await statusOf(), ['completed', 'paid'])
  const { owedCents, invoices, statement } = await accountOf(store, company, '?from=2026-01-01&to=2099-12-31')
  assert.deepEqual([owedCents, invoices, statement.closingCents], [0, [], 0])
  assert.ok(statement.entries.some(({ what, cents }) => what === 'written off' && cents === -10))
})

test('the whole of what is owed is booked by its reference, and what is credited since goes back by the debit of a statement', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 2 })
  await sendPieces(store, order, 2)
  const text = creditorReference(order.number)
  await importEntries(store, [{ amountCents: 6000, text, reference: 'B-1' }])
  assert.equal((await showOrder(store.admin, order._id)).paymentStatus, 'paid')
  const refund = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: order.lines[0]?._id, quantity: 1 }] })
  assert.equal(refund.statusCode, 200, refund.body)
  assert.equal((await accountOf(store, company)).toGiveBackCents, 3000)
  await importEntries(store, [{ amountCents: -3000, text, reference: 'B-2', day: shopDay(new Date()) }])
  const account = await accountOf(store, company)
  assert.deepEqual([account.toGiveBackCents, account.owedCents], [0, 0])
  assert.deepEqual(await waitingEntries(store), [])
})

test('a parcel with an invoice is not taken back, whoever writes, and its invoice is not corrected; it says the day of its parcel', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 2 })
  const parcel = await sendPieces(store, order, 1)
  const taken = await store.admin.request('DELETE', `/orders/${order._id}/shipments/${parcel._id}`)
  assert.deepEqual([taken.statusCode, taken.json().code], [409, 'order_shipped'], taken.body)
  assert.match(taken.json().message, /^Its invoice is issued/)
  await assert.rejects(
    store.db.execute(sql`update shipments set taken_back_at = now() where id = ${parcel._id}`),
    ({ cause }: Error & { cause?: { constraint?: string } }) => cause?.constraint === 'shipment_taken_back',
  )
  const [invoice] = await documentsOf(store, store.admin, order)
  const xml = (await loadFile(store.admin, invoice?.xml ?? null)).body
  assert.match(xml, /ActualDeliverySupplyChainEvent/)
  const corrected = await store.admin.request('GET', `/orders/${order._id}/documents/corrections`)
  assert.deepEqual([corrected.statusCode, corrected.json().code], [409, 'conflict'], corrected.body)
})
