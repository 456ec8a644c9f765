import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { formatExactCents } from '#store/orders/documents/exact-amount.ts'
import { berlin, checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { correct } from '#test/correction-actions.ts'
import { documentsOf, loadFile, parseXml, readPdf, setUpSeller, testSeller } from '#test/document-actions.ts'
import { brokenRules, totalOf } from '#test/en16931.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { payOrder } from '#test/many-lines-actions.ts'
import {
  createProduct,
  createTestStoreWithCards,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { issueDueDocument } from './issue-documents.ts'
import { dueDocuments } from './table.ts'

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

/** The words of a PDF with one space between them. */
const spaced = (text: string) => text.replaceAll(/\s+/g, ' ')

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
    ...['Visa ending 4242', 'Nothing is due', `${order.number}`],
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
    'goes back',
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
  assert.deepEqual((await store.admin.request('GET', '/seller')).json(), {
    seller: null,
    waiting: 1,
    withoutVatId: 0,
    ordersWithoutVatId: [],
  })
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

test('every owner is told when it is changed who sells, and of nothing where nothing is', async () => {
  await using store = await createTestStoreWithCards()
  const told = async () => {
    await store.jobs.runAllOnce()
    return (await store.emailsTo(store.admin.email)).filter(({ subject }) => subject.includes('The seller on invoices'))
  }
  await setUpSeller(store)
  await setUpSeller(store)
  assert.equal((await told()).length, 1)
  await setUpSeller(store, { ...testSeller, footer: 'Managed by Ada' })
  const [, second] = await told()
  assert.ok(
    second?.text.includes(store.admin.email) && second.text.includes('Managed by Ada') && second.text.includes('/dashboard/seller'),
    second?.text,
  )
})

test('an invoice says when its goods are supplied: as promised, in its month where nothing is, and on the day they were sent once they are', async () => {
  await using store = await createTestStoreWithCards()
  const { order: plain } = await placePaidOrder(store)
  await setUpTaxAndDelivery(store)
  await setUpSeller(store)
  const promised = await placeTaxedOrder(store)
  await payOrder(store, promised)
  const read = async (order: { _id: string }, nth: number) => {
    const document = (await documentsOf(store, store.customer, order)).at(nth)
    const { text } = await readPdf((await loadFile(store.customer, document?.pdf ?? null)).rawPayload)
    return { text: spaced(text), xml: document?.xml ? parseXml((await loadFile(store.customer, document.xml)).body) : undefined }
  }
  const { text, xml } = await read(promised, 0)
  assert.match(text, /Delivery \d+ \w+ \d{4} to \d+ \w+ \d{4}, as promised/)
  assert.ok(JSON.stringify(xml).includes('BillingSpecifiedPeriod'))
  assert.match((await read(plain, 0)).text, /Delivery in \w+ \d{4}/)
  const lines = promised.lines.map(({ _id, quantity }) => ({ _id, quantity }))
  assert.equal((await store.admin.request('POST', `/orders/${promised._id}/shipments`, { lines })).statusCode, 201)
  await correct(store, promised, { poNumber: 'PO-1' })
  const after = await read(promised, -1)
  assert.ok(!after.text.includes('as promised') && JSON.stringify(after.xml).includes('ActualDeliverySupplyChainEvent'), after.text)
  await waitForWebhooks(store)
})

test('a credit note has the price of its pieces, also where the money of pieces that go back into stock is typed as an amount', async () => {
  await using store = await aSellingStore()
  const order = await placeTaxedOrder(store)
  await payOrder(store, order)
  const [drills = assert.fail(), saw = assert.fail()] = order.lines
  for (const [line, body] of [
    [drills, { amountCents: 1190, restock: 1 }],
    [saw, { amountCents: 300, restock: 1 }],
    [drills, { amountCents: 100 }],
  ] as const)
    assert.equal((await refundPurchase(store.admin, line, body)).statusCode, 200)
  await waitForWebhooks(store)
  const [, ofPiece, ofPart, ofMoney] = await documentsOf(store, store.customer, order)
  const textOf = async (document: typeof ofPiece) => spaced(await ofPdf(document))
  const ofPdf = async (document: typeof ofPiece) => (await readPdf((await loadFile(store.customer, document?.pdf ?? null)).rawPayload)).text
  assert.match(await textOf(ofPiece), /Drill SKU \S+ 1 \$10\.00 19 % \$10\.00/)
  assert.match(await textOf(ofPart), /Part of the price of 1 x Säge für Holz SKU \S+ 19 % \$2\.52/)
  assert.match(await textOf(ofMoney), /Part of the price of Drill SKU \S+ 19 % \$0\.84/)
})

test('the owner is told of invoices with reverse charge from before the VAT id was said, until they are corrected', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  await setUpSeller(store, { ...testSeller, vatId: '', taxNumber: '30/123/45678' })
  const vienna = { country: 'AT', line1: 'Ring 1', city: 'Wien', postalCode: '1010' }
  const order = await placeTaxedOrder(store, { deliverTo: vienna, vatId: 'ATU13585627', company: 'Engines' })
  await payOrder(store, order)
  const [invoice] = await documentsOf(store, store.customer, order)
  assert.equal(invoice?.xml, null)
  const counted = async () => {
    const { withoutVatId, ordersWithoutVatId } = (await store.admin.request('GET', '/seller')).json()
    const { invoicesWithoutVatId } = (await store.admin.request('GET', '/overview/attention')).json()
    return [withoutVatId, invoicesWithoutVatId, ordersWithoutVatId]
  }
  assert.deepEqual(await counted(), [1, 1, [{ _id: order._id, number: order.number }]])
  await setUpSeller(store)
  assert.deepEqual((await counted()).slice(0, 2), [1, 1])
  await correct(store, order, {})
  assert.deepEqual(await counted(), [0, 0, []])
  const right = (await documentsOf(store, store.customer, order)).at(-1)
  assert.deepEqual(brokenRules(parseXml((await loadFile(store.customer, right?.xml ?? null)).body)), [])
  await waitForWebhooks(store)
})

test('what is due for an order that is not paid, or for a payment that pays no order, has no document', async () => {
  await using store = await createTestStoreWithCards({ allowWrongBooks: true })
  await setUpSeller(store)
  const unpaid = await placePurchase(store)
  await openPaymentIntent(store, unpaid)
  const { order } = await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  await store.db.execute(sql`insert into due_documents (order_id, event) values (${unpaid._id}, 'paid')`)
  await store.db.execute(sql`update payments set settled_at = now() where order_id = ${unpaid._id}`)
  await store.db.execute(sql`with twice as (insert into payments (id, order_id, intent_id, amount_cents, currency, state, settled_at, is_surplus)
      values (gen_random_uuid(), ${order._id}, 'pi_twice', 3000, 'usd', 'succeeded', now(), true) returning id),
    back as (insert into refunds (id, payment_id, order_id, refund_id, amount_cents, ends_as, state, actor)
      select gen_random_uuid(), id, ${order._id}, 're_twice', 3000, 'refunded', 'succeeded', 'store' from twice returning id)
    insert into refund_lines (refund_id, amount_cents) select id, 3000 from back`)
  assert.equal(await store.db.$count(dueDocuments), 2)
  assert.deepEqual(await documentsOf(store, store.customer, unpaid), [])
  assert.deepEqual(
    (await documentsOf(store, store.customer, order)).map(({ kind }) => kind),
    ['invoice'],
  )
  assert.equal(await store.db.$count(dueDocuments), 0, 'it is done with')
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

test('a credit note waits, and does not fail, while another process has its invoice in hand', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { dollars: 10 })
  await refundPurchase(store.admin, order, { amountCents: 400, reason: 'Scratched' })
  await waitForWebhooks(store)
  const due = () => store.db.select().from(dueDocuments).orderBy(dueDocuments._id)
  assert.deepEqual(
    (await due()).map(({ event }) => event),
    ['paid', 'refunded'],
  )
  await store.db.transaction(async (tx) => {
    await tx.select().from(dueDocuments).where(eq(dueDocuments.event, 'paid')).for('update')
    await setUpSeller(store)
    assert.equal(await issueDueDocument(store.db), false)
    assert.deepEqual(
      (await due()).map(({ tries }) => tries),
      [0, 0],
    )
  })
  while (await issueDueDocument(store.db));
  assert.deepEqual(
    (await documentsOf(store, store.customer, order)).map(({ kind, totalCents }) => [kind, totalCents]),
    [
      ['invoice', 1000],
      ['credit note', 400],
    ],
  )
})

test('an invoice waits for nothing, and what follows it waits for it alone: not for a credit note that is not issued now', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store, { dollars: 10 })
  for (const amountCents of [400, 100]) await refundPurchase(store.admin, order, { amountCents, reason: 'Scratched' })
  await waitForWebhooks(store)
  await store.db.transaction(async (tx) => {
    const [paid = assert.fail(), first = assert.fail()] = await tx.select().from(dueDocuments).orderBy(dueDocuments._id)
    await tx.delete(dueDocuments).where(eq(dueDocuments._id, paid._id))
    await tx.insert(dueDocuments).values({ orderId: paid.orderId, event: 'paid' }) // after its refunds
    await tx.update(dueDocuments).set({ nextTryAt: sql`now() + interval '1 day'` }).where(eq(dueDocuments._id, first._id))
  })
  await setUpSeller(store)
  while (await issueDueDocument(store.db));
  assert.deepEqual(
    (await documentsOf(store, store.customer, order)).map(({ kind, totalCents }) => [kind, totalCents]),
    [
      ['invoice', 1000],
      ['credit note', 100],
    ],
  )
})
