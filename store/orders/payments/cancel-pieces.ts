import type { Database } from '#platform/database.ts'
import { appendEventOrComplete, type OrderRow } from '#store/orders/rules.ts'
import { applyRefundToLines, formatRefundedItems, insertRefund, type NewRefundLine } from './refund-lines.ts'

type CancelledPieces = { refund: Omit<Parameters<typeof insertRefund>[1], 'amountCents' | 'state'>; lines: NewRefundLine[] }

/**
 * Cancels pieces of an order whose money has all gone back before. It is kept as a refund of nothing, by which the pieces are counted; the provider
 * is not asked. The caller has locked the order and its payment.
 */
export async function cancelPieces(tx: Database, order: OrderRow, { refund, lines }: CancelledPieces): Promise<void> {
  const row = await insertRefund(tx, { ...refund, amountCents: 0, state: 'succeeded' }, lines)
  const doer = { actor: row.actor, userId: row.userId }
  await applyRefundToLines(tx, order, row._id, { orderGoesOn: true, doer })
  const items = await formatRefundedItems(tx, row._id)
  await appendEventOrComplete(tx, order._id, { event: 'line cancelled', doer, note: row.note, ...(items && { items }), mail: true })
}
