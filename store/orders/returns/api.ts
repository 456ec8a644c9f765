import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import { type CardProvider, providerResponseTimeoutMs } from '#store/orders/payments/card-provider.ts'
import { decideReturn, listReturns, receiveReturn, sendReturn } from './admin-contract.ts'
import { askForReturn, listOrderReturns, takeBackReturn } from './contract.ts'
import { decideReturn as decide } from './decide-return.ts'
import { findReturnable, findReturnsOfOrder } from './find-returns.ts'
import { listReturns as findReturnsPage } from './list-returns.ts'
import * as opened from './open-return.ts'
import { receiveReturn as receive } from './receive-return.ts'
import { findReturnAddress } from './return-address.ts'
import { sendReturn as send } from './send-return.ts'

type Deps = { db: Database; guards: OrderGuards; cards: CardProvider; events: DomainEvents }

export function registerReturnRoutes(app: HttpApp, deps: Deps) {
  registerBuyerRoutes(app, deps)
  registerAdminRoutes(app, deps)
}

function registerBuyerRoutes(app: HttpApp, { db, guards, events }: Deps) {
  app.route({
    ...askForReturn,
    onRequest: guards.buyer,
    handler: async ({ params, body, headers, viewer }, reply) => {
      const { asked, isNew } = await opened.askForReturn(db, viewer, params.id, body, headers['idempotency-key'])
      if (isNew) events.returnChanged()
      return reply.code(201).send(asked)
    },
  })

  app.route({
    ...listOrderReturns,
    onRequest: guards.buyer,
    handler: async ({ params, viewer }) => {
      const { _id } = await findOrder(db, viewer, params.id)
      const [returns, returnable, address] = await Promise.all([
        findReturnsOfOrder(db, _id),
        findReturnable(db, _id),
        findReturnAddress(db),
      ])
      return { returns, returnable, address }
    },
  })

  app.route({
    ...takeBackReturn,
    onRequest: guards.buyer,
    handler: ({ params, viewer }) => opened.takeBackReturn(db, viewer, params),
  })
}

function registerAdminRoutes(app: HttpApp, { db, guards, cards, events }: Deps) {
  app.route({
    ...listReturns,
    onRequest: guards.admin,
    handler: ({ query }) => findReturnsPage(db, query),
  })

  app.route({
    ...receiveReturn,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      const received = await receive(db, user, params.id, body)
      events.returnChanged()
      return received
    },
  })

  app.route({
    ...decideReturn,
    onRequest: guards.admin,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: ({ params, body, user }) =>
      decide(db, cards, user, params.id, body).finally(() => {
        events.ownerNoticesRecorded()
        events.orderChanged()
      }),
  })

  app.route({
    ...sendReturn,
    onRequest: guards.admin,
    handler: async ({ params, body, headers, user }, reply) => {
      const { shipment, isNew } = await send(db, user, params.id, body, headers['idempotency-key'])
      if (isNew) events.orderSent()
      return reply.code(201).send(shipment)
    },
  })
}
