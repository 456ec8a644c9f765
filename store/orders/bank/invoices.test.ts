import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { lockOrder } from '#store/orders/rules.ts'
import { documentsOf } from '#test/document-actions.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { accountOf, bookPayment, orderOnAccount, setUpAccount } from '#test/on-account-actions.ts'
import { createProduct, createTestStoreWithCards } from '#test/order-actions.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { Store } from '#test/store.ts'
import { decide, importEntries, waitingEntries } from '#test/transfer-actions.ts'
import { bookToOrder } from './book-entry.ts'
import { invoiceNumbers, plainNumbers } from './find-match.ts'

/** The payer by whose name orders of the customer are found. */
const buyerNameOf = async (store: Store, order: { _id: string }) => (await showOrder(store.admin, order._id)).buyerName

/** An order on account of pieces of 30.00, sent in parcels of so many. */
async function sentInParcels(store: Store, pieces: number, parcels: number[]) {
  const order = await orderOnAccount(store.customer, { [await createProduct(store, { dollars: 30, name: `Drill ${pieces}` })]: pieces })
  for (const quantity of parcels) await sendPieces(store, order, quantity)
  const numbers = (await documentsOf(store, store.admin, order)).map(({ number }) => number)
  return { ...order, numbers, name: await buyerNameOf(store, order), reference: creditorReference(order.number) }
}

async function aStoreOnAccount() {
  const store = await createTestStoreWithCards()
  return Object.assign(store, { company: await setUpAccount(store, 1_000_000) })
}

/** What is open, by the number of the invoice. */
const openInvoices = async (store: Store & { company: { _id: string } }) =>
  Object.fromEntries((await accountOf(store, store.company)).invoices.map(({ number, openCents }) => [number, openCents]))

test('the exact payment of one parcel of an order is booked to its invoice, by the number of the invoice and the name or by reference and amount', async () => {
  await using store = await aStoreOnAccount()
  const order = await sentInParcels(store, 6, [1, 2, 1])
  const [first = '', second = '', third = ''] = order.numbers
  const named = await importEntries(store, [{ amountCents: 6000, text: `Invoice ${second}`, name: order.name, reference: 'B-1' }])
  assert.deepEqual([named.booked, named.waiting], [1, 0])
  assert.deepEqual(await openInvoices(store), { [first]: 3000, [third]: 3000 }, 'what the payer names is paid before what is older')
  assert.equal((await showOrder(store.admin, order._id)).paymentStatus, 'partly_paid')
  await importEntries(store, [{ amountCents: 3000, text: order.reference, name: 'Somebody', reference: 'B-2' }])
  const [entry = assert.fail()] = await waitingEntries(store)
  assert.deepEqual([entry.reason, entry.order?.number], ['too little', order.number], 'two invoices ask for the same')
  const both = await importEntries(store, [
    { amountCents: 3000, text: `${order.reference} ${third}`, name: 'Somebody', reference: 'B-3', day: '2026-11-23' },
  ])
  assert.equal(both.booked, 1, 'the reference names the order, the number its invoice')
  assert.deepEqual(await openInvoices(store), { [first]: 3000 })
  const orders = [{ number: order.number, amountCents: 3000 }]
  assert.equal((await decide(store.admin, entry, { decision: 'assign', orders })).statusCode, 200)
  assert.deepEqual(await openInvoices(store), {})
  await sendPieces(store, order, 2)
  assert.deepEqual(Object.values(await openInvoices(store)), [6000])
  const last = await importEntries(store, [
    { amountCents: 6000, text: order.reference, name: 'Somebody', reference: 'B-4', day: '2026-11-25' },
  ])
  assert.equal(last.booked, 1)
  assert.deepEqual([(await showOrder(store.admin, order._id)).paymentStatus, await openInvoices(store)], ['paid', {}])
})

test('a payment by the reference whose amount is that of one open invoice alone is booked to it', async () => {
  await using store = await aStoreOnAccount()
  const order = await sentInParcels(store, 4, [1, 2])
  const [first = ''] = order.numbers
  const { booked } = await importEntries(store, [{ amountCents: 6000, text: order.reference, name: 'Somebody' }])
  assert.equal(booked, 1)
  assert.deepEqual(await openInvoices(store), { [first]: 3000 })
  const { rows } = await store.db.execute<{ note: string }>(sql`select note from order_history where event = 'transfer booked'`)
  assert.match(rows.map(({ note }) => note).join(), new RegExp(`for invoice ${order.numbers[1]}$`))
})

