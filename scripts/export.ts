import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { CannotStart, startOrSayWhy } from '#platform/cannot-start.ts'
import { onDatabase } from '#platform/command.ts'
import type { Database } from '#platform/database.ts'
import { readSettings } from '#platform/settings.ts'
import { exportParts, type Format } from '#store/catalogue/import/export.ts'

/**
 * `npm run export -- FILE`: writes the catalogue as an import takes it back: CSV when the name ends with .csv, NDJSON otherwise, gzipped when
 * it ends with .gz. Without a file it goes to standard output: `npm run --silent export -- [--csv]`.
 */
const usage = 'npm run export -- [FILE] [--csv]'

await startOrSayWhy(async () => {
  const { file, format } = readArguments()
  const migrations = path.join(import.meta.dirname, '../migrations')
  await onDatabase(readSettings(process.env), migrations, (db) => (file ? intoFile(db, format, file) : toStandardOutput(db, format)))
})

function readArguments(): { file: string | undefined; format: Format } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { csv: { type: 'boolean' } } })
    const [file, ...more] = positionals
    if (more.length > 0) throw new CannotStart(usage)
    return { file, format: values.csv || /\.csv(\.gz)?$/i.test(file ?? '') ? 'csv' : 'ndjson' }
  } catch {
    throw new CannotStart(usage)
  }
}

/** The file is there once all of it is: an export that breaks off leaves what stood there before. */
async function intoFile(db: Database, format: Format, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  const text = Readable.from(exportParts(db, format))
  const sink = createWriteStream(unfinished)
  try {
    await (/\.gz$/i.test(file) ? pipeline(text, createGzip(), sink) : pipeline(text, sink))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error instanceof Error && 'syscall' in error ? new CannotStart(`${file} cannot be written: ${error.message}`) : error
  }
}

async function toStandardOutput(db: Database, format: Format): Promise<void> {
  try {
    await pipeline(Readable.from(exportParts(db, format)), process.stdout, { end: false })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error // whoever reads had enough
  }
}
