import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { formatExactCents } from '#store/orders/documents/exact-amount.ts'
import { aSellingStore, correct, correctionOf, placePaidCheckout, sendCorrection, showCorrectable } from '#test/correction-actions.ts'
import { documentsOf, loadFile, parseXml, readPdf, setUpSeller, testSeller } from '#test/document-actions.ts'
import { brokenRules, precedingNumbers, totalOf } from '#test/en16931.ts'
import {
  createTestStoreWithCards,
  getOrderHistory,
  placePaidOrder,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'

const year = new Date().getUTCFullYear()
const moved = { line1: 'Neue Straße 9', city: 'Potsdam', postalCode: '14467' }

/** Kind, number, what it corrects and total of each document. */
const summaryOf = async (store: Store, order: { _id: string }) =>
  (await documentsOf(store, store.customer, order)).map(({ kind, number, corrects, totalCents }) => [kind, number, corrects, totalCents])

test('the owner corrects an invoice: one credit note for all of it and one invoice in the right words, of which the buyer is told; later documents say the same', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store, { company: 'Analytical Engines', poNumber: 'PO-1' })
  const found = await showCorrectable(store, order)
  const [drill = assert.fail()] = found.lines
  const changed = {
    ...moved,
    company: 'Difference Engines',
    poNumber: 'PO-77',
    buyerReference: 'Lab',
    lines: [{ _id: drill._id, name: 'Drill 500 W', partNumber: 'OWN-1' }],
  }
  await correct(store, order, changed)
  const [wrong = assert.fail(), note = assert.fail(), right = assert.fail(), ...others] = await documentsOf(store, store.customer, order)
  assert.deepEqual(others, [])
  assert.deepEqual(await summaryOf(store, order), [
    ['invoice', `${year}-00001`, null, 3558],
    ['credit note', `CN-${year}-00001`, `${year}-00001`, 3558],
    ['invoice', `${year}-00002`, `${year}-00001`, 3558],
  ])
  assert.deepEqual(
    [wrong, note, right].map(({ isCorrected, isReplacement }) => [isCorrected, isReplacement]),
    [
      [true, false],
      [false, false],
      [false, true],
    ],
  )
  const [ofNote, ofRight] = [
    await readPdf((await loadFile(store.customer, note.pdf)).rawPayload),
    await readPdf((await loadFile(store.customer, right.pdf)).rawPayload),
  ]
  for (const words of [
    'Difference Engines',
    'Neue Straße 9',
    '14467 Potsdam',
    'PO-77',
    'Lab',
    'Drill 500 W',
    'Your part number OWN-1',
    'Replaces invoice',
    wrong.number,
    formatExactCents(3558),
  ])
    assert.ok(ofRight.text.includes(words), `${words} in ${ofRight.text}`)
  for (const words of ['Analytical Engines', 'PO-1', 'no money moves', wrong.number])
    assert.ok(ofNote.text.includes(words), `${words} in ${ofNote.text}`)
  assert.ok(!ofRight.text.includes('Analytical Engines'), ofRight.text)
  for (const document of [note, right]) {
    const xml = parseXml((await loadFile(store.customer, document.xml)).body)
    assert.deepEqual([brokenRules(xml), precedingNumbers(xml), totalOf(xml)], [[], [wrong.number], 3558])
  }
  const { details } = (await store.customer.request('GET', `/orders/${order._id}/details`)).json()
  assert.deepEqual(
    [
      details.company,
      details.poNumber,
      details.buyerReference,
      details.billTo?.line1,
      details.partNumbers.map((one: { partNumber: string }) => one.partNumber),
    ],
    ['Difference Engines', 'PO-77', 'Lab', 'Neue Straße 9', ['OWN-1']],
  )
  const event = (await getOrderHistory(store, order)).find((each) => each.event === 'invoice corrected')
  assert.deepEqual([event?.actor, event?.by, event?.note], ['admin', store.admin.email, 'The buyer has moved'])
  const mails = (await store.emailsTo('ada@shop.example')).filter(({ subject }) => subject.includes('invoice is corrected'))
  assert.equal(mails.length, 1)
  for (const words of [right.number, note.number, 'The buyer has moved', `/dashboard/myorder/${order._id}`])
    assert.ok(mails[0]?.text.includes(words), mails[0]?.text)

  const [line = assert.fail()] = order.lines
  assert.equal(
    (await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: line._id, quantity: 1 }] })).statusCode,
    200,
  )
  await waitForWebhooks(store)
  const refunded = (await documentsOf(store, store.customer, order)).at(-1) ?? assert.fail()
  assert.deepEqual([refunded.kind, refunded.corrects, refunded.totalCents], ['credit note', right.number, 1190])
  const { text } = await readPdf((await loadFile(store.customer, refunded.pdf)).rawPayload)
  for (const words of ['Difference Engines', 'Drill 500 W', '$10.00', 'goes back']) assert.ok(text.includes(words), `${words} in ${text}`)
})

