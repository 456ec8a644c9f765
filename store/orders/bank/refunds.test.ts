import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { createTestStoreWithCards } from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { camt, decide, importEntries, placeTransferOrder, sendStatement, setUpTransfers, waitingEntries } from '#test/transfer-actions.ts'
import type { BankEntry, RefundToTransfer } from './contract.ts'
import { shareOut } from './refund-payees.ts'

const refundsToTransfer = async (store: Store): Promise<RefundToTransfer[]> =>
  (await store.admin.request('GET', '/bank-entries')).json().refunds

const today = () => shopDay(new Date())

const markDone = (store: Store, { _id }: { _id: string }, doneOn = today()) =>
  store.admin.request('POST', `/transfer-refunds/${_id}/done`, { doneOn })

/** An order of three pieces that is paid, and how a piece of it is refunded, and paid back by a debit. */
async function payThreePieces(store: Store) {
  await setUpTransfers(store)
  const order = await placeTransferOrder(store, { quantity: 3 })
  await importEntries(store, [{ amountCents: 9000, text: order.reference, reference: 'IN' }])
  return {
    order,
    async refundPiece() {
      const asked = await store.admin.request('POST', `/orders/${order._id}/refunds`, {
        lines: [{ _id: order.lines[0]?._id, quantity: 1 }],
      })
      assert.equal(asked.statusCode, 200, asked.body)
    },
    debit: (reference: string, day = today()) => ({ amountCents: -3000, text: `Refund ${order.reference}`, reference, day }),
  }
}

/** A part of what an order costs is booked to it. */
async function bookPart(
  store: Store,
  order: { number: number; reference: string },
  part: { amountCents: number; iban: string; name: string },
) {
  await importEntries(store, [{ ...part, text: order.reference, reference: `B-${part.amountCents}` }])
  const [entry] = await waitingEntries(store)
  if (!entry) return
  const booked = await decide(store.admin, entry, {
    decision: 'ask for the rest',
    orders: [{ number: order.number, amountCents: part.amountCents }],
  })
  assert.equal(booked.statusCode, 200, booked.body)
}

test('of what several accounts have paid each is paid back at most what came from it, by its own name', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store, { quantity: 3 })
  const [ofAda, ofStranger] = [
    { name: 'Ada Byron', iban: 'DE02120300000000202051' },
    { name: 'Ada Byron', iban: 'DE02500105170137075030' },
  ]
  await bookPart(store, order, { ...ofAda, amountCents: 5000 })
  await bookPart(store, order, { ...ofAda, amountCents: 2900 })
  await bookPart(store, order, { ...ofStranger, amountCents: 100 })
  await bookPart(store, order, { name: 'Bob', iban: '', amountCents: 1000 })
  const piece = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: order.lines[0]?._id, quantity: 1 }] })
  assert.equal(piece.statusCode, 200, piece.body)
  const asked = await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'Out of stock' })
  assert.equal(asked.statusCode, 200, asked.body)
  const [first, second, ...others] = await refundsToTransfer(store)
  assert.deepEqual(others, [])
  assert.deepEqual(first?.payees, [
    { name: 'Bob', iban: '', amountCents: 1000 },
    { ...ofStranger, amountCents: 100 },
    { ...ofAda, amountCents: 1900 },
  ])
  assert.deepEqual(second?.payees, [{ ...ofAda, amountCents: 6000 }])
})

test('where the bank names no account the buyer is named, and no name is put to the account of another', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store)
  await bookPart(store, order, { name: '', iban: 'DE02120300000000202051', amountCents: 2000 })
  await bookPart(store, order, { name: '', iban: '', amountCents: 1000 })
  await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'Out of stock' })
  const [refund] = await refundsToTransfer(store)
  assert.deepEqual(refund?.payees, [
    { name: 'Ada', iban: '', amountCents: 1000 },
    { name: '', iban: 'DE02120300000000202051', amountCents: 2000 },
  ])
})

test('a refund gives back what had come when it was asked for, not what came later', () => {
  const part = (iban: string, amountCents: number, at: number) => ({ paymentId: 'p', name: '', iban, amountCents, at: new Date(at) })
  const refund = (_id: string, amountCents: number, at: number) => ({ _id, paymentId: 'p', amountCents, askedAt: new Date(at) })
  assert.deepEqual(shareOut([part('NEW', 30, 5), part('OLD', 30, 1)], [refund('a', 20, 3), refund('b', 35, 7)]), [
    ['a', [{ name: '', iban: 'OLD', amountCents: 20 }]],
    [
      'b',
      [
        { name: '', iban: 'NEW', amountCents: 30 },
        { name: '', iban: 'OLD', amountCents: 5 },
      ],
    ],
  ])
})

test('two refunds of one order over the same amount are done by their two debits, and a third one by its own', async () => {
  await using store = await createTestStoreWithCards()
  const { refundPiece, debit } = await payThreePieces(store)
  await refundPiece()
  await refundPiece()
  const [older, newer] = await refundsToTransfer(store)
  assert.equal((await importEntries(store, [debit('OUT-1')])).booked, 1)
  assert.deepEqual(
    (await refundsToTransfer(store)).map(({ _id }) => _id),
    [newer?._id],
    `the older one, ${older?._id}, is done first`,
  )
  assert.equal((await importEntries(store, [debit('OUT-2')], { again: 'true' })).booked, 1)
  assert.deepEqual(await refundsToTransfer(store), [])
  await refundPiece()
  assert.equal((await importEntries(store, [debit('OUT-3')], { again: 'true' })).booked, 1)
  assert.deepEqual(await refundsToTransfer(store), [])
})

