import path from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { planOpenedStore } from './opened-store.ts'
import { prepareTemplate } from './postgres.ts'
import { planTestFiles } from './test-files.ts'

let embedded: EmbeddedPostgres | undefined
const planned = new DisposableStack()

/** Before the first test: a PostgreSQL, the one in DATABASE_URL or the embedded one, with the migrated template. */
export async function globalSetup(): Promise<void> {
  if (!process.env.DATABASE_URL) {
    embedded = await openEmbeddedPostgres(path.resolve('.data/test'))
    await forgetSafety(embedded.connectionString)
  }
  process.env.TEST_POSTGRES = process.env.DATABASE_URL ?? embedded?.connectionString
  await prepareTemplate()
  planned.use(planOpenedStore())
  planned.use(planTestFiles())
}

export async function globalTeardown(): Promise<void> {
  planned.dispose()
  await embedded?.close()
}

/** What tests write needs to survive nothing, so no test waits for the disk. */
async function forgetSafety(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
}
