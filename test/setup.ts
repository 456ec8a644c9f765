import path from 'node:path'
import type { EmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { planOpenedStore } from './opened-store.ts'
import { openTestPostgres, prepareTemplate } from './postgres.ts'
import { planTestFiles } from './test-files.ts'

let embedded: EmbeddedPostgres | undefined
const planned = new DisposableStack()

/** Before the first test: a PostgreSQL, the one in DATABASE_URL or the embedded one, with the migrated template. */
export async function globalSetup(): Promise<void> {
  if (!process.env.DATABASE_URL) embedded = await openTestPostgres(path.resolve('.data/test'))
  process.env.TEST_POSTGRES = process.env.DATABASE_URL ?? embedded?.connectionString
  await prepareTemplate()
  planned.use(planOpenedStore())
  planned.use(planTestFiles())
}

export async function globalTeardown(): Promise<void> {
  planned.dispose()
  await embedded?.close()
}
