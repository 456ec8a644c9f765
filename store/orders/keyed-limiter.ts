import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { BuyerLimits } from './buyer-limits.ts'

type WorkPerKey = { maxConcurrent: number; maxQueued: number; queueTimeoutMs: number }

/** Limits concurrent work per key, such as an account or a network. */
export function createKeyedLimiter(perKey: WorkPerKey) {
  const limiters = new Map<string, { run: ReturnType<typeof createConcurrencyLimiter>['run']; running: number }>()
  return {
    /** @throws {HttpError} 503 when the queue of this key is full or this work has waited too long */
    async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const own = limiters.get(key) ?? { ...createConcurrencyLimiter({ ...perKey, beforeStart: async () => {} }), running: 0 }
      limiters.set(key, own)
      own.running++
      try {
        return await own.run(work, key)
      } finally {
        if (--own.running === 0) limiters.delete(key)
      }
    },
  }
}

export type KeyedLimiter = ReturnType<typeof createKeyedLimiter>

/**
 * Limits concurrent work that locks what is one buyer's: an order, or, at placing, the buyer's account, mailbox and network. Whatever waits for
 * such a lock holds a connection, and a buyer who sends hundreds of requests would hold all. Without buyer limits it limits nothing, as one
 * account may then be the whole load of a test.
 */
export const createBuyerLimiter = (
  { buyerLimits, buyerQueueTimeoutMs: queueTimeoutMs }: BuyerQueue,
  maxConcurrent: number,
): KeyedLimiter => (buyerLimits ? createKeyedLimiter({ maxConcurrent, maxQueued: 60, queueTimeoutMs }) : { run: (_key, work) => work() })

/** `buyerQueueTimeoutMs`: how long an order, a payment or a read of one's own waits for others of the same buyer, in milliseconds. */
export type BuyerQueue = { buyerLimits: BuyerLimits | undefined; buyerQueueTimeoutMs: number }
