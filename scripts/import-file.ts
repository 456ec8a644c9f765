import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '#platform/database.ts'
import type { Settings } from '#platform/settings.ts'
import { StartupError } from '#platform/startup-error.ts'
import { withDatabase } from '#platform/with-database.ts'
import { mendDueProducts } from '#store/catalogue/definitions/mend-products.ts'
import { setDefinitionsFromDatabase } from '#store/catalogue/definitions/rules.ts'
import { setTimeZoneFromDatabase } from '#store/delivery/time-zone.ts'
import { checkImportFile } from '#store/imports/check-import-file.ts'
import { countValidRows, StockUpdateMode } from '#store/imports/contract.ts'
import { ImportFileError } from '#store/imports/import-file-error.ts'
import { deleteStagedRows } from '#store/imports/staging.ts'
import { alreadyImportedMessage, findStockMovedAt, writeImport } from '#store/imports/write-import.ts'
import { setCurrencyFromDatabase } from '#store/orders/database-currency.ts'
import { createProgressReporter, formatImportReport, stockShortageLine } from './import-output.ts'
import { notifyStores } from './notify-stores.ts'

const usage = 'npm run import -- FILE [--dry-run] [--skip-wrong] [--stock=set|keep] [--again]'

/**
 * Runs the `npm run import` command with these arguments.
 * @param print prints a line of progress or of the result
 * @throws {StartupError} when nothing was imported
 */
export async function importFile(
  settings: Parameters<typeof withDatabase>[0] & Partial<Pick<Settings, 'currency'>>,
  args: string[],
  print: (line: string) => void,
): Promise<void> {
  const { file, dryRun, skipWrong, stock, again } = readArguments(args)
  const size = await sizeOf(file)
  const migrations = path.join(import.meta.dirname, '../migrations')
  await withDatabase(settings, migrations, async (db, connectionString) => {
    await setCurrencyFromDatabase(db, settings.currency)
    await setTimeZoneFromDatabase(db)
    await setDefinitionsFromDatabase(db, print)
    const importId = crypto.randomUUID()
    try {
      const startedAt = performance.now()
      const progress = createProgressReporter(size, print)
      const { report, hash } = await checkImportFile(db, importId, createReadStream(file), progress.show).finally(progress.end)
      print(formatImportReport(report, dryRun ? 'would be' : 'to be').join('\n'))
      const isRejected = report.wrong > 0 && !skipWrong
      if (isRejected) throw new StartupError('Nothing was imported: mend the wrong rows, or leave them out with --skip-wrong')
      if (report.setsStock > 0 && !stock) throw new StartupError('Nothing was imported: say --stock=set or --stock=keep')
      const before = report.movesStock > 0 && !again ? await findStockMovedAt(db, hash) : undefined
      if (before) throw new StartupError(`Nothing was imported. ${alreadyImportedMessage(before)}: --again`)
      if (dryRun) return print('Nothing was imported: this was a dry run')
      const { created, updated, shortPieces } = await writeImport(db, importId, {
        ...{ by: null, stock: stock ?? 'keep', rows: countValidRows(report), hash, again },
      })
      await mendDueProducts(db)
      await notifyStores(connectionString, ['products'])
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      print(`Imported: ${created} new, ${updated} changed${report.wrong ? `, ${report.wrong} wrong rows left out` : ''}, in ${seconds} s`)
      if (shortPieces > 0) print(stockShortageLine(shortPieces))
      await analyze(db)
    } catch (error) {
      throw error instanceof ImportFileError ? new StartupError(`${error.messageWithRow}. Nothing was imported`) : error
    } finally {
      await deleteStagedRows(db, importId)
    }
  })
}

function readArguments(args: string[]) {
  const { values, positionals } = parsed(args)
  const [file, ...more] = positionals
  const stock = StockUpdateMode.optional().safeParse(values.stock)
  if (!file || more.length > 0 || !stock.success) throw new StartupError(usage)
  const flags = { dryRun: values['dry-run'] === true, skipWrong: values['skip-wrong'] === true, again: values.again === true }
  return { file, ...flags, stock: stock.data }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, 'skip-wrong': { type: 'boolean' }, stock: { type: 'string' }, again: { type: 'boolean' } },
    })
  } catch {
    throw new StartupError(usage)
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new StartupError(`There is no file ${file}`)
  return found.size
}

/** Updates the planner statistics for the new catalogue. Autovacuum would do so within about a minute. */
async function analyze(db: Database): Promise<void> {
  await db.execute('analyze tools')
}
