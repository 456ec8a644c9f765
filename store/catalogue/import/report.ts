import { type ImportReport, importLimits, type WrongField } from '../contract.ts'
import type { Warning } from './parts-read.ts'

export type Group = ImportReport['reasons'][number]

/** What was found so far: plain, so that it passes from one thread to the other. */
export type Found = { rows: number; wrongRows: number; shown: WrongField[]; reasons: Group[]; warnings: Group[] }

/** What the staged rows of an import would do to the catalogue. */
export type Counted = Pick<ImportReport, 'create' | 'update' | 'unchanged' | 'setsStock' | 'setsStockOnly' | 'movesStock' | 'shortPieces'>
/** A file that is wrong everywhere, each time in other words, does not make a report without end. */
const mostGroups = 200

/** Gathers what is found in a file: everything is counted, the first of it is shown. */
export class Findings {
  rows: number
  readonly #wrong: WrongField[]
  readonly #reasons: Map<string, Group>
  readonly #warnings: Map<string, Group>
  #wrongRows: number

  /** @param found what the thread that reads has found */
  constructor(found?: Found) {
    this.rows = found?.rows ?? 0
    this.#wrongRows = found?.wrongRows ?? 0
    this.#wrong = found?.shown ?? []
    this.#reasons = new Map(found?.reasons.map((group) => [keyOf(group), group]))
    this.#warnings = new Map(found?.warnings.map((group) => [keyOf(group), group]))
  }

  found(): Found {
    return {
      ...{ rows: this.rows, wrongRows: this.#wrongRows, shown: this.#wrong },
      ...{ reasons: [...this.#reasons.values()], warnings: [...this.#warnings.values()] },
    }
  }

  /** @param found all that is wrong with one row */
  wrong(found: WrongField[]): void {
    if (found.length === 0) return
    this.#wrongRows++
    for (const field of found) {
      this.#show(field)
      group(this.#reasons, { ...field, words: field.expected })
    }
  }

  /** Rows that the database has found and counted. @param shown the first of their fields @param groups all of them, by what is wrong */
  counted({ wrongRows, shown, groups }: { wrongRows: number; shown: WrongField[]; groups: Group[] }): void {
    this.#wrongRows += wrongRows
    for (const field of shown) this.#show(field)
    for (const group of groups) this.#reasons.set(keyOf(group), group)
  }

  #show(field: WrongField): void {
    if (this.#wrong.length < importLimits.shownWrong) this.#wrong.push(field)
  }

  warn(found: Warning[]): void {
    for (const warning of found) group(this.#warnings, warning)
  }

  report(compared: Counted & Pick<ImportReport, 'changes'>, ignored: string[]): ImportReport {
    return {
      ...compared,
      rows: this.rows,
      wrong: this.#wrongRows,
      ignored,
      reasons: mostFirst(this.#reasons),
      warnings: mostFirst(this.#warnings),
      wrongRows: this.#wrong.sort((one, other) => one.row - other.row),
    }
  }
}

function group(groups: Map<string, Group>, { row, column, found, words }: Warning) {
  const key = keyOf({ column, words })
  const known = groups.get(key)
  if (known) known.count++
  else if (groups.size < mostGroups) groups.set(key, { column, words, count: 1, example: { row, found } })
}

const keyOf = ({ column, words }: { column: string; words: string }) => `${column}\n${words}`

const mostFirst = (groups: Map<string, Group>) => [...groups.values()].sort((one, other) => other.count - one.count)
