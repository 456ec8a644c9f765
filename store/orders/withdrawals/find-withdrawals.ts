import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { findReturnAddress } from '#store/orders/returns/return-address.ts'
import { returns } from '#store/orders/returns/table.ts'
import { orderLines, refunds } from '#store/orders/table.ts'
import type { Withdrawal } from './contract.ts'
import { withdrawalLines, withdrawals, withdrawnReturnLines } from './table.ts'

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
      moneyDueOn: sql<string | null>`coalesce(${returns.moneyDueOn}, (${moneyDueOnOfTaken}))::text`,
      isReturned: sql<boolean>`coalesce(${returns.status} = 'closed', false)`,
      eventId: withdrawals.eventId,
    })
    .from(withdrawals)
    .leftJoin(refunds, eq(refunds._id, withdrawals.refundId))
    .leftJoin(returns, eq(returns._id, withdrawals.returnId))
    .where(eq(withdrawals.orderId, orderId))
    .orderBy(asc(withdrawals.eventId))
  if (found.length === 0) return []
  const ids = found.map(({ _id }) => _id)
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
    .where(inArray(withdrawalLines.withdrawalId, ids))
    .orderBy(asc(orderLines.position))
  const taken = await findTakenOver(db, ids)
  const returnAddress = found.some(({ returnNumber }) => returnNumber !== null) ? await findReturnAddress(db) : null
  return found.map((each) => ({
    ...each,
    returnAddress: each.returnNumber === null ? null : returnAddress,
    lines: lines.filter(({ withdrawalId }) => withdrawalId === each._id).map(({ withdrawalId: _, ...line }) => line),
    takenOver: taken.filter(({ withdrawalId }) => withdrawalId === each._id).map(({ withdrawalId: _, ...pieces }) => pieces),
  }))
}

/** Of the withdrawal: the first day on which money of a return that it has taken over is due. */
const moneyDueOnOfTaken = sql`select min(due.money_due_on) from ${withdrawnReturnLines} taken join ${returns} due on due.id = taken.return_id
  where taken.withdrawal_id = ${withdrawals._id}`

const findTakenOver = (db: Database, withdrawalIds: string[]) =>
  db
    .select({
      withdrawalId: withdrawnReturnLines.withdrawalId,
      returnNumber: sql<number>`${returns.number}`,
      _id: withdrawnReturnLines.orderLineId,
      productName: orderLines.productName,
      quantity: withdrawnReturnLines.quantity,
    })
    .from(withdrawnReturnLines)
    .innerJoin(returns, eq(returns._id, withdrawnReturnLines.returnId))
    .innerJoin(orderLines, eq(orderLines._id, withdrawnReturnLines.orderLineId))
    .where(inArray(withdrawnReturnLines.withdrawalId, withdrawalIds))
    .orderBy(asc(returns.number), asc(orderLines.position))

/** The withdrawal that an event of the history of this order is about. */
export const findWithdrawalOfEvent = async (db: Database, orderId: string, eventId: number): Promise<Withdrawal | undefined> =>
  (await findWithdrawals(db, orderId)).find((withdrawal) => withdrawal.eventId === eventId)
