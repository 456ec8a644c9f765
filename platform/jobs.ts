// Not pg-boss, which was measured: after a crash its jobs wait for a timeout, where a row lock is free at once, see docs/decisions/0008.

import { type SQL, sql } from 'drizzle-orm'
import { type PgColumn, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Pool } from './database.ts'

/** Start time of the last completed run of each periodic job, so that only one of several processes runs it. */
export const jobRuns = pgTable('job_runs', {
  name: text().primaryKey(),
  beganAt: timestamp('began_at', { withTimezone: true }).notNull(),
})

/**
 * Background jobs. All pending work is stored in database rows, so that a crash loses none of it. Work may be executed twice and must be
 * idempotent.
 */
export type Jobs<Worker extends string = string> = {
  /**
   * Processes due work sequentially, whenever it is woken.
   * @param workOne processes the oldest due item and returns false when none is due. It locks the row with FOR UPDATE SKIP LOCKED, so
   *   that other processes skip it and a crash releases it at once, or puts it off before it calls somebody who may not answer. After a
   *   `RetryItemLaterError` the worker goes on with the next item; after any other error, such as a lost database, the item may still be due, and the worker waits for the next poll
   */
  registerWorker(name: Worker, workOne: () => Promise<boolean>): void
  /**
   * Runs at startup and every minute, in one process at a time.
   * @param steps run one after another, each also after one that has failed; then the job has failed
   */
  registerEveryMinute(name: string, ...steps: (() => Promise<void>)[]): void
  /** Runs this worker now, after new work was stored for it. */
  wakeWorker(name: Worker): void
  /** Starts the timers: from here on workers also poll for due work. */
  start(): void
  /** Runs every periodic job once, then every worker until nothing is due. */
  runAllOnce(): Promise<void>
  /** Resolves once no job is running. */
  whenIdle(): Promise<void>
  /** Starts no further jobs and waits for running ones. */
  close(): Promise<void>
}

/**
 * Thrown by a worker for an item that failed and is due no more: its next try is in the future, or it was given up. The items behind it
 * need not wait.
 * @param cause what went wrong
 */
export class RetryItemLaterError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * The time of the next retry after a failure, with exponential backoff.
 * @param tries the column with the number of attempts before this one
 */
export const nextRetryAt = (
  tries: PgColumn,
  { initialDelaySeconds, maxDelaySeconds }: { initialDelaySeconds: number; maxDelaySeconds: number },
): SQL => sql`now() + make_interval(secs => least(${initialDelaySeconds} * power(2, least(${tries}, 20)), ${maxDelaySeconds}))`

const workerPollMs = 2000
/**
 * After this many failed items without a success in between, the worker waits for the next poll: while a mail server or the card provider is
 * away, a long queue is not tried, and reported, all at once.
 */
const maxFailedItemsInARow = 50
const periodicPollMs = 10_000
/**
 * A job is skipped when its last completed run started less than this many seconds ago, so that two processes that start together run it
 * once. Every process polls every 10 s, so a job runs every minute even if one process dies, and a failed run is retried at the next poll.
 */
const minRunAgeSeconds = { start: 5, minute: 50 }

/**
 * @param pool must have more connections than there are jobs: each may hold one for its lock and use another for its work
 * @param report called with the error of a failed job or item; the work is retried when it is due again
 */
