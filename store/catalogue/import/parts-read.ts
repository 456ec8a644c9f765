import { categoryOf } from '../categories.ts'
import { importLimits, type PartColumn, partColumns, type WrongField } from '../contract.ts'
import { columns, judge } from './columns.ts'
import { CsvReader, type Delimiter, delimiters, unguarded } from './csv.ts'
import { FileFault } from './fault.ts'
import { textOf } from './file-text.ts'
import { faultOfSpecs, isObject, isSpecKey, readSpec, specKeyWords } from './specs.ts'

/** A row that is right, as it is staged. What is absent stays as it is; '' says that there is none. */
export type ReadPart = { row: number; sku: string } & Partial<Record<Exclude<PartColumn, 'sku' | 'specs'>, string | number>> & {
    specs?: Record<string, unknown>
    specs_known?: Record<string, unknown>
    specs_unknown?: string[]
  }
export type Warning = { row: number; column: string; found: string; words: string }
/** What one row of the file says: a part, or what is wrong with it. */
export type ReadRow = { part: ReadPart | undefined; wrong: WrongField[]; warnings: Warning[] }
/** `ignored` grows while the file is read: columns that mean nothing here. */
export type Reading = { rows: AsyncGenerator<ReadRow>; ignored: Set<string> }

const known = new Set<string>(partColumns)
const mostNames = 100

/**
 * Reads a file of parts, NDJSON or CSV, row by row. Rows are counted as a spreadsheet and an editor count them: the head of a CSV file is
 * row 1, the first line of NDJSON too.
 * @throws {FileFault} while reading, with its row: no such file can be read on
 */
export function readParts(bytes: AsyncIterable<Uint8Array>): Reading {
  const ignored = new Set<string>()
  return { rows: read(bytes, ignored), ignored }
}

