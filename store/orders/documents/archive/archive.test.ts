import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { CsvReader } from '#store/imports/csv.ts'
import { issueDueDocument } from '#store/orders/documents/issue-documents.ts'
import { aSellingStore, correct, placePaidCheckout, showCorrectable } from '#test/correction-actions.ts'
import { documentsOf, loadFile, setUpSeller } from '#test/document-actions.ts'
import { orderOnAccount, setUpAccount } from '#test/on-account-actions.ts'
import { createProduct, createTestStoreWithCards, placePaidOrder, refundPurchase, waitForWebhooks } from '#test/order-actions.ts'
import { readZip } from '#test/read-zip.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { Actor, Store } from '#test/store.ts'
import { listMonths, openArchive } from './rules.ts'

const month = () => shopDay(new Date()).slice(0, 7)
const load = (actor: Actor, of = month()) => actor.request('GET', `/documents/archive?month=${of}`)
const monthsOf = async (store: Store) => (await store.admin.request('GET', '/documents/months')).json().months

/** The rows of the CSV in an archive, by its column names. */
function readCsv(files: Map<string, Buffer>): Record<string, string>[] {
  const [names = [], ...rows] = [...new CsvReader(',').rows(`${files.get(`${month()}/documents.csv`)}`)]
  return rows.map((row) => Object.fromEntries(names.map((name, nth) => [name, row[nth] ?? ''])))
}

test('the owner loads a month as a ZIP with each PDF and XML as buyers have it, and a CSV that lists all, in which no cell is a formula', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store, { company: '=HYPERLINK("x")', poNumber: '+1' })
  await showCorrectable(store, order)
  await correct(store, order, { company: '@Engines, "Ltd"' })
  const [line = assert.fail()] = order.lines
  assert.equal(
    (await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: line._id, quantity: 1 }] })).statusCode,
    200,
  )
  await waitForWebhooks(store)
  const documents = await documentsOf(store, store.customer, order)
  const answer = await load(store.admin)
  assert.deepEqual(
    [answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition'], answer.headers['x-documents-without-files']],
    [200, 'application/zip', `attachment; filename="documents-${month()}.zip"`, '0'],
  )
  const files = readZip(answer.rawPayload)
  assert.deepEqual(
    [...files.keys()].sort(),
    [`${month()}/documents.csv`, ...documents.flatMap(({ number }) => [`${month()}/${number}.pdf`, `${month()}/${number}.xml`])].sort(),
  )
  for (const { number, pdf, xml } of documents) {
    assert.deepEqual(files.get(`${month()}/${number}.pdf`), (await loadFile(store.customer, pdf)).rawPayload)
    assert.equal(`${files.get(`${month()}/${number}.xml`)}`, (await loadFile(store.customer, xml)).body)
  }
  const rows = readCsv(files)
  assert.deepEqual(
    rows
      .map((row) => [
        row.number,
        row.kind,
        row.net,
        row['net at 19 %'],
        row['tax at 19 %'],
        row.tax,
        row.total,
        row['refers to'],
        row.files,
      ])
      .sort(),
    documents
      .map(({ number, kind, netCents, taxCents, totalCents, corrects }) => {
        const [net, tax, total] = [netCents, taxCents, totalCents].map((cents) => (cents / 100).toFixed(2))
        return [number, kind, net, net, tax, tax, total, corrects ?? '', 'PDF, XML']
      })
      .sort(),
  )
  const [first = assert.fail()] = rows.filter(({ number }) => number === documents[0]?.number)
  assert.deepEqual(
    [first.date, first.order, first.customer, first.country, first.currency, first['payment method']],
    [shopDay(new Date()), `${order.number}`, `'=HYPERLINK("x")`, 'DE', 'USD', 'card'],
  )
  for (const row of rows) for (const cell of Object.values(row)) assert.doesNotMatch(cell, /^[=+\-@]/)
})

