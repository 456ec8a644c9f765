import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'
import { passwordFile } from './connection.ts'
import { moveIntoPlace } from './move-into-place.ts'
import { isProcessAlive } from './postmaster-pid.ts'
import { lastLine, runCommand } from './run-command.ts'
import type { PostgresCluster } from './server.ts'

/** Creates the cluster at the first start: in a folder beside `data` that is renamed when it is complete, with a random password. */
export async function initCluster({ programs, data, home, runner }: PostgresCluster) {
  for (const left of fs
    .readdirSync(home)
    .filter((name) => /^(data|password)\.\d+$/.test(name) && !isProcessAlive(Number(name.split('.')[1]))))
    fs.rmSync(path.join(home, left), { recursive: true }) // left by an interrupted first start
  const unfinished = `${data}.${process.pid}`
  const password = path.join(home, `password.${process.pid}`)
  fs.writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (runner) fs.chownSync(password, runner.uid, runner.gid)
  const made = await runCommand(
    programs.initdb,
    [
      '-D',
      unfinished,
      '-U',
      'nucleus',
      '-A',
      'scram-sha-256',
      '--pwfile',
      password,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
    ],
    runner,
  )
  if (made.code !== 0) throw new StartupError(`PostgreSQL could not make its data folder ${data}: ${lastLine(made.stderr)}`)
  fs.renameSync(password, passwordFile(unfinished))
  moveIntoPlace(unfinished, data)
}