async function* read(bytes: AsyncIterable<Uint8Array>, ignored: Set<string>): AsyncGenerator<ReadRow> {
  let row = 0
  let format: Format | undefined
  try {
    for await (const text of textOf(bytes)) {
      if (!format && text.trim() === '') {
        row += text.split('\n').length - 1
        continue
      }
      format ??= /^\s*[{[]/.test(text) ? ndjson() : csv(text)
      for (const said of format.rows(text)) {
        row++
        if (row > importLimits.rows) throw new FileFault(`The file has more than ${importLimits.rows} rows: send it in parts`, row)
        const read = said && format.read(said, row, ignored)
        if (read) yield read
      }
    }
    for (const said of format?.end() ?? []) {
      const read = said && format?.read(said, ++row, ignored)
      if (read) yield read
    }
  } catch (error) {
    if (error instanceof FileFault && row > 0) error.row ??= row + 1
    throw error
  }
  if (!format) throw new FileFault('The file is empty')
}

/** Rows of text, and what they say. */
type Format = {
  rows(text: string): Iterable<string | string[]>
  /** what is left at the end of the file */
  end(): Iterable<string | string[]>
  /** undefined for an empty row, and for the head of a table */
  read(said: string | string[], row: number, ignored: Set<string>): ReadRow | undefined
}

function ndjson(): Format {
  return {
    rows: function* (text) {
      for (let start = 0; start < text.length; ) {
        const end = text.indexOf('\n', start)
        yield text.slice(start, end < 0 ? text.length : end)
        start = end < 0 ? text.length : end + 1
      }
    },
    end: () => [],
    read(said, row, ignored) {
      if (typeof said !== 'string' || said.trim() === '') return undefined
      const wrong = (expected: string): ReadRow => ({
        part: undefined,
        wrong: [{ row, column: '', found: shown(said), expected }],
        warnings: [],
      })
      if (said.length > importLimits.rowKilobytes * 1024) return wrong(`a row of at most ${importLimits.rowKilobytes} kB`)
      let value: unknown
      try {
        value = JSON.parse(said)
      } catch {
        return wrong('one whole JSON object on a line')
      }
      if (!isObject(value)) return wrong('one JSON object on a line, such as {"sku": "A-1", "price": 12}')
      const fields = new Map<string, unknown>()
      for (const [name, found] of Object.entries(value))
        if (known.has(name)) fields.set(name, found)
        else if (ignored.size < mostNames) ignored.add(name.slice(0, 80))
      return readFields(fields, [], row)
    },
  }
}

function csv(text: string): Format {
  const { head, delimiter } = findHead(text)
  const reader = new CsvReader(delimiter)
  const table = head.map((name) => ({ name, key: specKey(name) }))
  if (table.some(({ key }) => key) && !head.includes('category'))
    throw new FileFault('Columns such as specs.cores are read by the category of each part: the column category is missing', 1)
  return {
    rows: (text) => reader.rows(text),
    end() {
      reader.end()
      return []
    },
    read(cells, row, ignored) {
      if (typeof cells === 'string') return undefined
      if (row === 1) {
        for (const { name, key } of table) if (!known.has(name) && !key && ignored.size < mostNames) ignored.add(name.slice(0, 80))
        return undefined
      }
      if (cells.every((cell) => cell.trim() === '')) return undefined
      if (cells.length !== head.length) {
        const expected = `${head.length} cells, as many as there are columns`
        return { part: undefined, wrong: [{ row, column: '', found: `${cells.length} cells`, expected }], warnings: [] }
      }
      const fields = new Map<string, unknown>()
      const specs: [key: string, cell: string][] = []
      for (const [nth, { name, key }] of table.entries()) {
        const cell = unguarded(cells[nth] ?? '')
        if (cell.length > importLimits.cellKilobytes * 1024) {
          const expected = `a cell of at most ${importLimits.cellKilobytes} kB`
          return { part: undefined, wrong: [{ row, column: name.slice(0, 80), found: shown(cell), expected }], warnings: [] }
        }
        if (key) specs.push([key, cell])
        else if (known.has(name)) fields.set(name, name === 'specs' ? asJson(cell) : cell)
      }
      return readFields(fields, specs, row)
    },
  }
}

const specPrefix = 'specs.'
const specKey = (name: string) => {
  const key = name.startsWith(specPrefix) ? name.slice(specPrefix.length) : ''
  return isSpecKey(key) ? key : undefined
}

/** Text that is no JSON is given back: then it is no object either, and judged as that. */
function asJson(cell: string): unknown {
  if (cell.trim() === '') return {}
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** The names of the columns and the delimiter that parts them. */
function findHead(text: string): { head: string[]; delimiter: Delimiter } {
  const tried = delimiters.map((delimiter) => ({ head: firstRow(text, delimiter), delimiter }))
  const found = tried.filter(({ head }) => head.includes('sku')).sort((one, other) => other.head.length - one.head.length)[0]
  if (!found) {
    const seen = tried.sort((one, other) => other.head.length - one.head.length)[0]?.head.join(', ') ?? ''
    throw new FileFault(`The first row has to name the columns, sku among them. It says: ${shown(seen)}`, 1)
  }
  refuseTooWide(found.head)
  const names = new Set<string>()
  for (const name of found.head) {
    if (name !== '' && names.has(name)) throw new FileFault(`The column ${shown(name)} stands there twice`, 1)
    if (name.startsWith(specPrefix) && !specKey(name)) throw new FileFault(`The column ${shown(name)} cannot be kept: ${specKeyWords}`, 1)
    names.add(name)
  }
  return found
}

function refuseTooWide(head: string[]): void {
  const { columns, attributes } = importLimits
  if (head.length > columns)
    throw new FileFault(
      `The table has ${head.length} columns and may have at most ${columns}: leave out those that the store does not need`,
      1,
    )
  const many = head.filter((name) => name.startsWith(specPrefix)).length
  if (many > attributes)
    throw new FileFault(`The table has ${many} columns that begin with ${specPrefix} and may have at most ${attributes}`, 1)
}

/** A head in quotes cannot be read with another delimiter than its own: then it has no columns. */
function firstRow(text: string, delimiter: Delimiter): string[] {
  try {
    const [first = []] = new CsvReader(delimiter).rows(text)
    return first.map((name) => name.trim()).map((name) => (known.has(name.toLowerCase()) ? name.toLowerCase() : name))
  } catch (error) {
    if (error instanceof FileFault) return []
    throw error
  }
}

function readFields(fields: Map<string, unknown>, specCells: [key: string, cell: string][], row: number): ReadRow {
  const wrong: WrongField[] = []
  const warnings: Warning[] = []
  const part: ReadPart = { row, sku: '' }
  const sku = judge(columns.sku, fields.get('sku'))
  if ('value' in sku) part.sku = String(sku.value)
  else wrong.push({ row, column: 'sku', found: shown(fields.get('sku')), expected: sku.expected })

  for (const column of partColumns) {
    if (column === 'sku' || column === 'specs' || !fields.has(column)) continue
    const found = fields.get(column)
    const judged = judge(columns[column], found)
    if ('value' in judged) {
      if (column !== 'available_quantity_seen' || judged.value !== '') part[column] = judged.value
    } else wrong.push({ row, column, found: shown(found), expected: judged.expected })
  }
  if (fields.has('specs')) {
    const specs = fields.get('specs') ?? {}
    const fault = faultOfSpecs(specs)
    if (fault) wrong.push({ row, column: 'specs', found: shown(specs), expected: fault })
    else if (isObject(specs)) part.specs = specs
  }

  const category = typeof part.category === 'string' && part.category !== '' ? part.category : null
  const specsKnown: Record<string, unknown> = {}
  const specsUnknown: string[] = []
  for (const [key, cell] of specCells) {
    const spec = readSpec(category, key, cell)
    if ('expected' in spec) {
      wrong.push({ row, column: `specs.${key}`, found: shown(cell), expected: spec.expected })
      continue
    }
    if (spec.strange)
      warnings.push({ row, column: `specs.${key}`, found: shown(cell), words: 'the category has no such attribute: kept as text' })
    if (spec.value !== null) specsKnown[key] = spec.value
    else specsUnknown.push(key)
  }
  if (part.specs) {
    part.specs = { ...part.specs, ...specsKnown }
    const fault = specCells.length > 0 && faultOfSpecs(part.specs)
    if (fault) wrong.push({ row, column: 'specs', found: shown(part.specs), expected: fault })
  } else if (specCells.length > 0) {
    part.specs_known = specsKnown
    part.specs_unknown = specsUnknown
  }
  for (const column of ['sku', 'mpn'] as const) {
    const number = part[column]
    if (typeof number === 'string' && /^\d([.,]\d+)?E\+\d+$/i.test(number))
      warnings.push({ row, column, found: number, words: 'looks like a number that a spreadsheet has rounded: format the column as text' })
  }
  if (category !== null && !categoryOf(category))
    warnings.push({ row, column: 'category', found: shown(category), words: 'none of the categories of this store: shown without filters' })
  return { part: wrong.length > 0 ? undefined : part, wrong, warnings }
}

/** What stands in the file, short enough to be shown. */
export function shown(found: unknown): string {
  if (found === undefined) return ''
  const said = typeof found === 'string' ? found : flat(found)
  const plain = said.replaceAll('\0', '�').toWellFormed()
  return plain.length > 80 ? `${plain.slice(0, 79).toWellFormed()}…` : plain
}

/** JSON nested without end is not written out. */
function flat(found: unknown): string {
  try {
    return JSON.stringify(found)
  } catch {
    return 'JSON nested without end'
  }
}
