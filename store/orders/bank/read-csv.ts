import { unescapeFormulaCell } from '#store/imports/csv.ts'
import { normalizeIban } from '#store/orders/payment-methods/iban.ts'
import type { ColumnNames } from './contract.ts'
import { type Columns, type CsvTable, type Field, plain, readTable, splitAmountHeading } from './csv-columns.ts'
import { findDirections } from './csv-directions.ts'
import { bankReferenceOf, parseBankDay, readBankAmount, type Statement, type StatementEntry, StatementError } from './statement.ts'

/**
 * A bank's CSV, with any of the usual delimiters.
 * @param named the headings of columns that are not the usual ones
 * @throws {StatementError} it has no column of days or of amounts, or a row that cannot be read
 */
export function readCsv(text: string, named: ColumnNames): Statement {
  const table = readTable(text, named)
  const { rows, columns, headRow } = table
  const head = rows[headRow] ?? []
  const booked = findBookedRows(table)
  const directionOf = findDirections({
    ...{ headings: head, named: Object.values(columns), amountColumn: columns.amount ?? -1 },
    rows: booked.map(([, cells]) => cells),
  })
  const entries: StatementEntry[] = []
  const { currency } = splitAmountHeading(head[columns.amount ?? -1] ?? '')
  const [accounts, currencies] = [new Set<string>(), new Set<string>(currency ? [currency] : [])]
  for (const [index, cells] of booked) {
    const cell = (field: Field) => cellOf(cells, columns, field)
    const [bookedOn, amount] = [parseBankDay(cell('date')), readBankAmount(cell('amount'))]
    if (bookedOn === undefined)
      throw new StatementError(`Row ${index + 1}: "${cell('date').slice(0, 40)}" is no day such as 24.11.2026 or 2026-11-24`)
    if (amount === undefined) throw new StatementError(`Row ${index + 1}: "${cell('amount').slice(0, 40)}" is no amount such as 1.234,56`)
    if (cell('account') !== '') accounts.add(normalizeIban(cell('account')))
    for (const said of [amount.currency, cell('currency').toLowerCase()]) if (said) currencies.add(said)
    if (amount.cents === 0) continue
    const amountCents = directionOf(cells, amount.cents)
    entries.push({
      bankReference: bankReferenceOf(cell('bankReference')),
      ...{ bookedOn, amountCents, payerName: cell('payer').slice(0, 140) },
      ...{ payerIban: normalizeIban(cell('payerIban')).slice(0, 40), text: cell('text').replace(/\s+/g, ' ').slice(0, 500) },
    })
  }
  if (accounts.size > 1) throw new StatementError('The file has entries of several accounts: load that of the shop alone', 'other_account')
  const ibans = [...accounts].filter((account) => /^[A-Z]{2}\d{2}/.test(account)) // some banks write the number alone
  return { iban: ibans[0] ?? null, currencies: [...currencies], openingCents: null, closingCents: null, entries }
}

const cellOf = (cells: string[], columns: Columns, field: Field): string => unescapeFormulaCell(cells[columns[field] ?? -1] ?? '').trim()

/**
 * The rows of booked entries with their places in the file: closing lines are only those behind the last entry.
 * @throws {StatementError} a row has other columns than the headings: what its payer wrote may stand where the amount should
 */
function findBookedRows(table: CsvTable): [index: number, cells: string[]][] {
  const said = [...table.rows.entries()].slice(table.headRow + 1).filter(([, cells]) => isBooked(cells, table.columns))
  const booked = said.slice(0, said.findLastIndex(([, cells]) => !isClosing(cells, table)) + 1)
  for (const [index, cells] of booked) {
    const problem = describeProblem(cells, table)
    if (problem) throw new StatementError(`Row ${index + 1} ${problem}: load CAMT.053 (XML) from the bank`)
  }
  return booked
}

const widthOf = ({ rows, headRow }: CsvTable): number => rows[headRow]?.length ?? 0

/** Whether a row has neither a day nor an amount, as what banks write below the entries. */
const isClosing = (cells: string[], table: CsvTable): boolean =>
  cells.length <= widthOf(table) &&
  parseBankDay(cellOf(cells, table.columns, 'date')) === undefined &&
  cellOf(cells, table.columns, 'amount') === ''

/** What shows that a row is not the one that the bank meant. Empty cells at its end do not count. */
function describeProblem(cells: string[], table: CsvTable): string | undefined {
  const head = table.rows[table.headRow] ?? []
  const isFilled = (cell: string) => cell.trim() !== ''
  if (cells.slice(head.length).some(isFilled) || head.slice(cells.length).some(isFilled))
    return `has another number of cells (${cells.length}) than the headings (${head.length})`
  return cells.some((cell) => hasSwallowedRow(cell, table)) ? 'has another row of the file in one of its cells' : undefined
}

/** Where a bank does not double the quotes that payers write, a cell goes on until the next quote. */
const hasSwallowedRow = (cell: string, table: CsvTable): boolean =>
  /[\r\n]/.test(cell) &&
  cell.split(/[\r\n]+/).some((line) => {
    const parts = line.split(table.delimiter)
    return parts.length >= widthOf(table) && parseBankDay(parts[table.columns.date ?? -1] ?? '') !== undefined
  })

/** Cells, in the form of `plain`, of rows with money that has not come yet, and with a balance. */
const pendingCells = ['umsatzvorgemerkt', 'vorgemerkt', 'vorgemerkterumsatz', 'pending']
const balanceCells = ['anfangssaldo', 'endsaldo', 'openingbalance', 'closingbalance']

/** Whether a row is of an entry that is booked. What a payer writes, or is called, does not count. */
function isBooked(cells: string[], { payer, payerIban, text }: Columns): boolean {
  if (cells.every((cell) => cell.trim() === '')) return false
  const said = cells.filter((_, nth) => ![payer, payerIban, text].includes(nth)).map(plain)
  if (said.some((cell) => pendingCells.includes(cell))) return false
  const hasPayer = [payer, payerIban].some((nth) => (cells[nth ?? -1] ?? '').trim() !== '')
  return hasPayer || !cells.some((cell) => balanceCells.includes(plain(cell)))
}