export function createJobs<Worker extends string>(pool: Pool, report: (name: string, error: unknown) => void): Jobs<Worker> {
  const workers = new Map<string, () => Promise<void>>()
  const periodic = new Map<string, () => Promise<void>>()
  const timers: NodeJS.Timeout[] = []
  let closed = false
  const { run, whenIdle } = createSequences((name, work) => (closed ? Promise.resolve() : work().catch((error) => report(name, error))))

  const waiting = new Map<string, Promise<void>>()
  function poll(name: string): Promise<void> {
    const work = workers.get(name)
    if (!work || closed) return Promise.resolve()
    const sooner = waiting.get(name)
    if (sooner) return sooner
    const polled = run(name, () => {
      waiting.delete(name)
      return work()
    })
    waiting.set(name, polled)
    return polled
  }

  const inOneProcess = (name: string, work: () => Promise<void>, youngerThanSeconds: number) =>
    run(name, () => runInOneProcess(pool, name, work, youngerThanSeconds))

  return {
    whenIdle,
    registerWorker(name, workOne) {
      workers.set(name, () => processDueItems(workOne, { isClosed: () => closed, report: (error) => report(name, error) }))
    },
    registerEveryMinute: (name, ...steps) => void periodic.set(name, () => runAll(steps)),
    wakeWorker: (name) => void poll(name),
    start() {
      const held = periodic.size + workers.size
      if (held >= pool.options.max)
        throw new Error(`${held} jobs may hold a connection each: a pool of ${pool.options.max} leaves none for their work`)
      for (const name of workers.keys()) {
        poll(name)
        timers.push(setInterval(() => poll(name), workerPollMs))
      }
      for (const [name, work] of periodic) {
        inOneProcess(name, work, minRunAgeSeconds.start)
        timers.push(setInterval(() => inOneProcess(name, work, minRunAgeSeconds.minute), periodicPollMs))
      }
    },
    async runAllOnce() {
      for (const [name, work] of periodic) await inOneProcess(name, work, 0)
      for (const name of workers.keys()) await poll(name)
    },
    async close() {
      closed = true
      for (const timer of timers) clearInterval(timer)
      await whenIdle()
    },
  }
}

async function runAll(steps: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error) => failures.push(error))
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} steps of a job have failed`)
  if (failures.length > 0) throw failures[0]
}

/**
 * Runs jobs of the same name one after another.
 * @param runOne runs a job once those before it have ended
 */
function createSequences(runOne: (name: string, work: () => Promise<void>) => Promise<void>) {
  const running = new Map<string, Promise<void>>()
  return {
    run(name: string, work: () => Promise<void>): Promise<void> {
      const previous = running.get(name) ?? Promise.resolve()
      const current = previous.then(() => runOne(name, work))
      running.set(name, current)
      return current.finally(() => running.get(name) === current && running.delete(name))
    },
    async whenIdle() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

/** Works until nothing is due, the jobs are closed, or too many items in a row have failed. */
async function processDueItems(
  workOne: () => Promise<boolean>,
  { isClosed, report }: { isClosed: () => boolean; report: (error: unknown) => void },
): Promise<void> {
  for (let failed = 0; !isClosed() && failed < maxFailedItemsInARow; ) {
    try {
      if (!(await workOne())) return
      failed = 0
    } catch (error) {
      if (!(error instanceof RetryItemLaterError)) throw error
      report(error.cause)
      failed++
    }
  }
}

/** Runs a periodic job unless another process does, or has begun a run that completed less than so many seconds ago. */
async function runInOneProcess(pool: Pool, name: string, work: () => Promise<void>, youngerThanSeconds: number): Promise<void> {
  const client = await pool.connect()
  const ignore = () => {} // the failing query reports the error
  client.on('error', ignore)
  let broken: unknown
  try {
    const { rows } = await client.query<{ mine: boolean; now: string }>(
      `select pg_try_advisory_lock(hashtextextended('job ' || $1, 0)) and not exists
         (select from job_runs where name = $1 and began_at > now() - make_interval(secs => $2)) as mine, now()::text as now`,
      [name, youngerThanSeconds],
    )
    if (!rows[0]?.mine) return
    await work()
    await client.query(
      'insert into job_runs (name, began_at) values ($1, $2) on conflict (name) do update set began_at = excluded.began_at',
      [name, rows[0].now],
    )
  } catch (error) {
    broken = error
    throw error
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch((error) => (broken = error))
    client.off('error', ignore)
    client.release(broken !== undefined) // closes the connection to release a lock that could not be unlocked
  }
}
