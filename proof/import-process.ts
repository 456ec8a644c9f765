import { processDueImport } from '#store/imports/due-imports.ts'
import { openTestPool } from '#test/test-database.ts'

/** A process that works on one import of the database that it is given, as a store does. */
const [connectionString = ''] = process.argv.slice(2)
const { db, pool } = openTestPool(connectionString)
await processDueImport(db, () => {})
await pool.end()
