import { type SQL, sql } from 'drizzle-orm'
import { orderLines, refundLines, refunds } from './table.ts'

/* Amounts of refunds include those that are recorded but not yet sent to the provider, unless they say otherwise. */

export const isUnsentRefund = sql`${refunds.state} = 'asked'`
/** @param sum of columns of `refund_lines` */
export const unsentOfLine = (
  sum: SQL,
) => sql`(select coalesce(sum(${sum}), 0) from ${refundLines} join ${refunds} on ${refunds._id} = ${refundLines.refundId}
  where ${refundLines.orderLineId} = ${orderLines._id} and ${isUnsentRefund})`

/** What of a line's money is refunded, in cents. */
export const lineRefundedCents = sql<number>`least(${orderLines.chargedCents}, ${orderLines.refundedCents} + ${unsentOfLine(sql`${refundLines.amountCents}`)})::integer`
