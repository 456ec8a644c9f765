import type { ImportProgressListener } from '#store/imports/check-import-file.ts'
import type { ImportReport } from '#store/imports/contract.ts'

const lineEveryRows = 10_000
const maxListedRows = 20
const number = new Intl.NumberFormat('en-US')

/**
 * Reports the progress of reading a file: on a terminal in one line that is overwritten, otherwise one line per 10,000 rows.
 * @param bytes size of the file
 * @param print prints a line when standard output is not a terminal
 */
export function createProgressReporter(bytes: number, print: (line: string) => void): { show: ImportProgressListener; end: () => void } {
  const terminal = process.stdout.isTTY
  let reportedRows = 0
  return {
    show({ rows, bytes: read }) {
      if (!terminal && rows < reportedRows + lineEveryRows) return
      reportedRows = terminal ? rows : rows - (rows % lineEveryRows)
      const line = `${number.format(rows)} rows read, ${Math.floor((100 * read) / Math.max(bytes, 1))} %`
      if (terminal) process.stdout.write(`\r${line}\u001b[K`)
      else print(line)
    },
    end: () => void (terminal && process.stdout.write('\r\u001b[K')),
  }
}

/** The message for a file that subtracts more pieces than are in stock. */
export const stockShortageLine = (pieces: number): string =>
  `Stock    ${number.format(pieces)} pieces fewer than the file takes away were there: that stock is 0`

type Example = ImportReport['reasons'][number]['example']

const rowName = ({ row, sku }: Pick<Example, 'row' | 'sku'>) => `row ${row}${sku ? ` (${sku})` : ''}`
const firstRow = (example: Example) => `first ${rowName(example)}: ${example.found || 'nothing'}`

/** Formats the result of a check as lines. @param mood "would be" in a dry run, "to be" otherwise */
export function formatImportReport(
  {
    rows,
    create,
    update,
    unchanged,
    wrong,
    setsStock,
    shortPieces,
    ignored,
    reasons,
    warnings,
    mends = [],
    wrongRows,
    changes,
  }: ImportReport,
  mood: string,
): string[] {
  const many = (count: number) => number.format(count)
  return [
    `${many(rows)} rows: ${many(create)} ${mood} new, ${many(update)} ${mood} changed, ${many(unchanged)} unchanged, ${many(wrong)} wrong`,
    ...(setsStock > 0
      ? [
          `Stock    of ${many(setsStock)} ${mood} set to what the file says, whatever was sold since it was made, as it has no available_quantity_seen:`,
          '         --stock=set does so, --stock=keep leaves the stock of products that are there as it is',
        ]
      : []),
    ...(shortPieces > 0 ? [stockShortageLine(shortPieces)] : []),
    ...(ignored.length > 0 ? [`Ignored columns: ${ignored.join(', ')}`] : []),
    ...mends.map(({ column, words, count, example }) => `Mended   ${column}: ${words} (${many(count)} times, ${firstRow(example)})`),
    ...warnings.map(({ column, words, count, example }) => `Warning  ${column}: ${words} (${many(count)} times, ${firstRow(example)})`),
    ...reasons.map(
      ({ column, words, count, example }) => `Wrong    ${column || 'row'}: expected ${words} (${many(count)} times, ${firstRow(example)})`,
    ),
    ...wrongRows
      .slice(0, maxListedRows)
      .map(
        ({ row, sku, column, found, expected }) =>
          `  ${rowName({ row, sku })}${column && `, ${column}`}: found "${found}", expected ${expected}`,
      ),
    ...(wrongRows.length > maxListedRows ? [`  and ${many(wrongRows.length - maxListedRows)} more, the same way`] : []),
    ...changes
      .slice(0, maxListedRows)
      .map(({ sku, field, before, after }) => `  ${sku}, ${field}: ${before || 'nothing'} -> ${after || 'nothing'}`),
    ...(changes.length > maxListedRows ? ['  and more changes'] : []),
  ]
}
