import { openDatabase } from '#platform/database.ts'
import { runDueImport } from '#store/imports/due-imports.ts'

/** A process that works on one import of the database that it is given, as a store does. */
const [connectionString = ''] = process.argv.slice(2)
const { db, pool } = openDatabase(connectionString, (error) => console.error(error))
await runDueImport(db, () => {})
await pool.end()
