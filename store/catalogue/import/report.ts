import { type ImportReport, importLimits, type WrongField } from '../contract.ts'
import type { Warning } from './parts-read.ts'

type Group = ImportReport['reasons'][number]
/** A file that is wrong everywhere, each time in other words, does not make a report without end. */
const mostGroups = 200

/** Gathers what is found in a file: everything is counted, the first of it is shown. */
export class Findings {
  rows = 0
  readonly #wrong: WrongField[] = []
  readonly #reasons = new Map<string, Group>()
  readonly #warnings = new Map<string, Group>()
  #wrongRows = 0

  /** @param found all that is wrong with one row, or with several that are told apart by their number */
  wrong(found: WrongField[]): void {
    this.#wrongRows += new Set(found.map(({ row }) => row)).size
    for (const field of found) {
      if (this.#wrong.length < importLimits.shownWrong) this.#wrong.push(field)
      group(this.#reasons, { ...field, words: field.expected })
    }
  }

  warn(found: Warning[]): void {
    for (const warning of found) group(this.#warnings, warning)
  }

  get wrongRows(): number {
    return this.#wrongRows
  }

  report(compared: Pick<ImportReport, 'create' | 'update' | 'unchanged' | 'changes'>, ignored: Set<string>): ImportReport {
    return {
      ...compared,
      rows: this.rows,
      wrong: this.#wrongRows,
      ignored: [...ignored],
      reasons: mostFirst(this.#reasons),
      warnings: mostFirst(this.#warnings),
      wrongRows: this.#wrong.sort((one, other) => one.row - other.row),
    }
  }
}

function group(groups: Map<string, Group>, { row, column, found, words }: Warning) {
  const key = `${column}\n${words}`
  const known = groups.get(key)
  if (known) known.count++
  else if (groups.size < mostGroups) groups.set(key, { column, words, count: 1, example: { row, found } })
}

const mostFirst = (groups: Map<string, Group>) => [...groups.values()].sort((one, other) => other.count - one.count)
