import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { retryAfterDeadlock } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatCents } from '#shared/money.ts'
import { products, stockMovements } from '#store/catalogue/table.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderLines, payments } from '#store/orders/table.ts'
import { withdrawals } from '#store/orders/withdrawals/table.ts'
import { type Booking, bookToOrder, dueOf } from './book-entry.ts'

/**
 * Places an order again that had ended before its money came: its pieces leave the stock once more, all of them or none.
 * @throws {HttpError} 409 it has not ended, its buyer has withdrawn from it, or its money has gone back; the amount is another one; less is in stock by now
 */
export const placeAgain = (db: Database, booking: Booking): Promise<void> =>
  retryAfterDeadlock(() =>
    db.transaction(async (tx) => {
      const order = await lockOrder(tx, booking.orderId)
      await assertCanBePlacedAgain(tx, order, booking.amountCents)
      await takePiecesAgain(tx, order, booking)
      await bookToOrder(tx, order, { ...booking, placesEnded: true })
    }),
  )

async function assertCanBePlacedAgain(tx: Database, order: OrderRow, amountCents: number): Promise<void> {
  const hasEnded = order.orderStatus === 'expired' || order.orderStatus === 'cancelled'
  const taken = await tx.$count(
    payments,
    and(eq(payments.orderId, order._id), eq(payments.state, 'succeeded'), eq(payments.isSurplus, false)),
  )
  if (!hasEnded || taken > 0)
    throw new HttpError(
      409,
      `Order ${order.number} cannot be placed again: ${hasEnded ? 'money of it goes back' : 'it has not ended'}`,
      undefined,
      {
        code: 'order_not_open',
      },
    )
  if ((await tx.$count(withdrawals, eq(withdrawals.orderId, order._id))) > 0)
    throw new HttpError(409, `The buyer has withdrawn from order ${order.number}: send the money back`, undefined, {
      code: 'order_not_open',
    })
  const dueCents = await dueOf(tx, order)
  if (amountCents !== dueCents)
    throw new HttpError(409, `Order ${order.number} costs ${formatCents(dueCents)}: it is placed again for just that`, undefined, {
      code: 'amount_mismatch',
    })
}

async function takePiecesAgain(tx: Database, order: OrderRow, { doer }: Booking): Promise<void> {
  const lines = (await findOrderLines(tx, order._id)).filter(({ isReleased }) => !isReleased)
  // By product, as orders lock products when they are placed.
  for (const line of lines.toSorted((a, b) => (a.toolId < b.toolId ? -1 : 1))) {
    const taken = await tx
      .update(products)
      .set({ available_quantity: sql`${products.available_quantity} - ${line.quantity}` })
      .where(and(eq(products._id, line.toolId), gte(products.available_quantity, line.quantity), isNull(products.removedAt)))
    if (taken.rowCount !== 1)
      throw new HttpError(409, `Less than ${formatItem(line)} is in stock by now: send the money back`, undefined, {
        code: 'stock_too_low',
      })
    await tx
      .insert(stockMovements)
      .values({ toolId: line.toolId, pieces: -line.quantity, reason: 'order', orderLineId: line._id, userId: doer.userId ?? null })
    await tx.update(orderLines).set({ restocked: 0 }).where(eq(orderLines._id, line._id))
  }
}
