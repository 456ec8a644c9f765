import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showOrder } from '#test/many-lines-actions.ts'
import { createTestStoreWithCards } from '#test/order-actions.ts'
import { placeTransferOrder, sendStatement, setUpTransfers } from '#test/transfer-actions.ts'
import { readCsv } from './read-csv.ts'

const amountsOf = (rows: string[]) => readCsv(rows.join('\n'), {}).entries.map(({ amountCents }) => amountCents)
const head = 'Date,Amount,Payer,Reference'
const real = '2026-11-23,75.00,"Byron, Ada",a real transfer'

test('what payers write makes no columns and no entries of a CSV file', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store)
  const file = [
    head,
    '2026-11-24,0.01,Mallory,x;date;amount;reference;x',
    `2026-11-24,0.01,Mallory,x;2026-11-24;30.00;${order.reference};x`,
    real,
    '2026-11-23,80.00,Carl,another real one',
  ]
  const sent = await sendStatement(store.admin, file.join('\n'))
  const { orderStatus, paymentStatus } = await showOrder(store.customer, order._id)
  assert.deepEqual([orderStatus, paymentStatus], ['open', 'unpaid'], sent.body)
  assert.equal(sent.json().added, 4, sent.body)
})

test('no text of a transfer stops the import of a CSV file, whatever its delimiter', () => {
  for (const delimiter of [',', ';', '\t']) {
    const row = (...cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)
    const texts = [
      'x;date;amount',
      'date,amount',
      'x\tdate\tamount',
      'date;amount,reference\tx',
      '"',
      '";"',
      `x"${delimiter}"date`,
      'Endsaldo',
    ]
    const rows = [row('Date', 'Amount', 'Payer', 'Reference'), ...texts.map((text) => row('2026-11-24', '0.01', 'Mallory', text))]
    assert.deepEqual(
      amountsOf(rows),
      texts.map(() => 1),
    )
  }
  const unquoted = ['Date\tAmount\tReference', '2026-11-24\t0.01\tx;date;amount', '2026-11-23\t75.00\treal']
  assert.deepEqual(amountsOf(unquoted), [1, 7500])
})

test('an entry is no row of headings, also where the headings of the bank are unknown', () => {
  const file = ['Booked,Sum,Payer,Reference', '24 Nov 2026,0.01,Mallory,x;date;amount;x', '24 Nov 2026,0.01,Mallory,x;2026-11-24;30.00;x']
  assert.throws(() => amountsOf(file), /No columns with days and amounts/)
})

test('a row of a CSV file with other columns than the headings, or with another row in a cell, is refused by its number', () => {
  const refused = (rows: string[], message: RegExp) => assert.throws(() => amountsOf(rows), { code: 'statement_unreadable', message })
  refused([head, '2026-11-24,0.01,Mallory,x,30.00', real], /^Row 2 has another number of cells \(5\) than the headings \(4\)/)
  refused([head, real, '2026-11-24,0.01,Mallory,x,30.00'], /^Row 3 has another number of cells \(5\)/)
  refused([head, '2026-11-24,0.01,Mallory', real], /^Row 2 has another number of cells \(3\)/)
  refused([head, '2026-11-24,0.01,Mallory,"x', real.replaceAll('"', ''), '2026-11-24,0.01,Mallory,"'], /^Row 2 has another row/)
  refused([head, '2026-11-24,0.01,Mallory,"x" y', real], /^Row 2: After the closing quote/)
  assert.deepEqual(amountsOf([`${head},`, real, `${real},`, `${real},,,`]), [7500, 7500, 7500], 'but for empty cells at the end')
})

test('rows without day and amount are closing lines where no entry follows, and are refused by their number elsewhere', () => {
  const closing = ['', 'Balance', ',,Balance,']
  assert.deepEqual(amountsOf([head, real, ...closing]), [7500])
  assert.throws(() => amountsOf([head, real, ...closing, real]), /^Error: Row 4 has another number of cells/)
  assert.throws(() => amountsOf([head, real, ',,Ada,text', real]), /^Error: Row 3: "" is no day/)
})
