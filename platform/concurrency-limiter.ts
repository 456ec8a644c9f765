// Not p-limit or p-queue: their queues know no clients, so one client could fill them, see docs/decisions/0004.

import { createFairQueue } from './fair-queue.ts'
import { HttpError } from './http-error.ts'

type ConcurrencyLimiterOptions = {
  /** tasks that run at the same time */
  maxConcurrent: number
  /** tasks that wait for a slot; when the queue is full, a new task is rejected at once, unless another client holds more of the queue */
  maxQueued: number
  /** a task that has no slot after this time is rejected */
  queueTimeoutMs: number
  /** awaited before each task, so that more urgent work goes first */
  beforeStart: () => Promise<void>
}

type QueuedTask = { start: () => void; reject: () => void }

/**
 * Limits the concurrency of work that clients can request without limit, with a bounded queue. Clients (`clientKey`) share the queue
 * fairly: they are served round-robin, and when it is full, the newest task of the client with the most queued tasks is rejected.
 */
export function createConcurrencyLimiter({ maxConcurrent, maxQueued, queueTimeoutMs, beforeStart }: ConcurrencyLimiterOptions) {
  const queue = createFairQueue<QueuedTask>()
  let freeSlots = maxConcurrent

  async function acquireSlot(clientKey: string) {
    if (freeSlots > 0) {
      freeSlots--
      return
    }
    if (queue.size() >= maxQueued) {
      const displaced = queue.displaceFor(clientKey)
      if (!displaced) throw overloadedError()
      displaced.reject()
    }
    await new Promise<void>((resolve, reject) => {
      const own: QueuedTask = {
        start: () => {
          clearTimeout(timeout)
          resolve()
        },
        reject: () => {
          clearTimeout(timeout)
          queue.remove(clientKey, own)
          reject(overloadedError())
        },
      }
      const timeout = setTimeout(own.reject, queueTimeoutMs)
      queue.push(clientKey, own)
    })
  }

  return {
    /** whether a new task of this client would be rejected at once */
    isFullFor: (clientKey: string) => freeSlots === 0 && queue.size() >= maxQueued && !queue.canDisplaceFor(clientKey),
    /**
     * @param clientKey who requested the work, such as a client network
     * @throws {HttpError} 503 when the queue is full or this task has waited too long
     */
    async run<Result>(work: () => Promise<Result>, clientKey: string): Promise<Result> {
      await acquireSlot(clientKey)
      try {
        await beforeStart()
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next.start()
        else freeSlots++
      }
    },
  }
}

export type ConcurrencyLimiter = ReturnType<typeof createConcurrencyLimiter>

const overloadedCode = 'overloaded'

export const overloadedError = () =>
  new HttpError(503, 'Too much is being asked for at this moment. Try again in a few seconds', undefined, {
    retryAfterSeconds: 2,
    code: overloadedCode,
  })

export const isOverloadedError = (error: unknown): boolean => error instanceof HttpError && error.code === overloadedCode
