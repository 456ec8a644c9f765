import { openChanges } from '#platform/changes.ts'
import { openDatabase } from '#platform/database.ts'
import { anEmptyDatabase } from './postgres.ts'

/** No test judges speed, nor does a busy machine. */
const patient = { statementMs: 60_000, waitingMs: 60_000 }

/** What tells of changes, on a database of its own. */
export async function anEmptyHouse() {
  const opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await anEmptyDatabase())
  const { db, pool } = openDatabase(connectionString, (error) => console.error(error), patient)
  opened.defer(() => pool.end())
  const changes = await openChanges(connectionString, pool)
  opened.defer(() => changes.close())
  return { opened, connectionString, db, pool, changes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
