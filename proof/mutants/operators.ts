import { stripTypeScriptTypes } from 'node:module'
import { replacedFunctions } from './guarded.ts'

/** One line of a file changed in one way. `line` counts from 1; `to` is undefined where the line is taken out. */
export type Mutant = { file: string; line: number; operator: string; from: string; to: string | undefined }

type Operator = { name: string; mutate: (line: string) => (string | undefined)[] }

/** Replaces each occurrence of its own: a line with two comparisons has two mutants. */
function each(pattern: RegExp, replace: (...groups: string[]) => string): Operator['mutate'] {
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
const isWhole = (line: string) =>
  isBalanced(line) &&
  (/^\s*(await|throw|return|if \(|[\w.]+\()[^=]*$/.test(line) ||
    /^\s*[\w.]+\(.*\),$/.test(line) ||
    /^\s*on\w+: guards\.\w+,$/.test(line)) &&
  !/^\s*return\b(?!;?$)/.test(line)

/** The last operand of `and(one, other)`, each in turn where they are calls or names on this line. */
function withoutOperand(line: string): string[] {
  const found = /\band\((.*)\)/.exec(line)
  const inside = found?.[1]
  if (!found || inside === undefined || !isBalanced(inside)) return []
  const operands = splitOutside(inside)
  if (operands.length < 2) return []
  return operands.map((_, nth) => line.replace(inside, operands.filter((_, other) => other !== nth).join(', ')))
}

/** The characters that a whole expression looks for, each in turn left out. */
function withoutCharacter(line: string): string[] {
  const signs = /\/\[([^\]\\-]{2,})\]\//.exec(line)?.[1] ?? ''
  return [...signs].map((sign) => line.replace(`[${signs}]`, `[${signs.replace(sign, '')}]`))
}

/** Parts a list at the commas that stand in no bracket. */
function splitOutside(list: string): string[] {
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
  { name: 'line taken out', mutate: (line) => (isWhole(line) ? [undefined] : []) },
  {
    name: 'comparison',
    mutate: each(/ (<=|>=|<|>) (?!\()/, (found, sign) =>
      found.replace(sign ?? '', swap({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' })(sign ?? '')),
    ),
  },
  { name: 'equality', mutate: each(/ (===|!==|<>) /, (found) => swap({ ' === ': ' !== ', ' !== ': ' === ', ' <> ': ' = ' })(found)) },
  { name: 'logic', mutate: each(/ (&&|\|\|) /, (found) => swap({ ' && ': ' || ', ' || ': ' && ' })(found)) },
  {
    name: 'SQL logic',
    mutate: (line) =>
      /\bselect\b|\bwhere\b|\bsql`|^\s+(and|or) /i.test(line)
        ? each(/ (and|or) /, (found) => swap({ ' and ': ' or ', ' or ': ' and ' })(found))(line)
        : [],
  },
  { name: 'condition turned round', mutate: each(/\bif \((?!!)(\w[\w.]*(?:\([^()]*\))?)\)/, (_, asked) => `if (!${asked})`) },
  { name: 'negation', mutate: each(/\(!(?=\w)/, () => '(') },
  {
    name: 'arithmetic',
    mutate: each(/(?<=[\w)}]) ([+*-]) (?=[\w($])/, (found) => swap({ ' + ': ' - ', ' - ': ' + ', ' * ': ' + ' })(found)),
  },
  {
    // What is compared, computed with or answered. How large a limit is, is a choice: a test that repeats it would only say it twice.
    name: 'number',
    mutate: each(
      /(?<=[<>]=? |[!=]== |[\w)}\]] [*+-] |\.min\()(?:[012]|100)\b(?!\.)|(?<=Refusal\()\d{3}/,
      (found) => `${Number(found) + 1}`,
    ),
  },
  { name: 'truth', mutate: each(/\b(true|false)\b(?!')/, (found) => swap({ true: 'false', false: 'true' })(found)) },
  { name: 'bound', mutate: each(/(?<=Math)\.(min|max)\(/, (found) => swap({ '.min(': '.max(', '.max(': '.min(' })(found)) },
  { name: 'lock', mutate: each(/\.for\('[a-z ]+'(, \{[^}]*\})?\)/, () => '') },
  { name: 'SQL lock', mutate: each(/ for (no key )?update( skip locked)?/, () => '') },
  { name: 'transaction', mutate: each(/\b(\w+)\.transaction\(/, (_, db) => `((work) => work(${db}))(`) },
  { name: 'operand', mutate: withoutOperand },
  { name: 'default', mutate: each(/ \?\? (?=[\w'([])/, () => ' && ') },
  { name: 'character', mutate: withoutCharacter },
  { name: 'guard', mutate: each(/guards\.(admin|customer|selfOrAdmin)\b/, () => 'guards.signedIn') },
]

/** What carries no decision: comments, imports, types, and errors that say what cannot be. */
function isIdle(line: string, inTypes: boolean): boolean {
  return (
    inTypes ||
    line.includes('throw new Error(') ||
    /^\s*(\/\/|\/?\*|import |export type |type |\} from )/.test(line) ||
    /^\s*$/.test(line) ||
    /^(export )?(type|interface) /.test(line)
  )
}

/** Text for people is not mutated: a wrong word in a sentence is for a reader to see. SQL and keys are. */
const withoutSentences = (line: string) => line.replace(/'[^']* [^']*'|"[^"]* [^"]*"/g, (words) => ' '.repeat(words.length))

/** What stands in a migration outside of functions. */
const inMigration: Operator[] = [
  {
    name: 'constraint taken out',
    mutate: (line) =>
      /^\s*CONSTRAINT .* CHECK .*,$/.test(line) || /^ALTER TABLE .* ADD CONSTRAINT .* CHECK /.test(line)
        ? [/^ALTER/.test(line) ? 'select 1;--> statement-breakpoint' : undefined]
        : [],
  },
]

/** The body of a function in a migration. */
const inSqlFunction: Operator[] = [
  { name: 'SQL lock', mutate: (line) => (/^\s*PERFORM .*_lock\(.*;$/.test(line) ? [undefined] : []) },
  { name: 'SQL logic', mutate: each(/ (AND|OR) /, (found) => swap({ ' AND ': ' OR ', ' OR ': ' AND ' })(found)) },
  {
    name: 'equality',
    mutate: (line) => (line.includes('RAISE') ? [] : each(/ (=|<>) /, (found) => swap({ ' = ': ' <> ', ' <> ': ' = ' })(found))(line)),
  },
  {
    name: 'comparison',
    mutate: each(/ (<=|>=|<|>) /, (found) => swap({ ' < ': ' <= ', ' <= ': ' < ', ' > ': ' >= ', ' >= ': ' > ' })(found)),
  },
  { name: 'negation', mutate: each(/ (IS NOT NULL|NOT (?!NULL|FOUND))/, (found) => (found === ' IS NOT NULL' ? ' IS NULL' : ' ')) },
  { name: 'arithmetic', mutate: each(/(?<=\w) - (?=\w)/, () => ' + ') },
]

/** Every mutant of this file that is still a program, in the order of its lines. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const lines = source.split('\n')
  const isSql = file.endsWith('.sql')
  let [inTypes, inFunction] = [false, false]
  return lines.flatMap((line, index) => {
    if (/^(export )?type \w+.*[{(|]$/.test(line)) inTypes = true
    const idle = isIdle(line, inTypes)
    if (inTypes && /^[})\]]/.test(line)) inTypes = false
    const ofLine = !isSql ? operators : inFunction ? (replacedFunctions.includes(file) ? [] : inSqlFunction) : inMigration
    if (isSql && line.split('$$').length === 2) inFunction = !inFunction
    if (idle) return []
    const seen = new Set<string>()
    return ofLine.flatMap(({ name, mutate }) =>
      mutate(line)
        .filter((to) => to === undefined || withoutSentences(to) !== withoutSentences(line))
        .filter((to) => {
          const known = seen.has(to ?? '')
          seen.add(to ?? '')
          return !known && (isSql || isProgram(lines.with(index, to ?? '').join('\n')))
        })
        .map((to) => ({ file, line: index + 1, operator: name, from: line, to })),
    )
  })
}

function isProgram(source: string): boolean {
  try {
    stripTypeScriptTypes(source)
    return true
  } catch {
    return false
  }
}
