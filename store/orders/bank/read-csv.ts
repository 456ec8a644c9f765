import { CsvReader, type Delimiter, type delimiters, unescapeFormulaCell } from '#store/imports/csv.ts'
import { ImportFileError } from '#store/imports/import-file-error.ts'
import { normalizeIban } from '#store/orders/payment-methods/iban.ts'
import type { ColumnNames } from './contract.ts'
import { findDirections } from './csv-directions.ts'
import { bankReferenceOf, parseBankAmount, parseBankDay, type Statement, type StatementEntry, StatementError } from './statement.ts'

type Field = keyof ColumnNames | 'account' | 'currency'

/** Headings by which banks name their columns, in lower case and without anything but letters and digits. */
const headings: Record<Field, string[]> = {
  date: ['buchungstag', 'buchungsdatum', 'bookingdate', 'date', 'datum', 'bookedon', 'posted', 'valuta'],
  amount: ['betrag', 'betrageur', 'amount', 'umsatz', 'umsatzineur', 'betragineur', 'amounteur'],
  payer: [
    'beguenstigterzahlungspflichtiger',
    'namezahlungsbeteiligter',
    'auftraggeberempfaenger',
    'auftraggeber',
    'zahlungspflichtiger',
    'payer',
    'name',
    'counterparty',
    'partnername',
  ],
  payerIban: ['ibanzahlungsbeteiligter', 'kontonummeriban', 'partneriban', 'payeriban', 'counterpartyiban', 'iban', 'accountnumber'],
  text: ['verwendungszweck', 'buchungstext', 'reference', 'paymentreference', 'description', 'text', 'remittanceinformation', 'memo'],
  bankReference: ['bankreference', 'bankreferenz', 'transactionid', 'entryreference', 'transaktionsid'],
  account: ['auftragskonto', 'ibanauftragskonto', 'account', 'owniban'],
  currency: ['waehrung', 'currency'],
}

export const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]/g, '')

/** Rows before the one with the headings: banks write who has loaded the file, and when. */
const maxRowsBefore = 20

/**
 * A bank's CSV, with any of the usual delimiters.
 * @param named the headings of columns that are not the usual ones
 * @throws {StatementError} it has no column of days or of amounts, or a row that cannot be read
 */
export function readCsv(text: string, named: ColumnNames): Statement {
  const { rows, columns, headRow } = findHeadings(text, named)
  const booked = [...rows.entries()].filter(([index, cells]) => index > headRow && isBooked(cells, columns))
  const directionOf = findDirections({
    ...{ headings: rows[headRow] ?? [], named: Object.values(columns), amountColumn: columns.amount ?? -1 },
    rows: booked.map(([, cells]) => cells).filter((cells) => (cells[columns.amount ?? -1] ?? '').trim() !== ''),
  })
  const entries: StatementEntry[] = []
  const [accounts, currencies] = [new Set<string>(), new Set<string>()]
  for (const [index, cells] of booked) {
    const cell = (field: Field) => unescapeFormulaCell(cells[columns[field] ?? -1] ?? '').trim()
    const [bookedOn, amountCents] = [parseBankDay(cell('date')), directionOf(cells, parseBankAmount(cell('amount')))]
    if (bookedOn === undefined) {
      if (entries.length > 0 && cell('amount') === '') continue // a closing line
      throw new StatementError(`Row ${index + 1}: "${cell('date').slice(0, 40)}" is no day such as 24.11.2026 or 2026-11-24`)
    }
    if (amountCents === undefined)
      throw new StatementError(`Row ${index + 1}: "${cell('amount').slice(0, 40)}" is no amount such as 1.234,56`)
    if (cell('account') !== '') accounts.add(normalizeIban(cell('account')))
    if (cell('currency') !== '') currencies.add(cell('currency').toLowerCase())
    if (amountCents === 0) continue
    entries.push({
      bankReference: bankReferenceOf(cell('bankReference')),
      ...{ bookedOn, amountCents, payerName: cell('payer').slice(0, 140) },
      ...{ payerIban: normalizeIban(cell('payerIban')).slice(0, 40), text: cell('text').replace(/\s+/g, ' ').slice(0, 500) },
    })
  }
  if (accounts.size > 1) throw new StatementError('The file has entries of several accounts: load that of the shop alone', 'other_account')
  if (currencies.size > 1) throw new StatementError('The file has amounts in several currencies', 'other_currency')
  const ibans = [...accounts].filter((account) => /^[A-Z]{2}\d{2}/.test(account)) // some banks write the number alone
  return { iban: ibans[0] ?? null, currency: [...currencies][0] ?? null, openingCents: null, closingCents: null, entries }
}

/** Cells, in the form of `plain`, of rows with money that has not come yet, and with a balance. */
const pendingCells = ['umsatzvorgemerkt', 'vorgemerkt', 'vorgemerkterumsatz', 'pending']
const balanceCells = ['anfangssaldo', 'endsaldo', 'openingbalance', 'closingbalance']

/** Whether a row is of an entry that is booked. What a payer writes, or is called, does not count. */
function isBooked(cells: string[], { payer, payerIban, text }: Found['columns']): boolean {
  if (cells.every((cell) => cell.trim() === '')) return false
  const said = cells.filter((_, nth) => ![payer, payerIban, text].includes(nth)).map(plain)
  if (said.some((cell) => pendingCells.includes(cell))) return false
  const hasPayer = [payer, payerIban].some((nth) => (cells[nth ?? -1] ?? '').trim() !== '')
  return hasPayer || !cells.some((cell) => balanceCells.includes(plain(cell)))
}

type Found = { rows: string[][]; headRow: number; columns: Partial<Record<Field, number>> }

/** Reads the file by each delimiter, until one makes a row with the headings of days and amounts. */
function findHeadings(text: string, named: ColumnNames): Found {
  for (const delimiter of [';', ',', '\t'] satisfies Delimiter[]) {
    const rows = readRows(text, delimiter)
    for (const [headRow, cells] of rows.slice(0, maxRowsBefore).entries()) {
      const columns = columnsOf(cells, named)
      if (columns.date !== undefined && columns.amount !== undefined) return { rows, headRow, columns }
    }
  }
  throw new StatementError(
    'No columns with days and amounts were found: say under Columns of a CSV file how it names them, or load CAMT.053 (XML) from the bank',
  )
}

function readRows(text: string, delimiter: (typeof delimiters)[number]): string[][] {
  try {
    const reader = new CsvReader(delimiter)
    const rows = [...reader.rows(text)]
    reader.end()
    return rows
  } catch (error) {
    if (error instanceof ImportFileError) return []
    throw error
  }
}

function columnsOf(cells: string[], named: ColumnNames): Found['columns'] {
  const written = cells.map(plain)
  const find = (field: Field) => {
    const own = field in named ? named[field as keyof ColumnNames] : undefined
    const wanted = own ? [plain(own)] : headings[field]
    return wanted.map((heading) => written.indexOf(heading)).find((at) => at >= 0)
  }
  return Object.fromEntries(Object.keys(headings).map((field) => [field, find(field as Field)]))
}
