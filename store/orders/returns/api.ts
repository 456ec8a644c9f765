import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import { askForReturn, listOrderReturns, takeBackReturn } from './contract.ts'
import { findReturnable, findReturnsOfOrder } from './find-returns.ts'
import * as opened from './open-return.ts'
import { findReturnAddress } from './return-address.ts'

type Deps = { db: Database; guards: OrderGuards; events: DomainEvents }

export function registerReturnRoutes(app: HttpApp, deps: Deps) {
  registerBuyerRoutes(app, deps)
}

function registerBuyerRoutes(app: HttpApp, { db, guards, events }: Deps) {
  app.route({
    ...askForReturn,
    onRequest: guards.buyer,
    handler: async ({ params, body, headers, viewer }, reply) => {
      const { asked, isNew } = await opened.askForReturn(db, viewer, params.id, body, headers['idempotency-key'])
      if (isNew) events.returnAsked()
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
