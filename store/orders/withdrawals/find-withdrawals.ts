import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { findReturnAddress } from '#store/orders/returns/return-address.ts'
import { returns } from '#store/orders/returns/table.ts'
import { orderLines, refunds } from '#store/orders/table.ts'
import type { Withdrawal } from './contract.ts'
import { withdrawalLines, withdrawals } from './table.ts'

/** The withdrawals from an order, oldest first. Who may see them is for the caller. */
export async function findWithdrawals(db: Database, orderId: string): Promise<(Withdrawal & { eventId: number })[]> {
  const found = await db
    .select({
      _id: withdrawals._id,
      at: withdrawals.at,
      name: withdrawals.name,
      email: withdrawals.email,
      refundCents: sql<number>`coalesce(${refunds.amountCents}, 0)::integer`,
      deliveryCents: withdrawals.deliveryCents,
      returnNumber: returns.number,
      moneyDueOn: returns.moneyDueOn,
      eventId: withdrawals.eventId,
    })
    .from(withdrawals)
    .leftJoin(refunds, eq(refunds._id, withdrawals.refundId))
    .leftJoin(returns, eq(returns._id, withdrawals.returnId))
    .where(eq(withdrawals.orderId, orderId))
    .orderBy(asc(withdrawals.eventId))
  if (found.length === 0) return []
  const lines = await db
    .select({
      withdrawalId: withdrawalLines.withdrawalId,
      _id: withdrawalLines.orderLineId,
      productName: orderLines.productName,
      quantity: withdrawalLines.quantity,
      sent: withdrawalLines.sent,
    })
    .from(withdrawalLines)
    .innerJoin(orderLines, eq(orderLines._id, withdrawalLines.orderLineId))
    .where(
      inArray(
        withdrawalLines.withdrawalId,
        found.map(({ _id }) => _id),
      ),
    )
    .orderBy(asc(orderLines.position))
  const returnAddress = found.some(({ returnNumber }) => returnNumber !== null) ? await findReturnAddress(db) : null
  return found.map((each) => ({
    ...each,
    returnAddress: each.returnNumber === null ? null : returnAddress,
    lines: lines.filter(({ withdrawalId }) => withdrawalId === each._id).map(({ withdrawalId: _, ...line }) => line),
  }))
}

/** The withdrawal that an event of the history of this order is about. */
export const findWithdrawalOfEvent = async (db: Database, orderId: string, eventId: number): Promise<Withdrawal | undefined> =>
  (await findWithdrawals(db, orderId)).find((withdrawal) => withdrawal.eventId === eventId)
