import { stripTypeScriptTypes } from 'node:module'
import { migrationsWithReplacedFunctions } from './tests-by-mutated-file.ts'

/** One line of a file changed in one way. `line` counts from 1; `to` is undefined where the line is taken out. */
export type Mutant = { file: string; line: number; operator: string; from: string; to: string | undefined }

/** `source` is the whole file: a name that it does not import cannot come into a line. */
type Operator = { name: string; mutate: (line: string, source: string) => (string | undefined)[] }

/** Replaces each occurrence of its own: a line with two comparisons has two mutants. */
function replaceEach(pattern: RegExp, replace: (...groups: string[]) => string): Operator['mutate'] {
  return (line) =>
    [...line.matchAll(new RegExp(pattern, 'g'))].map(
      (found) => line.slice(0, found.index) + replace(...found.map((group) => group ?? '')) + line.slice(found.index + found[0].length),
    )
}

const swap = (pairs: Record<string, string>) => (found: string) => pairs[found] ?? found

const isBalanced = (text: string) =>
  ['()', '[]', '{}'].every(([open = '', close = '']) => text.split(open).length === text.split(close).length) &&
  (text.split('`').length - 1) % 2 === 0

/** A whole statement, or a whole entry of a list of arguments or keys, on one line: what can be taken out without breaking the rest. */
const isRemovableStatement = (line: string) =>
  isBalanced(line) &&
  (/^\s*(await|throw|return|if \(|[\w.]+\()[^=]*$/.test(line) ||
    /^\s*[\w.]+\(.*\),$/.test(line) ||
    /^\s*on\w+: guards\.\w+,$/.test(line)) &&
  !/^\s*return\b(?!;?$)/.test(line)

/** Each operand of each `and(one, other)` of this line, left out in turn. */
function withoutOperand(line: string): string[] {
  return [...line.matchAll(/\band\(/g)].flatMap(({ index, 0: call }) => {
    const begin = index + call.length
    const end = closingBracket(line, begin)
    const operands = splitTopLevelCommas(line.slice(begin, end))
    if (end < 0 || operands.length < 2) return []
    return operands.map((_, nth) => line.slice(0, begin) + operands.toSpliced(nth, 1).join(', ') + line.slice(end))
  })
}

/** Where the bracket closes that was opened just before `begin`; -1 when it does not on this line. */
function closingBracket(line: string, begin: number): number {
  let depth = 1
  for (let at = begin; at < line.length; at++) {
    if ('([{'.includes(line.charAt(at))) depth++
    if (')]}'.includes(line.charAt(at))) depth--
    if (depth === 0) return at
  }
  return -1
}

/** Each comparison that drizzle writes, turned into its neighbour, where the file imports that one. */
const neighbours: Record<string, string> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'gte',
  gte: 'gt',
  lt: 'lte',
  lte: 'lt',
  isNull: 'isNotNull',
  isNotNull: 'isNull',
}
const swapComparison: Operator['mutate'] = (line, source) =>
  replaceEach(/(?<![\w.])(eq|ne|gte?|lte?|isNull|isNotNull)\(/, (found, name = '') => {
    const other = neighbours[name] ?? ''
    return new RegExp(`^import \\{.*\\b${other}\\b.*\\} from 'drizzle-orm'`, 'm').test(source) ? `${other}(` : found
  })(line, source)

/** The characters that a whole expression looks for, each in turn left out. */
function withoutCharacter(line: string): string[] {
  const signs = /\/\[([^\]\\-]{2,})\]\//.exec(line)?.[1] ?? ''
  return [...signs].map((sign) => line.replace(`[${signs}]`, `[${signs.replace(sign, '')}]`))
}

/** Parts a list at the commas that stand in no bracket. */
function splitTopLevelCommas(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of list) {
    if ('([{'.includes(sign)) depth++
    if (')]}'.includes(sign)) depth--
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** Lines of TypeScript and of the SQL in it; what each leaves must still be a program. */
const operators: Operator[] = [
  { name: 'line taken out', mutate: (line) => (isRemovableStatement(line) ? [undefined] : []) },
  {
    name: 'comparison',
    mutate: replaceEach(/ (<=|>=|<|>) (?!\()/, (found, sign) =>
      found.replace(sign ?? '', swap({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' })(sign ?? '')),
    ),
  },
  {
    name: 'equality',
    mutate: replaceEach(/ (===|!==|<>) /, (found) => swap({ ' === ': ' !== ', ' !== ': ' === ', ' <> ': ' = ' })(found)),
  },
  { name: 'logic', mutate: replaceEach(/ (&&|\|\|) /, (found) => swap({ ' && ': ' || ', ' || ': ' && ' })(found)) },
  {
    name: 'SQL logic',
    mutate: (line) =>
      /\bselect\b|\bwhere\b|\bsql`|^\s+(and|or) /i.test(line)
        ? replaceEach(/ (and|or) /, (found) => swap({ ' and ': ' or ', ' or ': ' and ' })(found))(line, '')
        : [],
  },
  { name: 'SQL equality', mutate: replaceEach(/(?<=\b(?:where|and|or|on|when) [^=]*) = /, () => ' <> ') },
  { name: 'SQL comparison', mutate: swapComparison },
  { name: 'condition turned round', mutate: replaceEach(/\bif \((?!!)(\w[\w.]*(?:\([^()]*\))?)\)/, (_, asked) => `if (!${asked})`) },
  { name: 'negation', mutate: replaceEach(/\(!(?=\w)/, () => '(') },
  {
    name: 'arithmetic',
    mutate: replaceEach(/(?<=[\w)}]) ([+*-]) (?=[\w($])/, (found) => swap({ ' + ': ' - ', ' - ': ' + ', ' * ': ' + ' })(found)),
  },
  {
    // What is compared, computed with or answered. How large a limit is, is a choice: a test that repeats it would only say it twice.
    name: 'number',
    mutate: replaceEach(
      /(?<=[<>]=? |[!=]== |[\w)}\]] [*+-] |\.min\()(?:[012]|100)\b(?!\.)|(?<=HttpError\()\d{3}/,
      (found) => `${Number(found) + 1}`,
    ),
  },
  { name: 'truth', mutate: replaceEach(/(?<!\| )\b(true|false)\b(?!')/, (found) => swap({ true: 'false', false: 'true' })(found)) },
  { name: 'bound', mutate: replaceEach(/(?<=Math)\.(min|max)\(/, (found) => swap({ '.min(': '.max(', '.max(': '.min(' })(found)) },
  { name: 'lock', mutate: replaceEach(/\.for\('[a-z ]+'(, \{[^}]*\})?\)/, () => '') },
  { name: 'SQL lock', mutate: replaceEach(/ for (no key )?update( skip locked)?/, () => '') },
  { name: 'transaction', mutate: replaceEach(/\b(\w+)\.transaction\(/, (_, db) => `((work) => work(${db}))(`) },
  { name: 'operand', mutate: withoutOperand },
  { name: 'default', mutate: replaceEach(/ \?\? (?=[\w'([])/, () => ' && ') },
  { name: 'character', mutate: withoutCharacter },
  { name: 'guard', mutate: replaceEach(/guards\.(admin|customer|selfOrAdmin)\b/, () => 'guards.signedIn') },
  { name: 'guard', mutate: replaceEach(/guards\.owner\b/, () => 'guards.admin') },
]

/** What carries no decision: comments, imports, types, descriptions of the calls for readers, and errors that say what cannot be. */
function isNotMutable(line: string, inTypes: boolean): boolean {
  return (
    inTypes ||
    line.includes('throw new Error(') ||
    /^\s*(\/\/|\/?\*|import |export type |type |\} from )/.test(line) ||
    /^\s*\.(describe|meta)\(.*\),?$/.test(line) ||
    /^\s*$/.test(line) ||
    /^(export )?(type|interface) /.test(line)
  )
}

/** Text for people is not mutated: a wrong word in a sentence or a comment is for a reader to see. SQL and keys are. */
const blankOutProse = (line: string) =>
  line.replace(/'[^']*'|"[^"]*"/g, (words) => (words.includes(' ') ? "' '" : words)).replace(/ \/\/ .*$/, '')

/** What stands in a migration outside of functions. */
const migrationOperators: Operator[] = [
  {
    name: 'constraint taken out',
    mutate: replaceEach(/(?<=\bCONSTRAINT .* CHECK )\(.*\)/, () => '(true)'),
  },
]

/** The body of a function in a migration. */
const sqlFunctionOperators: Operator[] = [
  { name: 'SQL lock', mutate: (line) => (/^\s*PERFORM .*_lock\(.*;$/.test(line) ? [undefined] : []) },
  { name: 'SQL logic', mutate: replaceEach(/ (AND|OR) /, (found) => swap({ ' AND ': ' OR ', ' OR ': ' AND ' })(found)) },
  {
    name: 'equality',
    mutate: (line) =>
      line.includes('RAISE') ? [] : replaceEach(/ (=|<>) /, (found) => swap({ ' = ': ' <> ', ' <> ': ' = ' })(found))(line, ''),
  },
  {
    name: 'comparison',
    mutate: replaceEach(/ (<=|>=|<|>) /, (found) => swap({ ' < ': ' <= ', ' <= ': ' < ', ' > ': ' >= ', ' >= ': ' > ' })(found)),
  },
  { name: 'negation', mutate: replaceEach(/ (IS NOT NULL|NOT (?!NULL|FOUND))/, (found) => (found === ' IS NOT NULL' ? ' IS NULL' : ' ')) },
  { name: 'arithmetic', mutate: replaceEach(/(?<=\w) - (?=\w)/, () => ' + ') },
]

/**
 * Every mutant of this file that is still a program, in the order of its lines: each is parsed when it is asked for, which takes a millisecond.
 * @param isWanted of which lines, as they stand in the file
 */
export function* generateMutants(file: string, source: string, isWanted = (_line: string) => true): Generator<Mutant> {
  const lines = source.split('\n')
  const isSql = file.endsWith('.sql')
  let [inTypes, inFunction] = [false, false]
  for (const [index, line] of lines.entries()) {
    if (/^(export )?type \w+.*[{(|]$/.test(line)) inTypes = true
    const idle = isNotMutable(line, inTypes)
    if (inTypes && /^[})\]]/.test(line)) inTypes = false
    const ofLine = !isSql
      ? operators
      : inFunction
        ? migrationsWithReplacedFunctions.includes(file)
          ? []
          : sqlFunctionOperators
        : migrationOperators
    if (isSql && line.split('$$').length === 2) inFunction = !inFunction
    if (idle || !isWanted(line)) continue
    const seen = new Set<string>()
    for (const { name, mutate } of ofLine)
      for (const to of mutate(line, source)) {
        if (to !== undefined && blankOutProse(to) === blankOutProse(line)) continue
        const known = seen.has(to ?? '')
        seen.add(to ?? '')
        if (known || !(isSql || isProgram(lines.with(index, to ?? '').join('\n')))) continue
        yield { file, line: index + 1, operator: name, from: line, to }
      }
  }
}

function isProgram(source: string): boolean {
  try {
    stripTypeScriptTypes(source)
    return true
  } catch {
    return false
  }
}
