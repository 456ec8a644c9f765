import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { endOverdueOrders } from '#store/orders/payments/end-order.ts'
import { lockOrder } from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import { documentsOf, setUpSeller } from '#test/document-actions.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import {
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  expireHold,
  getOrderEventNames,
  getStock,
  openPaymentIntent,
  placePaidOrder,
  recordPayment,
  refundPurchase,
} from '#test/order-actions.ts'
import type { Actor, Store } from '#test/store.ts'
import { camt, decide, importEntries, placeTransferOrder, sendStatement, setUpTransfers, waitingEntries } from '#test/transfer-actions.ts'
import { withdrawFrom } from '#test/withdrawal-actions.ts'
import { bookToOrder } from './book-entry.ts'
import { matchDueEntries } from './import-statement.ts'
import { readCsv } from './read-csv.ts'
import { bankAssignments, bankEntries } from './table.ts'

async function aStoreWithTransfers() {
  const store = await createTestStoreWithCards()
  await setUpTransfers(store)
  return store
}

/** An admin who is no owner. */
async function makeAdmin(store: Store) {
  await store.otherCustomer.token()
  assert.equal((await store.admin.request('PUT', `/user/admin/${store.otherCustomer.email}`)).statusCode, 200)
}

const today = () => shopDay(new Date())

/** What a piece of the first line has cost is to go back. */
async function refundPiece(store: Store, { _id, lines: [line] }: { _id: string; lines: { _id: string }[] }): Promise<void> {
  const asked = await store.admin.request('POST', `/orders/${_id}/refunds`, { lines: [{ _id: line?._id, quantity: 1 }] })
  assert.equal(asked.statusCode, 200, asked.body)
}

const refundsToTransfer = async (store: Store): Promise<{ _id: string; orderNumber: number; amountCents: number }[]> =>
  (await store.admin.request('GET', '/bank-entries')).json().refunds

async function markDone(store: Store, refund: { _id: string } | undefined): Promise<void> {
  const done = await store.admin.request('POST', `/transfer-refunds/${refund?._id}/done`, { doneOn: today() })
  assert.equal(done.statusCode, 200, done.body)
}

test('a transfer with reference and amount pays its order, which has its invoice and a receipt by mail', async () => {
  await using store = await aStoreWithTransfers()
  await setUpSeller(store)
  const order = await placeTransferOrder(store, { quantity: 2 })
  const mails = await store.emailsTo(store.customer.email)
  const placed = mails.find(({ subject }) => subject.startsWith(`Order ${order.number}`)) ?? assert.fail('no mail')
  assert.match(placed.text, /IBAN: DE89 3704 0044 0532 0130 00/)
  assert.match(placed.text, new RegExp(`Reference: ${order.reference}`))
  const summary = await importEntries(store, [{ amountCents: 6000, text: `Thank you ${order.reference}` }])
  assert.deepEqual(summary, { added: 1, known: 0, booked: 1, waiting: 0, debits: 0 })
  const paid = await showOrder(store.customer, order._id)
  assert.deepEqual([paid.orderStatus, paid.paymentStatus, paid.transectionId], ['placed', 'paid', order.reference])
  const [invoice] = await documentsOf(store, store.customer, paid)
  assert.equal(invoice?.totalCents, 6000)
  const receipt = (await store.emailsTo(store.customer.email)).at(-1)
  assert.match(`${receipt?.subject}`, /Receipt/)
  assert.match(`${receipt?.text}`, new RegExp(order.reference))
  assert.deepEqual(await waitingEntries(store), [])
})

test('an order by transfer, and its invoice, is paid on the day on which the bank had all of its money', async () => {
  await using store = await aStoreWithTransfers()
  await setUpSeller(store)
  const daysAgo = (days: number) => shopDay(new Date(Date.now() - days * 24 * 3600_000))
  const paidDays = async (parts: { amountCents: number; day: string }[]) => {
    const order = await placeTransferOrder(store)
    await store.db.update(orders).set({ placedAt: sql`now() - interval '5 days'` }).where(eq(orders._id, order._id))
    for (const part of parts) {
      await importEntries(store, [{ ...part, text: order.reference, reference: `${order.number} ${part.amountCents} ${part.day}` }])
      const [entry] = await waitingEntries(store)
      const asked = [{ number: order.number, amountCents: part.amountCents }]
      if (entry) assert.equal((await decide(store.admin, entry, { decision: 'assign', orders: asked })).statusCode, 200)
    }
    await store.jobs.runAllOnce()
    const { rows } = await store.db.execute<{
      said: string
      paid: Date
    }>(sql`select d.data -> 'payment' ->> 'paidOn' as said, p.settled_at as paid
      from documents d join orders o on o.id = d.order_id join payments p on p.id = o.payment_id where o.id = ${order._id}`)
    return rows.map(({ said, paid }) => [said, shopDay(new Date(paid))])
  }
  const whole = (day: string) => paidDays([{ amountCents: 3000, day }])
  const on = (day: string) => [[day, day]]
  assert.deepEqual(await whole(daysAgo(3)), on(daysAgo(3)))
  assert.deepEqual(await whole(daysAgo(5)), on(daysAgo(5)), 'also on that of the order')
  assert.deepEqual(await whole(daysAgo(6)), on(today()), 'not before there was the order')
  assert.deepEqual(await whole(daysAgo(-2)), on(today()), 'not on a day to come')
  const later = [
    { amountCents: 1000, day: daysAgo(2) },
    { amountCents: 2000, day: daysAgo(4) },
  ]
  assert.deepEqual(await paidDays(later), on(daysAgo(2)), 'the last part counts')
})

