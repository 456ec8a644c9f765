import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shopDay } from '#shared/shop-day.ts'
import { checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { documentsOf, loadFile, parseXml, readPdf, setUpSeller } from '#test/document-actions.ts'
import { brokenRules } from '#test/en16931.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { decide, importEntries, setUpTransfers, waitingEntries } from '#test/transfer-actions.ts'

/** An order by transfer of three drills for $30, with 19 % tax and delivery: $112.93, of which so much came, and an owner has accepted that. */
async function placeShort(store: Store, receivedCents: number) {
  await setUpTaxAndDelivery(store)
  await setUpTransfers(store)
  await setUpSeller(store)
  await putIntoCart(store.customer, { [await createProduct(store, { dollars: 30 })]: 3 })
  const order = await checkOut(store.customer, { paymentMethod: 'bank_transfer' })
  await importEntries(store, [{ amountCents: receivedCents, text: `order ${order.number}` }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const accepted = { decision: 'accept the shortfall', orders: [{ number: order.number, amountCents: receivedCents }], reason: 'fee' }
  const answer = await decide(store.admin, entry, accepted)
  assert.equal(answer.statusCode, 200, answer.body)
  return order
}

/** Until what is to be transferred back was, and is credited. */
async function transferBack(store: Store) {
  for (const { _id } of (await store.admin.request('GET', '/bank-entries')).json().refunds)
    assert.equal((await store.admin.request('POST', `/transfer-refunds/${_id}/done`, { doneOn: shopDay(new Date()) })).statusCode, 200)
  await store.jobs.runAllOnce()
}

async function readDocuments(store: Store, order: { _id: string }) {
  const documents = await documentsOf(store, store.customer, order)
  return Promise.all(
    documents.map(async ({ kind, totalCents, xml, pdf }) => {
      const data = (await loadFile(store.customer, xml)).body
      assert.deepEqual(brokenRules(parseXml(data)), [])
      const [, prepaid] = /TotalPrepaidAmount>([\d.]+)</.exec(data) ?? []
      const [, due] = /DuePayableAmount>([\d.]+)</.exec(data) ?? []
      const [, terms] = /SpecifiedTradePaymentTerms>\s*<ram:Description>([^<]*)</.exec(data) ?? []
      const { text } = await readPdf((await loadFile(store.customer, pdf)).rawPayload)
      return { kind, totalCents, amounts: [prepaid, due], terms, text: text.replaceAll(/\s+/g, ' ') }
    }),
  )
}

const shown = (documents: Awaited<ReturnType<typeof readDocuments>>) =>
  documents.map(({ kind, totalCents, amounts }) => [kind, totalCents, ...amounts])

test('the invoice of an order that was paid short says what was paid and that the rest is not asked for; cancelled, nothing of it stands', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeShort(store, 10_993)
  const [invoice = assert.fail()] = await readDocuments(store, order)
  const { totalCents } = order
  assert.deepEqual(invoice.amounts, ['109.93', ((totalCents - 10_993) / 100).toFixed(2)])
  assert.match(`${invoice.terms}`, /^The rest of \$\S+ is not asked for: nothing is to be paid\.$/)
  assert.match(invoice.text, /Paid on .* by bank transfer: \$109\.93\. The rest of \$\S+ is not asked for/)
  assert.equal((await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'x' })).statusCode, 200)
  await transferBack(store)
  const documents = await readDocuments(store, order)
  assert.deepEqual(shown(documents), [
    ['invoice', totalCents, ...invoice.amounts],
    ['credit note', totalCents, ...invoice.amounts],
  ])
  assert.match(`${documents[1]?.terms}`, /^\$\S+ of this had not been paid, and does not go back\.$/)
  assert.match(`${documents[1]?.text}`, /\$109\.93 goes back by bank transfer\. \$\S+ of this had not been paid/)
})

test('of an order that was paid short each refund is credited as it is, and with the last of the money all that is left of the invoice', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeShort(store, 6000)
  const piece = { lines: [{ _id: order.lines[0]?._id, quantity: 1 }] }
  assert.equal((await store.admin.request('POST', `/orders/${order._id}/refunds`, piece)).statusCode, 200)
  assert.equal((await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'x' })).statusCode, 200)
  await transferBack(store)
  const [invoice, first, last] = await readDocuments(store, order)
  assert.deepEqual([first?.totalCents, first?.amounts, first?.terms], [3570, ['35.70', '0.00'], undefined])
  assert.deepEqual([last?.totalCents, last?.amounts[0]], [(invoice?.totalCents ?? 0) - 3570, '24.30'])
  assert.equal((await showOrder(store.admin, order._id)).paymentStatus, 'refunded')
})
