import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { type AdminLimit, enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { BuyerLimits } from '#store/orders/buyer-limits.ts'
import { cancelOrder, refundOrder } from '#store/orders/order-contract.ts'
import { findOrder, findOrderIdOfLine } from '#store/orders/order-queries.ts'
import { findPurchase } from '#store/orders/purchases.ts'
import { type PurchaseState, purchaseState } from '#store/orders/statuses.ts'
import { type CardProvider, providerResponseTimeoutMs } from './card-provider.ts'
import { cancelPurchase, createPaymentIntent, recordPayment, refundPurchase, showDeclineWait } from './contract.ts'
import * as declines from './declines.ts'
import { cancelUnpaidLine, endUnpaidOrder } from './end-order.ts'
import { limitProviderRequests } from './provider-request-limits.ts'
import { refundOfAll, refundOfLine, refundOfPieces } from './refund-plans.ts'
import { type RefundRequest, requestRefund } from './refunds.ts'
import * as payments from './rules.ts'

/** Like the removal of an account, it ends an order for good. */
const cancellationLimit: AdminLimit = {
  key: 'cancellations by admins',
  window: { max: 60, seconds: 3600 },
  what: 'Admins who are no owners have asked to cancel 60 unpaid orders within an hour, which is as many as they can together',
}

type Deps = { db: Database; guards: Guards; cards: CardProvider; events: DomainEvents; buyerLimits: BuyerLimits | undefined }

export function registerPaymentRoutes(app: HttpApp, { db, guards, cards, events, buyerLimits }: Deps) {
  const returnPurchase = async (user: User, id: string) => {
    events.orderChanged()
    return findPurchase(db, user, id)
  }
  const returnOrder = async (user: User, id: string) => {
    events.orderChanged()
    return findOrder(db, user, id)
  }

  /** Wakes the owner notice worker also where the provider refuses: the refund was recorded with its notices before it was called. */
  const refund = (user: User, orderId: string, request: RefundRequest) =>
    requestRefund(db, cards, user, orderId, request).finally(events.ownerNoticesRecorded)

  /** Counts the cancellation of an open order, or of a line of it, and ends it. */
  async function cancelOpen(
    user: User,
    order: { _id: string; buyerEmail: string },
    end: (doer: { actor: 'buyer' | 'admin'; userId: string }) => Promise<PurchaseState>,
  ): Promise<void> {
    const isOwn = order.buyerEmail === user.email
    if (isOwn) await limitProviderRequests(db, buyerLimits, 'cancel', { buyerId: user.id, orderId: order._id })
    else await enforceAdminLimit(db, user, cancellationLimit)
    const state = await end({ actor: isOwn ? 'buyer' : 'admin', userId: user.id })
    if (state !== 'cancelled') throw payments.orderNotOpenError(state)
  }

  app.route({
    ...createPaymentIntent,
    onRequest: guards.signedIn,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ body, user }) => ({
      clientSecret: await payments.openPayment(db, cards, user, body, buyerLimits),
      publishableKey: cards.publishableKey,
      cardLibrary: cards.libraryUrl,
    }),
  })

  app.route({
    ...recordPayment,
    onRequest: guards.signedIn,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params, body, user }) => {
      const isNew = await payments.recordPayment(db, cards, user, { purchaseId: params.id, transectionId: body.transectionId }, buyerLimits)
      if (isNew) events.orderPaid()
      return findPurchase(db, user, params.id, { ofOrder: 'first' })
    },
  })

  app.route({
    ...cancelPurchase,
    onRequest: guards.signedIn,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body: { reason }, user }) => {
      const { _id: lineId, orderId, state, paid, buyerEmail } = await findPurchase(db, user, id)
      if (state === 'open')
        await cancelOpen(user, { _id: orderId, buyerEmail }, (doer) =>
          cancelUnpaidLine(db, cards, { orderId, lineId }, { doer, note: reason }),
        )
      else if (user.role !== 'admin' || !paid) throw payments.orderNotOpenError(state)
      else await refund(user, orderId, { plan: refundOfLine(lineId, { cancels: true }), endsAs: 'cancelled', reason })
      return returnPurchase(user, id)
    },
  })

  app.route({
    ...showDeclineWait,
    onRequest: guards.admin,
    handler: async ({ params }) => declines.showDeclineWait(db, await findOrderIdOfLine(db, params.id)),
  })

  app.route({
    ...cancelOrder,
    onRequest: guards.signedIn,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body: { reason }, user }) => {
      const order = await findOrder(db, user, id)
      if (order.orderStatus === 'open')
        await cancelOpen(user, order, (doer) => endUnpaidOrder(db, cards, order._id, { to: 'cancelled', doer, note: reason }))
      else if (user.role !== 'admin' || order.orderStatus !== 'placed') throw payments.orderNotOpenError(purchaseState(order))
      else await refund(user, order._id, { plan: refundOfAll, endsAs: 'cancelled', reason })
      return returnOrder(user, order._id)
    },
  })

  app.route({
    ...refundPurchase,
    onRequest: guards.admin,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body, user }) => {
      const { _id: lineId, orderId } = await findPurchase(db, user, id)
      const { refundedCentsSeen: cents, reason, ...what } = body
      await refund(user, orderId, {
        plan: refundOfLine(lineId, { ...what, cancels: false }),
        seen:
          cents === undefined
            ? undefined
            : { cents, refundedCents: ({ lines }) => lines.find(({ _id }) => _id === lineId)?.refundedCents ?? 0 },
        endsAs: 'refunded',
        reason,
      })
      return returnPurchase(user, id)
    },
  })

  app.route({
    ...refundOrder,
    onRequest: guards.admin,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params, body: { lines, refundedCentsSeen: cents, reason }, user }) => {
      const { _id } = await findOrder(db, user, params.id)
      await refund(user, _id, {
        plan: refundOfPieces(lines),
        seen: cents === undefined ? undefined : { cents, refundedCents: ({ refundedCents }) => refundedCents },
        endsAs: 'refunded',
        reason,
      })
      return returnOrder(user, _id)
    },
  })
}
