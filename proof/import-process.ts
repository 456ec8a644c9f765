import { openDatabase } from '#platform/database.ts'
import { workOffImport } from '#store/catalogue/import/due-imports.ts'

/** A process that works on one import of the database that it is given, as a store does. */
const [connectionString = ''] = process.argv.slice(2)
const { db, pool } = openDatabase(connectionString, (error) => console.error(error))
await workOffImport(db, () => {})
await pool.end()
