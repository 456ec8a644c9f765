import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const projectRoot = path.join(import.meta.dirname, '../..')
const breakpoint = '--> statement-breakpoint'

/**
 * The lines of a migration that a later one has made ineffective, so that no test can notice a change of them: functions that are dropped or
 * replaced, and constraints that are dropped.
 * @param file such as `migrations/0002_money_and_stock.sql`; any other file has none
 * @returns line numbers, from 1
 */
export function supersededLines(file: string): ReadonlySet<number> {
  if (!file.startsWith('migrations/')) return new Set()
  const later = readdirSync(path.join(projectRoot, 'migrations'))
    .filter((name) => name.endsWith('.sql') && name > path.basename(file))
    .map((name) => readFileSync(path.join(projectRoot, 'migrations', name), 'utf8'))
    .join('\n')
  const lines = new Set<number>()
  let first = 1
  for (const statement of readFileSync(path.join(projectRoot, file), 'utf8').split(breakpoint)) {
    const inStatement = statement.split('\n')
    const name = /CREATE (?:OR REPLACE )?FUNCTION ("\w+")/.exec(statement)?.[1]
    const isReplaced = name !== undefined && new RegExp(`(DROP|CREATE OR REPLACE) FUNCTION ${name}`).test(later)
    for (const [nth, line] of inStatement.entries()) {
      const constraint = /CONSTRAINT ("\w+") CHECK/.exec(line)?.[1]
      if (isReplaced || (constraint && later.includes(`DROP CONSTRAINT ${constraint}`))) lines.add(first + nth)
    }
    first += inStatement.length - 1
  }
  return lines
}
