import fs from 'node:fs'
import path from 'node:path'

/* Whether a server runs on a cluster, from the file postmaster.pid that PostgreSQL keeps in its data folder. */

/** postmaster.pid contains the server's process id in line 1 and its port in line 4. */
export function readPostmasterPid(data: string): { pid: number; port: number } | undefined {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]) }
  } catch {
    return undefined
  }
}

export function isServerRunning(data: string): boolean {
  const postmaster = readPostmasterPid(data)
  return postmaster !== undefined && isProcessAlive(postmaster.pid) && isPostgresProcess(postmaster.pid)
}

/**
 * Removes postmaster.pid when its process id belongs to another program, as after a crash of the machine or container. PostgreSQL would
 * refuse to start because of it. In all other cases the file stays: while a PostgreSQL process is alive it protects the data.
 */
export function removeStalePidFile(data: string) {
  const postmaster = readPostmasterPid(data)
  if (postmaster && isProcessAlive(postmaster.pid) && !isPostgresProcess(postmaster.pid)) fs.rmSync(path.join(data, 'postmaster.pid'))
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isPostgresProcess(pid: number): boolean {
  try {
    return path.basename(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') === 'postgres'
  } catch {
    return true // no /proc on this system: trust the file
  }
}
