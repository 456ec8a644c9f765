import type pg from 'pg'
import * as disputes from './disputes.ts'
import { type Db, transaction } from './ledger.ts'
import * as refunds from './refunds.ts'
import type { ScheduledStep } from './scheduled-steps.ts'

const STEPS: { [Name in ScheduledStep]: (tx: Db, objectId: string) => Promise<void> } = {
  'refund succeeds': refunds.succeed,
  'refund fails': refunds.fail,
  'charge is disputed': disputes.open,
}

const LOOK_EVERY_MS = 1000

export type BankSimulator = {
  /** Stops running steps by timer; resolves when no step is running. */
  pause(): Promise<void>
  resume(): void
  /** Runs all scheduled steps, due or not, even while paused. */
  runPendingSteps(): Promise<void>
  /** Stops the simulator permanently. */
  stop(): Promise<void>
}

/**
 * Runs scheduled steps when they are due, each once across all processes. Calls `happened` after each step. Without `byItself` it starts
 * paused and steps run only through `runPendingSteps`.
 */
export function startBankSimulator(pool: pg.Pool, happened: () => void, byItself: boolean): BankSimulator {
  let paused = !byItself
  let round: Promise<void> | undefined

  // After a database error nothing is lost: the next poll finds the same steps.
  const pollTimer = setInterval(() => {
    if (paused || round) return
    round = work(() => !paused, false)
      .catch(() => {})
      .finally(() => {
        round = undefined
      })
  }, LOOK_EVERY_MS)

  async function work(shouldContinue: () => boolean, all: boolean) {
    while (shouldContinue() && (await runNextStep(pool, all))) happened()
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
    runPendingSteps: () => work(() => true, true),
    stop() {
      clearInterval(pollTimer)
      return pause()
    },
  }
}

/** Runs the step that has been due longest. @returns false when none is due */
function runNextStep(pool: pg.Pool, all: boolean): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ step: ScheduledStep; object_id: string }>(
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
