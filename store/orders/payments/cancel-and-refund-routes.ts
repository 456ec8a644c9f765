import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { type AdminLimit, enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { isBuyerOf, type Viewer } from '#store/orders/buyer.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import type { BuyerQueue } from '#store/orders/keyed-limiter.ts'
import { cancelOrder } from '#store/orders/order-contract.ts'
import { replacedNote } from '#store/orders/order-history.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import { findPurchase } from '#store/orders/purchases.ts'
import { isPaidState, type PurchaseState, purchaseState } from '#store/orders/statuses.ts'
import { type CardProvider, providerResponseTimeoutMs } from './card-provider.ts'
import { cancelPurchase, refundOrder, refundPurchase } from './contract.ts'
import { cancelUnpaidLine, endUnpaidOrder } from './end-order.ts'
import { limitProviderRequests } from './provider-request-limits.ts'
import { cancellationOfAll, cancellationOfLine, refundOfLine, refundOfPieces } from './refund-plans.ts'
import { type RefundRequest, requestRefund } from './refunds.ts'
import { orderNotOpenError } from './rules.ts'

/** Like the removal of an account, it ends an order for good. */
const cancellationLimit: AdminLimit = {
  key: 'cancellations by admins',
  window: { max: 60, seconds: 3600 },
  what: 'Admins who are no owners have asked to cancel 60 unpaid orders within an hour, which is as many as they can together',
}

export type PaymentDeps = BuyerQueue & { db: Database; guards: OrderGuards; cards: CardProvider; events: DomainEvents }

/** Each announces that the order may have changed, also when it throws: some of its changes may be committed by then. */
function createOrderActions({ db, cards, events, buyerLimits }: PaymentDeps) {
  return {
    /** The refund is recorded with its owner notices before the provider is called, which may refuse it. */
    refund: (user: User, orderId: string, request: RefundRequest) =>
      requestRefund(db, cards, user, orderId, request).finally(() => {
        events.ownerNoticesRecorded()
        events.orderChanged()
      }),
    /**
     * Counts the cancellation of an open order, or of a line of it, and ends it.
     * @throws {HttpError} 409 it is not open, or has turned out to be paid
     */
    async cancelOpen(
      viewer: Viewer,
      orderId: string,
      end: (doer: { actor: 'buyer' | 'admin'; userId: string | null }) => Promise<PurchaseState>,
    ): Promise<void> {
      const isOwn = viewer.role === 'guest' || (await isBuyerOf(db, viewer, orderId))
      if (isOwn) await limitProviderRequests(db, buyerLimits, 'cancel', orderId)
      else await enforceAdminLimit(db, viewer, cancellationLimit)
      const userId = viewer.role === 'guest' ? null : viewer.id
      const state = await end({ actor: isOwn ? 'buyer' : 'admin', userId }).finally(events.orderChanged)
      if (state !== 'cancelled') throw orderNotOpenError(state)
    },
  }
}

export function registerCancellationRoutes(app: HttpApp, deps: PaymentDeps) {
  const { db, guards, cards } = deps
  const { refund, cancelOpen } = createOrderActions(deps)

  app.route({
    ...cancelPurchase,
    onRequest: guards.buyer,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body: { reason }, viewer }) => {
      const { _id: lineId, orderId, state } = await findPurchase(db, viewer, id)
      if (state === 'open')
        await cancelOpen(viewer, orderId, (doer) => cancelUnpaidLine(db, cards, { orderId, lineId }, { doer, note: typedNote(reason) }))
      else if (viewer.role !== 'admin' || !isPaidState(state)) throw orderNotOpenError(state)
      else await refund(viewer, orderId, { plan: cancellationOfLine(lineId), endsAs: 'cancelled', reason })
      return findPurchase(db, viewer, id)
    },
  })

  app.route({
    ...cancelOrder,
    onRequest: guards.buyer,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body: { reason }, viewer }) => {
      const order = await findOrder(db, viewer, id)
      if (order.orderStatus === 'open')
        await cancelOpen(viewer, order._id, (doer) =>
          endUnpaidOrder(db, cards, order._id, { to: 'cancelled', doer, note: typedNote(reason) }),
        )
      else if (viewer.role !== 'admin' || (order.orderStatus !== 'placed' && purchaseState(order) !== 'shipped'))
        throw orderNotOpenError(purchaseState(order))
      else await refund(viewer, order._id, { plan: cancellationOfAll, endsAs: 'cancelled', reason })
      return findOrder(db, viewer, order._id)
    },
  })
}

export function registerRefundRoutes(app: HttpApp, deps: PaymentDeps) {
  const { db, guards } = deps
  const { refund } = createOrderActions(deps)

  app.route({
    ...refundPurchase,
    onRequest: guards.admin,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body, user }) => {
      const { _id: lineId, orderId } = await findPurchase(db, user, id)
      const { refundedCentsSeen: cents, reason, ...what } = body
      await refund(user, orderId, {
        plan: refundOfLine(lineId, what),
        seen:
          cents === undefined
            ? undefined
            : { cents, refundedCents: ({ lines }) => lines.find(({ _id }) => _id === lineId)?.refundedCents ?? 0 },
        endsAs: 'refunded',
        reason,
      })
      return findPurchase(db, user, id)
    },
  })

  app.route({
    ...refundOrder,
    onRequest: guards.admin,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params, body: { lines, delivery, refundedCentsSeen: cents, reason }, user }) => {
      const { _id } = await findOrder(db, user, params.id)
      await refund(user, _id, {
        plan: refundOfPieces(lines, { delivery }),
        seen: cents === undefined ? undefined : { cents, refundedCents: ({ refundedCents }) => refundedCents },
        endsAs: 'refunded',
        reason,
      })
      return findOrder(db, user, _id)
    },
  })
}

/** The store alone writes the note by which replaced orders are found: whoever types it says nothing. */
const typedNote = (reason: string | undefined) => (reason === replacedNote ? undefined : reason)
