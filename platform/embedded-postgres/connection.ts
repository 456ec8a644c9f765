import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { embeddedDatabaseDir } from './database-dir.ts'
import { isServerRunning, readPostmasterPid } from './postmaster-pid.ts'

/* The connection strings of a running cluster, and the database `nucleus` in it. */

/** Whether a PostgreSQL server runs on this folder, started by a running store or left by one. */
export const isEmbeddedRunning = (dataDir: string): boolean => isServerRunning(path.join(embeddedDatabaseDir(dataDir), 'data'))

/**
 * @returns the connection string of the embedded database that runs on this folder
 * @throws when none is running
 */
export function embeddedConnectionString(dataDir: string): string {
  if (!isEmbeddedRunning(dataDir)) throw new Error(`No store is running on ${dataDir}`)
  return buildConnectionString(path.join(embeddedDatabaseDir(dataDir), 'data'), 'nucleus')
}

export function buildConnectionString(data: string, database: string): string {
  const password = encodeURIComponent(fs.readFileSync(passwordFile(data), 'utf8').trim())
  return `postgres://nucleus:${password}@127.0.0.1:${readPostmasterPid(data)?.port}/${database}`
}

export const passwordFile = (data: string) => path.join(data, 'nucleus-password')

/** @returns false when the server is shutting down or has just stopped and must be started again */
export async function ensureDatabase(data: string): Promise<boolean> {
  if (!isServerRunning(data)) return false
  const client = new pg.Client({ connectionString: buildConnectionString(data, 'postgres') })
  client.on('error', () => {}) // the failing query reports the error
  try {
    await client.connect()
    const { rowCount } = await client.query("select from pg_database where datname = 'nucleus'")
    if (rowCount === 0) await client.query('create database nucleus')
    return true
  } catch (error) {
    if (isShuttingDown(error) || !isServerRunning(data)) return false
    // 42P04: another process created the database between our check and our statement
    if (error instanceof pg.DatabaseError && error.code === '42P04') return true
    throw new StartupError(`The embedded PostgreSQL does not answer: ${error instanceof Error ? error.message : error}`)
  } finally {
    await client.end()
  }
}

/** 57P01 and 57P03: PostgreSQL is being stopped, or is not yet ready. */
const isShuttingDown = (error: unknown) => error instanceof pg.DatabaseError && ['57P01', '57P03'].includes(error.code ?? '')
