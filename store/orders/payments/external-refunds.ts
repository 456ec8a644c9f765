import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import type { LineRow, OrderRow } from '#store/orders/rules.ts'
import { payments, refunds } from '#store/orders/table.ts'
import { insertRefund, type RefundRow, shareOutRefund } from './refund-lines.ts'

/* The row of a refund of the provider: the one that it was asked for with, or a new one for a refund that the owner made in its dashboard. */

const uuid = z.uuid()

type RefundedPayment = { orderId: string; paymentId: string }

/** The order and the payment that a refund of the provider belongs to. */
export async function findRefundedPayment(tx: Database, refund: Stripe.Refund): Promise<RefundedPayment | undefined> {
  const intentId = typeof refund.payment_intent === 'string' ? refund.payment_intent : refund.payment_intent?.id
  if (!intentId) return undefined
  const [paid] = await tx
    .select({ orderId: payments.orderId, paymentId: payments._id })
    .from(payments)
    .where(and(eq(payments.intentId, intentId), eq(payments.state, 'succeeded')))
  return paid?.orderId ? { orderId: paid.orderId, paymentId: paid.paymentId } : undefined
}

function matchesRefund({ id, metadata }: Stripe.Refund) {
  const rowId = uuid.safeParse(metadata?.refund_id).data
  return rowId ? eq(refunds._id, rowId) : eq(refunds.refundId, id)
}

export const lockRefund = async (tx: Database, refund: Stripe.Refund): Promise<RefundRow | undefined> =>
  (await tx.select().from(refunds).where(matchesRefund(refund)).for('update'))[0]

/**
 * A refund that the owner made in the provider's dashboard: it is for the line of the order and then for its delivery or, where there are several
 * lines, for neither.
 */
export async function insertExternalRefund(tx: Database, order: OrderRow, lines: LineRow[], refund: ExternalRefund) {
  const { id: refundId, amount: amountCents, paymentId } = refund
  const isForLine = order.paymentId === paymentId && lines.length === 1
  return insertRefund(
    tx,
    {
      orderId: order._id,
      paymentId,
      refundId,
      amountCents,
      endsAs: 'refunded',
      actor: 'card provider',
      note: 'Made at the card provider',
    },
    isForLine
      ? shareOutRefund(lines, (await findOrderById(tx, order._id)).refundableDeliveryCents, amountCents)
      : shareOutRefund([], 0, amountCents),
  )
}

type ExternalRefund = Pick<Stripe.Refund, 'id' | 'amount'> & { paymentId: string }
