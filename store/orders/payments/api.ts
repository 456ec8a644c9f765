import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { type AdminLimit, enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { BuyerLimits } from '#store/orders/buyer-limits.ts'
import * as orders from '#store/orders/rules.ts'
import { type CardProvider, providerResponseTimeoutMs } from './card-provider.ts'
import { cancelOrder, createPaymentIntent, recordPayment, refundOrder, showDeclineWait } from './contract.ts'
import * as declines from './declines.ts'
import { endOrder } from './end-order.ts'
import { limitProviderRequests } from './provider-request-limits.ts'
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
  const returnOrder = async (user: User, id: string) => {
    events.orderChanged()
    return orders.findOrder(db, user, id)
  }

  /** Wakes the owner notice worker also where the provider refuses: the refund was recorded with its notices before it was called. */
  const refund = (user: User, id: string, request: RefundRequest) =>
    requestRefund(db, cards, user, id, request).finally(events.ownerNoticesRecorded)

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
      const isNew = await payments.recordPayment(db, cards, user, { orderId: params.id, transectionId: body.transectionId }, buyerLimits)
      if (isNew) events.orderPaid()
      return orders.findOrder(db, user, params.id)
    },
  })

  app.route({ ...showDeclineWait, onRequest: guards.admin, handler: ({ params }) => declines.showDeclineWait(db, params.id) })

  app.route({
    ...cancelOrder,
    onRequest: guards.signedIn,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body, user }) => {
      const order = await orders.findOrder(db, user, id)
      const isOwn = order.buyerEmail === user.email
      if (order.state === 'open') {
        if (isOwn) await limitProviderRequests(db, buyerLimits, 'cancel', { buyerId: user.id, orderId: id })
        else await enforceAdminLimit(db, user, cancellationLimit)
        const doer = { actor: isOwn ? 'buyer' : 'admin', userId: user.id } as const
        const state = await endOrder(db, cards, id, { to: 'cancelled', doer, note: body.reason })
        if (state !== 'cancelled') throw payments.orderNotOpenError(state)
      } else if (user.role !== 'admin' || !order.paid) throw payments.orderNotOpenError(order.state)
      else await refund(user, id, { endsAs: 'cancelled', reason: body.reason })
      return returnOrder(user, id)
    },
  })

  app.route({
    ...refundOrder,
    onRequest: guards.admin,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body, user }) => {
      await refund(user, id, { ...body, endsAs: 'refunded' })
      return returnOrder(user, id)
    },
  })
}
