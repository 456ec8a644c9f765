import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CannotStart } from '#platform/cannot-start.ts'
import { openChanges } from '#platform/changes.ts'
import { onDatabase } from '#platform/command.ts'
import { type Database, openDatabase } from '#platform/database.ts'
import { StockChoice } from '#store/catalogue/contract.ts'
import { check } from '#store/catalogue/import/check.ts'
import { FileFault } from '#store/catalogue/import/fault.ts'
import { unstage } from '#store/catalogue/import/staging.ts'
import { movedBefore, stockMovedAt, write } from '#store/catalogue/import/write.ts'
import { inLines, inShort, openProgress } from './import-words.ts'

const usage = 'npm run import -- FILE [--dry-run] [--skip-wrong] [--stock=set|keep] [--again]'

/**
 * Does what the command is asked for with these arguments, on the store that the settings name.
 * @param say takes each line that tells the owner how it goes
 * @throws {CannotStart} when nothing was imported
 */
export async function importFile(settings: Parameters<typeof onDatabase>[0], args: string[], say: (line: string) => void): Promise<void> {
  const { file, dryRun, skipWrong, stock, again } = readArguments(args)
  const size = await sizeOf(file)
  const migrations = path.join(import.meta.dirname, '../migrations')
  await onDatabase(settings, migrations, async (db, connectionString) => {
    const importId = crypto.randomUUID()
    try {
      const began = performance.now()
      const progress = openProgress(size, say)
      const { report, hash } = await check(db, importId, createReadStream(file), progress.show).finally(progress.end)
      say(inLines(report, dryRun ? 'would be' : 'to be').join('\n'))
      const refused = report.wrong > 0 && !skipWrong
      if (refused) throw new CannotStart('Nothing was imported: mend the wrong rows, or leave them out with --skip-wrong')
      if (report.setsStock > 0 && !stock) throw new CannotStart('Nothing was imported: say --stock=set or --stock=keep')
      const before = report.movesStock > 0 && !again ? await stockMovedAt(db, hash) : undefined
      if (before) throw new CannotStart(`Nothing was imported. ${movedBefore(before)}: --again`)
      if (dryRun) return say('Nothing was imported: this was a dry run')
      const { created, updated, shortPieces } = await write(db, importId, { by: null, stock: stock ?? 'keep', hash, again })
      await tellStores(connectionString)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      say(`Imported: ${created} new, ${updated} changed${report.wrong ? `, ${report.wrong} wrong rows left out` : ''}, in ${seconds} s`)
      if (shortPieces > 0) say(inShort(shortPieces))
      await analyze(db)
    } catch (error) {
      throw error instanceof FileFault ? new CannotStart(`${error.sentence}. Nothing was imported`) : error
    } finally {
      await unstage(db, importId)
    }
  })
}

function readArguments(args: string[]) {
  const { values, positionals } = parsed(args)
  const [file, ...more] = positionals
  const stock = StockChoice.optional().safeParse(values.stock)
  if (!file || more.length > 0 || !stock.success) throw new CannotStart(usage)
  const said = { dryRun: values['dry-run'] === true, skipWrong: values['skip-wrong'] === true, again: values.again === true }
  return { file, ...said, stock: stock.data }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, 'skip-wrong': { type: 'boolean' }, stock: { type: 'string' }, again: { type: 'boolean' } },
    })
  } catch {
    throw new CannotStart(usage)
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new CannotStart(`There is no file ${file}`)
  return found.size
}

/** Running stores show the catalogue as it is now. */
async function tellStores(connectionString: string): Promise<void> {
  const { pool } = openDatabase(connectionString, () => {})
  const changes = await openChanges(connectionString, pool)
  changes.tell('tools')
  await changes.close()
  await pool.end()
}

/** So that PostgreSQL plans with the catalogue that is there now; by itself it would do so within a minute. */
async function analyze(db: Database): Promise<void> {
  await db.execute('analyze tools')
}
