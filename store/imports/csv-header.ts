import { allCategories } from '#store/catalogue/categories.ts'
import { abbreviateCellValue } from './cell-text.ts'
import { importLimits, productFileColumns } from './contract.ts'
import { CsvReader, type Delimiter, delimiters } from './csv.ts'
import { ImportFileError } from './import-file-error.ts'
import { isSpecKey, specKeyRule } from './spec-values.ts'

const knownColumns = new Set<string>(productFileColumns)
export const isProductColumn = (name: string): boolean => knownColumns.has(name)

const specPrefix = 'specs.'
/** The key of a column of one attribute, such as `specs.cores`. */
export const specKeyOfColumn = (name: string) => {
  const key = name.startsWith(specPrefix) ? name.slice(specPrefix.length) : ''
  return isSpecKey(key) ? key : undefined
}

/**
 * Detects the column names and the delimiter of a CSV file.
 * @throws {ImportFileError} if its first row does not name columns that can be kept
 */
export function findHeader(text: string): { head: string[]; delimiter: Delimiter } {
  const spell = createColumnSpeller()
  const candidates = delimiters.map((delimiter) => ({ head: parseHeader(text, delimiter, spell), delimiter }))
  const found = candidates.filter(({ head }) => head.includes('sku')).sort((one, other) => other.head.length - one.head.length)[0]
  if (!found) {
    const header = candidates.sort((one, other) => other.head.length - one.head.length)[0]?.head.join(', ') ?? ''
    throw new ImportFileError(`The first row has to name the columns, sku among them. It says: ${abbreviateCellValue(header)}`, 1)
  }
  assertColumnCount(found.head)
  const names = new Set<string>()
  for (const name of found.head) {
    const compared = name.startsWith(specPrefix) ? name.toLowerCase() : name
    if (name !== '' && names.has(compared)) throw new ImportFileError(`The column ${abbreviateCellValue(name)} stands there twice`, 1)
    if (name.startsWith(specPrefix) && !specKeyOfColumn(name))
      throw new ImportFileError(`The column ${abbreviateCellValue(name)} cannot be kept: ${specKeyRule}`, 1)
    names.add(compared)
  }
  return found
}

function assertColumnCount(head: string[]): void {
  const { columns, attributes } = importLimits
  if (head.length > columns)
    throw new ImportFileError(
      `The table has ${head.length} columns and may have at most ${columns}: leave out those that the store does not need`,
      1,
    )
  const specColumns = head.filter((name) => name.startsWith(specPrefix)).length
  if (specColumns > attributes)
    throw new ImportFileError(`The table has ${specColumns} columns that begin with ${specPrefix} and may have at most ${attributes}`, 1)
}

/** A quoted header throws with a wrong delimiter; that counts as no columns. */
function parseHeader(text: string, delimiter: Delimiter, spell: (name: string) => string): string[] {
  try {
    const [first = []] = new CsvReader(delimiter).rows(text)
    return first.map((name) => spell(name.trim()))
  } catch (error) {
    if (error instanceof ImportFileError) return []
    throw error
  }
}

/** A column as the store spells it, whatever its case in the file. Any other name, also of an attribute that no category has, stays as it is. */
function createColumnSpeller(): (name: string) => string {
  const names = [...productFileColumns, ...allCategories().flatMap(({ attributes }) => attributes.map(({ key }) => specPrefix + key))]
  const spellings = new Map(names.map((name) => [name.toLowerCase(), name]))
  return (name) => {
    const ofOtherAttribute =
      name.slice(0, specPrefix.length).toLowerCase() === specPrefix ? specPrefix + name.slice(specPrefix.length) : name
    return spellings.get(name.toLowerCase()) ?? ofOtherAttribute
  }
}
