import os from 'node:os'
import path from 'node:path'
import type { EmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { reserveInitializedDataDir } from './initialized-data-dir.ts'
import { closeServerConnection, dropTestDatabases, openTestPostgres, prepareTemplateDatabase } from './postgres.ts'
import { openTemporaryDir } from './temporary-dir.ts'
import { createTestFileQueue } from './test-file-queue.ts'

let embedded: EmbeddedPostgres | undefined
const planned = new DisposableStack()

/** Before the first test: a PostgreSQL, the one in DATABASE_URL or the embedded one, with the migrated template. */
export async function globalSetup(): Promise<void> {
  planned.use(openTemporaryDir())
  if (!process.env.DATABASE_URL) embedded = await openTestPostgres(path.join(os.tmpdir(), 'postgres'))
  process.env.TEST_POSTGRES = process.env.DATABASE_URL ?? embedded?.connectionString
  await prepareTemplateDatabase()
  planned.use(reserveInitializedDataDir())
  planned.use(createTestFileQueue())
}

export async function globalTeardown(): Promise<void> {
  await dropTestDatabases()
  await closeServerConnection()
  await embedded?.close()
  planned.dispose()
}
