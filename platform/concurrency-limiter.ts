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
  const queues = new Map<string, QueuedTask[]>() // in round-robin order: the first client is served next
  let queuedCount = 0
  let freeSlots = maxConcurrent

  async function acquireSlot(clientKey: string) {
    if (freeSlots > 0) {
      freeSlots--
      return
    }
    if (queuedCount >= maxQueued) rejectNewest(clientKey)
    await new Promise<void>((resolve, reject) => {
      const own: QueuedTask = {
        start: () => {
          clearTimeout(timeout)
          resolve()
        },
        reject: () => {
          clearTimeout(timeout)
          removeFromQueue(clientKey, own)
          reject(overloadedError())
        },
      }
      const timeout = setTimeout(own.reject, queueTimeoutMs)
      queues.set(clientKey, [...(queues.get(clientKey) ?? []), own])
      queuedCount++
    })
  }

  /**
   * Rejects the newest task of the client with the most queued tasks.
   * @throws {HttpError} 503 when no client has at least two more queued tasks than this one
   */
  function rejectNewest(clientKey: string) {
    let most: QueuedTask[] = []
    for (const all of queues.values()) if (all.length > most.length) most = all
    if (most.length <= (queues.get(clientKey)?.length ?? 0) + 1) throw overloadedError()
    most.at(-1)?.reject()
  }

  function removeFromQueue(clientKey: string, task: QueuedTask) {
    const others = queues.get(clientKey)?.filter((other) => other !== task) ?? []
    if (others.length > 0) queues.set(clientKey, others)
    else queues.delete(clientKey)
    queuedCount--
  }

  function dequeue(): QueuedTask | undefined {
    const [first] = queues
    if (!first) return undefined
    const [clientKey, [next, ...others]] = first
    queues.delete(clientKey)
    if (others.length > 0) queues.set(clientKey, others)
    queuedCount--
    return next
  }

  return {
    /** whether a new task would be rejected, unless a queued task of another client is rejected instead */
    isFull: () => freeSlots === 0 && queuedCount >= maxQueued,
    /**
     * @param clientKey who requested the work, such as a client network; all work without a key counts as one client
     * @throws {HttpError} 503 when the queue is full or this task has waited too long
     */
    async run<Result>(work: () => Promise<Result>, clientKey = ''): Promise<Result> {
      await acquireSlot(clientKey)
      try {
        await beforeStart()
        return await work()
      } finally {
        const next = dequeue()
        if (next) next.start()
        else freeSlots++
      }
    },
  }
}

export type ConcurrencyLimiter = ReturnType<typeof createConcurrencyLimiter>

export const overloadedError = () =>
  new HttpError(503, 'Too much is being asked for at this moment. Try again in a few seconds', undefined, {
    retryAfterSeconds: 2,
    code: 'overloaded',
  })
