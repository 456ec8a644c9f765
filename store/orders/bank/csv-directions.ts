import { StatementError } from './statement.ts'

/* Banks that write amounts without a sign say in a column of its own which of them have left: S and H (Soll, Haben) or D and C (debit, credit). */

const markPairs = [
  { left: ['s', 'soll'], came: ['h', 'haben'] },
  { left: ['d', 'dr', 'debit', 'dbit'], came: ['c', 'cr', 'credit', 'crdt'] },
]
type Marks = (typeof markPairs)[number]

/** Headings of such columns, in lower case and without anything but letters and digits. */
const headingsOfMarks = [
  ...['sollhaben', 'sollhabenkennzeichen', 'sh', 'shkennzeichen', 'kennzeichen'],
  ...['debitcredit', 'creditdebit', 'dc', 'cd', 'creditdebitindicator', 'debitcreditindicator', 'cdtdbtind', 'direction'],
]

type Table = {
  headings: string[]
  /** with an amount; balances and pending entries are none */
  rows: string[][]
  /** columns that say something else */
  named: (number | undefined)[]
  amountColumn: number
}

/** An amount, in cents, with the sign that its row says. */
type DirectionOf = (cells: string[], cents: number) => number

/**
 * How the file says which amounts have left the account: by their signs or by a column.
 * @throws {StatementError} no amount has a sign, and the column that says it is not understood, or may say that all of them have left
 */
export function findDirections({ headings, rows, named, amountColumn }: Table): DirectionOf {
  const bySign: DirectionOf = (_cells, cents) => cents
  if (rows.length === 0 || rows.some((cells) => /[-\u2212]/.test(cells[amountColumn] ?? ''))) return bySign
  let isInDoubt = false
  for (const [column, heading] of headings.entries()) {
    if (named.includes(column)) continue
    const [cells, isNextToAmount] = [rows.map((row) => markOf(row[column])), column === amountColumn + 1]
    const marks = markPairs.find(({ left, came }) => cells.every((cell) => left.includes(cell) || came.includes(cell)))
    const isSaid = headingsOfMarks.includes(markOf(heading)) || isNextToAmount || cells.every((cell) => cell.length > 2)
    if (marks && (isSaid || hasBoth(cells, marks))) return byColumn(column, marks)
    const written = rows.map((row) => (row[column] ?? '').trim())
    const isShort = markOf(heading) === '' && written.some((cell) => cell !== '') && written.every((cell) => cell.length <= 2)
    if (headingsOfMarks.includes(markOf(heading)) || (isNextToAmount && isShort)) throw directionError(column)
    // All S or all D: a debit each, or the size or the country of something.
    isInDoubt ||= marks !== undefined && cells.every((cell) => marks.left.includes(cell))
  }
  if (isInDoubt) throw directionError()
  return bySign
}

const directionError = (column?: number) =>
  new StatementError(
    `The amounts have no signs, and ${column === undefined ? 'no column says surely' : `column ${column + 1} does not say`} by S and H, or D and C, which of them have left the account: load CAMT.053 (XML) from the bank`,
  )

const markOf = (cell: string | undefined): string => (cell ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')

const hasBoth = (cells: string[], { left, came }: Marks): boolean =>
  cells.some((cell) => left.includes(cell)) && cells.some((cell) => came.includes(cell))

const byColumn =
  (column: number, { left }: Marks): DirectionOf =>
  (cells, cents) =>
    left.includes(markOf(cells[column])) ? -cents : cents