test('a refund that is marked by hand takes the debit that waits for it, so that a later one is not taken for its own', async () => {
  await using store = await createTestStoreWithCards()
  const { order, refundPiece, debit } = await payThreePieces(store)
  const dayBefore = shopDay(new Date(Date.now() - 24 * 3600_000))
  const waiting = [debit('EARLIER', dayBefore), debit('EARLY'), { ...debit('OTHER'), amountCents: -2999 }]
  const two = { ...debit('TWO'), text: `${order.reference} ${creditorReference(order.number + 1)}` }
  assert.equal((await importEntries(store, [...waiting, two])).booked, 0)
  await refundPiece()
  const [first = assert.fail()] = await refundsToTransfer(store)
  assert.equal((await markDone(store, first)).statusCode, 200)
  const debits = (await store.admin.request('GET', '/bank-entries?list=debits')).json().entries as BankEntry[]
  assert.deepEqual(
    debits.filter(({ leftCents }) => leftCents === 0).map(({ amountCents, bookedOn, text }) => [amountCents, bookedOn, text]),
    [[-3000, today(), debit('EARLY').text]],
  )
  await refundPiece()
  assert.equal((await importEntries(store, [debit('LATE')], { again: 'true' })).booked, 1)
  assert.deepEqual(await refundsToTransfer(store), [], 'the debit was that of the second')
})

test('a refund is not transferred, and no money is entered by hand, on a day that is to come', async () => {
  await using store = await createTestStoreWithCards()
  const { refundPiece } = await payThreePieces(store)
  await refundPiece()
  const [refund = assert.fail()] = await refundsToTransfer(store)
  const refused = await markDone(store, refund, '2999-12-31')
  assert.deepEqual([refused.statusCode, refused.json().errors], [400, { doneOn: 'This day is still to come' }])
  assert.equal((await markDone(store, refund)).statusCode, 200)
  const entry = { bookedOn: '2999-12-31', amountCents: 3000, bankReference: 'H-1' }
  const entered = await store.admin.request('POST', '/bank-entries', entry)
  assert.deepEqual([entered.statusCode, entered.json().errors], [400, { bookedOn: 'This day is still to come' }])
})

test('the same decision about a part of an entry sent twice is made once, and one about several orders counts what it has booked itself', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const [order, other] = [await placeTransferOrder(store), await placeTransferOrder(store)]
  await importEntries(store, [{ amountCents: 10_000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const back = { decision: 'send back', orders: [{ number: order.number, amountCents: 4000 }] }
  const sent = await Promise.all([decide(store.admin, entry, back), decide(store.admin, entry, back)])
  assert.deepEqual(sent.map(({ statusCode }) => statusCode).toSorted(), [200, 409])
  assert.deepEqual(
    (await refundsToTransfer(store)).map(({ amountCents }) => amountCents),
    [4000],
  )
  const again = await decide(store.admin, entry, back)
  assert.deepEqual([again.statusCode, again.json().code], [409, 'entry_assigned'])
  assert.match(again.json().message, /^Of this entry \$60/)
  const unseen = await decide(store.admin, entry, { ...back, leftCentsSeen: undefined })
  assert.equal(unseen.statusCode, 400)
  const both = { decision: 'assign', orders: [order, other].map(({ number }) => ({ number, amountCents: 3000 })) }
  const booked = await decide(store.admin, { ...entry, leftCents: 6000 }, both)
  assert.deepEqual([booked.statusCode, booked.json().leftCents], [200, 0])
})

test('a debit that an admin who is no owner imports says of no refund that it was transferred: it waits until an owner marks it, and owners are told', async () => {
  await using store = await createTestStoreWithCards()
  const { refundPiece, debit } = await payThreePieces(store)
  await refundPiece()
  await store.otherCustomer.token()
  assert.equal((await store.admin.request('PUT', `/user/admin/${store.otherCustomer.email}`)).statusCode, 200)
  assert.equal((await sendStatement(store.otherCustomer, camt([{ amountCents: 1, reference: 'CENT' }]))).statusCode, 201)
  const sent = await sendStatement(store.otherCustomer, camt([debit('OUT')]))
  assert.deepEqual(sent.json(), { added: 1, known: 0, booked: 0, debits: 1, waiting: 0 })
  await store.jobs.runAllOnce()
  const [waiting, ...more] = await refundsToTransfer(store)
  assert.ok(waiting && more.length === 0)
  const told = (await store.emailsTo(store.admin.email)).filter(({ subject }) => subject.includes('has imported entries of the bank'))
  assert.equal(told.length, 2, 'of the cent, and of the debit, which is more than ten times as much')
  assert.equal((await markDone(store, waiting)).statusCode, 200)
  assert.deepEqual(await refundsToTransfer(store), [])
  const { rows } = await store.db.execute(sql`select count(*)::integer as count from bank_assignments where refund_id is not null`)
  assert.equal(rows[0]?.count, 1, 'the debit is of the refund')
})
