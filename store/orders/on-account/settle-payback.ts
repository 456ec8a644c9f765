import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { transferRefunds } from '#store/orders/bank/table.ts'
import { appendEvent, type EventActor } from '#store/orders/order-history.ts'
import { insertRefund } from '#store/orders/payments/refund-lines.ts'
import { lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { payments, refundLines, refunds } from '#store/orders/table.ts'

/* Money of orders on account that was transferred back: they were credited before, so nothing else of them changes. */

type Done = { doneOn: string; doneBy: string | null }
type Payback = typeof refunds.$inferSelect

/** Of a part the rest stays asked. */
export async function settlePayback(tx: Database, refund: Payback, cents: number, done: Done): Promise<void> {
  const { paymentId } = refund
  if (!paymentId) throw new Error(`The refund ${refund._id} has no payment`)
  const [payment] = await tx.select().from(payments).where(eq(payments._id, paymentId)).for('update')
  if (!payment) throw new Error(`The payment of refund ${refund._id} was not found`)
  if (cents < refund.amountCents) {
    const { _id, ...rest } = refund
    await insertRefund(tx, { ...rest, amountCents: refund.amountCents - cents }, [
      { orderLineId: null, amountCents: refund.amountCents - cents },
    ])
    await tx.update(refundLines).set({ amountCents: cents }).where(eq(refundLines.refundId, _id))
  }
  await tx.update(refunds).set({ state: 'succeeded', amountCents: cents }).where(eq(refunds._id, refund._id))
  await tx.insert(transferRefunds).values({ refundId: refund._id, ...done })
  await tx
    .update(payments)
    .set({ refundedCents: payment.refundedCents + cents })
    .where(eq(payments._id, paymentId))
}

type Transferred = { amountCents: number; doneOn: string; note?: string; doer: EventActor }

/** Writes the transfer into the history of the order, which the caller has locked. */
export async function appendPayback(tx: Database, order: OrderRow, { amountCents, doneOn, note = '', doer }: Transferred): Promise<void> {
  const paid = await lockOrder(tx, order._id) // its payment status has followed
  await appendEvent(tx, paid, { event: 'partly refunded', doer, amountCents, note: `By bank on ${doneOn}${note && `: ${note}`}` })
}

/** Settles all of a refund that waits for its transfer. Order and payment are locked. */
export async function completePayback(tx: Database, order: OrderRow, refund: Payback, done: Done): Promise<void> {
  await settlePayback(tx, refund, refund.amountCents, done)
  const doer: EventActor = done.doneBy ? { actor: 'admin', userId: done.doneBy } : { actor: 'store' }
  await appendPayback(tx, order, { amountCents: refund.amountCents, doneOn: done.doneOn, doer })
}
