import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { resolveBinaries } from './embedded-postgres/binaries.ts'
import { buildConnectionString, ensureDatabase } from './embedded-postgres/connection.ts'
import { ensureWritableDir, resolveDatabaseDir } from './embedded-postgres/database-dir.ts'
import { prepareDiskFullConfig, watchDiskSpace } from './embedded-postgres/disk-space.ts'
import { initCluster } from './embedded-postgres/init-cluster.ts'
import { resolvePostgresUser } from './embedded-postgres/postgres-user.ts'
import { isServerRunning } from './embedded-postgres/postmaster-pid.ts'
import { restartWhenStopped } from './embedded-postgres/restart.ts'
import { startPostgresServer, stopPostgresServer } from './embedded-postgres/server.ts'
import { acquireStoreLock } from './embedded-postgres/store-lock.ts'

export type EmbeddedPostgres = {
  connectionString: string
  /** stops PostgreSQL; the store lock is released only with it, so that no other store takes over a server that is shutting down */
  close(): Promise<void>
}

type EmbeddedPostgresOptions = {
  /** called with a line for the owner about unusual events (the data is stored outside `dataDir`, PostgreSQL died) */
  onNotice?: (line: string) => void
  /** called when another store, started while PostgreSQL was down, has taken the folder: this store must exit */
  onLockLost?: (line: string) => void
}

/**
 * Starts the bundled PostgreSQL with its data in `dataDir` on a free loopback port. The first start creates the cluster.
 * A server that survived a crash of the store is reused. A server that stops while the store runs is restarted on the same port.
 * Each step is in a file of `embedded-postgres/`.
 * @throws {StartupError} when another store runs on the same folder, the folder is not writable, or PostgreSQL does not start
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  { onNotice = () => {}, onLockLost = onNotice }: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const runner = resolvePostgresUser()
  ensureWritableDir(dataDir)
  const home = resolveDatabaseDir(dataDir, runner, onNotice)
  const programs = await resolveBinaries(runner, onNotice)
  const data = path.join(home, 'data')
  const cluster = { programs, data, home, runner }

  if (!fs.existsSync(data)) await initCluster(cluster)
  prepareDiskFullConfig(data, runner)
  await startPostgresServer(cluster)
  while (!(await ensureDatabase(data))) {
    await sleep(200) // the previous store is shutting it down
    await startPostgresServer(cluster)
  }
  const connectionString = buildConnectionString(data, 'nucleus')
  const port = Number(new URL(connectionString).port)
  const lock = await acquireStoreLock(connectionString, dataDir)
  await reloadConfiguration(lock) // for a reused server that was read-only when its store exited
  const lockWatch = restartWhenStopped(cluster, port, lock, { dataDir, onNotice, onLockLost })
  const diskCheck = watchDiskSpace(data, () => reloadConfiguration(lockWatch.lock()), onNotice)

  return {
    connectionString,
    async close() {
      clearInterval(diskCheck)
      const lock = await lockWatch.end()
      if (!lock) return
      const stopped = await stopPostgresServer(cluster)
      await lock.end()
      if (stopped.code !== 0 && isServerRunning(data)) throw new Error(`PostgreSQL did not stop: ${stopped.stderr}`)
    },
  }
}

const reloadConfiguration = (lock: pg.Client) => lock.query('select pg_reload_conf()')
