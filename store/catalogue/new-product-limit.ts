import { and, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { addToCount } from '#platform/rate-limits.ts'
import { formatNumber } from '#shared/format-number.ts'
import { users } from '#store/identity/table.ts'

/**
 * How many products admins who are no owners can add within a day, all of them together: one of them can make others, and no product is ever
 * deleted for good.
 */
export const newProductLimit = { products: 50_000, seconds: 24 * 3600 }

/**
 * Counts products that an admin adds; those of owners are not counted. Call it in the transaction that adds them: a refusal has to undo the
 * count with it, and admins wait for each other until its end, so that those who add some at one moment cannot all pass.
 * @param userId id of the admin
 * @param added 0: to find out whether `more` could be added now
 * @returns why they cannot be added, or undefined
 */
export async function countNewProducts(
  tx: Database,
  userId: string,
  { added, more = 0 }: { added: number; more?: number },
): Promise<string | undefined> {
  if ((await tx.$count(users, and(eq(users.id, userId), users.owner))) > 0) return undefined
  const { products, seconds } = newProductLimit
  const count = await addToCount(tx, 'products added by admins', { seconds, added })
  if (count + more <= products) return undefined
  return `Admins who are no owners can add ${formatNumber(products)} products within a day, all of them together: add the others tomorrow, or ask an owner to add them`
}
