import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { BuyerLimits } from './buyer-limits.ts'

type WorkPerAccount = { maxConcurrent: number; maxQueued: number; queueTimeoutMs: number }

/** Limits concurrent work per account. */
export function createAccountLimiter(perAccount: WorkPerAccount) {
  const limiters = new Map<string, { run: ReturnType<typeof createConcurrencyLimiter>['run']; running: number }>()
  return {
    /** @throws {HttpError} 503 when the account's queue is full or this work has waited too long */
    async run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
      const own = limiters.get(accountId) ?? { ...createConcurrencyLimiter({ ...perAccount, beforeStart: async () => {} }), running: 0 }
      limiters.set(accountId, own)
      own.running++
      try {
        return await own.run(work, accountId)
      } finally {
        if (--own.running === 0) limiters.delete(accountId)
      }
    },
  }
}

export type AccountLimiter = ReturnType<typeof createAccountLimiter>

/**
 * Limits concurrent work of a buyer that locks rows of that buyer: whatever waits for such a lock holds a connection, and an account that sends
 * hundreds of requests would hold all. Without buyer limits it limits nothing, as one account may then be the whole load of a test.
 */
export const createBuyerLimiter = (limits: BuyerLimits | undefined, maxConcurrent: number): AccountLimiter =>
  limits ? createAccountLimiter({ maxConcurrent, maxQueued: 60, queueTimeoutMs: 3000 }) : { run: (_accountId, work) => work() }
