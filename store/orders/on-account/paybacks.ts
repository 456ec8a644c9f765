import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { EventActor } from '#store/orders/order-history.ts'
import { insertRefund } from '#store/orders/payments/refund-lines.ts'
import { payments, refunds } from '#store/orders/table.ts'

/** What an order on account owes in cents; below 0: so much is to be given back. The order is locked. */
export async function balanceOf(tx: Database, orderId: string): Promise<number> {
  const { rows } = await tx.execute<{ cents: string }>(sql`select balance_of(${orderId}::uuid) as cents`)
  return Number(rows[0]?.cents ?? 0)
}

/** Refunds of payments of an order on account that wait for a transfer, in the order in which they were asked. */
export const findAskedPaybacks = (tx: Database, orderId: string) =>
  tx
    .select(getTableColumns(refunds))
    .from(refunds)
    .innerJoin(payments, eq(payments._id, refunds.paymentId))
    .where(and(eq(refunds.orderId, orderId), eq(refunds.state, 'asked'), eq(payments.isSurplus, false)))
    .orderBy(refunds.askedAt, refunds._id)

/** Asks for what was paid beyond what an order on account costs by now: refunds of its payments, the newest first, that stay asked until they are booked. */
export async function planPaybacks(tx: Database, orderId: string, doer: EventActor): Promise<void> {
  const asked = (await findAskedPaybacks(tx, orderId)).reduce((sum, { amountCents }) => sum + amountCents, 0)
  let rest = -(await balanceOf(tx, orderId)) - asked
  const paid = await tx
    .select({
      _id: payments._id,
      leftCents: sql<number>`(${payments.amountCents} - ${payments.refundedCents} - (select coalesce(sum(amount_cents), 0) from refunds
        where payment_id = ${payments._id} and state = 'asked'))::integer`,
    })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, 'succeeded'), eq(payments.isSurplus, false)))
    .orderBy(desc(payments.settledAt), desc(payments._id))
  for (const { _id: paymentId, leftCents } of paid) {
    const amountCents = Math.min(rest, leftCents)
    if (amountCents <= 0) continue
    const { actor, userId } = doer
    await insertRefund(
      tx,
      {
        paymentId,
        orderId,
        amountCents,
        endsAs: 'refunded',
        actor,
        userId: userId ?? null,
        note: 'Paid and credited since',
      },
      [{ orderLineId: null, amountCents }],
    )
    rest -= amountCents
  }
}
