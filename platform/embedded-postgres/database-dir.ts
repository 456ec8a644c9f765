import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'
import { canAccess, createDirOwnedBy, type PostgresUser, systemDatabaseRoot } from './postgres-user.ts'

/* Where the database of a data folder is: inside it, or elsewhere with a marker file inside it that contains the path. */

/** The file in `dataDir` that contains the path of a database that cannot be stored there. */
const relocationMarkerFile = 'postgres-lies-elsewhere'

/** The folder that contains the embedded database of `dataDir` and its log. */
export function embeddedDatabaseDir(dataDir: string): string {
  const marker = path.join(dataDir, relocationMarkerFile)
  return fs.existsSync(marker) ? fs.readFileSync(marker, 'utf8').trim() : path.join(dataDir, 'postgres')
}

export function ensureWritableDir(folder: string) {
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.accessSync(folder, fs.constants.W_OK)
  } catch (error) {
    throw new StartupError(`DATA_DIR ${folder} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}

/** The folder of the cluster: inside `dataDir`, or under /var/lib when the user that runs PostgreSQL cannot enter `dataDir`. */
export function resolveDatabaseDir(dataDir: string, runner: PostgresUser, onNotice: (line: string) => void): string {
  const inside = path.join(dataDir, 'postgres')
  if (!runner) {
    fs.mkdirSync(inside, { recursive: true, mode: 0o700 })
    return inside
  }
  if (canAccess(dataDir, runner) || fs.existsSync(path.join(inside, 'data'))) {
    createDirOwnedBy(runner, inside)
    return inside
  }

  const outside = path.join(systemDatabaseRoot, createHash('sha256').update(fs.realpathSync(dataDir)).digest('hex').slice(0, 16))
  const marker = path.join(dataDir, relocationMarkerFile)
  if (fs.existsSync(outside) && !fs.existsSync(marker)) {
    const aside = `${outside}.left-${Date.now()}`
    fs.renameSync(outside, aside)
    onNotice(`${dataDir} is new, but an earlier folder of that name left a database: it was put aside as ${aside}`)
  }
  fs.mkdirSync(systemDatabaseRoot, { recursive: true, mode: 0o755 })
  createDirOwnedBy(runner, outside)
  fs.writeFileSync(marker, `${outside}\n`)
  onNotice(`Only root may enter ${dataDir}, and PostgreSQL does not run as root: the database lies in ${outside}`)
  return outside
}
