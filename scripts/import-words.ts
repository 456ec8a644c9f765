import type { ImportReport } from '#store/catalogue/contract.ts'
import type { Watch } from '#store/catalogue/import/check.ts'

const lineEveryRows = 10_000
const shownWrong = 20
const number = new Intl.NumberFormat('en-US')

/**
 * How far the reading is: on a terminal in one line that is rewritten, elsewhere in a line for every ten thousand rows.
 * @param bytes of the whole file
 * @param say takes a line elsewhere than on a terminal
 */
export function openProgress(bytes: number, say: (line: string) => void): { show: Watch; end: () => void } {
  const terminal = process.stdout.isTTY
  let said = 0
  return {
    show({ rows, bytes: read }) {
      if (!terminal && rows < said + lineEveryRows) return
      said = terminal ? rows : rows - (rows % lineEveryRows)
      const line = `${number.format(rows)} rows read, ${Math.floor((100 * read) / Math.max(bytes, 1))} %`
      if (terminal) process.stdout.write(`\r${line}\u001b[K`)
      else say(line)
    },
    end: () => void (terminal && process.stdout.write('\r\u001b[K')),
  }
}

/** What became of a file that takes more off a stock than there is by now. */
export const inShort = (pieces: number): string =>
  `Stock    ${number.format(pieces)} pieces fewer than the file takes away were there: that stock is 0`

/** What a check has found, for people who read lines. @param mood "would be" in a dry run, "to be" otherwise */
export function inLines(
  { rows, create, update, unchanged, wrong, setsStock, shortPieces, ignored, reasons, warnings, wrongRows, changes }: ImportReport,
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
    ...(shortPieces > 0 ? [inShort(shortPieces)] : []),
    ...(ignored.length > 0 ? [`Ignored columns: ${ignored.join(', ')}`] : []),
    ...warnings.map(
      ({ column, words, count, example }) =>
        `Warning  ${column}: ${words} (${many(count)} times, first row ${example.row}: ${example.found})`,
    ),
    ...reasons.map(
      ({ column, words, count, example }) =>
        `Wrong    ${column || 'row'}: expected ${words} (${many(count)} times, first row ${example.row}: ${example.found})`,
    ),
    ...wrongRows
      .slice(0, shownWrong)
      .map(({ row, column, found, expected }) => `  row ${row}${column && `, ${column}`}: found "${found}", expected ${expected}`),
    ...(wrongRows.length > shownWrong ? [`  and ${many(wrongRows.length - shownWrong)} more, the same way`] : []),
    ...changes
      .slice(0, shownWrong)
      .map(({ sku, field, before, after }) => `  ${sku}, ${field}: ${before || 'nothing'} -> ${after || 'nothing'}`),
    ...(changes.length > shownWrong ? ['  and more changes'] : []),
  ]
}
