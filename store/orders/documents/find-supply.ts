import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { shopDay } from '#shared/shop-day.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import { shipments } from '#store/orders/shipments/table.ts'
import type { Supply } from './document-data.ts'
import { monthOf } from './supply.ts'

/**
 * When the goods of an order are supplied, which an invoice has to say (§ 14 (4) No. 6 UStG; the month is enough, § 31 (4) UStDV): goods that a
 * carrier brings are supplied when they are handed over to it (§ 3 (6) UStG).
 * @param invoicedOn the day of its first invoice
 */
export async function findSupply(tx: Database, order: OrderRow, details: OrderDetails | null, invoicedOn: string): Promise<Supply> {
  const sent = await tx
    .select({ at: shipments.sentAt })
    .from(shipments)
    .where(and(eq(shipments.orderId, order._id), isNull(shipments.takenBackAt), isNull(shipments.returnId)))
    .orderBy(asc(shipments.sentAt))
  const [first, last] = [sent.at(0), sent.at(-1)].map((shipment) => shipment && shopDay(new Date(shipment.at)))
  const isSent = order.fulfilmentStatus === 'sent' || order.fulfilmentStatus === 'delivered'
  if (isSent && first && last) return { from: first, to: last, by: 'sent' }
  const promised = details?.deliveryMethod
  if (!promised) return monthOf(first ?? invoicedOn)
  const from = first && first < promised.earliest ? first : promised.earliest
  return { from, to: last && last > promised.latest ? last : promised.latest, by: 'promise' }
}
