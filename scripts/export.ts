import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import type { Database } from '#platform/database.ts'
import { readSettings } from '#platform/settings.ts'
import { exitOnStartupError, StartupError } from '#platform/startup-error.ts'
import { withDatabase } from '#platform/with-database.ts'
import { type ExportFormat, exportProducts } from '#store/imports/export-products.ts'

/**
 * `npm run export -- FILE`: exports the catalogue in the format of the import: CSV if the name ends with .csv, else NDJSON; gzipped if it
 * ends with .gz. Without a file it writes to standard output: `npm run --silent export -- [--csv]`.
 */
const usage = 'npm run export -- [FILE] [--csv]'

await exitOnStartupError(async () => {
  const { file, format } = readArguments()
  const migrations = path.join(import.meta.dirname, '../migrations')
  await withDatabase(readSettings(process.env), migrations, (db) => (file ? exportToFile(db, format, file) : exportToStdout(db, format)))
})

function readArguments(): { file: string | undefined; format: ExportFormat } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { csv: { type: 'boolean' } } })
    const [file, ...more] = positionals
    if (more.length > 0) throw new StartupError(usage)
    return { file, format: values.csv || /\.csv(\.gz)?$/i.test(file ?? '') ? 'csv' : 'ndjson' }
  } catch {
    throw new StartupError(usage)
  }
}

/** Writes to a temporary file and renames it, so that a failed export leaves an existing file unchanged. */
async function exportToFile(db: Database, format: ExportFormat, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  const text = Readable.from(exportProducts(db, format))
  const sink = createWriteStream(unfinished)
  try {
    await (/\.gz$/i.test(file) ? pipeline(text, createGzip(), sink) : pipeline(text, sink))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error instanceof Error && 'syscall' in error ? new StartupError(`${file} cannot be written: ${error.message}`) : error
  }
}

async function exportToStdout(db: Database, format: ExportFormat): Promise<void> {
  try {
    await pipeline(Readable.from(exportProducts(db, format)), process.stdout, { end: false })
  } catch (error) {
    // EPIPE: the reader has closed the pipe, such as `head`
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}
