import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CannotStart, startOrSayWhy } from '#platform/cannot-start.ts'
import { openChanges } from '#platform/changes.ts'
import { onDatabase } from '#platform/command.ts'
import { type Database, openDatabase } from '#platform/database.ts'
import { readSettings } from '#platform/settings.ts'
import { StockChoice } from '#store/catalogue/contract.ts'
import { check } from '#store/catalogue/import/check.ts'
import { FileFault } from '#store/catalogue/import/fault.ts'
import { unstage } from '#store/catalogue/import/staging.ts'
import { movedBefore, stockMovedAt, write } from '#store/catalogue/import/write.ts'
import { inLines, inShort, openProgress } from './import-words.ts'

/**
 * `npm run import -- FILE [--dry-run] [--skip-wrong] [--stock=set|keep] [--again]`: brings a file of parts into the catalogue, all of it or nothing,
 * whether the store runs or not. Ends with 1 when nothing was imported because rows are wrong or the file would set stock and nobody has said
 * what is to become of it, or would move stock as it has done before, which `--again` allows; or with `--dry-run` would not be.
 */
const usage = 'npm run import -- FILE [--dry-run] [--skip-wrong] [--stock=set|keep] [--again]'

await startOrSayWhy(async () => {
  const { file, dryRun, skipWrong, stock, again } = readArguments()
  const size = await sizeOf(file)
  const migrations = path.join(import.meta.dirname, '../migrations')
  await onDatabase(readSettings(process.env), migrations, async (db, connectionString) => {
    const importId = crypto.randomUUID()
    try {
      const began = performance.now()
      const progress = openProgress(size)
      const { report, hash } = await check(db, importId, createReadStream(file), progress.show).finally(progress.end)
      console.log(inLines(report, dryRun ? 'would be' : 'to be').join('\n'))
      const refused = report.wrong > 0 && !skipWrong
      if (refused) throw new CannotStart('Nothing was imported: mend the wrong rows, or leave them out with --skip-wrong')
      if (report.setsStock > 0 && !stock) throw new CannotStart('Nothing was imported: say --stock=set or --stock=keep')
      const before = report.movesStock > 0 && !again ? await stockMovedAt(db, hash) : undefined
      if (before) throw new CannotStart(`Nothing was imported. ${movedBefore(before)}: --again`)
      if (dryRun) return console.log('Nothing was imported: this was a dry run')
      const { created, updated, shortPieces } = await write(db, importId, { by: null, stock: stock ?? 'keep', hash, again })
      await tellStores(connectionString)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(
        `Imported: ${created} new, ${updated} changed${report.wrong ? `, ${report.wrong} wrong rows left out` : ''}, in ${seconds} s`,
      )
      if (shortPieces > 0) console.log(inShort(shortPieces))
      await takeStock(db)
    } catch (error) {
      throw error instanceof FileFault ? new CannotStart(`${error.sentence}. Nothing was imported`) : error
    } finally {
      await unstage(db, importId)
    }
  })
})

function readArguments() {
  const { values, positionals } = parsed()
  const [file, ...more] = positionals
  const stock = StockChoice.optional().safeParse(values.stock)
  if (!file || more.length > 0 || !stock.success) throw new CannotStart(usage)
  const said = { dryRun: values['dry-run'] === true, skipWrong: values['skip-wrong'] === true, again: values.again === true }
  return { file, ...said, stock: stock.data }
}

function parsed() {
  try {
    return parseArgs({
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
async function takeStock(db: Database): Promise<void> {
  await db.execute('analyze tools')
}
