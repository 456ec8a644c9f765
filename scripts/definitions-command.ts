import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { StartupError } from '#platform/startup-error.ts'
import { withDatabase } from '#platform/with-database.ts'
import { DefinitionsFile, type DefinitionsReport } from '#store/catalogue/definitions/contract.ts'
import { mendDueProducts } from '#store/catalogue/definitions/mend-products.ts'
import { findDefinitions, previewDefinitions, replaceDefinitions } from '#store/catalogue/definitions/rules.ts'
import { readDefinitionsInUse, unreadableRevisionMessage } from '#store/catalogue/definitions/stored-definitions.ts'
import { notifyStores } from './notify-stores.ts'

const usage = 'npm run definitions -- export FILE [--revision=N] | check FILE | import FILE'
const maxListed = 40

/**
 * Runs the `npm run definitions` command with these arguments, whether the store runs or not.
 * @param print prints a line of the result
 * @throws {StartupError} with the reason for which nothing was changed, or with the usage
 */
export async function runDefinitionsCommand(
  settings: Parameters<typeof withDatabase>[0],
  args: string[],
  print: (line: string) => void,
): Promise<void> {
  const { command, file, revision } = readArguments(args)
  const migrations = path.join(import.meta.dirname, '../migrations')
  await withDatabase(settings, migrations, async (db, connectionString) => {
    const { revision: newest, fallback } = await readDefinitionsInUse(db)
    if (fallback) print(unreadableRevisionMessage(newest, fallback.revision))
    if (command === 'export') return exportDefinitions(db, file, revision, print)
    const read = await readDefinitionsFile(file)
    try {
      if (command === 'check') return printReport(await previewDefinitions(db, read.definitions), 'would be', print)
      printReport(await replaceDefinitions(db, read, null), 'are', print)
    } catch (error) {
      throw error instanceof HttpError ? new StartupError(error.message) : error
    }
    await mendDueProducts(db)
    await notifyStores(connectionString, ['definitions', 'products'])
  })
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { revision: { type: 'string' } } })
    const [command = '', file = '', ...more] = positionals
    const revision = values.revision === undefined ? undefined : Number(values.revision)
    const isRevision = revision === undefined || (command === 'export' && Number.isInteger(revision) && revision > 0)
    if (!['export', 'check', 'import'].includes(command) || file === '' || more.length > 0 || !isRevision) throw new StartupError(usage)
    return { command, file, revision }
  } catch {
    throw new StartupError(usage)
  }
}

async function exportDefinitions(db: Database, file: string, revision: number | undefined, print: (line: string) => void): Promise<void> {
  const found = await findDefinitions(db, revision).catch((error) => {
    throw error instanceof HttpError ? new StartupError(error.message) : error
  })
  await writeFile(file, `${JSON.stringify(found, null, 2)}\n`).catch((error: Error) => {
    throw new StartupError(`${file} cannot be written: ${error.message}`)
  })
  print(`Revision ${revision ?? found.revision}, ${found.definitions.categories.length} categories, is in ${file}`)
}

/** NUL and halves of characters, as `JSON.stringify` writes them. */
const unstorablePattern = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

async function readDefinitionsFile(file: string): Promise<DefinitionsFile> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartupError(`There is no file ${file}`)
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new StartupError(`${file} is no JSON: ${error instanceof Error ? error.message : ''}`)
  }
  if (unstorablePattern.test(JSON.stringify(json))) throw new StartupError(`${file} has a character that no text has: NUL, or half of one`)
  const read = DefinitionsFile.safeParse(json)
  if (read.success) return read.data
  const issues = read.error.issues.slice(0, maxListed).map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new StartupError(`Nothing was changed. ${file}:\n  ${issues.join('\n  ')}`)
}

function printReport({ revision, changes, mends, mendedProducts }: DefinitionsReport, mood: string, print: (line: string) => void): void {
  print(
    changes.length === 0
      ? `The definitions are the same, now revision ${revision}`
      : `${changes.length} definitions ${mood} changed, now revision ${revision}:`,
  )
  for (const { category, attribute, change, fields, products } of changes.slice(0, maxListed)) {
    const what = [category ?? 'words of questions', attribute].filter(Boolean).join(' / ')
    const keeping = fields.some((field) => field === 'unit' || field === 'kind') ? ', whose values stay as they are written' : ''
    const count = category === null ? '' : `: ${products} products${keeping}`
    print(`  ${change}  ${what}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}${count}`)
  }
  if (changes.length > maxListed) print(`  and ${changes.length - maxListed} more`)
  print(`${mendedProducts} products ${mood} mended`)
  for (const { category, field, before, after, products } of mends.slice(0, maxListed))
    print(`  ${[category, field].filter(Boolean).join(' / ')}: ${before} -> ${after}, ${products} products`)
  if (mends.length > maxListed) print('  and more values')
}
