import { eq, type SQL, sql } from 'drizzle-orm'
import { type Database, selectPrepared } from '#platform/database.ts'
import type { Buyer } from '#store/orders/buyer.ts'
import type { BuyerLimits } from '#store/orders/buyer-limits.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { orderNotFoundError } from '#store/orders/order-queries.ts'
import { orders } from '#store/orders/table.ts'
import type { CardProvider } from './card-provider.ts'
import { assertDeclineLimit, hasRecentDeclinesSql } from './declines.ts'
import { limitProviderRequests } from './provider-request-limits.ts'
import { createIntent } from './rules.ts'

/* The payment that is inserted with its order, so that opening it does not change the order's row once more. */

/** Inserts the payment of an order that is being placed: a part of the statement that places it, see `PlacedWith`. */
export const insertPaymentSql = (paymentId: string, { id: buyerId }: Buyer): SQL => sql`, card_payment as (
    insert into payments (id, order_id, amount_cents, currency, opened_by) select ${paymentId}::uuid, id, total_cents, currency, ${buyerId}::text from placed
      where payment_method = 'card'
  )`

/**
 * Opens that payment at the card provider. What has become of the order meanwhile is looked at afterwards: the intent of one that has ended is
 * cancelled.
 * @returns the intent's client secret, for the browser's card form
 * @throws {HttpError} 409 the order has ended meanwhile; 429 too many cards were declined, or the provider was called too often; 503 it does
 *   not answer
 */
export async function openFirstPayment(
  db: Database,
  cards: CardProvider,
  { _id: orderId, totalCents, currency }: Order,
  paymentId: string,
  limits: BuyerLimits | undefined,
): Promise<string> {
  const { buyerId, network, placedFromNetwork } = orders
  const [order] = await selectPrepared(
    db
      .select({ _id: orders._id, buyerId, network, placedFromNetwork, hasRecentDeclines: hasRecentDeclinesSql })
      .from(orders)
      .where(eq(orders._id, orderId)),
  )
  if (!order) throw orderNotFoundError()
  if (order.hasRecentDeclines) await assertDeclineLimit(db, order)
  await limitProviderRequests(db, limits, 'open', orderId, order)
  const intent = await createIntent(db, cards, { _id: paymentId, orderId, amountCents: totalCents, currency }, orderId)
  if (!intent.client_secret) throw new Error(`The card provider gave no client secret for ${intent.id}`)
  return intent.client_secret
}
