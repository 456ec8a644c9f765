import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { correct, showCorrectable } from '#test/correction-actions.ts'
import { documentsOf, loadFile, parseXml, readPdf } from '#test/document-actions.ts'
import { brokenRules, totalOf } from '#test/en16931.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { accountOf, orderOnAccount, setUpAccount } from '#test/on-account-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import { decide as decideReturn, openReturnOf, receiveAll } from '#test/return-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { Store } from '#test/store.ts'
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

test('a parcel with an invoice is not taken back, whoever writes; the invoice says the day of its parcel', async () => {
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
})

const summaryOf = async (store: Store, order: { _id: string }) =>
  (await documentsOf(store, store.customer, order)).map(({ kind, number, corrects, totalCents }) => [kind, number, corrects, totalCents])

test('the words of the invoices of all parcels are corrected at once, later documents say the same, and each credit note is for one invoice', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const [drill, saw] = [await createProduct(store, { dollars: 30 }), await createProduct(store, { name: 'Saw', dollars: 70 })]
  const order = await orderOnAccount(store.customer, { [drill]: 3, [saw]: 1 })
  await sendPieces(store, order, 2, 0)
  await sendPieces(store, order, 0, 1)
  const asked = await openReturnOf(store, order, 1, 0)
  await receiveAll(store, asked)
  assert.equal((await decideReturn(store, asked, [[0, 1, 'refund']])).statusCode, 200)
  const shown = await showCorrectable(store, order)
  const year = new Date().getUTCFullYear()
  assert.deepEqual([shown.numbers, shown.lines.length], [[`${year}-00001`, `${year}-00002`], 2])
  const [line = assert.fail()] = shown.lines
  await correct(store, order, { poNumber: 'PO-77', lines: [{ _id: line._id, name: 'Drill 500 W' }] })
  await sendPieces(store, order, 1, 0)
  await store.jobs.runAllOnce()
  const documents = await documentsOf(store, store.customer, order)
  assert.deepEqual(await summaryOf(store, order), [
    ['invoice', `${year}-00001`, null, 6000],
    ['invoice', `${year}-00002`, null, 7000],
    ['credit note', `CN-${year}-00001`, `${year}-00001`, 3000],
    ['credit note', `CN-${year}-00002`, `${year}-00001`, 3000],
    ['invoice', `${year}-00003`, `${year}-00001`, 3000],
    ['credit note', `CN-${year}-00003`, `${year}-00002`, 7000],
    ['invoice', `${year}-00004`, `${year}-00002`, 7000],
    ['invoice', `${year}-00005`, null, 3000],
  ])
  for (const document of documents) {
    const xml = parseXml((await loadFile(store.customer, document.xml)).body)
    assert.deepEqual([brokenRules(xml), totalOf(xml)], [[], document.totalCents], document.number)
  }
  const last = await readPdf((await loadFile(store.customer, documents.at(-1)?.pdf ?? null)).rawPayload)
  for (const words of ['PO-77', 'Drill 500 W']) assert.ok(last.text.includes(words), last.text)
  const replacement = await readPdf((await loadFile(store.customer, documents[4]?.pdf ?? null)).rawPayload)
  for (const words of [`It replaces ${year}-00001.`, 'Please pay by', 'Parcel'])
    assert.ok(replacement.text.includes(words), replacement.text)
  const { owedCents, invoices } = await accountOf(store, company)
  assert.deepEqual([owedCents, invoices.map(({ number }) => number)], [13_000, [`${year}-00003`, `${year}-00004`, `${year}-00005`]])
  assert.deepEqual(await store.faults(), [])
})

test('what is written off of a parcel is what is missing of its invoice, and not the parcels that are still to be sent', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 10 })
  await sendPieces(store, order, 1) // invoiced for 30.00
  await importEntries(store, [{ amountCents: 2700, text: creditorReference(order.number), reference: 'B-1' }])
  const [entry = assert.fail()] = await waitingEntries(store)
  await decide(store.admin, entry, {
    decision: 'accept the shortfall',
    orders: [{ number: order.number, amountCents: 2700 }],
    reason: 'Three dollars short',
  })
  await sendPieces(store, order, 9)
  await store.jobs.runAllOnce()
  const { owedCents, invoices } = await accountOf(store, company)
  assert.deepEqual([owedCents, invoices.map(({ openCents }) => openCents)], [27_000, [27_000]])
})

test('who would ask for the rest of an order on account is told of the reminder, and nothing is booked', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 2 })
  await sendPieces(store, order, 2)
  await importEntries(store, [{ amountCents: 2700, text: creditorReference(order.number), reference: 'B-1' }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const asked = await decide(store.admin, entry, { decision: 'ask for the rest', orders: [{ number: order.number, amountCents: 2700 }] })
  assert.deepEqual([asked.statusCode, asked.json().code], [409, 'conflict'], asked.body)
})

test('a credit note names an invoice that has what it credits', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000)
  const [drill, saw] = [await createProduct(store, { dollars: 30 }), await createProduct(store, { name: 'Saw', dollars: 70 })]
  const order = await orderOnAccount(store.customer, { [drill]: 1, [saw]: 1 })
  await sendPieces(store, order, 1, 0)
  await sendPieces(store, order, 0, 1)
  const asked = await openReturnOf(store, order, 1, 1)
  await receiveAll(store, asked)
  assert.equal(
    (
      await decideReturn(store, asked, [
        [0, 1, 'refund', { restock: true }],
        [1, 1, 'refund', { restock: true }],
      ])
    ).statusCode,
    200,
  )
  const documents = await documentsOf(store, store.admin, order)
  for (const note of documents.filter(({ kind }) => kind === 'credit note')) {
    const invoice = documents.find(({ number }) => number === note.corrects) ?? assert.fail()
    assert.ok(note.totalCents <= invoice.totalCents, `credit note of ${note.totalCents} for invoice of ${invoice.totalCents}`)
  }
})

test('the statement of a company ends with what it owes', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 4 })
  await sendPieces(store, order, 4)
  await importEntries(store, [{ amountCents: 4000, text: creditorReference(order.number), reference: 'B-1' }])
  const [entry = assert.fail()] = await waitingEntries(store)
  await decide(store.admin, entry, { decision: 'accept the shortfall', orders: [{ number: order.number, amountCents: 4000 }], reason: 'x' })
  const refund = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: order.lines[0]?._id, quantity: 2 }] })
  assert.equal(refund.statusCode, 200, refund.body)
  await store.jobs.runAllOnce()
  const { owedCents, toGiveBackCents, statement } = await accountOf(store, company, '?from=2026-01-01&to=2099-12-31')
  assert.equal(statement.closingCents, owedCents - toGiveBackCents)
})
