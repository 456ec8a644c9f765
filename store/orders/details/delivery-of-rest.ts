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
  const { methodId, options } = await findOptions(db, order, lines)
  return options.find((option) => option.methodId === methodId)?.priceCents ?? order.deliveryCents
}

/**
 * What of the money of a delivery a shop owes back to whoever withdraws from the contract after something was sent: as much as the cheapest delivery
 * that it offers for these lines costs now, of what the buyer has paid. All of it where it offers none any more, or the order has named no method.
 * @param chargedCents what the buyer has paid for the delivery, with its tax
 */
export async function standardDeliveryCents(db: Database, order: OrderRow, lines: LineRow[], chargedCents: number): Promise<number> {
  const { options } = await findOptions(
    db,
    order,
    lines.filter(({ isReleased }) => !isReleased),
  )
  const cheapestCents = Math.min(...options.map(({ priceCents }) => priceCents))
  if (order.deliveryCents === 0 || cheapestCents >= order.deliveryCents) return chargedCents
  return Math.round((chargedCents * cheapestCents) / order.deliveryCents)
}

/** The methods by which these lines of an order can be delivered now, and the one that was chosen; none where the order has named no method. */
async function findOptions(db: Database, order: OrderRow, lines: LineRow[]) {
  const [details] = await db.select().from(orderDetails).where(eq(orderDetails.orderId, order._id))
  const method = details?.deliveryMethod
  if (!details || !method || lines.length === 0) return { methodId: undefined, options: [] }
  const { country, state, postalCode } = details.deliverTo
  const { options } = await findDeliveryOptions(db, {
    lines: lines.map(({ toolId, quantity, totalCents }) => ({ productId: toolId, quantity, amountCents: totalCents })),
    destination: { country, state: stateCodeOf(country, state), postalCode },
  })
  return { methodId: method.id, options }
}
