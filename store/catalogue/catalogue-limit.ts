import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { formatNumber } from '#shared/format-number.ts'
import { users } from '#store/identity/table.ts'
import { products } from './table.ts'

/** How many products there may be once an admin who is no owner has added some. Removed ones are counted, since none is ever deleted. */
export const catalogueLimit = { products: 250_000 }

/**
 * Finds out whether an admin can add products. Call it in the transaction that adds them: admins who are no owners wait for each other until
 * its end, so that those who add some at one moment cannot all pass with the same count.
 * @param userId id of the admin
 * @param more how many are to be added to those that there are
 * @returns why they cannot be added, or undefined
 */
export async function findCatalogueLimitError(tx: Database, userId: string, more: number): Promise<string | undefined> {
  if ((await tx.$count(users, and(eq(users.id, userId), users.owner))) > 0) return undefined
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('products added by admins', 0))`)
  if ((await tx.$count(products)) + more <= catalogueLimit.products) return undefined
  return `Admins who are no owners can add products until there are ${formatNumber(catalogueLimit.products)}, removed ones among them: ask an owner to add more`
}
