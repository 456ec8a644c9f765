import { openChangeNotifier } from '#platform/change-notifier.ts'
import { openDatabase } from '#platform/database.ts'
import { createEmptyDatabase } from './postgres.ts'

/** Opens a database with timeouts long enough for a busy machine: no test judges speed. */
export const openTestPool = (connectionString: string) =>
  openDatabase(connectionString, (error) => console.error(error), { statementTimeoutMs: 60_000, connectionTimeoutMs: 60_000 })

/** What tells of changes, on a database of its own. */
export async function openTestDatabase<Topic extends string>() {
  const opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createEmptyDatabase())
  const { db, pool } = openTestPool(connectionString)
  opened.defer(() => pool.end())
  const changes = await openChangeNotifier<Topic>(connectionString, pool)
  opened.defer(() => changes.close())
  return { opened, connectionString, db, pool, changes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
