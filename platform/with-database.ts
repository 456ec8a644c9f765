import { type Database, migrateDatabase, openDatabase } from './database.ts'
import { embeddedConnectionString, isEmbeddedRunning } from './embedded-postgres/connection.ts'
import { openEmbeddedPostgres } from './embedded-postgres.ts'
import { HttpError } from './http-error.ts'
import { StartupError } from './startup-error.ts'

type DatabaseLocation = { dataDir: string; databaseUrl: string | undefined }

/**
 * Runs a command-line task on the store's database, whether the store runs or not. A running embedded PostgreSQL is used; otherwise it is
 * started for the task and stopped afterwards.
 * @param migrations the folder of the migrations, which are applied first
 * @throws {StartupError} with the message of an HttpError that the task throws, or when the database is not available
 */
export async function withDatabase<T>(
  { dataDir, databaseUrl }: DatabaseLocation,
  migrations: string,
  work: (db: Database, connectionString: string) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const connectionString =
    databaseUrl ?? (isEmbeddedRunning(dataDir) ? embeddedConnectionString(dataDir) : await startEmbeddedPostgres(dataDir, opened))
  await migrateDatabase(connectionString, migrations)
  const { db, pool } = openDatabase(connectionString, (error) => console.error(error.message), { statementTimeoutMs: 0 })
  opened.defer(() => pool.end())
  try {
    return await work(db, connectionString)
  } catch (error) {
    throw error instanceof HttpError ? new StartupError(error.message) : error
  }
}

async function startEmbeddedPostgres(dataDir: string, opened: AsyncDisposableStack): Promise<string> {
  const postgres = await openEmbeddedPostgres(dataDir, { onNotice: console.log })
  opened.defer(() => postgres.close())
  return postgres.connectionString
}
