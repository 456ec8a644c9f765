import { categoryOf, categoryOfWord, toCategoryKey } from '#store/catalogue/categories.ts'
import type { Mender } from '#store/catalogue/definitions/mend-values.ts'
import { categoryOption } from '#store/catalogue/product-attributes.ts'
import { isDocumentValue } from '#store/catalogue/product-documents.ts'
import { abbreviateCellValue } from './cell-text.ts'
import { columnRules, type StagedValue, validateCell } from './column-rules.ts'
import { type InvalidField, importLimits, type ProductFileColumn, productFileColumns } from './contract.ts'
import { CsvReader, unescapeFormulaCell } from './csv.ts'
import { findHeader, isProductColumn, specKeyOfColumn } from './csv-header.ts'
import { readFileText } from './file-text.ts'
import { ImportFileError } from './import-file-error.ts'
import { mendRow, mendWarning } from './mend-row.ts'
import { findSpecsError, findWrongSpecs, isObject, parseSpecValue } from './spec-values.ts'

/** A valid row as it is staged. Absent fields stay unchanged. */
export type ParsedProduct = { row: number; sku: string } & Partial<Record<Exclude<ProductFileColumn, 'sku' | 'specs'>, StagedValue>> & {
    specs?: Record<string, unknown>
    specs_known?: Record<string, unknown>
    specs_unknown?: string[]
    warnings?: RowWarning[]
  }
/** `isMend`: the value is not taken as it is, but as the definitions write it. */
export type RowWarning = { column: string; found: string; message: string; isMend?: true }
/** The result of one row: a product with its warnings, or errors. */
export type ParsedRow = { product: ParsedProduct | undefined; errors: InvalidField[] }
/** `ignoredColumns`: unknown columns, added while the file is read. */
type ProductRowStream = { rows: AsyncGenerator<ParsedRow>; ignoredColumns: Set<string> }

const maxIgnoredColumns = 100
const lineEnds = /\r\n|\n|\r/g

/**
 * Parses a product file, NDJSON or CSV, row by row, and mends its values. Rows are numbered as in spreadsheets and editors: the header of a CSV file is row 1,
 * and so is the first line of an NDJSON file.
 * @throws {ImportFileError} while iterating, with the row; the rest of the file cannot be parsed
 */
export function parseProducts(bytes: AsyncIterable<Uint8Array>, mender: Mender): ProductRowStream {
  const ignoredColumns = new Set<string>()
  return { rows: parseRows(bytes, ignoredColumns, mender), ignoredColumns }
}

