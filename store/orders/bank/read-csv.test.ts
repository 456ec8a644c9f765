import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showOrder } from '#test/many-lines-actions.ts'
import { createTestStoreWithCards } from '#test/order-actions.ts'
import { placeTransferOrder, sendStatement, setUpTransfers } from '#test/transfer-actions.ts'
import { splitAmountHeading } from './csv-columns.ts'
import { readCsv } from './read-csv.ts'
import { readBankAmount } from './statement.ts'

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

test('a CSV file that says another currency in its headings or its amounts is refused, and one that says that of the shop is read', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store)
  const send = (heading: string, amount: string, currency = '') =>
    sendStatement(
      store.admin,
      `Buchungstag;${heading};Auftraggeber;Verwendungszweck;Waehrung\n24.11.2026;${amount};Ada;${order.reference};${currency}\n`,
    )
  for (const [heading, amount, currency] of [
    ['Betrag (EUR)', '30,00'],
    ['Umsatz in CHF', '30,00'],
    ['Betrag', '30,00 EUR'],
    ['Betrag', '€30.00'],
    ['Betrag (USD)', '30,00', 'EUR'],
    ['Betrag', '30,00 PLN', 'USD'],
  ] as const) {
    const sent = await send(heading, amount, currency)
    assert.deepEqual([sent.statusCode, sent.json().code], [409, 'other_currency'], `${heading} ${amount}`)
  }
  assert.equal((await showOrder(store.customer, order._id)).paymentStatus, 'unpaid')
  assert.equal((await send('Betrag (USD)', '$30.00', 'usd')).json().booked, 1)
})

test('amounts and headings are read with the currency that they say', () => {
  assert.deepEqual(['1.234,56', 'EUR 12', '-€12', '12,50- CHF', '\u22123.00'].map(readBankAmount), [
    { cents: 123456, currency: undefined },
    { cents: 1200, currency: 'eur' },
    { cents: -1200, currency: '€' },
    { cents: -1250, currency: 'chf' },
    { cents: -300, currency: undefined },
  ])
  for (const none of ['', 'EUR', '1.2.3', '--1', '-1-', 'EUR 1 EUR', '12 CR']) assert.equal(readBankAmount(none), undefined, none)
  const headings = ['Betrag', 'Betrag (EUR)', 'Umsatz in CHF', 'BetragUSD', 'Amount £', 'Valeur', 'BETRAG']
  assert.deepEqual(
    headings.map((heading) => splitAmountHeading(heading).currency),
    [undefined, 'eur', 'chf', 'usd', '£', undefined, undefined],
  )
  assert.deepEqual(
    headings.slice(0, 5).map((heading) => splitAmountHeading(heading).name.trim()),
    [...['Betrag', 'Betrag', 'Umsatz', 'Betrag', 'Amount']],
  )
})

test('a CSV file of amounts without signs, all of which have left, has no money that came', () => {
  const debits = (kind: string) => [
    'Account Number,Transaction Type,Date,Amount,Description',
    `1234,${kind},2026-11-24,75.00,Rent`,
    `1234,${kind},2026-11-24,20.00,Fee`,
  ]
  assert.deepEqual(amountsOf(debits('Debit')), [-7500, -2000])
  assert.deepEqual(amountsOf(debits('Credit')), [7500, 2000])
  assert.throws(() => amountsOf(debits('D')), { code: 'statement_unreadable', message: /no column says surely/ })
})
