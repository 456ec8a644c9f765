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

/** An order of more lines takes as long as many small ones. */
export const fewLines = 10

/** Places an order, of so many lines, once it has a place. */
export type PlaceInTurn = <Placed>(lines: number, place: () => Promise<Placed>) => Promise<Placed>

/**
 * Limits how many orders are placed at a time: of a buyer two, of a network four, and of all buyers, networks by turns, six of the 20 connections
 * to the database, two of which may have many lines. Without a limit for all of them somebody with many networks would have every connection;
 * one network has fewer places than there are, as its orders wait for one another in the database.
 */
export function createPlacingLimiter(queue: BuyerQueue) {
  const places = (maxConcurrent: number) =>
    createConcurrencyLimiter({ maxConcurrent, maxQueued: 400, queueTimeoutMs: queue.buyerQueueTimeoutMs, beforeStart: async () => {} })
  const [all, ofManyLines] = [places(6), places(2)]
  const [ofBuyer, ofNetwork] = [createBuyerLimiter(queue, 2), createBuyerLimiter(queue, 4)]
  return {
    /**
     * @param work what the limits of buyer and network are for; it takes a place of all for what it does in the database alone, and none while it
     *   waits for the card provider
     * @throws {HttpError} 503 when too many orders wait, or this one has waited too long
     */
    run<Placed>({ buyer, network }: { buyer: string; network: string }, work: (inTurn: PlaceInTurn) => Promise<Placed>): Promise<Placed> {
      const inTurn: PlaceInTurn = (lines, place) => {
        const placing = () => all.run(place, network)
        return lines > fewLines ? ofManyLines.run(placing, network) : placing()
      }
      return ofBuyer.run(buyer, () => ofNetwork.run(network, () => work(inTurn)))
    },
  }
}

export type PlacingLimiter = ReturnType<typeof createPlacingLimiter>

/** `buyerQueueTimeoutMs`: how long an order, a payment or a read of one's own waits for others of the same buyer, in milliseconds. */
export type BuyerQueue = { buyerLimits: BuyerLimits | undefined; buyerQueueTimeoutMs: number }