test('a payment waits whose invoice is of another amount, payer or order, or is not the only one of the payer that asks for it', async () => {
  await using store = await aStoreOnAccount()
  const [order, other] = [await sentInParcels(store, 5, [1, 2]), await sentInParcels(store, 9, [3, 2])]
  const [invoice = ''] = order.numbers
  const entries = [
    { amountCents: 2999, text: `Invoice ${invoice}`, name: order.name }, // of another amount
    { amountCents: 3000, text: `Invoice ${invoice}`, name: 'Somebody' }, // of another payer
    { amountCents: 3000, text: `Invoice ${other.numbers[0]}`, name: order.name }, // the amount of another invoice
    { amountCents: 3000, text: `Invoice ${invoice} of order ${other.number}`, name: order.name }, // two orders
    { amountCents: 3000, text: `${other.reference} ${invoice}`, name: order.name }, // two orders
    { amountCents: 6000, text: `Invoice ${order.numbers[1]}`, name: order.name }, // an invoice of the other order asks for that, too
    { amountCents: 3000, text: `Your credit note CN-${invoice}`, name: order.name },
    { amountCents: 9000, text: `${order.reference} for ${order.numbers.join(' and ')}`, name: order.name }, // two invoices, and not all that is due
  ].map((entry, nth) => ({ ...entry, reference: `B-${nth}` }))
  const { booked, waiting } = await importEntries(store, entries)
  assert.deepEqual([booked, waiting], [0, entries.length])
  const reasons = (await waitingEntries(store)).map(({ text, reason, order: found }) => [text, reason, found?.number])
  assert.deepEqual(
    entries.map(({ text }) => reasons.find(([said]) => said === text)?.[1]),
    ['no reference', 'no reference', 'no reference', 'no reference', 'several orders', 'not looked at', 'no reference', 'too little'],
  )
  const proposed = (await waitingEntries(store)).find(({ text }) => text === entries[1]?.text)?.proposals ?? []
  assert.equal(proposed[0]?.number, order.number, 'the order of the invoice is proposed first')
})

test('an invoice that was paid meanwhile takes no second payment, and what an admin assigns pays the invoice that its text names', async () => {
  await using store = await aStoreOnAccount()
  const order = await sentInParcels(store, 4, [1, 2])
  const [first = '', second = ''] = order.numbers
  await importEntries(store, [{ amountCents: 5000, text: `Part of ${second}`, name: order.name, reference: 'B-1' }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const orders = [{ number: order.number, amountCents: 5000 }]
  assert.equal((await decide(store.admin, entry, { decision: 'assign', orders })).statusCode, 200)
  assert.deepEqual(await openInvoices(store), { [first]: 3000, [second]: 1000 })
  const again = [1, 2].map((nth) => ({
    amountCents: 1000,
    text: `Rest of ${second}`,
    name: order.name,
    reference: `C-${nth}`,
    day: `2026-11-0${nth}`,
  }))
  const sums = await Promise.all(again.map((each) => importEntries(store, [each])))
  assert.deepEqual(sums.map(({ booked }) => booked).toSorted(), [0, 1])
  assert.deepEqual(await openInvoices(store), { [first]: 3000 })
  const late = async (openCents: number) => {
    const [{ shipmentId = '' } = {}] = (await accountOf(store, store.company)).invoices
    const [{ _id: entryId = '' } = {}] = await waitingEntries(store)
    const booking = { entryId, orderId: order._id, amountCents: 1000, doer: { actor: 'store' as const } }
    return store.db.transaction(async (tx) =>
      bookToOrder(tx, await lockOrder(tx, order._id), { ...booking, awaitedInvoice: { shipmentId, openCents } }),
    )
  }
  await assert.rejects(late(1000), { code: 'amount_mismatch' }, 'of the invoice another amount is open than was seen')
  assert.equal((await bookPayment(store, order, 3000)).statusCode, 201)
  assert.deepEqual(await openInvoices(store), {})
})

test('the database lets money pay the invoices of its own order alone', async () => {
  await using store = await aStoreOnAccount()
  const [order, other] = [await sentInParcels(store, 2, [1]), await sentInParcels(store, 3, [2])]
  await importEntries(store, [{ amountCents: 3000, text: order.reference, name: order.name, reference: 'B-1' }])
  await importEntries(store, [{ amountCents: 1, text: 'gift', reference: 'B-2' }])
  await assert.rejects(
    store.db.execute(sql`insert into bank_assignments (id, entry_id, payment_id, shipment_id, amount_cents)
      select gen_random_uuid(), e.id, p.id, s.id, 1 from bank_entries e, payments p, shipments s
      where e.left_cents > 0 and p.order_id = ${order._id} and s.order_id = ${other._id}`),
    ({ cause }: Error & { cause?: { constraint?: string } }) => cause?.constraint === 'assignment_pays_own_invoice',
  )
})

test("numbers of invoices are found in what payers write, and are no numbers of orders; a credit note's is none", () => {
  const found = (text: string) => [invoiceNumbers(text), plainNumbers(text)]
  assert.deepEqual(found('Invoice 2026-00042, thanks'), [['2026-00042'], []])
  assert.deepEqual(found('RE-2026-00042 RG.2026-00043/2026-00042.'), [['2026-00042', '2026-00043'], []])
  for (const text of ['CN-2026-00042', 'cn 2026-00042', '12026-00042', '1-2026-00042', '2026-00042-1', '2026-0004'])
    assert.deepEqual(invoiceNumbers(text), [], text)
})