async function* parseRows(bytes: AsyncIterable<Uint8Array>, ignoredColumns: Set<string>, mender: Mender): AsyncGenerator<ParsedRow> {
  let row = 0
  let format: RowFormat | undefined
  try {
    for await (const text of readFileText(bytes)) {
      if (!format && text.trim() === '') {
        row += text.split(lineEnds).length - 1
        continue
      }
      format ??= /^\s*[{[]/.test(text) ? ndjsonFormat() : csvFormat(text)
      for (const content of format.splitRows(text)) {
        row++
        if (row > importLimits.rows) throw new ImportFileError(`The file has more than ${importLimits.rows} rows: send it in parts`, row)
        const parsed = content && format.parseRow(content, row, ignoredColumns)
        if (parsed) yield mendRow(parsed, mender)
      }
    }
    format?.end()
  } catch (error) {
    if (error instanceof ImportFileError && row > 0) error.row ??= row + 1
    throw error
  }
  if (!format) throw new ImportFileError('The file is empty')
}

/** Splits text into rows and parses them. */
type RowFormat = {
  splitRows(text: string): Iterable<string | string[]>
  /** @throws {ImportFileError} at the end of the file, if its last row is not complete */
  end(): void
  /** undefined for an empty row and for the header of a table */
  parseRow(content: string | string[], row: number, ignoredColumns: Set<string>): ParsedRow | undefined
}

function ndjsonFormat(): RowFormat {
  return {
    splitRows: function* (text) {
      let start = 0
      for (const { index, 0: lineEnd } of text.matchAll(lineEnds)) {
        yield text.slice(start, index)
        start = index + lineEnd.length
      }
      if (start < text.length) yield text.slice(start)
    },
    end() {},
    parseRow(line, row, ignoredColumns) {
      if (typeof line !== 'string' || line.trim() === '') return undefined
      const invalidRow = (expected: string): ParsedRow => ({
        product: undefined,
        errors: [{ row, column: '', found: abbreviateCellValue(line), expected }],
      })
      if (line.length > importLimits.rowKilobytes * 1024) return invalidRow(`a row of at most ${importLimits.rowKilobytes} kB`)
      let json: unknown
      try {
        json = JSON.parse(line)
      } catch {
        return invalidRow('one whole JSON object on a line')
      }
      if (!isObject(json)) return invalidRow('one JSON object on a line, such as {"sku": "A-1", "price": 12}')
      const fields = new Map<string, unknown>()
      for (const [name, value] of Object.entries(json))
        if (isProductColumn(name)) fields.set(name, value)
        else if (ignoredColumns.size < maxIgnoredColumns) ignoredColumns.add(name.slice(0, 80))
      return parseFields(fields, [], row)
    },
  }
}

function csvFormat(text: string): RowFormat {
  const { head, delimiter } = findHeader(text)
  const reader = new CsvReader(delimiter)
  const table = head.map((name) => ({ name, key: specKeyOfColumn(name) }))
  if (table.some(({ key }) => key) && !head.includes('category'))
    throw new ImportFileError('Columns such as specs.cores are read by the category of each part: the column category is missing', 1)
  return {
    splitRows: (text) => reader.rows(text),
    end: () => reader.end(),
    parseRow(cells, row, ignoredColumns) {
      if (typeof cells === 'string') return undefined
      if (row === 1) {
        for (const { name, key } of table)
          if (!isProductColumn(name) && !key && ignoredColumns.size < maxIgnoredColumns) ignoredColumns.add(name.slice(0, 80))
        return undefined
      }
      if (cells.every((cell) => cell.trim() === '')) return undefined
      if (cells.length !== head.length) {
        const expected = `${head.length} cells, as many as there are columns`
        return { product: undefined, errors: [{ row, column: '', found: `${cells.length} cells`, expected }] }
      }
      const fields = new Map<string, unknown>()
      const specs: [key: string, cell: string][] = []
      for (const [nth, { name, key }] of table.entries()) {
        const cell = unescapeFormulaCell(cells[nth] ?? '')
        if (cell.length > importLimits.cellKilobytes * 1024) {
          const expected = `a cell of at most ${importLimits.cellKilobytes} kB`
          return {
            product: undefined,
            errors: [{ row, column: name.slice(0, 80), found: abbreviateCellValue(cell), expected }],
          }
        }
        if (key) specs.push([key, cell])
        else if (isProductColumn(name)) fields.set(name, name === 'specs' ? parseSpecsCell(cell) : cell)
      }
      return parseFields(fields, specs, row)
    },
  }
}

/** Invalid JSON is returned as text, which `findSpecsError` rejects because it is not an object. */
function parseSpecsCell(cell: string): unknown {
  if (cell.trim() === '') return {}
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

function parseFields(fields: Map<string, unknown>, specCells: [key: string, cell: string][], row: number): ParsedRow {
  const invalidFields: InvalidField[] = []
  const warnings: RowWarning[] = []
  const product: ParsedProduct = { row, sku: '' }
  const sku = validateCell(columnRules.sku, fields.get('sku'))
  if ('value' in sku) product.sku = String(sku.value)
  else invalidFields.push({ row, column: 'sku', found: abbreviateCellValue(fields.get('sku')), expected: sku.expected })

  for (const column of productFileColumns) {
    if (column === 'sku' || column === 'specs' || !fields.has(column)) continue
    const found = fields.get(column)
    const validation = validateCell(columnRules[column], found)
    if ('value' in validation) {
      if (column !== 'available_quantity_seen' || validation.value !== '') product[column] = validation.value
    } else invalidFields.push({ row, column, found: abbreviateCellValue(found), expected: validation.expected })
  }
  const category = mendCategory(product, warnings)
  if (fields.has('specs')) {
    const specs = fields.get('specs') ?? {}
    const errors = findErrorsOfSpecs(specs, category)
    for (const { column, found, expected } of errors) invalidFields.push({ row, column, found: abbreviateCellValue(found), expected })
    if (isObject(specs) && errors.length === 0) product.specs = specs
  }

  const specsKnown: Record<string, unknown> = {}
  const specsUnknown: string[] = []
  for (const [key, cell] of specCells) {
    const spec = parseSpecValue(category, key, cell)
    if ('expected' in spec) {
      invalidFields.push({ row, column: `specs.${key}`, found: abbreviateCellValue(cell), expected: spec.expected })
      continue
    }
    if (spec.strange && !isDocumentValue(spec.value))
      warnings.push({
        column: `specs.${key}`,
        found: abbreviateCellValue(cell),
        message: 'the category has no such attribute: kept as text',
      })
    if (spec.value !== null) specsKnown[key] = spec.value
    else specsUnknown.push(key)
  }
  if (product.specs) {
    product.specs = { ...product.specs, ...specsKnown }
    const expected = specCells.length > 0 && findSpecsError(product.specs)
    if (expected) invalidFields.push({ row, column: 'specs', found: abbreviateCellValue(product.specs), expected })
  } else if (specCells.length > 0) {
    product.specs_known = specsKnown
    product.specs_unknown = specsUnknown
  }
  warnings.push(...findStrangeValues(product, category))
  if (warnings.length > 0) product.warnings = warnings
  const named = product.sku === '' ? {} : { sku: product.sku }
  return {
    product: invalidFields.length > 0 ? undefined : product,
    errors: invalidFields.map((field) => ({ ...field, ...named })),
  }
}

/** Writes the key of a category where an alias or the label stands. */
function mendCategory(product: ParsedProduct, warnings: RowWarning[]): string | null {
  const before = product.category
  if (typeof before !== 'string' || before === '') return null
  const after = toCategoryKey(before)
  if (after !== before) warnings.push(mendWarning({ field: 'category', before, after }))
  product.category = after
  return after
}

function findErrorsOfSpecs(specs: unknown, category: string | null): { column: string; found: unknown; expected: string }[] {
  const expected = findSpecsError(specs)
  if (expected) return [{ column: 'specs', found: specs, expected }]
  if (!isObject(specs)) return []
  return findWrongSpecs(category, specs).map(({ key, expected }) => ({ column: `specs.${key}`, found: specs[key], expected }))
}

/** What is taken as it is, and is probably not what was meant. */
function findStrangeValues(product: ParsedProduct, category: string | null): RowWarning[] {
  const warnings: RowWarning[] = []
  for (const column of ['sku', 'mpn'] as const) {
    const number = product[column]
    if (typeof number === 'string' && /^\d([.,]\d+)?E\+\d+$/i.test(number))
      warnings.push({
        column,
        found: number,
        message: 'looks like a number that a spreadsheet has rounded: format the column as text',
      })
  }
  if (category !== null && !categoryOf(category)) {
    const meant = categoryOfWord(category)
    warnings.push({
      column: 'category',
      found: abbreviateCellValue(category),
      message: `a new category "${abbreviateCellValue(categoryOption(category)?.label)}", shown to visitors without filters of its own${meant ? `: parts that are called so are in "${meant.label}"` : ''}`,
    })
  }
  return warnings
}
