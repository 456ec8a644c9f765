import net from 'node:net'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { PostgresUser } from './postgres-user.ts'
import { isServerRunning, removeStalePidFile } from './postmaster-pid.ts'
import { lastLine, runCommand } from './run-command.ts'

/* Starts and stops the server of a cluster, by pg_ctl. */

/** `data` is PostgreSQL's data folder, and `home` the folder around it, which has the log. */
export type PostgresCluster = { programs: PostgresBinaries; data: string; home: string; runner: PostgresUser }

/** Starts the server unless one already runs on this cluster. It is detached: neither Ctrl-C nor a crash of the store stops it. */
export async function startPostgresServer({ programs, data, home, runner }: PostgresCluster, wantedPort?: number) {
  removeStalePidFile(data)
  for (let attempt = 1; !isServerRunning(data); attempt++) {
    const log = path.join(home, 'postgres.log')
    const port = wantedPort ?? (await findFreePort())
    const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c shared_buffers=64MB`
    const started = await runCommand(programs.pg_ctl, ['start', '-D', data, '-w', '-t', '60', '-s', '-l', log, '-o', options], runner)
    if (started.code === 0) return
    // Another process may have taken the port or started the same cluster in the meantime.
    if (attempt === 3)
      throw new StartupError(`PostgreSQL did not start on ${data}: ${lastLine(started.stderr) || 'no reason given'} (see ${log})`)
  }
}

export const stopPostgresServer = ({ programs, data, runner }: PostgresCluster) =>
  runCommand(programs.pg_ctl, ['stop', '-D', data, '-m', 'fast', '-w', '-s'], runner)

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
