import { CsvReader, type Delimiter, delimiters } from '#store/imports/csv.ts'
import { ImportFileError } from '#store/imports/import-file-error.ts'
import type { ColumnNames } from './contract.ts'
import { StatementError } from './statement.ts'

export type Field = keyof ColumnNames | 'account' | 'currency'
export type Columns = Partial<Record<Field, number>>

/** The rows of a file of which one has the headings; `columns` says in which cell of a row what stands. */
export type CsvTable = { delimiter: Delimiter; rows: string[][]; headRow: number; columns: Columns }

/** Headings by which banks name their columns, in lower case and without anything but letters and digits. */
const headings: Record<Field, string[]> = {
  date: ['buchungstag', 'buchungsdatum', 'bookingdate', 'date', 'datum', 'bookedon', 'posted', 'valuta'],
  amount: ['betrag', 'amount', 'umsatz'],
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

/** Banks write above the headings who has loaded the file, and when. */
const maxHeadRows = 20

type Headings = { delimiter: Delimiter; headRow: number; columns: Columns; width: number }

/**
 * Reads the file by the delimiter that finds its headings first: payers write below them, and may write headings and entries of their own there, with
 * another delimiter.
 * @throws {StatementError} no row has the headings of days and amounts, or a row is no CSV
 */
export function readTable(text: string, named: ColumnNames): CsvTable {
  const [first] = delimiters
    .flatMap((delimiter) => findHeadings(text, delimiter, named) ?? [])
    .toSorted((a, b) => a.headRow - b.headRow || b.width - a.width)
  if (!first)
    throw new StatementError(
      'No columns with days and amounts were found: say under Columns of a CSV file how it names them, or load CAMT.053 (XML) from the bank',
    )
  const { delimiter, headRow, columns } = first
  const { rows, problem } = readRows(text, delimiter)
  if (problem !== undefined) throw new StatementError(`Row ${rows.length + 1}: ${problem}. Load CAMT.053 (XML) from the bank`)
  return { delimiter, rows, headRow, columns }
}

function findHeadings(text: string, delimiter: Delimiter, named: ColumnNames): Headings | undefined {
  const { rows } = readRows(text, delimiter, maxHeadRows)
  for (const [headRow, cells] of rows.entries()) {
    const columns = columnsOf(cells, named)
    const isComplete = columns.date !== undefined && columns.amount !== undefined
    if (isComplete && !hasValues(cells)) return { delimiter, headRow, columns, width: cells.length }
  }
}

/** Whether a row has a number or a day by any delimiter: then it is an entry, whatever its payer has written. */
const hasValues = (cells: string[]): boolean =>
  cells.flatMap((cell) => cell.split(/[;,\t]/)).some((part) => /^\P{L}*\d\P{L}*(\p{L}{3}\P{L}*)?$/u.test(part))

/** `problem`: why no row behind these can be read */
function readRows(text: string, delimiter: Delimiter, maxRows = Number.POSITIVE_INFINITY): { rows: string[][]; problem?: string } {
  const rows: string[][] = []
  try {
    const reader = new CsvReader(delimiter)
    for (const cells of reader.rows(text)) if (rows.push(cells) >= maxRows) return { rows }
    reader.end()
    return { rows }
  } catch (error) {
    if (error instanceof ImportFileError) return { rows, problem: error.message }
    throw error
  }
}

function columnsOf(cells: string[], named: ColumnNames): Columns {
  const [written, amounts] = [cells.map(plain), cells.map((cell) => plain(splitAmountHeading(cell).name))]
  const find = (field: Field) => {
    const own = field in named ? named[field as keyof ColumnNames] : undefined
    const [wanted, among] = own ? [[plain(own)], written] : [headings[field], field === 'amount' ? amounts : written]
    return wanted.map((heading) => among.indexOf(heading)).find((at) => at >= 0)
  }
  return Object.fromEntries(Object.keys(headings).map((field) => [field, find(field as Field)]))
}

const currencyCodes = new Set(Intl.supportedValuesOf('currency'))

/** A longer cell is no heading, and the pattern takes the square of its length. */
const maxHeadingCharacters = 200

/** "Betrag (EUR)", "Umsatz in CHF", "AmountUSD" and "Amount $" as the name of the column and its currency, a code in lower case or a symbol. */
export function splitAmountHeading(heading: string): { name: string; currency?: string } {
  if (heading.length > maxHeadingCharacters) return { name: heading }
  const [, name = '', last = ''] = /^(.*?)[\s([]*([a-z]{3}|\p{Sc})[\s)\]]*$/iu.exec(heading.trim()) ?? []
  const before = heading.trim().slice(0, heading.trim().lastIndexOf(last))
  const isOwnWord = /[^\p{L}]$/u.test(before) || (/\p{Ll}$/u.test(before) && last === last.toUpperCase())
  const isCurrency = /\p{Sc}/u.test(last) || (currencyCodes.has(last.toUpperCase()) && isOwnWord)
  return isCurrency ? { name: name.replace(/\sin$/i, ''), currency: last.toLowerCase() } : { name: heading }
}
