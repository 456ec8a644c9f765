import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '#platform/database.ts'
import { storedValues } from '#platform/stored-values.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import { reviews } from '#store/reviews/table.ts'

/**
 * Inserts the demo catalogue and a few example reviews. Runs once per database, even if the owner deletes the data later.
 * @param folder contains `tools.ndjson` and `reviews.json`
 */
export function seedCatalogue(db: Database, folder: string): Promise<void> {
  return db.transaction(async (tx) => {
    const inserted = await tx
      .insert(storedValues)
      .values({ name: 'starting catalogue', value: new Date().toISOString() })
      .onConflictDoNothing()
    if (!inserted.rowCount) return
    await catalogue.addProducts(tx, await readStartingProducts(folder))
    const exampleReviews: (typeof reviews.$inferInsert)[] = JSON.parse(await readFile(path.join(folder, 'reviews.json'), 'utf8'))
    await tx.insert(reviews).values(exampleReviews.map((review) => ({ ...review, example: true })))
  })
}

async function readStartingProducts(folder: string): Promise<catalogue.ProductRecord[]> {
  const lines = (await readFile(path.join(folder, 'tools.ndjson'), 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}
