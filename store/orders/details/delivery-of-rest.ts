import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { stateCodeOf } from '#shared/states.ts'
import { findDeliveryOptions } from '#store/delivery/find-delivery-options.ts'
import type { LineRow, OrderRow } from '#store/orders/rules.ts'
import { orderDetails } from './table.ts'

/**
 * What the delivery of an order costs when these are all its lines, in cents: its price may go by what the order weighs, or be nothing from an
 * amount on. That is decided by what the method costs now. One that was removed, or that is not offered for these lines any more, has no price of now:
 * then the price stays that the buyer has agreed to, for better or worse. Another method may arrive on another day, which nobody has agreed to, and the
 * rule of a method that is gone is kept nowhere. The order never costs more than before, see `chargesOfRestUpTo`.
 */
export async function deliveryOfRestCents(db: Database, order: OrderRow, lines: LineRow[]): Promise<number> {
  const [details] = await db.select().from(orderDetails).where(eq(orderDetails.orderId, order._id))
  const method = details?.deliveryMethod
  if (!details || !method || lines.length === 0) return order.deliveryCents
  const { country, state, postalCode } = details.deliverTo
  const { options } = await findDeliveryOptions(db, {
    lines: lines.map(({ toolId, quantity, totalCents }) => ({ productId: toolId, quantity, amountCents: totalCents })),
    destination: { country, state: stateCodeOf(country, state), postalCode },
  })
  return options.find(({ methodId }) => methodId === method.id)?.priceCents ?? order.deliveryCents
}
