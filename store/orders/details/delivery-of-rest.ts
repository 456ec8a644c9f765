import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { stateCodeOf } from '#shared/states.ts'
import { findDeliveryOptions } from '#store/delivery/find-delivery-options.ts'
import type { LineRow, OrderRow } from '#store/orders/rules.ts'
import { orderDetails } from './table.ts'

/**
 * What the delivery of an order costs when these are all its lines, in cents: its price may go by what the order weighs, or be nothing from an
 * amount on. Where its method is not offered for them any more, the price stays.
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
