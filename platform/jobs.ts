import { type SQL, sql } from 'drizzle-orm'
import { type PgColumn, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Pool } from './database.ts'

/** When the last run of each periodic job that came to its end began, so that of several processes one runs it. */
export const jobRuns = pgTable('job_runs', {
  name: text().primaryKey(),
  beganAt: timestamp('began_at', { withTimezone: true }).notNull(),
})

/**
 * What the store does without being asked. Everything that is to be done is a row in the database, so that a crash loses none of it; a
 * job may come twice and must not mind.
 */
export type Jobs = {
  /**
   * Works off what is due, one after the other, whenever it is woken.
   * @param workOne does the thing that is due longest; false when nothing is. It holds its row with FOR UPDATE SKIP LOCKED meanwhile, so
   *   that another process passes over it and a crash frees it at once
   */
  worker(name: string, workOne: () => Promise<boolean>): void
  /** Runs at the start and every minute, in one process at a time. */
  everyMinute(name: string, work: () => Promise<void>): void
  /** Something was just written down for this worker. */
  wake(name: string): void
  /** Lets the clock run: from here on workers look by themselves, too, for what is due again. */
  start(): void
  /** One minute as it passes: every periodic job, then every worker until nothing is due. */
  passAMinute(): Promise<void>
  /** Resolves once nothing is under way. */
  rest(): Promise<void>
  /** Begins nothing more and waits for what is under way. */
  close(): Promise<void>
}

/**
 * When to try again what went wrong: after a pause that doubles with each try.
 * @param tries the column that counts them, before this one
 */
export const nextTry = (tries: PgColumn, { firstSeconds, longestSeconds }: { firstSeconds: number; longestSeconds: number }): SQL =>
  sql`now() + make_interval(secs => least(${firstSeconds} * power(2, least(${tries}, 20)), ${longestSeconds}))`

const lookEveryMs = 2000
const lookForMinutesEveryMs = 10_000
/**
 * A run that began so recently is enough: two processes that start together run a job once. Every process looks every ten seconds, so a
 * minute is one whichever of them has died meanwhile, and a run that went wrong is tried again at the next look.
 */
const youngSeconds = { start: 5, minute: 50 }

/** @param failed told of what went wrong; the work is tried again when it is due again */
export function openJobs(pool: Pool, failed: (name: string, error: unknown) => void): Jobs {
  const workers = new Map<string, () => Promise<void>>()
  const periodic = new Map<string, () => Promise<void>>()
  const underWay = new Map<string, Promise<void>>()
  const clocks: NodeJS.Timeout[] = []
  let closed = false

  /** One at a time of each name; who comes meanwhile is served by a further round. */
  function run(name: string, work: () => Promise<void>): Promise<void> {
    const before = underWay.get(name) ?? Promise.resolve()
    const round = before.then(async () => {
      if (!closed) await work().catch((error) => failed(name, error))
    })
    underWay.set(name, round)
    return round.finally(() => underWay.get(name) === round && underWay.delete(name))
  }

  const waiting = new Set<string>()
  function look(name: string): Promise<void> {
    const work = workers.get(name)
    if (!work || closed || waiting.has(name)) return Promise.resolve()
    waiting.add(name)
    return run(name, () => {
      waiting.delete(name)
      return work()
    })
  }

  const inOneProcess = (name: string, work: () => Promise<void>, youngerThanSeconds: number) =>
    run(name, async () => {
      const client = await pool.connect()
      const ignore = () => {} // told by the query that breaks
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
        client.release(broken !== undefined) // a lock that could not be given back goes with its connection
      }
    })

  async function rest() {
    while (underWay.size > 0) await Promise.all(underWay.values())
  }

  return {
    rest,
    worker(name, workOne) {
      workers.set(name, async () => {
        while (!closed && (await workOne()));
      })
    },
    everyMinute: (name, work) => void periodic.set(name, work),
    wake: (name) => void look(name),
    start() {
      for (const name of workers.keys()) {
        look(name)
        clocks.push(setInterval(() => look(name), lookEveryMs))
      }
      for (const [name, work] of periodic) {
        inOneProcess(name, work, youngSeconds.start)
        clocks.push(setInterval(() => inOneProcess(name, work, youngSeconds.minute), lookForMinutesEveryMs))
      }
    },
    async passAMinute() {
      for (const [name, work] of periodic) await inOneProcess(name, work, 0)
      for (const name of workers.keys()) await look(name)
    },
    async close() {
      closed = true
      for (const clock of clocks) clearInterval(clock)
      await rest()
    },
  }
}
