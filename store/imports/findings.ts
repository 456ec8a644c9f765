import { type ImportReport, type InvalidField, importLimits } from './contract.ts'

export type IssueGroup = ImportReport['reasons'][number]

/** Plain data, so that it can be sent between threads. */
export type FindingsSnapshot = { rows: number; wrongRows: number; shown: InvalidField[]; reasons: IssueGroup[] }

/** Counts of what the staged rows of an import would do to the catalogue. */
export type ChangeCounts = Pick<
  ImportReport,
  'create' | 'update' | 'unchanged' | 'setsStock' | 'setsStockOnly' | 'movesStock' | 'shortPieces'
>
/** Limits the report of a file with a different error, or warning, in every row. */
export const maxIssueGroups = 200

/** Collects what is wrong in a file: all is counted, the first is kept for the report. */
export class Findings {
  rows: number
  readonly #invalidFields: InvalidField[]
  readonly #reasons: Map<string, IssueGroup>
  #invalidRowCount: number

  /** @param found snapshot from the worker thread */
  constructor(found?: FindingsSnapshot) {
    this.rows = found?.rows ?? 0
    this.#invalidRowCount = found?.wrongRows ?? 0
    this.#invalidFields = found?.shown ?? []
    this.#reasons = new Map(found?.reasons.map((group) => [groupKey(group), group]))
  }

  snapshot(): FindingsSnapshot {
    return { rows: this.rows, wrongRows: this.#invalidRowCount, shown: this.#invalidFields, reasons: [...this.#reasons.values()] }
  }

  /** @param found all invalid fields of one row */
  addInvalidFields(found: InvalidField[]): void {
    if (found.length === 0) return
    this.#invalidRowCount++
    for (const field of found) {
      this.#sampleInvalidField(field)
      addToGroup(this.#reasons, field)
    }
  }

  /**
   * Adds the invalid rows that SQL found and deleted.
   * @param shown the fields of the first ones
   * @param groups all of them, by error message
   */
  addDeletedRows({ wrongRows, shown, groups }: { wrongRows: number; shown: InvalidField[]; groups: IssueGroup[] }): void {
    this.#invalidRowCount += wrongRows
    for (const field of shown) this.#sampleInvalidField(field)
    for (const group of groups) this.#reasons.set(groupKey(group), group)
  }

  #sampleInvalidField(field: InvalidField): void {
    if (this.#invalidFields.length < importLimits.reportedInvalidFields) this.#invalidFields.push(field)
  }

  toReport(compared: ChangeCounts & Pick<ImportReport, 'changes' | 'warnings' | 'mends'>, ignored: string[]): ImportReport {
    return {
      ...compared,
      rows: this.rows,
      wrong: this.#invalidRowCount,
      ignored,
      reasons: sortByCount(this.#reasons),
      wrongRows: this.#invalidFields.sort((one, other) => one.row - other.row),
    }
  }
}

function addToGroup(groups: Map<string, IssueGroup>, { row, sku, column, found, expected }: InvalidField) {
  const key = groupKey({ column, words: expected })
  const known = groups.get(key)
  if (known) known.count++
  else if (groups.size < maxIssueGroups) groups.set(key, { column, words: expected, count: 1, example: { row, sku, found } })
}

const groupKey = ({ column, words }: { column: string; words: string }) => `${column}\n${words}`

const sortByCount = (groups: Map<string, IssueGroup>) => [...groups.values()].sort((one, other) => other.count - one.count)
