import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '#platform/database.ts'
import { keptValues } from '#platform/kept-values.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import type { tools } from '#store/catalogue/table.ts'
import { reviews } from '#store/reviews/table.ts'

/**
 * Puts the catalogue to start with and a few example reviews into a store that has never had any: once, whatever the owner removes later.
 * @param folder where `tools.ndjson` and `reviews.json` lie
 */
export function fillCatalogue(db: Database, folder: string): Promise<void> {
  return db.transaction(async (tx) => {
    const first = await tx.insert(keptValues).values({ name: 'starting catalogue', value: new Date().toISOString() }).onConflictDoNothing()
    if (!first.rowCount) return
    await catalogue.fill(tx, await startingTools(folder))
    const said: (typeof reviews.$inferInsert)[] = JSON.parse(await readFile(path.join(folder, 'reviews.json'), 'utf8'))
    await tx.insert(reviews).values(said.map((review) => ({ ...review, example: true })))
  })
}

async function startingTools(folder: string): Promise<(typeof tools.$inferInsert)[]> {
  const lines = (await readFile(path.join(folder, 'tools.ndjson'), 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}
