import { eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { ErrorCode } from '#shared/error-codes.ts'
import { attentionConditions } from '#store/orders/attention.ts'
import { isDisputed } from '#store/orders/purchases.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import { orders, payments } from '#store/orders/table.ts'
import type { SendingBlock } from './contract.ts'

/** Whether an order is not to be sent now, whatever is left of it. On `orders`, joined with its payment. */
export const isBlockedSql = sql`(${orders.heldBackReason} is not null or ${isDisputed} or ${attentionConditions['to be looked at']})`

/** Why an order is not to be sent now, whatever is left of it; null: it can be sent. On `orders`, joined with its payment. */
export const sendingBlockSql = sql<SendingBlock | null>`case
  when ${orders.heldBackReason} is not null then 'held back'
  when ${isDisputed} then 'disputed'
  when ${attentionConditions['to be looked at']} then 'to be looked at' end`

/** Why an order that the caller has locked is not to be sent now, in words. */
export async function sendingBlock(tx: Database, order: OrderRow): Promise<{ text: string; code: ErrorCode } | undefined> {
  const [found] = await tx
    .select({ block: sendingBlockSql })
    .from(orders)
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .where(eq(orders._id, order._id))
  return blockText(found?.block ?? null, order)
}

/** The same of a block that is known. */
export function blockText(
  block: SendingBlock | null,
  { heldBackReason }: Pick<OrderRow, 'heldBackReason'>,
): { text: string; code: ErrorCode } | undefined {
  switch (block) {
    case 'held back':
      return { text: `This order is held back: ${heldBackReason}`, code: 'order_held_back' }
    case 'disputed':
      return { text: "The buyer's bank disputes the payment of this order: send nothing until it is won", code: 'order_under_review' }
    case 'to be looked at':
      return { text: 'Something went wrong with this order: look at it first, and say that you have', code: 'order_under_review' }
    default:
      return undefined
  }
}
