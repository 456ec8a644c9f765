import { desc, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { countProductChanges } from '#store/catalogue/many-product-changes.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { maxListed } from './contract.ts'
import { pricingChanges } from './table.ts'

/**
 * Runs a change of prices in a transaction and writes down who has changed what. It counts as a change of a product: owners are told of an
 * admin who makes many.
 * @param change returns its result and what was done, as a sentence; undefined when nothing was
 */
export function recordingPricingChange<Result>(
  db: Database,
  admin: User,
  change: (tx: Database) => Promise<{ result: Result; what: string | undefined }>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const { result, what } = await change(tx)
    if (what === undefined) return result
    await tx.insert(pricingChanges).values({ what, userId: admin.id })
    await countProductChanges(tx, admin.id, 1)
    return result
  })
}

/** The newest changes first, at most `maxListed`. */
export const listPricingChanges = (db: Database) =>
  db
    .select({ _id: pricingChanges._id, what: pricingChanges.what, at: pricingChanges.at, by: users.email })
    .from(pricingChanges)
    .innerJoin(users, eq(users.id, pricingChanges.userId))
    .orderBy(desc(pricingChanges._id))
    .limit(maxListed)
