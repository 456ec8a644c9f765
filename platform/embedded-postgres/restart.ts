import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { buildConnectionString } from './connection.ts'
import { isServerRunning, readPostmasterPid } from './postmaster-pid.ts'
import { type PostgresCluster, startPostgresServer, stopPostgresServer } from './server.ts'
import { acquireStoreLock, StoreAlreadyRunningError } from './store-lock.ts'

/** Wait before a restart, so that a manual `pg_ctl restart` does not fail because the store has already started the server. */
const manualRestartGraceMs = 400
const restartBackoffMs = 200

type RestartOptions = { dataDir: string; onNotice: (line: string) => void; onLockLost: (line: string) => void }

type LockWatch = {
  /** the connection that holds the store lock now: each restart makes a new one */
  lock(): pg.Client
  /**
   * Stops restarting, after a restart in progress has ended.
   * @returns the connection that holds the store lock, or undefined when another store has taken it
   */
  end(): Promise<pg.Client | undefined>
}

/**
 * Restarts the server when it stops while the store runs, and acquires the store lock anew.
 * @param port the port that the connection pool uses: the server is restarted on it
 * @param lock the connection that holds the store lock. It ends whenever PostgreSQL stops, for any reason.
 */
export function restartWhenStopped(
  cluster: PostgresCluster,
  port: number,
  lock: pg.Client,
  { dataDir, onNotice, onLockLost }: RestartOptions,
): LockWatch {
  const { data } = cluster
  let current = lock
  let closing = false
  let ownsLock = true
  let reconnecting: Promise<void> | undefined
  watch()

  function watch() {
    current.once('end', () => {
      if (!closing) reconnecting = reconnect()
    })
  }

  async function reconnect() {
    const since = Date.now()
    let lastNotice = 'PostgreSQL has ended the connection of this store: it is brought back'
    onNotice(lastNotice)
    for (let attempt = 1; !closing; attempt++) {
      try {
        if (!isServerRunning(data)) await sleep(manualRestartGraceMs)
        await startPostgresServer(cluster, port)
        current = await acquireStoreLock(buildConnectionString(data, 'nucleus'), dataDir)
        if (readPostmasterPid(data)?.port === port) {
          watch()
          return onNotice(`PostgreSQL is back after ${((Date.now() - since) / 1000).toFixed(1)} s`)
        }
        // Started by someone else, on a port that the pool does not use.
        await stopPostgresServer(cluster)
        await current.end()
      } catch (error) {
        if (error instanceof StoreAlreadyRunningError) {
          ownsLock = false
          return onLockLost(error.message)
        }
        const reason = error instanceof Error ? error.message : String(error)
        if (reason !== lastNotice) onNotice(reason)
        lastNotice = reason
      }
      await sleep(Math.min(attempt * restartBackoffMs, 2000))
    }
  }

  return {
    lock: () => current,
    async end() {
      closing = true
      await reconnecting // a server that is still starting would be left running
      return ownsLock ? current : undefined
    },
  }
}
