import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestStoreWithCards } from '#test/order-actions.ts'
import type { Store } from '#test/store.ts'
import { decide, importEntries, placeTransferOrder, setUpTransfers, waitingEntries } from '#test/transfer-actions.ts'
import type { RefundToTransfer } from './contract.ts'
import { shareOut } from './refund-payees.ts'

const refundsToTransfer = async (store: Store): Promise<RefundToTransfer[]> =>
  (await store.admin.request('GET', '/bank-entries')).json().refunds

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
