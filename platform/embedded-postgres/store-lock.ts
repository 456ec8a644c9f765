import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { isProcessAlive } from './postmaster-pid.ts'

/** One store per data folder: a running store holds an advisory lock in the embedded database. */
const storeLockId = 727_001

export class StoreAlreadyRunningError extends StartupError {}

/** The lock is held by the connection, so it is released however this process ends. */
export async function acquireStoreLock(connectionString: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: `store ${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  })
  client.on('error', () => {}) // the pool reports it too
  try {
    await client.connect()
    for (let attempt = 1; ; attempt++) {
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [storeLockId])
      if (rows[0]?.locked) return client
      const holder = await findLockHolder(client)
      // PostgreSQL may not have noticed yet that a killed store, or our own previous connection, is gone.
      const lives = holder !== undefined && holder !== process.pid && isProcessAlive(holder)
      if (lives || attempt === 5)
        throw new StoreAlreadyRunningError(
          `Another store is running on ${dataDir} (${holder ? `process ${holder}` : 'unknown process'}): stop it first, or set another DATA_DIR`,
        )
      await sleep(100)
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** The process id of the lock holder, from its application_name. */
async function findLockHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    "select application_name as name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = $1 and granted",
    [storeLockId],
  )
  const pid = /^store (\d+)$/.exec(rows[0]?.name ?? '')?.[1]
  return pid === undefined ? undefined : Number(pid)
}
