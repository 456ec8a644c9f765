import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { embeddedDatabaseDir } from '#platform/embedded-postgres/database-dir.ts'
import storeRuntime from '../scripts/store-runtime.json' with { type: 'json' }

const projectRoot = path.join(import.meta.dirname, '..')

/** Where this run keeps compiled code, if it does. */
const compileCache = process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}

/** The built store as a process of its own, with these settings and none of the machine's. */
export type StoreProcess = {
  child: ChildProcess
  /** everything it has said so far */
  output(): string
  /** its address once it is open, and all that a start says is said; rejects with what it said when it ends before */
  ready: Promise<string>
  /** its exit code, or the signal that ended it */
  exited: Promise<number | NodeJS.Signals>
  stop(): Promise<number | NodeJS.Signals>
}

/**
 * Starts the built store: `npm run build` comes first.
 * @param quickPasswords false keeps passwords as an owner's store does, at 70 ms each
 */
export function startStoreProcess(settings: Record<string, string>, { quickPasswords = true } = {}): StoreProcess {
  const before = quickPasswords ? ['--import=./test/fast-password-hashing.ts'] : []
  const child = spawn(process.execPath, [...storeRuntime.flags, ...before, 'build/process/server.js'], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...storeRuntime.environment, ...compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const ended = new Promise<number | NodeJS.Signals>((resolve) => child.on('close', (code, signal) => resolve(code ?? signal ?? 1)))
  const opened = new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk
      const address = said.match(/is open at (\S+)[\s\S]*\/api\/docs\n/)?.[1] // the last line that a start says
      if (address) resolve(address)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    ended.then((code) => reject(new Error(`The store ended with ${code}: ${said}`)))
  })
  opened.catch(() => {}) // whoever waits for it hears of it
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { child, output: () => said, ready: opened, exited: ended, stop }
}

/**
 * Runs one of the owner's commands to its end, as a process of its own on this database, with none of the machine's settings. What a command does
 * with which words is tested without a process, which costs a second of work each time.
 * @param script its file in scripts/
 * @returns its exit code and what it said
 */
export async function runCommand(script: string, databaseUrl: string, ...words: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(
    process.execPath,
    ['--import=./test/quick-resolution.ts', '--import=./test/fast-password-hashing.ts', `scripts/${script}`, ...words],
    {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, ...compileCache, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [said, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, said: (said + complained).trim() }
}

/** A folder for one store's data, gone when disposed, with a database that could not lie there. */
export function createDataDir(mode = 0o755): { dataDir: string } & Disposable {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'store-'))
  fs.chmodSync(parent, mode)
  const dataDir = path.join(parent, 'data')
  return {
    dataDir,
    [Symbol.dispose]() {
      fs.rmSync(embeddedDatabaseDir(dataDir), { recursive: true, force: true })
      fs.rmSync(parent, { recursive: true })
    },
  }
}

/**
 * A port of 127.0.0.1 that nothing listens on, nor on the two after it. Below those that the system gives to clients (32768 on Linux): one
 * of them could take it while a store is between its death and its next start.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const taken = await Promise.all([port, port + 1, port + 2].map(isTaken))
    if (!taken.some(Boolean)) return port
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.on('error', () => resolve(true))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
}