test('after a refund what is left is corrected, and once the rest goes back nothing is left', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store)
  const [drill = assert.fail(), saw = assert.fail()] = order.lines
  const refund = (body: object) => store.admin.request('POST', `/orders/${order._id}/refunds`, body)
  await showCorrectable(store, order)
  assert.equal(
    (
      await refund({
        lines: [
          { _id: drill._id, quantity: 1 },
          { _id: saw._id, quantity: 1 },
        ],
      })
    ).statusCode,
    200,
  )
  await waitForWebhooks(store)
  await correct(store, order, moved)
  assert.deepEqual(await summaryOf(store, order), [
    ['invoice', `${year}-00001`, null, 3558],
    ['credit note', `CN-${year}-00001`, `${year}-00001`, 1785],
    ['credit note', `CN-${year}-00002`, `${year}-00001`, 1773],
    ['invoice', `${year}-00002`, `${year}-00001`, 1773],
  ])
  const right = (await documentsOf(store, store.customer, order)).at(-1)
  const { text } = await readPdf((await loadFile(store.customer, right?.pdf ?? null)).rawPayload)
  assert.ok(text.includes('Drill') && text.includes('$10.00') && text.includes('Delivery') && !text.includes('Saw'), text)
  assert.equal((await refund({ lines: [{ _id: drill._id, quantity: 1 }], delivery: true })).statusCode, 200)
  await waitForWebhooks(store)
  assert.deepEqual((await summaryOf(store, order)).at(-1), ['credit note', `CN-${year}-00003`, `${year}-00002`, 1773])
  const answer = await store.admin.request('GET', `/orders/${order._id}/documents/corrections`)
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'conflict'], answer.body)
})

test('a correction that is sent twice at once is made once, and of two different ones the later is told that the invoice has changed', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store)
  const found = await showCorrectable(store, order)
  const same = await Promise.all([1, 2, 3].map(() => sendCorrection(store.admin, order, correctionOf(found, moved))))
  assert.deepEqual(
    same.map(({ statusCode }) => statusCode),
    [201, 201, 201],
  )
  const other = await sendCorrection(store.admin, order, correctionOf(found, { company: 'Other' }))
  assert.deepEqual([other.statusCode, other.json().code], [409, 'documents_changed'], other.body)
  assert.equal((await documentsOf(store, store.customer, order)).length, 3)
  assert.equal((await getOrderHistory(store, order)).filter(({ event }) => event === 'invoice corrected').length, 1)
  const copy = sql`insert into documents (id, order_id, kind, year, serial, number, corrects, issued_on, currency, net_cents, tax_cents, total_cents, data)
    select gen_random_uuid(), order_id, kind, year, 99, 'X', corrects, issued_on, currency, net_cents, tax_cents, total_cents, data
    from documents where corrects is not null and kind = 'invoice'`
  await assert.rejects(
    store.db.execute(copy),
    ({ cause }: Error) => /documents_of_correction/.test(`${cause}`),
    'an invoice is replaced once, whoever writes',
  )
  await waitForWebhooks(store)
})

test('a refund under way while the invoice is corrected has its credit note for the new one, and where it fails after a correction it is taken back in the right words', async () => {
  await using store = await aSellingStore()
  sandboxControls(store).bank.pause()
  const order = await placePaidCheckout(store, {}, 'pm_card_refundFail')
  const [drill = assert.fail()] = order.lines
  await showCorrectable(store, order)
  assert.equal(
    (await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: drill._id, quantity: 1 }] })).statusCode,
    200,
  )
  await waitForWebhooks(store)
  await correct(store, order, moved)
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const failed = await summaryOf(store, order)
  assert.deepEqual(failed, [
    ['invoice', `${year}-00001`, null, 3558],
    ['credit note', `CN-${year}-00001`, `${year}-00001`, 1190],
    ['credit note', `CN-${year}-00002`, `${year}-00001`, 2368],
    ['invoice', `${year}-00002`, `${year}-00001`, 2368],
    ['invoice', `${year}-00003`, `CN-${year}-00001`, 1190],
  ])
  const takenBack = (await documentsOf(store, store.customer, order)).at(-1)
  const { text } = await readPdf((await loadFile(store.customer, takenBack?.pdf ?? null)).rawPayload)
  assert.ok(text.includes('Neue Straße 9') && text.includes('The bank has refused'), text)
  await correct(store, order, { ...moved, company: 'Engines' })
  assert.deepEqual((await summaryOf(store, order)).slice(5), [
    ['credit note', `CN-${year}-00003`, `${year}-00002`, 3558],
    ['invoice', `${year}-00004`, `${year}-00002`, 3558],
  ])
  const whole = await readPdf(
    (await loadFile(store.customer, (await documentsOf(store, store.customer, order)).at(-1)?.pdf ?? null)).rawPayload,
  )
  assert.ok(whole.text.includes('$20.00') && whole.text.includes('Engines'), whole.text)
})

