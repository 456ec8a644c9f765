import { importLimits } from '../contract.ts'
import { FileFault } from './fault.ts'
import { rowTooLong } from './file-text.ts'

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

const longestRow = importLimits.rowKilobytes * 1024

/**
 * Reads CSV as RFC 4180 has it: cells in quotes may hold delimiters, line breaks and doubled quotes, and lines end with CRLF. Beyond that it
 * takes LF and CR as ends of lines, semicolons and tabs as delimiters, and a quote within an unquoted cell as itself (`2.5" bracket`).
 * Our own, since no CSV library is among the packages of the store, and a page of code is less than a dependency.
 */
export class CsvReader {
  readonly delimiter: Delimiter
  #unfinished = ''

  constructor(delimiter: Delimiter) {
    this.delimiter = delimiter
  }

  /**
   * The rows that end within this text and what was left before it. An empty line is a row of one empty cell.
   * @throws {FileFault} a row that is longer than a row may be, or has something after a closing quote
   */
  *rows(text: string): Generator<string[]> {
    const all = this.#unfinished + text
    this.#unfinished = ''
    for (let start = 0; start < all.length; ) {
      const read = readRow(all, start, this.delimiter)
      if (!read) {
        if (all.length - start > longestRow) throw rowTooLong()
        this.#unfinished = all.slice(start)
        return
      }
      if (read.end - start > longestRow) throw rowTooLong()
      yield read.cells
      start = read.end
    }
  }

  /** @throws {FileFault} a quoted cell that the file never closes */
  end(): void {
    if (this.#unfinished) throw new FileFault('A cell begins with a quote and the file ends before it is closed')
  }
}

/** One row from `start` on, and where the next begins; undefined when the text ends within quotes. */
function readRow(text: string, start: number, delimiter: Delimiter): { cells: string[]; end: number } | undefined {
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
        throw new FileFault(`After the closing quote of "${cell.slice(0, 40)}" stands more: double the quotes within a quoted cell`)
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

/** A row as RFC 4180 writes it, with its line end. */
export const csvRow = (cells: string[]): string => `${cells.map((cell) => quoted(guarded(cell))).join(',')}\r\n`

const quoted = (cell: string) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/*
 * A spreadsheet takes a cell that begins with = + - @ for a formula and runs it, whoever wrote it. Such a cell is exported with an apostrophe
 * before it, as spreadsheets themselves mark a text, and an import takes that one apostrophe off again: also of a cell that had one to
 * begin with, which is exported with two. So nothing is lost, and nothing runs.
 */
const guarded = (cell: string) => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** What a cell says, without the apostrophe of `csvRow`. */
export const unguarded = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
