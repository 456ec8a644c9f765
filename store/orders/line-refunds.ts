import { type SQL, sql } from 'drizzle-orm'
import { returnDecisions } from './returns/table.ts'
import { orderLines, refundLines, refunds } from './table.ts'

/* Amounts of refunds include those that are recorded but not yet sent to the provider, unless they say otherwise. */

export const isUnsentRefund = sql`${refunds.state} = 'asked'`
/** @param sum of columns of `refund_lines` */
export const unsentOfLine = (
  sum: SQL,
) => sql`(select coalesce(sum(${sum}), 0) from ${refundLines} join ${refunds} on ${refunds._id} = ${refundLines.refundId}
  where ${refundLines.orderLineId} = ${orderLines._id} and ${isUnsentRefund})`

/** Pieces that came back by a return and went neither into stock nor to the buyer again. */
export const isWrittenOff = sql`${returnDecisions.outcome} in ('refund', 'replacement') and not ${returnDecisions.isRestocked}`
export const writtenOffOfLine = sql`(select coalesce(sum(${returnDecisions.quantity}), 0) from ${returnDecisions}
  where ${returnDecisions.orderLineId} = ${orderLines._id} and ${isWrittenOff})`

/** What of a line's money is refunded, in cents. */
export const lineRefundedCents = sql<number>`least(${orderLines.chargedCents}, ${orderLines.refundedCents} + ${unsentOfLine(sql`${refundLines.amountCents}`)})::integer`
