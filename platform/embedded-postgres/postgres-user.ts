import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { StartupError } from '../startup-error.ts'

/* The user that PostgreSQL runs as, and what that user may access. */

/** Holds the databases of data folders that only root may enter: PostgreSQL refuses to run as root, and its user has no access there. */
export const systemDatabaseRoot = '/var/lib/nucleus-of-pc'

/** undefined: the current user */
export type PostgresUser = { uid: number; gid: number } | undefined

/** Under root, PostgreSQL runs as the user `postgres`, created if missing; otherwise as the current user. */
export function resolvePostgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  if (id('-u').status !== 0)
    spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  const [uid, gid] = [id('-u'), id('-g')]
  if (uid.status !== 0)
    throw new StartupError('PostgreSQL does not run as root, and no user "postgres" could be made for it: make one, or set DATABASE_URL')
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

export function createDirOwnedBy(runner: { uid: number; gid: number }, folder: string) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.chownSync(folder, runner.uid, runner.gid)
}

/** Whether the user that runs PostgreSQL can read and execute or enter this. Tested by trying: modes do not reflect ACLs and mounts. */
export function canAccess(target: string, runner: PostgresUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$0" && test -r "$0"', target], { ...runner, cwd: '/' }).status === 0
}
