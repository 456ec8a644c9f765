import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { migrateDatabase } from '#platform/database.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts'

const migrations = path.join(import.meta.dirname, '../migrations')

/** The embedded PostgreSQL in this folder, set up for tests. */
export async function openTestPostgres(folder: string): Promise<EmbeddedPostgres> {
  const embedded = await openEmbeddedPostgres(folder)
  const { needsRestart } = await applySettings(embedded.connectionString)
  if (!needsRestart) return embedded
  await embedded.close()
  return openEmbeddedPostgres(folder)
}

/** What tests write needs to survive nothing, so no test waits for the disk; and several with stores as processes run at once. */
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '400' }

async function applySettings(connectionString: string): Promise<{ needsRestart: boolean }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ name: string; setting: string }>('select name, setting from pg_settings')
  const inForce = new Map(rows.map(({ name, setting }) => [name, setting]))
  const wanted = Object.entries(settings).filter(([name, setting]) => inForce.get(name) !== setting)
  for (const [name, setting] of wanted) await client.query(`alter system set ${name} = ${setting}`)
  await client.end()
  return { needsRestart: wanted.length > 0 }
}

/** The PostgreSQL of this test run, as `test/setup.ts` left it: a connection that may make databases. */
function serverUrl(): string {
  const address = process.env.TEST_POSTGRES
  if (!address) throw new Error('Run tests through `npm test`, or with node --test --test-global-setup=test/setup.ts')
  return address
}

/** Each set of migrations has its template, so that a kept server needs to migrate only once. */
function templateName(): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrations).sort()) if (file.endsWith('.sql')) hash.update(readFileSync(path.join(migrations, file)))
  return `store_template_${hash.digest('hex').slice(0, 12)}`
}

/** Makes the migrated template that every test's database is copied from, and removes what an interrupted run left. */
export async function prepareTemplateDatabase(): Promise<void> {
  const template = templateName()
  await dropTestDatabases()
  const { rows } = await queryServer<{ datname: string }>('select datname from pg_database')
  if (rows.some(({ datname }) => datname === template)) return

  const unfinished = `${template}_unfinished`
  await queryServer(`drop database if exists ${unfinished}`)
  await queryServer(`create database ${unfinished}`)
  await migrateDatabase(databaseUrl(unfinished), migrations)
  await queryServer(`alter database ${unfinished} rename to ${template}`)
}

/** Removes what tests, and interrupted runs, have left. */
export async function dropTestDatabases(): Promise<void> {
  const { rows } = await queryServer<{ datname: string }>("select datname from pg_database where datname like 'store\\_test\\_%'")
  for (const { datname } of rows) await queryServer(`drop database "${datname}" with (force)`)
}

/** An empty, migrated database of one's own, gone when disposed. @param migrated without tables, if not */
export async function createEmptyDatabase({ migrated = true } = {}): Promise<{ connectionString: string } & AsyncDisposable> {
  const name = `store_test_${crypto.randomUUID().replaceAll('-', '')}`
  await queryServer(migrated ? `create database ${name} template ${templateName()} strategy file_copy` : `create database ${name}`)
  return {
    connectionString: databaseUrl(name),
    [Symbol.asyncDispose]: async () => void (await queryServer(`drop database ${name} with (force)`)),
  }
}

function databaseUrl(database: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${database}`
  return url.href
}

/** One connection for each process, as a new one costs as much as what it is asked. It does not keep the process running. */
let serverPool: pg.Pool | undefined

function queryServer<R extends pg.QueryResultRow>(statement: string) {
  serverPool ??= new pg.Pool({ connectionString: serverUrl(), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  return serverPool.query<R>(statement)
}

/** Closes this process's connection to the server, for who ends the server. */
export async function closeServerConnection(): Promise<void> {
  await serverPool?.end()
  serverPool = undefined
}
