import { and, eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { Order } from './order-contract.ts'
import { findOrderById } from './order-queries.ts'
import { orderTotals } from './order-totals.ts'
import { orders } from './table.ts'

/* An order as it is answered when it was just placed. */

/** What an order that was just placed has not come to yet. */
export const initialOrderState = {
  orderStatus: 'open',
  paymentStatus: 'unpaid',
  fulfilmentStatus: 'to_send',
  transectionId: null,
  paidAt: null,
  card: null,
  refundedCents: 0,
  refundedDeliveryCents: 0,
  refundedTaxes: [] as Order['refundedTaxes'],
  refundable: { cents: 0, pieces: 0 },
  refundableDeliveryCents: 0,
  paidBy: null,
  shipments: [] as Order['shipments'],
} as const
export const initialLineState = {
  inTotal: true,
  ...{ packed: 0, sent: 0, toSend: 0, cancelled: 0, returned: 0, restocked: 0, returnedRestocked: 0, refundedCents: 0, refundedPieces: 0 },
  refundable: { cents: 0, pieces: 0 },
}

/** `hash`: of the request that the key stands for. */
export type RequestKey = { buyerId: string; key: string; hash: string }

/** The order of an earlier request with this key, as it was answered then. */
export async function findOrderByRequest(db: Database, { buyerId, key, hash }: RequestKey): Promise<Order | undefined> {
  const [placed] = await db
    .select({ _id: orders._id, hash: orders.requestHash })
    .from(orders)
    .where(and(eq(orders.buyerId, buyerId), eq(orders.requestKey, key)))
  if (!placed) return undefined
  if (placed.hash !== hash)
    throw new HttpError(422, 'This Idempotency-Key was used for another order', undefined, { code: 'idempotency_key_reused' })
  const order = await findOrderById(db, placed._id)
  const lines = order.lines.map((line) => ({ ...line, ...initialLineState }))
  return { ...order, ...initialOrderState, ...orderTotals(lines, order), lines }
}
