import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { formatExactCents } from '#store/orders/documents/exact-amount.ts'
import { berlin, checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { documentsOf, loadFile, parseXml, readPdf, setUpSeller, testSeller } from '#test/document-actions.ts'
import { brokenRules, totalOf } from '#test/en16931.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { payOrder } from '#test/many-lines-actions.ts'
import {
  createProduct,
  createTestStoreWithCards,
  placePaidOrder,
  placePurchase,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { issueDueDocument } from './issue-documents.ts'

async function aSellingStore(): Promise<Store> {
  const store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  await setUpSeller(store)
  return store
}

/** Two drills for $10 and a saw for $5, delivered for $4.90, all with 19 % tax. */
async function placeTaxedOrder(store: Store, more: object = {}) {
  const [drill, saw] = [await createProduct(store, { dollars: 10 }), await createProduct(store, { name: 'Säge für Holz', dollars: 5 })]
  await putIntoCart(store.customer, { [drill]: 2, [saw]: 1 })
  return checkOut(store.customer, more)
}

const year = new Date().getUTCFullYear()

test('a paid order has an invoice, whose words, data, row and payment are the same to the cent, and an unpaid one has none', async () => {
  await using store = await aSellingStore()
  const billTo = { ...berlin, line1: 'Rechnungsweg 7' }
  const order = await placeTaxedOrder(store, { company: 'Analytical Engines', poNumber: 'PO-77', buyerReference: 'Lab', billTo })
  assert.deepEqual(await documentsOf(store, store.customer, order), [])
  await payOrder(store, order)
  const documents = await documentsOf(store, store.customer, order)
  assert.equal(documents.length, 1)
  const [invoice = assert.fail()] = documents
  const { kind, number, netCents, taxCents, totalCents, corrects } = invoice
  assert.deepEqual(
    { kind, number, netCents, taxCents, totalCents, corrects },
    {
      ...{ kind: 'invoice', number: `${year}-00001`, netCents: 2990, taxCents: 568, totalCents: 3558, corrects: null },
    },
  )
  const loaded = await loadFile(store.customer, invoice.pdf)
  assert.deepEqual(
    [loaded.statusCode, loaded.headers['content-type'], loaded.headers['content-disposition']],
    [200, 'application/pdf', `attachment; filename="${number}.pdf"`],
  )
  const { text, attachments } = await readPdf(loaded.rawPayload)
  for (const words of [
    ...[
      `Invoice ${number}`,
      'Nucleus Trading GmbH',
      'VAT id DE136695976',
      'Analytical Engines',
      'Ada Byron',
      'Rechnungsweg 7',
      'Invalidenstraße 116',
      '10115 Berlin',
    ],
    ...['PO-77', 'Lab', 'Drill', 'Säge für Holz', 'Delivery', '$20.00', '$4.90', '$29.90', '19 % tax on $29.90', '$5.68', '$35.58 USD'],
    ...['visa ending in 4242', 'Nothing is due', `${order.number}`],
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  assert.ok(!text.includes('?'), text)
  const xml = (await loadFile(store.customer, invoice.xml)).body
  const embedded = attachments.get('factur-x.xml') ?? assert.fail('There are no data in the PDF')
  assert.deepEqual(parseXml(new TextDecoder().decode(embedded)), parseXml(xml))
  assert.deepEqual(brokenRules(parseXml(xml)), [])
  const [charge] = (await store.cards.stripe.charges.list({ limit: 1 })).data
  assert.deepEqual([totalOf(parseXml(xml)), charge?.amount, order.totalCents], [totalCents, totalCents, totalCents])
  assert.ok(text.includes(formatExactCents(totalCents)))
  const mails = await store.emailsTo('ada@shop.example')
  assert.match(`${mails.find(({ subject }) => subject.startsWith('Receipt'))?.text}`, /The invoice is a PDF on the page of the order/)
  await waitForWebhooks(store)
})

test('each refund has a credit note for its rows, and one that fails after all is taken back by an invoice', async () => {
  await using store = await aSellingStore()
  sandboxControls(store).bank.pause()
  const order = await placeTaxedOrder(store)
  await payOrder(store, order, { card: 'pm_card_refundFail' })
  const [drills = assert.fail()] = order.lines
  const refund = (body: object) => store.admin.request('POST', `/orders/${order._id}/refunds`, body)
  assert.equal((await refund({ lines: [{ _id: drills._id, quantity: 1 }], delivery: true })).statusCode, 200)
  const [invoice, note = assert.fail()] = await documentsOf(store, store.customer, order)
  assert.deepEqual(
    [note.kind, note.number, note.corrects, note.netCents, note.taxCents, note.totalCents],
    ['credit note', `CN-${year}-00001`, invoice?.number, 1490, 283, 1773],
  )
  const { text } = await readPdf((await loadFile(store.customer, note.pdf)).rawPayload)
  for (const words of [
    `Credit note CN-${year}-00001`,
    `${invoice?.number}`,
    'Drill',
    'Delivery',
    '$10.00',
    '$4.90',
    '$17.73 USD',
    'go back',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  const xml = parseXml((await loadFile(store.customer, note.xml)).body)
  assert.deepEqual([brokenRules(xml), totalOf(xml)], [[], 1773])

  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const after = await documentsOf(store, store.customer, order)
  assert.deepEqual(
    after.map(({ kind, number, corrects, totalCents }) => [kind, number, corrects, totalCents]),
    [
      ['invoice', `${year}-00001`, null, 3558],
      ['credit note', `CN-${year}-00001`, `${year}-00001`, 1773],
      ['invoice', `${year}-00002`, `CN-${year}-00001`, 1773],
    ],
  )
  const again = await readPdf((await loadFile(store.customer, after.at(-1)?.pdf ?? null)).rawPayload)
  assert.ok(again.text.includes('The bank has refused the refund'), again.text)
})

test('until the owner has said who sells nothing is issued; then all that was paid meanwhile is, and what was issued keeps the seller of its day', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store)
  assert.deepEqual(await documentsOf(store, store.customer, order), [])
  assert.deepEqual((await store.admin.request('GET', '/seller')).json(), { seller: null, waiting: 1 })
  await setUpSeller(store)
  const [invoice = assert.fail()] = await documentsOf(store, store.customer, order)
  assert.deepEqual([invoice.number, invoice.xml], [`${year}-00001`, null], 'an order without a country has no data by EN 16931')
  await setUpSeller(store, { ...testSeller, name: 'Other Ltd', vatId: '', taxNumber: '30/123' })
  const { text } = await readPdf((await loadFile(store.customer, invoice.pdf)).rawPayload)
  assert.ok(text.includes('Nucleus Trading GmbH') && !text.includes('Other Ltd'), text)
  assert.equal((await store.admin.request('GET', '/seller')).json().seller.name, 'Other Ltd')
  await assert.rejects(store.db.execute(sql`update documents set total_cents = 1`), 'a document is not changed')
  await assert.rejects(store.db.execute(sql`delete from documents`), 'nor deleted')
  await waitForWebhooks(store)
})

test('only owners say who sells, and what is wrong is said at its field', async () => {
  await using store = await createTestStoreWithCards()
  const put = (body: object) => store.admin.request('PUT', '/seller', body)
  const wrong = await put({ ...testSeller, name: ' ', email: 'shop', postalCode: '1', vatId: '' })
  assert.equal(wrong.statusCode, 400)
  assert.deepEqual(Object.keys(wrong.json().errors).sort(), ['email', 'name', 'postalCode', 'taxNumber', 'vatId'], wrong.body)
  assert.deepEqual(Object.keys((await put({ ...testSeller, vatId: 'DE123' })).json().errors), ['vatId'])
  for (const actor of [store.customer, store.visitor])
    for (const method of ['GET', 'PUT'] as const) {
      const answer = await actor.request(method, '/seller', method === 'PUT' ? testSeller : undefined)
      assert.ok(answer.statusCode === 403 || answer.statusCode === 401, answer.body)
    }
  const colleague = store.newCustomer('Colleague')
  await colleague.request('GET', '/orders')
  const promoted = await store.admin.request('PUT', '/user/admin/colleague@shop.example')
  assert.equal(promoted.statusCode, 200, promoted.body)
  assert.equal((await colleague.request('GET', '/seller')).statusCode, 200)
  assert.equal((await colleague.request('PUT', '/seller', testSeller)).statusCode, 403)
})

test("nobody loads another's documents: by their order, by an order of their own, or by the link of another order", async () => {
  await using store = await createTestStoreWithCards()
  const guests = await placeGuestOrder(store, { [await createProduct(store)]: 1 })
  await setUpTaxAndDelivery(store)
  await setUpSeller(store)
  const order = await placeTaxedOrder(store)
  await payOrder(store, order)
  const [invoice = assert.fail()] = await documentsOf(store, store.admin, order)
  assert.equal((await loadFile(store.admin, invoice.pdf)).statusCode, 200)
  const own = await placeTaxedOrder(store)
  const files = [invoice.pdf, invoice.xml].map((address) => address ?? assert.fail())
  for (const actor of [store.otherCustomer, holderOfLink(store, guests)])
    for (const address of [`/api/orders/${order._id}/documents`, ...files])
      assert.equal((await loadFile(actor, address)).statusCode, 404, address)
  for (const address of files) {
    assert.equal((await loadFile(store.visitor, address)).statusCode, 401)
    assert.equal((await loadFile(store.customer, address.replace(order._id, own._id))).statusCode, 404, 'it is not of this order')
  }
  await waitForWebhooks(store)
})

test('numbers have no gap and none is given twice, however many are issued at once and whatever fails in between', async () => {
  await using store = await createTestStoreWithCards()
  for (let nth = 0; nth < 6; nth++) await placePaidOrder(store)
  await placePurchase(store)
  await setUpSeller(store)
  await store.jobs.whenIdle()
  await store.db.execute(sql`insert into due_documents (order_id, event) select id, 'paid' from orders where is_paid`)
  await Promise.all(Array.from({ length: 6 }, () => issueDueDocument(store.db)))
  for (let left = 30; left > 0 && (await issueDueDocument(store.db)); ) left--
  const { rows } = await store.db.execute(
    sql`select serial, count(distinct order_id)::integer as orders from documents group by serial order by serial`,
  )
  assert.deepEqual(
    rows,
    Array.from({ length: 6 }, (_, nth) => ({ serial: nth + 1, orders: 1 })),
  )
  await waitForWebhooks(store)
})

test('an order of which money went back before there were documents gets no invoice for all of it when it is placed again', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store)
  assert.equal((await refundPurchase(store.admin, order, { amountCents: 1000 })).statusCode, 200)
  await waitForWebhooks(store)
  await store.db.execute(sql`delete from due_documents`)
  await setUpSeller(store)
  await store.db.execute(sql`insert into due_documents (order_id, event) select id, 'paid' from orders`)
  assert.deepEqual(await documentsOf(store, store.customer, order), [])
})
