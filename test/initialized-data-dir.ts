import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { embeddedDatabaseDir } from '#platform/embedded-postgres/database-dir.ts'
import { createDataDir, findFreePort, startStoreProcess } from './store-process.ts'

/*
 * A first start makes a PostgreSQL cluster, migrates it and fills the catalogue, some seconds of work. Tests about something else start from a
 * copy of what one first start of the run has left.
 */

const variable = 'TEST_OPENED_STORE'

/** For the setup of a test run: the place of its opened store, which the first test that needs one makes; gone when disposed. */
export function reserveInitializedDataDir(): Disposable {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opened-store-'))
  fs.chmodSync(folder, 0o755) // the user that runs PostgreSQL enters it
  process.env[variable] = folder
  return { [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true }) }
}

/**
 * A data folder in which a store was opened before, gone when disposed: with the catalogue to start with and without any account, so that the
 * next start makes the admin that its settings name.
 * @throws outside of a run that planned one
 */
export async function createInitializedDataDir(): Promise<{ dataDir: string } & Disposable> {
  const place = createDataDir()
  await copyInitializedDataDir(place.dataDir)
  return place
}

/**
 * Makes such a data folder at this path, for a test that removes it itself.
 * @throws outside of a run that planned one
 */
export async function copyInitializedDataDir(dataDir: string): Promise<void> {
  const folder = process.env[variable]
  if (!folder) throw new Error(`No store was planned for this run: its setup calls ${reserveInitializedDataDir.name}()`)
  const opened = path.join(folder, 'data')
  while (!fs.existsSync(opened)) if (!(await initializeDataDir(opened))) await sleep(50)
  copy(opened, dataDir)
}

/** @returns false while another process of the run makes it */
async function initializeDataDir(opened: string): Promise<boolean> {
  const claim = `${opened}.claimed`
  try {
    fs.mkdirSync(claim)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
  try {
    if (!fs.existsSync(opened)) await makeDataDir(opened)
  } finally {
    fs.rmdirSync(claim)
  }
  return true
}

async function makeDataDir(opened: string): Promise<void> {
  using made = createDataDir()
  const store = startStoreProcess({ DATA_DIR: made.dataDir, PORT: `${await findFreePort()}` })
  await store.ready
  const client = new pg.Client({ connectionString: embeddedConnectionString(made.dataDir) })
  await client.connect()
  await client.query('delete from users')
  await client.end()
  await store.stop()
  // No test cuts the power, and what a killed process has written the operating system keeps.
  fs.appendFileSync(path.join(embeddedDatabaseDir(made.dataDir), 'data/postgresql.conf'), '\nfsync = off\n')
  const unfinished = `${opened}.${process.pid}`
  copy(made.dataDir, unfinished)
  fs.renameSync(unfinished, opened)
}

/** With owners and modes, which PostgreSQL insists on. */
function copy(from: string, to: string) {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${from} could not be copied: ${stderr}`)
}
