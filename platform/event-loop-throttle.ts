import { overloadedError } from './concurrency-limiter.ts'
import { createFairQueue } from './fair-queue.ts'
import type { HttpError } from './http-error.ts'

type EventLoopThrottleOptions = {
  /** milliseconds of work in one turn of the event loop */
  budgetMsPerTurn: number
  /** tasks that wait for a later turn; when the queue is full, a new task is rejected at once, unless another client holds more of it */
  maxQueued: number
  /** a task that has waited this long is rejected */
  queueTimeoutMs: number
}

/**
 * Spreads public synchronous work over several turns of the event loop, so that other work runs in between, however many requests there
 * are. Under low load no task waits.
 */
export function createEventLoopThrottle({ budgetMsPerTurn, maxQueued, queueTimeoutMs }: EventLoopThrottleOptions) {
  const queue = createFairQueue<{ queuedAt: number; start: () => void; reject: (error: HttpError) => void }>()
  let usedMs = 0
  let isTurnScheduled = false

  function runMeasured<Result>(work: () => Result): Result {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      usedMs += performance.now() - startedAt
      if (!isTurnScheduled) setImmediate(startNextTurn)
      isTurnScheduled = true
    }
  }

  function startNextTurn() {
    isTurnScheduled = false
    usedMs = 0
    while (usedMs < budgetMsPerTurn) {
      const next = queue.shift()
      if (!next) return
      if (performance.now() - next.queuedAt > queueTimeoutMs) next.reject(overloadedError())
      else next.start()
    }
  }

  return {
    /**
     * @param clientKey who requested the work, such as a client network: clients take turns
     * @throws {HttpError} 503 when the queue is full or this task has waited too long
     */
    async run<Result>(work: () => Result, clientKey: string): Promise<Result> {
      if (usedMs < budgetMsPerTurn && queue.size() === 0) return runMeasured(work)
      if (queue.size() >= maxQueued) {
        const displaced = queue.displaceFor(clientKey)
        if (!displaced) throw overloadedError()
        displaced.reject(overloadedError())
      }
      return new Promise<Result>((resolve, reject) => {
        const start = () => {
          try {
            resolve(runMeasured(work))
          } catch (error) {
            reject(error)
          }
        }
        queue.push(clientKey, { queuedAt: performance.now(), start, reject })
      })
    },
  }
}
