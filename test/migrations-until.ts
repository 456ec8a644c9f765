import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const migrations = path.join(import.meta.dirname, '../migrations')

/** A folder with the migrations up to this one, as an older version of the store has it. */
export function migrationsUntil(last: string): { folder: string } & Disposable {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'migrations-'))
  cpSync(migrations, folder, { recursive: true })
  const journal = path.join(folder, 'meta/_journal.json')
  const { entries, ...rest }: { entries: { tag: string }[] } = JSON.parse(readFileSync(journal, 'utf8'))
  const until = entries.findIndex(({ tag }) => tag === last) + 1
  assert.ok(until > 0)
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, until) }))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
