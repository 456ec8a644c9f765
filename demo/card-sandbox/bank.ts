import type pg from 'pg'
import * as disputes from './disputes.ts'
import type { Step } from './later.ts'
import { type Db, transaction } from './ledger.ts'
import * as refunds from './refunds.ts'

const STEPS: { [Name in Step]: (tx: Db, objectId: string) => Promise<void> } = {
  'refund succeeds': refunds.succeed,
  'refund fails': refunds.fail,
  'charge is disputed': disputes.open,
}

const LOOK_EVERY_MS = 1000

export type Bank = {
  /** Nothing further happens by itself; resolves when nothing is under way. */
  pause(): Promise<void>
  resume(): void
  /** Does all that is still to come, due or not, also while paused. */
  hurry(): Promise<void>
  /** For good. */
  stop(): Promise<void>
}

/**
 * Does what happens later, when it is due: each step once, whichever process comes first. Calls `happened` after each. Without `byItself`
 * it waits to be hurried.
 */
export function startBank(pool: pg.Pool, happened: () => void, byItself: boolean): Bank {
  let paused = !byItself
  let round: Promise<void> | undefined

  // A database that does not answer loses nothing: the next look finds the same steps.
  const look = setInterval(() => {
    if (paused || round) return
    round = work(() => !paused, false)
      .catch(() => {})
      .finally(() => {
        round = undefined
      })
  }, LOOK_EVERY_MS)

  async function work(goesOn: () => boolean, all: boolean) {
    while (goesOn() && (await next(pool, all))) happened()
  }

  async function pause() {
    paused = true
    await round
  }

  return {
    pause,
    resume() {
      paused = false
    },
    hurry: () => work(() => true, true),
    stop() {
      clearInterval(look)
      return pause()
    },
  }
}

/** The step that is due longest; false when none is. */
function next(pool: pg.Pool, all: boolean): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ step: Step; object_id: string }>(
      `delete from sandbox.later where seq = (
         select seq from sandbox.later where $1 or due_at <= clock_timestamp() order by due_at, seq limit 1 for update skip locked
       ) returning step, object_id`,
      [all],
    )
    const due = rows[0]
    if (!due) return false
    await STEPS[due.step](tx, due.object_id)
    return true
  })
}
