import type { Db } from './ledger.ts'

/** Actions of the simulated bank some time after an API request. */
export type ScheduledStep = 'refund succeeds' | 'refund fails' | 'charge is disputed'

const STEP_DELAY_SECONDS = 1

/** Schedules a step for one second later, in the transaction of its cause. */
export async function scheduleStep(tx: Db, step: ScheduledStep, objectId: string): Promise<void> {
  await tx.query('insert into sandbox.later (step, object_id, due_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))', [
    step,
    objectId,
    STEP_DELAY_SECONDS,
  ])
}