test('a file imported twice, and twice at once, books once; another file with the same entries books those that are new', async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store)
  const entries = [
    { amountCents: 3000, text: order.reference, reference: 'B-1' },
    { amountCents: 500, text: 'gift' },
    { amountCents: 500, text: 'gift' },
    { amountCents: -700, text: 'rent', reference: 'B-2' },
  ]
  const sums = await Promise.all([importEntries(store, entries), importEntries(store, entries)])
  assert.equal(sums[0].added + sums[1].added, 4)
  assert.deepEqual(await importEntries(store, entries), { added: 0, known: 4, booked: 0, waiting: 0, debits: 0 })
  const later = await importEntries(store, [...entries, { amountCents: 500, text: 'gift' }])
  assert.equal(later.added, 1, 'three gifts that say the same are three')
  assert.equal(await store.db.$count(bankAssignments), 1)
  assert.equal((await showOrder(store.customer, order._id)).paymentStatus, 'paid')
})

test('too little waits; the rest is asked for by mail, and with it the order is paid', async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store)
  await importEntries(store, [{ amountCents: 2000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  assert.deepEqual([entry.reason, entry.order?.number, entry.order?.dueCents], ['too little', order.number, 3000])
  const asked = await decide(store.admin, entry, { decision: 'ask for the rest', orders: [{ number: order.number, amountCents: 2000 }] })
  assert.equal(asked.statusCode, 200, asked.body)
  assert.deepEqual([asked.json().leftCents, asked.json().assigned[0].number], [0, order.number])
  const partly = await showOrder(store.customer, order._id)
  assert.deepEqual([partly.orderStatus, partly.paymentStatus, partly.paidAt], ['open', 'partly_paid', null])
  assert.match(`${(await store.emailsTo(store.customer.email)).at(-1)?.text}`, /\$10\.?0?0? is missing/)
  assert.equal(
    (await store.customer.request('POST', '/create-payment-intent', { orderId: order._id, productCost: 30 })).json().code,
    'payment_method_off',
  )
  assert.equal((await importEntries(store, [{ amountCents: 1000, text: order.reference }])).booked, 1)
  assert.deepEqual((await showOrder(store.customer, order._id)).paymentStatus, 'paid')
  assert.equal((await store.db.select().from(payments).where(eq(payments.orderId, order._id))).length, 1)
})

test('an owner accepts a shortfall with a reason; who is none cannot', async () => {
  await using store = await aStoreWithTransfers()
  await setUpSeller(store)
  const order = await placeTransferOrder(store)
  await importEntries(store, [{ amountCents: 2990, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const accept = { decision: 'accept the shortfall', orders: [{ number: order.number, amountCents: 2990 }] }
  await store.otherCustomer.token()
  await store.admin.request('PUT', `/user/admin/${store.otherCustomer.email}`)
  assert.equal((await decide(store.otherCustomer, entry, { ...accept, reason: 'Fees' })).statusCode, 403)
  assert.equal((await decide(store.admin, entry, accept)).statusCode, 400)
  assert.equal((await decide(store.admin, entry, { ...accept, reason: 'Fees of their bank' })).statusCode, 200)
  const paid = await showOrder(store.customer, order._id)
  assert.deepEqual([paid.orderStatus, paid.paymentStatus], ['placed', 'paid'])
  assert.equal((await documentsOf(store, store.customer, paid))[0]?.totalCents, 3000)
  const events = await store.admin.request('GET', `/purchase/${order.lines[0]?._id}/history`)
  const said = events.json().find(({ event }: { event: string }) => event === 'shortfall accepted')
  assert.deepEqual([said.amountCents, said.note, said.actor], [10, 'Fees of their bank', 'admin'])
})

test('too much pays the order, and the rest goes back once the owner has transferred it', async () => {
  await using store = await aStoreWithTransfers()
  await setUpSeller(store)
  const order = await placeTransferOrder(store)
  await importEntries(store, [{ amountCents: 4000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  assert.equal(entry.reason, 'too much')
  const tooMuch = await decide(store.admin, entry, { decision: 'assign', orders: [{ number: order.number, amountCents: 4000 }] })
  assert.deepEqual([tooMuch.statusCode, tooMuch.json().code], [409, 'amount_mismatch'])
  await decide(store.admin, entry, { decision: 'assign', orders: [{ number: order.number, amountCents: 3000 }] })
  const [rest = assert.fail()] = await waitingEntries(store)
  assert.deepEqual([rest.leftCents, rest.reason], [1000, 'paid already'])
  assert.equal(
    (await decide(store.admin, rest, { decision: 'send back', orders: [{ number: order.number, amountCents: 1000 }] })).statusCode,
    200,
  )
  const { refunds } = (await store.admin.request('GET', '/bank-entries')).json()
  assert.deepEqual(refunds[0].payees, [{ name: 'Ada Byron', iban: 'DE02120300000000202051', amountCents: 1000 }])
  await store.jobs.runAllOnce() // no provider is asked for it
  const done = await store.admin.request('POST', `/transfer-refunds/${refunds[0]._id}/done`, { doneOn: today() })
  assert.deepEqual(done.json(), { orderNumber: order.number, amountCents: 1000 })
  assert.equal((await store.admin.request('POST', `/transfer-refunds/${refunds[0]._id}/done`, { doneOn: today() })).statusCode, 409)
  const paid = await showOrder(store.customer, order._id)
  assert.deepEqual([paid.orderStatus, paid.paymentStatus, paid.refundedCents], ['placed', 'paid', 0])
  assert.equal((await documentsOf(store, store.customer, paid)).length, 1, 'no credit note: nothing of the order went back')
})

test('money for an order that has ended places it again while its pieces are in stock, or goes back', async () => {
  await using store = await aStoreWithTransfers()
  const drill = await createProduct(store, { pieces: 4 })
  const [first, second] = [await placeTransferOrder(store, { toolId: drill, quantity: 3 }), await placeTransferOrder(store)]
  for (const order of [first, second]) await expireHold(store, order)
  await endOverdueOrders(store.db, store.cards)
  assert.equal(await getStock(store, drill), 4)
  await importEntries(store, [
    { amountCents: 9000, text: first.reference },
    { amountCents: 3000, text: second.reference },
  ])
  const waiting = await waitingEntries(store)
  assert.deepEqual(
    waiting.map(({ reason }) => reason),
    ['order ended', 'order ended'],
  )
  const entryOf = (number: number) => waiting.find(({ order }) => order?.number === number) ?? assert.fail()
  const wrong = await decide(store.admin, entryOf(first.number), {
    decision: 'assign',
    orders: [{ number: first.number, amountCents: 9000 }],
  })
  assert.deepEqual([wrong.statusCode, wrong.json().code], [409, 'order_not_open'])
  const other = await placeTransferOrder(store, { toolId: drill, quantity: 2 })
  const again = { decision: 'place again', orders: [{ number: first.number, amountCents: 9000 }] }
  const short = await decide(store.admin, entryOf(first.number), again)
  assert.deepEqual([short.statusCode, short.json().code], [409, 'stock_too_low'])
  await store.customer.request('POST', `/orders/${other._id}/cancel`, {})
  assert.equal((await decide(store.admin, entryOf(first.number), again)).statusCode, 200)
  assert.equal(await getStock(store, drill), 1)
  assert.deepEqual((await showOrder(store.customer, first._id)).orderStatus, 'placed')
  assert.equal(
    (await decide(store.admin, entryOf(second.number), { decision: 'send back', orders: [{ number: second.number, amountCents: 3000 }] }))
      .statusCode,
    200,
  )
  assert.equal((await showOrder(store.customer, second._id)).orderStatus, 'expired')
})

test('an order whose surplus went back before it was paid has its invoice', async () => {
  await using store = await aStoreWithTransfers()
  await setUpSeller(store)
  const order = await placeTransferOrder(store)
  await importEntries(store, [{ amountCents: 4000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const back = { decision: 'send back', orders: [{ number: order.number, amountCents: 1000 }] }
  assert.equal((await decide(store.admin, entry, back)).statusCode, 200)
  const { refunds } = (await store.admin.request('GET', '/bank-entries')).json()
  const done = await store.admin.request('POST', `/transfer-refunds/${refunds[0]._id}/done`, { doneOn: today() })
  assert.equal(done.statusCode, 200, done.body)
  await store.jobs.runAllOnce()
  const rest = { decision: 'assign', orders: [{ number: order.number, amountCents: 3000 }] }
  assert.equal((await decide(store.admin, { ...entry, leftCents: 3000 }, rest)).statusCode, 200)
  const issued = await documentsOf(store, store.customer, order)
  assert.deepEqual(
    issued.map(({ kind, totalCents }) => [kind, totalCents]),
    [['invoice', 3000]],
  )
})

test('an order that its buyer has withdrawn from is not placed again when its money comes: it goes back', async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store)
  await withdrawFrom(store.customer, order)
  await importEntries(store, [{ amountCents: 3000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const again = await decide(store.admin, entry, { decision: 'place again', orders: [{ number: order.number, amountCents: 3000 }] })
  assert.deepEqual([again.statusCode, again.json().code], [409, 'order_not_open'])
  assert.match(again.json().message, /has withdrawn from order \d+: send the money back/)
  const back = await decide(store.admin, entry, { decision: 'send back', orders: [{ number: order.number, amountCents: 3000 }] })
  assert.equal(back.statusCode, 200, back.body)
})

test('without a reference an entry waits with proposals by amount and name, is assigned to several orders, or set aside', async () => {
  await using store = await aStoreWithTransfers()
  const drill = await createProduct(store)
  const [first, second] = [
    await placeTransferOrder(store, { toolId: drill }),
    await placeTransferOrder(store, { toolId: drill, quantity: 2 }),
  ]
  await importEntries(store, [
    { amountCents: 9000, text: 'both orders' },
    { amountCents: 3000, text: 'drill', name: 'Somebody Else' },
    { amountCents: 1, text: `${first.reference} and ${second.reference}` },
  ])
  const waiting = await waitingEntries(store)
  const withAmount = (cents: number) => waiting.find(({ amountCents }) => amountCents === cents) ?? assert.fail()
  assert.deepEqual(
    withAmount(3000).proposals.map(({ number }) => number),
    [first.number],
  )
  assert.equal(withAmount(1).reason, 'several orders')
  assert.deepEqual(
    withAmount(9000).proposals.map(({ number }) => number),
    [first.number, second.number],
  )
  const both = [
    { number: first.number, amountCents: 3000 },
    { number: second.number, amountCents: 6000 },
  ]
  assert.equal((await decide(store.admin, withAmount(3000), { decision: 'assign', orders: both })).json().code, 'entry_assigned')
  assert.equal((await decide(store.admin, withAmount(9000), { decision: 'assign', orders: both })).statusCode, 200)
  for (const order of [first, second]) assert.equal((await showOrder(store.customer, order._id)).orderStatus, 'placed')
  assert.equal((await decide(store.admin, withAmount(1), { decision: 'set aside' })).statusCode, 400)
  assert.equal((await decide(store.admin, withAmount(1), { decision: 'set aside', reason: 'Interest' })).json().setAsideNote, 'Interest')
  assert.equal((await decide(store.admin, withAmount(1), { decision: 'set aside', reason: 'Interest' })).json().code, 'entry_assigned')
  assert.equal((await decide(store.customer, withAmount(1), { decision: 'set aside', reason: 'Interest' })).statusCode, 403)
  assert.equal(
    (await decide(store.admin, withAmount(3000), { decision: 'assign', orders: [{ number: 7, amountCents: 1 }] })).statusCode,
    400,
  )
})

test('an order by transfer can be paid by card instead, and a card cannot pay what a transfer has paid', async () => {
  await using store = await aStoreWithTransfers()
  const [first, second] = [await placeTransferOrder(store), await placeTransferOrder(store)]
  const line = { _id: first._id, productCost: 30 } as Parameters<typeof openPaymentIntent>[1]
  const intent = await openPaymentIntent(store, line)
  await confirmIntent(store, intent)
  assert.equal((await recordPayment(store.customer, first, intent)).statusCode, 200)
  assert.equal((await showOrder(store.customer, first._id)).paymentMethod, 'card')
  const unused = await openPaymentIntent(store, { ...line, _id: second._id })
  await importEntries(store, [
    { amountCents: 3000, text: first.reference },
    { amountCents: 3000, text: second.reference },
  ])
  assert.deepEqual(
    (await waitingEntries(store)).map(({ reason }) => reason),
    ['paid already'],
  )
  assert.equal((await showOrder(store.customer, second._id)).paymentStatus, 'paid')
  assert.equal((await store.cards.stripe.paymentIntents.retrieve(unused)).status, 'canceled')
})

test('a refund of a transfer is asked for until it is booked, by hand or by the debit of a statement', async () => {
  await using store = await aStoreWithTransfers()
  await setUpSeller(store)
  const order = await placeTransferOrder(store, { quantity: 3 })
  await importEntries(store, [{ amountCents: 9000, text: order.reference }])
  const refund = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: order.lines[0]?._id, quantity: 1 }] })
  assert.equal(refund.statusCode, 200, refund.body)
  await store.jobs.runAllOnce()
  assert.deepEqual((await getOrderEventNames(store, { _id: order._id })).slice(-1), ['refund asked'])
  const summary = await importEntries(store, [
    { amountCents: -3000, text: `Refund ${order.reference}`, day: today() },
    { amountCents: -3000, text: 'rent' },
  ])
  assert.deepEqual([summary.booked, summary.debits], [1, 2])
  const after = await showOrder(store.customer, order._id)
  assert.deepEqual([after.paymentStatus, after.refundedCents], ['partly_refunded', 3000])
  const notes = (await documentsOf(store, store.customer, after)).filter(({ kind }) => kind === 'credit note')
  assert.equal(notes[0]?.totalCents, 3000)
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'Out of stock' })
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  const { refunds } = (await store.admin.request('GET', '/bank-entries')).json()
  assert.equal((await store.admin.request('POST', `/transfer-refunds/${refunds[0]._id}/done`, { doneOn: today() })).statusCode, 200)
  const ended = await showOrder(store.customer, order._id)
  assert.equal(ended.paymentStatus, 'refunded')
})

test('money that went back is not awaited again: where the bank returns it, it waits to be sent back once more', async () => {
  await using store = await aStoreWithTransfers()
  const byTransfer = await placeTransferOrder(store, { quantity: 3 })
  await importEntries(store, [{ amountCents: 9000, text: byTransfer.reference }])
  await refundPiece(store, byTransfer)
  await markDone(store, (await refundsToTransfer(store))[0])
  const { order, intentId } = await placePaidOrder(store, { dollars: 30, quantity: 2 })
  const byCard = await showOrder(store.admin, order._id)
  await refundPurchase(store.admin, order, { amountCents: 3000 })
  const returned = [byTransfer, byCard].map(({ number }) => ({ amountCents: 3000, text: creditorReference(number) }))
  assert.equal((await importEntries(store, returned)).booked, 0)
  const shown = (await store.customer.request('GET', `/orders/${byTransfer._id}/transfer`)).json()
  assert.deepEqual([shown.dueCents, shown.receivedCents], [0, 9000])
  const waiting = await waitingEntries(store)
  assert.deepEqual(
    waiting.map(({ reason, order: named }) => [reason, named?.dueCents]),
    [
      ['paid already', 0],
      ['paid already', 0],
    ],
  )
  for (const entry of waiting) {
    const orders = [{ number: entry.order?.number, amountCents: 3000 }]
    const booked = await decide(store.admin, entry, { decision: 'assign', orders })
    assert.deepEqual([booked.statusCode, booked.json().code], [409, 'amount_mismatch'])
    const back = await decide(store.admin, entry, { decision: 'send back', orders })
    assert.equal(back.statusCode, 200, back.body)
  }
  assert.deepEqual(
    (await refundsToTransfer(store)).map(({ amountCents }) => amountCents),
    [3000, 3000],
  )
  const [first, second] = [await showOrder(store.admin, byTransfer._id), await showOrder(store.admin, byCard._id)]
  assert.deepEqual([first.paymentStatus, first.refundedCents], ['partly_refunded', 3000])
  assert.deepEqual([second.paymentStatus, second.refundedCents, second.transectionId], ['partly_refunded', 3000, intentId])
})

test('money of a transfer is not booked beside a card payment that has succeeded, not even where that was too little', async () => {
  await using store = await aStoreWithTransfers()
  const { order } = await placePaidOrder(store)
  const { _id: orderId } = await showOrder(store.admin, order._id)
  await importEntries(store, [{ amountCents: 1000, text: 'a part' }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const booking = { entryId: entry._id, orderId, amountCents: 1000, doer: { actor: 'store' } } as const
  const booked = store.db.transaction(async (tx) => {
    await tx.update(payments).set({ amountCents: 2000 }).where(eq(payments.orderId, orderId))
    await bookToOrder(tx, await lockOrder(tx, orderId), booking)
    throw new Error('it was booked')
  })
  await assert.rejects(booked, ({ status, code }) => status === 409 && code === 'amount_mismatch')
})

test('a debit is of the refund that was marked as done by hand before it is of another of the same amount, and of none that was asked for later', async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store, { quantity: 3 })
  await importEntries(store, [{ amountCents: 9000, text: order.reference }])
  await refundPiece(store, order)
  const [first] = await refundsToTransfer(store)
  await markDone(store, first)
  await refundPiece(store, order)
  const [second, ...others] = await refundsToTransfer(store)
  assert.deepEqual(others, [])
  const debit = (reference: string, day: string) => [{ amountCents: -3000, text: `Refund ${order.reference}`, reference, day }]
  const dayBefore = shopDay(new Date(Date.now() - 24 * 3600_000))
  assert.equal((await importEntries(store, debit('D-0', dayBefore))).booked, 0, 'it has left before it was asked for')
  const refundOf = async () =>
    (await store.db.select({ _id: bankAssignments.refundId }).from(bankAssignments)).flatMap(({ _id }) => _id ?? [])
  assert.deepEqual(await refundOf(), [])
  assert.equal((await importEntries(store, debit('D-1', today()))).booked, 1)
  assert.deepEqual([await refundOf(), await refundsToTransfer(store)], [[first?._id], [second]])
  assert.equal((await showOrder(store.customer, order._id)).refundedCents, 6000, 'of the second it is asked for')
  assert.equal((await importEntries(store, debit('D-2', today()), { again: 'true' })).booked, 1)
  assert.deepEqual([(await refundOf()).toSorted(), await refundsToTransfer(store)], [[first?._id, second?._id].toSorted(), []])
})

test('an order that ends with a part of its money asks for it back', async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store, { quantity: 2 })
  await importEntries(store, [{ amountCents: 2000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  await decide(store.admin, entry, { decision: 'assign', orders: [{ number: order.number, amountCents: 2000 }] })
  const line = await store.customer.request('POST', `/purchase/${order.lines[0]?._id}/cancel`, {})
  assert.equal(line.json().code, 'order_not_open')
  await expireHold(store, order)
  await endOverdueOrders(store.db, store.cards)
  assert.equal((await showOrder(store.customer, order._id)).orderStatus, 'expired')
  const { refunds } = (await store.admin.request('GET', '/bank-entries')).json()
  assert.equal(refunds[0].amountCents, 2000)
  assert.equal((await store.admin.request('POST', `/transfer-refunds/${refunds[0]._id}/done`, { doneOn: today() })).statusCode, 200)
  assert.equal((await showOrder(store.customer, order._id)).paymentStatus, 'refunded')
})

test('an order that is cancelled with a part of its money says to its buyer that it goes back, not that nothing was charged', async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store)
  await importEntries(store, [{ amountCents: 2000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  await decide(store.admin, entry, { decision: 'ask for the rest', orders: [{ number: order.number, amountCents: 2000 }] })
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'None left' })
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  assert.deepEqual([cancelled.json().orderStatus, cancelled.json().paidAt, cancelled.json().refundedCents], ['cancelled', null, 2000])
  const mail = (await store.emailsTo(store.customer.email)).at(-1)
  assert.equal(mail?.subject, `Order ${order.number} is cancelled: $20 goes back to you`)
  assert.match(`${mail?.text}`, /\$20 goes back to the account that it was transferred from/)
  const [refund] = (await store.admin.request('GET', '/bank-entries')).json().refunds
  const done = await store.admin.request('POST', `/transfer-refunds/${refund._id}/done`, { doneOn: shopDay(new Date()) })
  assert.equal(done.statusCode, 200, done.body)
  assert.match(
    `${(await store.emailsTo(store.customer.email)).at(-1)?.text}`,
    /has ended, and the \$20 that you transferred for it goes back/,
  )
})

test('a file that is no statement, of another account or currency, too large, or that does not add up is refused in words of its own', async () => {
  await using store = await aStoreWithTransfers()
  const refusalOf = async (file: string | Uint8Array, query = {}) => {
    const { statusCode, ...answer } = await sendStatement(store.admin, file, query)
    return [statusCode, answer.json().code]
  }
  const one = [{ amountCents: 100 }]
  assert.deepEqual(await refusalOf(camt(one, { iban: 'GB82WEST12345698765432' })), [409, 'other_account'])
  assert.deepEqual(await refusalOf(camt(one, { currency: 'EUR' })), [409, 'other_currency'])
  assert.deepEqual(await refusalOf(camt(one, { closingCents: 5 })), [409, 'statement_unbalanced'])
  assert.deepEqual(await refusalOf(camt([])), [400, 'file_empty'])
  assert.deepEqual(await refusalOf(''), [400, 'file_empty'])
  assert.deepEqual(await refusalOf('<Document><Other/></Document>'), [400, 'statement_unreadable'])
  assert.deepEqual(await refusalOf(camt(one).slice(0, -40)), [400, 'statement_unreadable'])
  assert.deepEqual(await refusalOf('name;shoe size\nAda;38\n'), [400, 'statement_unreadable'])
  const pdf = await sendStatement(store.admin, '%PDF-1.7 a statement on paper')
  assert.match(pdf.json().message, /no text file|not a text file/)
  assert.deepEqual(await refusalOf(Buffer.from([0x89, 0x50, 0, 1])), [400, 'statement_unreadable'])
  const bomb = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${camt(one).replace(/^<\?xml.*?\?>/, '')}`
  assert.deepEqual(await refusalOf(bomb), [400, 'statement_unreadable'])
  assert.deepEqual(await refusalOf(Buffer.alloc(50 * 1024 * 1024, 32)), [400, 'file_too_large'])
  assert.equal((await sendStatement(store.customer, camt(one))).statusCode, 403)
  assert.equal(await store.db.$count(bankEntries), 0)
})

test("a bank's CSV is read by its headings, in whatever notation, and money is entered by hand once", async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store, { quantity: 40 })
  const csv = [
    '"Umsatzanzeige";"24.11.2026"',
    '',
    'Buchungstag;Beguenstigter/Zahlungspflichtiger;Verwendungszweck;Betrag;Waehrung',
    `24.11.26;Ada Byron;Bestellung ${order.reference};1.200,00;USD`,
    '25.11.26;Bank;"Gebühr; November";-3,50;USD',
  ].join('\r\n')
  const sent = await sendStatement(store.admin, Buffer.from(csv, 'latin1'))
  assert.deepEqual(sent.json(), { added: 2, known: 0, booked: 1, waiting: 0, debits: 1 })
  const named = await sendStatement(store.admin, 'tag,summe\n2026-11-24,"1,000.50"\n', { date: 'Tag', amount: 'Summe' })
  assert.equal(named.json().added, 1, named.body)
  const hand = { bookedOn: today(), amountCents: 500, payerName: 'Bob', text: 'cash', bankReference: 'H-1' }
  assert.equal((await store.admin.request('POST', '/bank-entries', hand)).statusCode, 201)
  assert.equal((await store.admin.request('POST', '/bank-entries', hand)).json().code, 'entry_assigned')
  assert.equal((await store.customer.request('POST', '/bank-entries', hand)).statusCode, 403)
})

test('the database refuses to assign more of an entry than there is, and to change what was booked', async () => {
  await using store = await aStoreWithTransfers()
  const order = await placeTransferOrder(store)
  await importEntries(store, [{ amountCents: 3000, text: order.reference }])
  const again = sql`insert into bank_assignments (id, entry_id, payment_id, amount_cents) select gen_random_uuid(), entry_id, payment_id, 1 from bank_assignments`
  await assert.rejects(store.db.execute(again), ({ cause }) => cause.constraint === 'bank_entries_left')
  await assert.rejects(
    store.db.execute(sql`update bank_assignments set amount_cents = 1`),
    ({ cause }) => cause.constraint === 'bank_booking_stays',
  )
  await assert.rejects(
    store.db.execute(sql`update bank_entries set amount_cents = 1`),
    ({ cause }) => cause.constraint === 'bank_booking_stays',
  )
  await assert.rejects(store.db.execute(sql`delete from bank_entries`), ({ cause }) => cause.constraint === 'bank_booking_stays')
  assert.equal((await store.db.select().from(orders)).length, 1)
})

test('a reference that a bank repeats on another day, or that says there is none, is of another entry', async () => {
  await using store = await aStoreWithTransfers()
  const entry = { amountCents: 5000, text: 'rent', reference: '0001' }
  await importEntries(store, [{ ...entry, day: '2026-11-23' }])
  const repeated = await importEntries(store, [{ ...entry, day: '2026-11-24' }])
  assert.deepEqual([repeated.added, repeated.known], [1, 0])
  for (const reference of ['NONREF', 'NOTPROVIDED']) {
    const without = (text: string) => ({ amountCents: 700, text, reference, day: '2026-11-20' })
    const file = [without(`${reference} a`), without(`${reference} b`)]
    assert.equal((await sendStatement(store.admin, camt(file), { again: 'true' })).json().added, 2)
    assert.equal((await importEntries(store, file.toReversed())).known, 2, 'in whatever order')
  }
  const numbered = (text: string, day: string) => camt([{ amountCents: 900, text, day }]).replace('<Sts>', '<NtryRef>1</NtryRef><Sts>')
  assert.equal((await sendStatement(store.admin, numbered('a', '2026-11-18'))).json().added, 1)
  assert.equal((await sendStatement(store.admin, numbered('b', '2026-11-18'), { again: 'true' })).json().added, 1)
})

test('an entry of more than any order costs is imported and waits, and one larger than amounts can be is refused', async () => {
  await using store = await aStoreWithTransfers()
  const large = 3_000_000_000
  const order = await placeTransferOrder(store)
  await importEntries(store, [
    { amountCents: large, text: order.reference },
    { amountCents: large, text: `Order ${order.number}` },
    { amountCents: -large, text: order.reference },
  ])
  const waiting = await waitingEntries(store)
  assert.deepEqual(
    waiting.map(({ amountCents }) => amountCents),
    [large, large],
  )
  const refused = await sendStatement(store.admin, camt([{ amountCents: 100_000_000_000 }]))
  assert.deepEqual([refused.statusCode, refused.json().code], [400, 'statement_unreadable'])
  const hand = { bookedOn: today(), amountCents: large, bankReference: 'H-1' }
  assert.equal((await store.admin.request('POST', '/bank-entries', hand)).statusCode, 201, 'also by hand')
  const [entry = assert.fail()] = await waitingEntries(store)
  const back = await decide(store.admin, entry, { decision: 'send back', orders: [{ number: order.number, amountCents: large }] })
  assert.deepEqual([back.statusCode, back.json().errors], [400, { 'orders.0.amountCents': 'At most 999,999.99 at a time' }])
  const admin = store.otherCustomer
  await makeAdmin(store)
  const sums = Array.from({ length: 25 }, (_, nth) => ({ amountCents: 99_000_000, text: `${nth}` }))
  assert.equal((await sendStatement(admin, camt(sums))).statusCode, 201, 'what an admin imports may be more than a notice can count')
})

test('an entry that cannot be matched stops neither those behind it nor payments in question', async () => {
  await using store = await aStoreWithTransfers()
  const drill = await createProduct(store)
  const [first, second] = [
    await placeTransferOrder(store, { toolId: drill, quantity: 2 }),
    await placeTransferOrder(store, { toolId: drill }),
  ]
  await store.db.execute(sql`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
  await store.db.execute(
    sql`create trigger fails before insert on bank_assignments for each row when (new.amount_cents = 6000) execute function fail()`,
  )
  const summary = await importEntries(store, [
    { amountCents: 6000, text: first.reference },
    { amountCents: 3000, text: second.reference },
  ])
  assert.deepEqual([summary.booked, summary.waiting], [1, 1])
  const third = await placeTransferOrder(store, { toolId: drill })
  await store.db.update(bankEntries).set({ addedAt: '2026-01-01T00:00:00Z' })
  await store.db.execute(sql`insert into bank_entries (id, iban, key, booked_on, amount_cents, left_cents, text, added_by, added_at)
    select gen_random_uuid(), iban, 'later', booked_on, 3000, 3000, ${third.reference}, added_by, added_at + interval '1 day' from bank_entries limit 1`)
  await assert.rejects(matchDueEntries(store.db, store.cards), { name: 'AggregateError' })
  assert.equal((await showOrder(store.customer, third._id)).paymentStatus, 'paid')
})

test('CSV with amounts without signs says by S and H, or D and C, what has left; balances and pending entries are none', async () => {
  const amountsOf = (rows: string[]) => readCsv(rows.join('\n'), {}).entries.map(({ amountCents }) => amountCents)
  const volksbank = [
    'Buchungstag;Valuta;Auftraggeber/Zahlungsempfaenger;Verwendungszweck;Waehrung;Umsatz; ',
    '24.11.2026;24.11.2026;;Anfangssaldo;USD;1.000,00;H',
    '24.11.2026;24.11.2026;Ada Byron;Order;USD;30,00;H',
    '25.11.2026;25.11.2026;Landlord;Rent;USD;700,00;S',
    '25.11.2026;25.11.2026;;Endsaldo;USD;330,00;H',
  ]
  assert.deepEqual(amountsOf(volksbank), [3000, -70000])
  assert.deepEqual(amountsOf(volksbank.slice(0, 3)), [3000], 'also where nothing has left')
  assert.deepEqual(amountsOf(['Date,Name,Amount,Direction', '2026-11-24,Ada,30.00,C', '2026-11-24,Bob,20.00,D']), [3000, -2000])
  assert.deepEqual(amountsOf(['Date,Amount,Name,Kind', '2026-11-24,30.00,Ada,credit', '2026-11-24,20.00,Bob,debit']), [3000, -2000])
  const letters = (kind: string) => ['Date,Name,Amount,Country,Kind', `2026-11-24,Ada,30.00,US,${kind}`]
  assert.deepEqual(amountsOf(letters('C')), [3000])
  assert.deepEqual(amountsOf(['Date,Name,Amount,Direction', '2026-11-24,Ada,30.00,X', '2026-11-24,Bob,-20.00,Y']), [3000, -2000])
  const unknown = { name: 'Error', code: 'statement_unreadable' }
  assert.throws(() => amountsOf(letters('D')), unknown, 'a letter alone may say that it has left')
  assert.throws(() => amountsOf(['Date,Name,Amount,Direction', '2026-11-24,Ada,30.00,X', '2026-11-24,Bob,20.00,Y']), unknown)
  assert.throws(() => amountsOf([...volksbank, '26.11.2026;26.11.2026;Bob;Order;USD;30,00;?']), unknown)
  const pending = (info: string) => ['Buchungstag;Name;Verwendungszweck;Betrag;Info', `24.11.2026;Ada;Umsatz vorgemerkt;30,00;${info}`]
  assert.deepEqual(amountsOf(pending('Umsatz vorgemerkt')), [])
  assert.deepEqual(amountsOf(pending('Umsatz gebucht')), [3000])
})

test('the same statement in another format is refused and says of how many entries, until somebody says that it has come besides', async () => {
  await using store = await aStoreWithTransfers()
  await importEntries(store, [
    { amountCents: 3000, text: 'one', reference: 'B-1' },
    { amountCents: 3000, text: 'two', reference: 'B-2' },
    { amountCents: -700, text: 'rent', reference: 'B-3' },
  ])
  const csv = 'Date;Name;Amount\n24.11.2026;Ada;30.00\n24.11.2026;Bob;-7.00\n25.11.2026;Ada;30.00\n'
  const refused = await sendStatement(store.admin, csv)
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'entries_alike'])
  assert.match(refused.json().message, /^2 entries have the day and the amount/)
  assert.equal(await store.db.$count(bankEntries), 3)
  const hand = { bookedOn: '2026-11-24', amountCents: 3000, bankReference: 'H-1' }
  assert.equal((await store.admin.request('POST', '/bank-entries', hand)).json().code, 'entries_alike')
  assert.equal((await store.admin.request('POST', '/bank-entries', { ...hand, again: true })).statusCode, 201)
  assert.equal((await sendStatement(store.admin, csv, { again: 'true' })).json().added, 3)
  assert.equal((await sendStatement(store.admin, csv)).json().known, 3, 'what is known needs no word')
  const files = ['Ada', 'Bob', 'Eve'].map((name) => `Date;Name;Amount\n20.11.2026;${name};5.00\n`)
  const sent = await Promise.all(files.map((file) => sendStatement(store.admin, file)))
  assert.deepEqual(sent.map(({ statusCode }) => statusCode).toSorted(), [201, 409, 409], 'also at once')
})

test('statements are read one after another, and more than a few at once are asked to come later', async () => {
  await using store = await aStoreWithTransfers()
  const files = Array.from({ length: 8 }, (_, nth) => camt([{ amountCents: 100 + nth, text: 'rent' }]))
  const sent = await Promise.all(files.map((file) => sendStatement(store.admin, file)))
  const statuses = sent.map(({ statusCode }) => statusCode).toSorted()
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 503, 503, 503])
  assert.equal(await store.db.$count(bankEntries), 5)
})

test('an entry that was set aside is taken up again, and only owners say that a refund was transferred', async () => {
  await using store = await aStoreWithTransfers()
  await makeAdmin(store)
  const colleague = store.otherCustomer
  const order = await placeTransferOrder(store)
  await importEntries(store, [{ amountCents: 3500, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  assert.equal((await decide(store.admin, entry, { decision: 'take up again' })).json().code, 'entry_assigned')
  await decide(colleague, entry, { decision: 'set aside', reason: 'Interest' })
  assert.deepEqual(await waitingEntries(store), [])
  const taken = await decide(store.admin, entry, { decision: 'take up again' })
  assert.deepEqual([taken.statusCode, taken.json().setAsideNote, taken.json().reason], [200, null, 'too much'])
  assert.equal((await waitingEntries(store)).length, 1)
  await decide(store.admin, entry, { decision: 'send back', orders: [{ number: order.number, amountCents: 3500 }] })
  const { refunds, askedByOwner } = (await store.admin.request('GET', '/bank-entries')).json()
  assert.deepEqual([askedByOwner, (await colleague.request('GET', '/bank-entries')).json().askedByOwner], [true, false])
  const done = (actor: Actor) => actor.request('POST', `/transfer-refunds/${refunds[0]._id}/done`, { doneOn: today() })
  assert.equal((await done(colleague)).statusCode, 403)
  assert.equal((await done(store.admin)).statusCode, 200)
})