test('a month has what was issued on its days in the time zone of the shop, and one without documents is none', async () => {
  await using store = await createTestStoreWithCards()
  await setUpSeller(store)
  for (let nth = 0; nth < 3; nth++) await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  await store.db.execute(sql`alter table documents disable trigger documents_stay`)
  await store.db.execute(
    sql`update documents set issued_on = case serial when 1 then date '2024-01-31' when 2 then date '2024-02-29' else date '2024-03-01' end`,
  )
  await store.db.execute(sql`alter table documents enable trigger documents_stay`)
  assert.deepEqual(
    await monthsOf(store),
    ['2024-03', '2024-02', '2024-01'].map((each) => ({ month: each, invoices: 1, creditNotes: 0, withoutFiles: 0 })),
  )
  const counts = (await listMonths(store.db, 2)).map(({ invoices, creditNotes }) => [invoices, creditNotes])
  assert.deepEqual(counts, [
    [1, 0],
    [1, 0],
    [null, null], // of an old month they are not counted
  ])
  const february = readZip((await load(store.admin, '2024-02')).rawPayload)
  assert.ok(february.size === 2 && [...february.keys()].some((name) => name.endsWith('-00002.pdf')), [...february.keys()].join())
  const none = await load(store.admin, '2024-04')
  assert.deepEqual([none.statusCode, none.json().message], [404, 'No invoice and no credit note was issued in 2024-04'])
  for (const wrong of ['2024-13', '2024', '2024-1', '']) assert.equal((await load(store.admin, wrong)).statusCode, 400, wrong)
})

test('files that are still to be made are made first, and what cannot be made is named in the CSV, by the answer and in the list of months', async () => {
  await using store = await createTestStoreWithCards()
  for (let nth = 0; nth < 2; nth++) await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.jobs.close()
  await setUpSeller(store)
  while (await issueDueDocument(store.db));
  assert.deepEqual(await monthsOf(store), [{ month: month(), invoices: 2, creditNotes: 0, withoutFiles: 2 }])
  await store.db.execute(sql`create function no_ink() returns trigger language plpgsql as 'begin
    if new.document_id = (select id from documents where serial = 2) then raise exception ''no ink''; end if; return new; end'`)
  await store.db.execute(sql`create trigger no_ink before update on document_files for each row execute function no_ink()`)
  const answer = await load(store.admin)
  assert.deepEqual([answer.statusCode, answer.headers['x-documents-without-files']], [200, '1'], answer.body)
  const files = readZip(answer.rawPayload)
  assert.deepEqual(
    readCsv(files).map((row) => row.files),
    ['PDF', 'still being made'],
  )
  assert.equal(files.size, 2)
  assert.deepEqual(await monthsOf(store), [{ month: month(), invoices: 2, creditNotes: 0, withoutFiles: 1 }])
})

test('one month is loaded at a time, by owners alone', async () => {
  await using store = await createTestStoreWithCards()
  await setUpSeller(store)
  const { order } = await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  const answers = await Promise.all([1, 2, 3].map(() => load(store.admin)))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 429, 429])
  assert.ok(answers.some(({ headers }) => headers['retry-after'] === '30'))
  assert.equal((await load(store.admin, '2001-01')).statusCode, 404)
  assert.equal((await load(store.admin)).statusCode, 200, 'after one that was refused, too')
  const colleague = store.newCustomer('Colleague')
  await colleague.request('GET', '/orders')
  assert.equal((await store.admin.request('PUT', `/user/admin/${colleague.email}`)).statusCode, 200)
  assert.equal((await load(colleague)).statusCode, 403)
  assert.equal((await colleague.request('GET', '/documents/months')).statusCode, 200)
  assert.deepEqual([(await load(store.customer)).statusCode, (await load(store.visitor)).statusCode], [403, 401])
  assert.equal((await refundPurchase(store.admin, order)).statusCode, 200)
  await waitForWebhooks(store)
})

test('an archive whose file cannot be read breaks off, and is none that looks whole', async () => {
  await using store = await createTestStoreWithCards()
  await setUpSeller(store)
  await placePaidOrder(store)
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  const { zip } = await openArchive(store.db, month())
  const files = sql`update document_files set pdf = null`
  await store.db.execute(files)
  await assert.rejects(async () => {
    for await (const _ of zip);
  }, /has gone/)
})

test('an invoice of an order on account says so in the list of the month, before anything of it is paid', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000)
  const order = await orderOnAccount(store.customer, { [await createProduct(store)]: 1 })
  await sendPieces(store, order)
  await documentsOf(store, store.customer, order)
  const rows = readCsv(readZip((await load(store.admin)).rawPayload))
  assert.deepEqual(
    rows.map((row) => row['payment method']),
    ['on_account'],
  )
})