test('a refund that succeeds while its invoice is corrected is in one of both, whichever comes first', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store)
  const found = await showCorrectable(store, order)
  const [drill = assert.fail()] = order.lines
  await Promise.all([
    sendCorrection(store.admin, order, correctionOf(found, moved)),
    store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: drill._id, quantity: 1 }] }),
  ])
  await waitForWebhooks(store)
  const documents = await documentsOf(store, store.customer, order)
  const sum = documents.reduce((billed, { kind, totalCents }) => billed + (kind === 'invoice' ? totalCents : -totalCents), 0)
  assert.deepEqual([documents.length, sum], [4, 3558 - 1190])
})

test('what cannot be corrected is refused in words: no invoice, nothing different, another line, a VAT id that changes the tax; and by nobody but owners', async () => {
  await using store = await aSellingStore()
  const [order, unpaid] = [
    await placePaidCheckout(store),
    await placePaidCheckout(store, {
      vatId: 'ATU13585627',
      company: 'Engines',
      deliverTo: { country: 'AT', line1: 'Ring 1', city: 'Wien', postalCode: '1010' },
    }),
  ]
  const none = await store.admin.request('GET', `/orders/${crypto.randomUUID()}/documents/corrections`)
  assert.equal(none.statusCode, 404)
  await store.jobs.runAllOnce()
  const found = await showCorrectable(store, order)
  const refusedAs = async (of: { _id: string }, body: object, actor = store.admin) => {
    const answer = await sendCorrection(actor, of, body)
    return [answer.statusCode, answer.json().code, Object.keys(answer.json().errors ?? {})]
  }
  assert.deepEqual(await refusedAs(order, correctionOf(found)), [409, 'conflict', []])
  assert.deepEqual(await refusedAs(order, correctionOf(found, { lines: [{ _id: crypto.randomUUID(), name: 'X' }] })), [
    404,
    'not_found',
    [],
  ])
  assert.deepEqual(await refusedAs(order, correctionOf(found, { name: ' ', vatId: 'DE1', postalCode: '1', reason: '' })), [
    400,
    'invalid_request',
    ['name', 'reason', 'postalCode', 'vatId'],
  ])
  const reverse = await showCorrectable(store, unpaid)
  assert.deepEqual(await refusedAs(unpaid, correctionOf(reverse, { vatId: '' })), [409, 'tax_would_change', ['vatId']])
  assert.deepEqual(await refusedAs(unpaid, correctionOf(reverse, { vatId: 'DE136695976' })), [409, 'tax_would_change', ['vatId']])
  await correct(store, unpaid, { vatId: 'NL810433941B01', company: 'Engines BV' })
  for (const [actor, status] of [
    [store.customer, 403],
    [store.visitor, 401],
  ] as const)
    assert.equal((await refusedAs(order, correctionOf(found, moved), actor))[0], status)
  const colleague = store.newCustomer('Colleague')
  await colleague.request('GET', '/orders')
  assert.equal((await store.admin.request('PUT', `/user/admin/${colleague.email}`)).statusCode, 200)
  assert.equal((await refusedAs(order, correctionOf(found, moved), colleague))[0], 403, 'an admin who is no owner')
  await waitForWebhooks(store)
})

test('an order without a country gets one by a correction, and with it data by EN 16931; before it has an invoice there is nothing to correct', async () => {
  await using store = await createTestStoreWithCards()
  const { order } = await placePaidOrder(store)
  const early = await store.admin.request('GET', `/orders/${order._id}/documents/corrections`)
  assert.deepEqual([early.statusCode, early.json().code], [409, 'conflict'], early.body)
  await setUpSeller(store, { ...testSeller })
  assert.equal((await showCorrectable(store, order)).addressText, '1 Road')
  await correct(store, order, { country: 'DE', ...moved })
  const [wrong, , right] = await documentsOf(store, store.customer, order)
  assert.deepEqual([wrong?.xml, typeof right?.xml], [null, 'string'])
  assert.equal((await refundPurchase(store.admin, order)).statusCode, 200)
  await waitForWebhooks(store)
})
