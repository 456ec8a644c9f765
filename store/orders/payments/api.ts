import type { HttpApp } from '#platform/http.ts'
import { viewerKey } from '#store/orders/buyer.ts'
import { createBuyerLimiter } from '#store/orders/keyed-limiter.ts'
import { findOrderIdOfLine } from '#store/orders/order-queries.ts'
import { findPurchase } from '#store/orders/purchases.ts'
import { type PaymentDeps, registerCancellationRoutes, registerRefundRoutes } from './cancel-and-refund-routes.ts'
import { providerResponseTimeoutMs } from './card-provider.ts'
import { createPaymentIntent, recordPayment, showDeclineWait } from './contract.ts'
import * as declines from './declines.ts'
import type { PaymentHook } from './payment-hook.ts'
import * as payments from './rules.ts'

export function registerPaymentRoutes(app: HttpApp, deps: PaymentDeps & { paymentRecorded: PaymentHook }) {
  const { db, guards, cards, events, buyerLimits, paymentRecorded } = deps
  registerCancellationRoutes(app, deps)
  registerRefundRoutes(app, deps)
  const [opening, recording] = [createBuyerLimiter(deps, 4), createBuyerLimiter(deps, 4)]

  app.route({
    ...createPaymentIntent,
    onRequest: guards.buyer,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ body, viewer }) => ({
      clientSecret: await opening.run(viewerKey(viewer), () =>
        payments.openPayment(db, cards, viewer, body, buyerLimits, events.paymentSettled),
      ),
      publishableKey: cards.publishableKey,
      cardLibrary: cards.libraryUrl,
    }),
  })

  app.route({
    ...recordPayment,
    onRequest: guards.buyer,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async (request, reply) => {
      const { params, body, viewer } = request
      const report = { purchaseId: params.id, transectionId: body.transectionId }
      await recording.run(viewerKey(viewer), () =>
        payments.recordPayment(db, cards, viewer, report, buyerLimits, {
          onSettled: events.paymentSettled,
          onPayerLost: (error) => request.log.error({ err: error }, 'Who has paid an order was not kept'),
        }),
      )
      await paymentRecorded(request, reply)
      return findPurchase(db, viewer, params.id, { ofOrder: 'first' })
    },
  })

  app.route({
    ...showDeclineWait,
    onRequest: guards.admin,
    handler: async ({ params }) => declines.showDeclineWait(db, await findOrderIdOfLine(db, params.id)),
  })
}
