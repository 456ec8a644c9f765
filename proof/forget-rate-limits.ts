import type { Database } from '#platform/database.ts'
import { clearExhaustedKeyCache, rateLimits } from '#platform/rate-limits.ts'

/** As if all that was counted lay long ago, for a test that is about something else. */
export async function forgetRateLimits(db: Database): Promise<void> {
  await db.delete(rateLimits)
  clearExhaustedKeyCache(db)
}
