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
    const folder = path.resolve('.data/test')
    embedded = await openEmbeddedPostgres(folder)
    const { needsRestart } = await applySettings(embedded.connectionString)
    if (needsRestart) {
      await embedded.close()
      embedded = await openEmbeddedPostgres(folder)
    }
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
