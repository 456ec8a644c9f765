import fs from 'node:fs'
import path from 'node:path'
import type { PostgresUser } from './postgres-user.ts'

/*
 * Makes the database read-only before the disk is full. PostgreSQL stops when it cannot allocate the next segment of its write-ahead log,
 * and cannot start until there is space. A prepared configuration file is renamed to where PostgreSQL reads it, which needs no disk space.
 */

/** With less free disk space than this the database is read-only. The rest is for the write-ahead log, without which PostgreSQL stops. */
const minFreeBytes = 48 * 1024 * 1024
/** Above `minFreeBytes`, so that the database does not become read-only again with the next order. */
const resumeFreeBytes = 64 * 1024 * 1024
const diskCheckIntervalMs = 1000
const readOnlyConfFile = 'nucleus-read-only.conf'

/** Prepares the configuration file for a full disk, not yet active, and includes it in postgresql.conf. Every start allows writes. */
export function prepareDiskFullConfig(data: string, runner: PostgresUser) {
  const inactive = path.join(data, `${readOnlyConfFile}.aside`)
  fs.rmSync(path.join(data, readOnlyConfFile), { force: true })
  if (!fs.existsSync(inactive)) fs.writeFileSync(inactive, 'default_transaction_read_only = on\n')
  if (runner) fs.chownSync(inactive, runner.uid, runner.gid)
  const settings = path.join(data, 'postgresql.conf')
  if (!fs.existsSync(settings)) return // no valid cluster: PostgreSQL reports that when it is started
  const include = `include_if_exists = '${readOnlyConfFile}'`
  if (!fs.readFileSync(settings, 'utf8').includes(include))
    fs.appendFileSync(settings, `\n# put there by the store while the disk is full\n${include}\n`)
}

/**
 * Checks the free disk space every second, and makes the database read-only or writable again.
 * @param reload makes PostgreSQL reload its configuration
 */
export function watchDiskSpace(data: string, reload: () => Promise<unknown>, onNotice: (line: string) => void): NodeJS.Timeout {
  const [active, inactive] = [path.join(data, readOnlyConfFile), path.join(data, `${readOnlyConfFile}.aside`)]
  let readOnly = fs.existsSync(active)
  const check = async () => {
    const { bavail, bsize } = await fs.promises.statfs(data)
    const free = bavail * bsize
    if (readOnly ? free < resumeFreeBytes : free >= minFreeBytes) return
    await (readOnly ? fs.promises.rename(active, inactive) : fs.promises.rename(inactive, active))
    readOnly = !readOnly
    onNotice(
      readOnly
        ? `The disk of ${data} is full: the store can be looked at, and saves nothing`
        : 'There is room again: the store saves again',
    )
    await reload()
  }
  // A missing folder or connection is reported by the lock connection, and the configuration is also read at the next start.
  return setInterval(() => check().catch(() => {}), diskCheckIntervalMs).unref()
}
