import { eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import type { EventActor } from '#store/orders/order-history.ts'
import type { LineRow } from '#store/orders/rules.ts'
import { orderLines } from '#store/orders/table.ts'

/** Pieces of one line that came back and go into stock, and those that are taken out of it in their place. */
export type ReturnStock = { line: LineRow; restocked: number; replaced: number }

/**
 * Moves the stock for what was decided of a return of an order that the caller has locked.
 * @throws {HttpError} 409 fewer pieces are in stock than are to be sent in place of returned ones: nothing is moved
 */
export async function moveReturnStock(tx: Database, moves: ReturnStock[], { userId }: EventActor): Promise<void> {
  // By product, as orders lock products when they are placed.
  for (const { line, restocked, replaced } of moves.toSorted((a, b) => (a.line.toolId < b.line.toolId ? -1 : 1))) {
    if (restocked > 0 || replaced > 0)
      await tx
        .update(orderLines)
        .set({
          restocked: sql`${orderLines.restocked} + ${restocked}`,
          returnedRestocked: sql`${orderLines.returnedRestocked} + ${restocked}`,
          replaced: sql`${orderLines.replaced} + ${replaced}`,
        })
        .where(eq(orderLines._id, line._id))
    const movement = { toolId: line.toolId, orderLineId: line._id, userId: userId ?? null }
    await catalogue.restockProduct(tx, { ...movement, pieces: restocked, reason: 'restock' })
    if (replaced > 0) await takeReplacement(tx, line, { ...movement, pieces: replaced })
  }
}

async function takeReplacement(tx: Database, line: LineRow, movement: Parameters<typeof catalogue.takeProduct>[1]): Promise<void> {
  const { isTaken, available } = await catalogue.takeProduct(tx, movement)
  if (isTaken) return
  const inStock =
    available === 0
      ? `No ${line.productName} is`
      : `Only ${formatNumber(available)} of ${line.productName} ${available === 1 ? 'is' : 'are'}`
  throw new HttpError(409, `${inStock} in stock: repair it, give the money back, or decide when more has come`, undefined, {
    code: 'stock_too_low',
    details: { lines: [{ productId: line.toolId, asked: movement.pieces, available }] },
  })
}
