import path from 'node:path'
import { readSettings } from '#platform/settings.ts'
import { exitOnStartupError } from '#platform/startup-error.ts'
import { withDatabase } from '#platform/with-database.ts'
import { setDefinitionsFromDatabase } from '#store/catalogue/definitions/rules.ts'
import { findOddities, productsForSaleSql } from '#store/catalogue/find-oddities.ts'

/** `npm run data:check`: what looks wrong in the catalogue. Read-only: may be run on a live store at any time. */
await exitOnStartupError(async () => {
  const migrations = path.join(import.meta.dirname, '../migrations')
  const oddities = await withDatabase(readSettings(process.env), migrations, async (db) => {
    await setDefinitionsFromDatabase(db, console.error)
    return findOddities(db, productsForSaleSql)
  })
  for (const { column, words, count, example } of oddities)
    console.log(`${count}  ${column}: ${words}, such as ${example.sku}: ${example.found}`)
  console.log(
    oddities.length === 0 ? 'Nothing looks wrong' : `${oddities.length} things look wrong. They may be right: nothing was changed`,
  )
})
