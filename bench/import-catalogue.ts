import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { CatalogueRow } from '../proof/catalogue.ts'

/**
 * Brings these parts into a running store by the import command, the way an owner would. What the store came with is taken out of the
 * catalogue first, so that there are exactly as many.
 * @returns seconds of the whole command
 */
export async function importCatalogue(dataDir: string, connectionString: string, lines: CatalogueRow[]): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('update tools set removed_at = now()')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'))
  try {
    const file = path.join(folder, 'parts.ndjson')
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const from = performance.now()
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir }
    await promisify(execFile)(process.execPath, ['scripts/import.ts', file, '--skip-wrong'], { env })
    return (performance.now() - from) / 1000
  } finally {
    rmSync(folder, { recursive: true })
    await client.query('analyze')
    await client.end()
  }
}
