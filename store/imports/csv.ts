import { importLimits } from './contract.ts'
import { rowTooLongError } from './file-text.ts'
import { ImportFileError } from './import-file-error.ts'

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

const maxRowCharacters = importLimits.rowKilobytes * 1024

/**
 * Parses CSV as in RFC 4180: quoted cells may contain delimiters, line breaks and doubled quotes, and lines end with CRLF. It also accepts
 * LF and CR as line ends, semicolons and tabs as delimiters, and quotes within unquoted cells (`2.5" bracket`).
 * Written here because csv-parse 7 accepts such quotes only with its option `relax_quotes`, which also accepts text after a closing quote: a
 * cell whose inner quotes are not doubled would be imported with its quotes, or split at a delimiter, instead of being refused.
 */
export class CsvReader {
  readonly delimiter: Delimiter
  #pendingText = ''

  constructor(delimiter: Delimiter) {
    this.delimiter = delimiter
  }

  /**
   * The rows that are complete with this text and the pending text before it. An empty line is a row of one empty cell.
   * @throws {ImportFileError} if a row is longer than `maxRowCharacters`, or text follows a closing quote
   */
  *rows(text: string): Generator<string[]> {
    const all = this.#pendingText + text
    this.#pendingText = ''
    for (let start = 0; start < all.length; ) {
      const read = parseRow(all, start, this.delimiter)
      if (!read) {
        if (all.length - start > maxRowCharacters) throw rowTooLongError()
        this.#pendingText = all.slice(start)
        return
      }
      if (read.end - start > maxRowCharacters) throw rowTooLongError()
      yield read.cells
      start = read.end
    }
  }

  /** @throws {ImportFileError} if a quoted cell is not closed */
  end(): void {
    if (this.#pendingText) throw new ImportFileError('A cell begins with a quote and the file ends before it is closed')
  }
}

/** Parses one row from `start` on; `end` is the start of the next. Undefined if the text ends within quotes. */
function parseRow(text: string, start: number, delimiter: Delimiter): { cells: string[]; end: number } | undefined {
  const cells: string[] = []
  for (let at = start; ; at++) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        const quote = text.indexOf('"', at)
        if (quote < 0) return undefined
        cell += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
      }
      if (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r')
        throw new ImportFileError(`After the closing quote of "${cell.slice(0, 40)}" stands more: double the quotes within a quoted cell`)
    } else {
      const from = at
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
      cell = text.slice(from, at)
    }
    cells.push(cell)
    if (text[at] === delimiter) continue
    return { cells, end: at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1) }
  }
}

/** A row as CSV (RFC 4180), with its line end. */
export const formatCsvRow = (cells: string[]): string => `${cells.map((cell) => quoteCell(escapeFormulaCell(cell))).join(',')}\r\n`

const quoteCell = (cell: string) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/*
 * A spreadsheet runs a cell that begins with = + - @ as a formula (CSV injection). The export puts an apostrophe before such a cell, which
 * spreadsheets use to mark text, and the import removes one apostrophe. A cell that already starts with an apostrophe and one of these
 * characters gets a second one, so the round trip is lossless.
 */
const escapeFormulaCell = (cell: string) => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** The content of a cell, without the apostrophe that `formatCsvRow` added. */
export const unescapeFormulaCell = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
