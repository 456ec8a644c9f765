import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { CartVisitor } from '#store/cart/rules.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Buyer } from '#store/orders/buyer.ts'
import type { PlacingLimiter } from '#store/orders/keyed-limiter.ts'
import { replacedMailDelayMinutes, replacedNote } from '#store/orders/order-history.ts'
import type { CardProvider } from '#store/orders/payments/card-provider.ts'
import { endUnpaidOrder } from '#store/orders/payments/end-order.ts'
import { limitProviderRequests } from '#store/orders/payments/provider-request-limits.ts'
import type { OrderPolicy } from '#store/orders/place-order.ts'
import { type CheckoutInput, type PlacedCheckout, placeCheckout } from './place-checkout.ts'

export type PlacingDeps = OrderPolicy & { db: Database; cards: CardProvider; events: DomainEvents; placing: PlacingLimiter }

type PlacingRequest = { network: string; requestKey: string | undefined }

/** Places carts, for the call and for the form that is sent without a script, each in its buyer's and its network's turn. */
export function createCheckoutPlacer({ db, cards, events, placing, ...terms }: PlacingDeps) {
  return async function place(
    buyer: Buyer,
    visitor: CartVisitor,
    body: CheckoutInput,
    { network, requestKey }: PlacingRequest,
  ): Promise<PlacedCheckout> {
    const placed = await placing.run({ buyer: buyer.id ?? `guests from ${network}`, network }, (inTurn) =>
      placeCheckout(db, buyer, visitor, body, {
        ...{ terms, network, requestKey, inTurn },
        endOrder: (order) => replaceOrder(buyer, order),
      }),
    )
    if (placed.isNew) events.orderPlaced()
    return placed
  }

  /** @throws {HttpError} 409 it is paid; 429 orders were cancelled too often; 503 the card provider does not answer */
  async function replaceOrder(buyer: Buyer, { _id, number }: { _id: string; number: number }): Promise<void> {
    await limitProviderRequests(db, terms.buyerLimits, 'cancel', _id)
    const doer = { actor: 'buyer', userId: buyer.id } as const
    const end = { to: 'cancelled', doer, note: replacedNote, mailDelayMinutes: replacedMailDelayMinutes } as const
    const state = await endUnpaidOrder(db, cards, _id, end).finally(events.orderChanged)
    if (state === 'cancelled' || state === 'expired') return
    const message = `Your basket is ordered and paid already, as order ${number}`
    throw new HttpError(409, message, undefined, { code: 'order_not_open' })
  }
}
