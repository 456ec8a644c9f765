import type { Db } from './ledger.ts'

/** What a bank does by itself some time after a call was answered. */
export type Step = 'refund succeeds' | 'refund fails' | 'charge is disputed'

const AFTER_SECONDS = 1

/** Keeps, in the transaction of its cause, that something is to happen a second later. */
export async function happensLater(tx: Db, step: Step, objectId: string): Promise<void> {
  await tx.query('insert into sandbox.later (step, object_id, due_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))', [
    step,
    objectId,
    AFTER_SECONDS,
  ])
}
