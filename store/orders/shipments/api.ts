import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import { registerCarrierFileRoutes } from './carrier-file-routes.ts'
import { holdOrderBack, recordDelivery, releaseOrder, sendOrder } from './contract.ts'
import { correctShipment, takeShipmentBack } from './correction-contract.ts'
import * as corrections from './corrections.ts'
import * as deliveries from './deliveries.ts'
import * as shipments from './rules.ts'
import { listOrdersToSend as findOrdersToSend } from './to-send.ts'
import { listOrdersToSend } from './to-send-contract.ts'

export function registerShipmentRoutes(app: HttpApp, deps: { db: Database; guards: OrderGuards; events: DomainEvents }) {
  const { db, guards, events } = deps
  registerCarrierFileRoutes(app, deps)
  registerCorrectionRoutes(app, deps)

  app.route({
    ...sendOrder,
    onRequest: guards.admin,
    handler: async ({ params, body, headers, user }, reply) => {
      const { shipment, isNew } = await shipments.sendOrder(db, user, params.id, body, headers['idempotency-key'])
      if (isNew) {
        events.ownerNoticesRecorded()
        events.orderSent()
      }
      return reply.code(201).send(shipment)
    },
  })

  app.route({
    ...recordDelivery,
    onRequest: guards.buyer,
    handler: ({ params, body, viewer }) => deliveries.recordDelivery(db, viewer, params, body.deliveredOn),
  })

  app.route({
    ...listOrdersToSend,
    onRequest: guards.admin,
    handler: ({ query }) => findOrdersToSend(db, query),
  })

  app.route({
    ...holdOrderBack,
    onRequest: guards.admin,
    handler: async ({ params, body: { reason }, user }) => {
      await shipments.holdOrderBack(db, user, params.id, reason)
      return { heldBackReason: reason }
    },
  })

  app.route({
    ...releaseOrder,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await shipments.releaseOrder(db, user, params.id)
      return { heldBackReason: null }
    },
  })
}

function registerCorrectionRoutes(app: HttpApp, { db, guards, events }: { db: Database; guards: OrderGuards; events: DomainEvents }) {
  app.route({
    ...correctShipment,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      await enforceAdminLimit(db, user, corrections.correctionLimit)
      const { shipment, isChanged } = await corrections.correctShipment(db, user, params, body)
      if (isChanged) events.orderSent()
      return shipment
    },
  })

  app.route({
    ...takeShipmentBack,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await enforceAdminLimit(db, user, corrections.correctionLimit)
      const shipment = await corrections.takeShipmentBack(db, user, params)
      events.orderSent()
      return shipment
    },
  })
}
