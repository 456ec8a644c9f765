import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { addToCount } from '#platform/rate-limits.ts'
import { formatNumber } from '#shared/format-number.ts'
import { recordAdminActivityNotice } from '#store/identity/owner-notices.ts'
import { users } from '#store/identity/table.ts'

/** Owners are told of an admin who makes more changes of products than this within an hour. */
const unnoticedChanges = 50

/**
 * Counts products that an admin has added, changed or brought back, and queues the mail to owners if there were many within an hour. Those of
 * owners are not counted. A running count, because a query for them would take long after an import of the whole catalogue. Call it at the
 * end of the transaction of the change: it locks the count of this admin until the commit.
 * @param userId id of the admin
 */
export async function countProductChanges(tx: Database, userId: string, added: number): Promise<void> {
  if (added === 0) return
  const [admin] = await tx.select({ email: users.email, owner: users.owner }).from(users).where(eq(users.id, userId))
  if (!admin || admin.owner) return
  const changes = await addToCount(tx, `product changes by ${userId}`, { seconds: 3600, added })
  if (changes <= unnoticedChanges) return
  const detail = `${formatNumber(changes)} changes of products`
  await recordAdminActivityNotice(tx, { event: 'many product changes', by: admin.email, extent: changes, detail })
}
