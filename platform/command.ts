import { CannotStart } from './cannot-start.ts'
import { type Database, migrateDatabase, openDatabase } from './database.ts'
import { embeddedConnection, isEmbeddedRunning, openEmbeddedPostgres } from './embedded-postgres.ts'
import { Refusal } from './refusal.ts'

type Place = { dataDir: string; databaseUrl: string | undefined }

/**
 * Does an owner's work on the store's database, whether the store runs or not: a running embedded PostgreSQL is found, one that does not run is
 * started for the work and stopped after it.
 * @param migrations the folder of the migrations; a database that no store has opened yet gets its tables
 * @throws {CannotStart} in the words of what was refused, or when there is no database
 */
export async function onDatabase<T>(
  { dataDir, databaseUrl }: Place,
  migrations: string,
  work: (db: Database, connectionString: string) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const connectionString = databaseUrl ?? (isEmbeddedRunning(dataDir) ? embeddedConnection(dataDir) : await start(dataDir, opened))
  await migrateDatabase(connectionString, migrations)
  const { db, pool } = openDatabase(connectionString, (error) => console.error(error.message), { statementMs: 0 })
  opened.defer(() => pool.end())
  try {
    return await work(db, connectionString)
  } catch (error) {
    throw error instanceof Refusal ? new CannotStart(error.message) : error
  }
}

async function start(dataDir: string, opened: AsyncDisposableStack): Promise<string> {
  const postgres = await openEmbeddedPostgres(dataDir, { say: console.log })
  opened.defer(() => postgres.close())
  return postgres.connectionString
}
