import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { acknowledgeProblems, listAllOrders, listBuyerOrders, placeOrder, showOrder, showOrderHistory } from './contract.ts'
import { createOrderListSender } from './order-list.ts'
import * as orders from './rules.ts'

type Deps = orders.OrderTerms & { db: Database; guards: Guards; events: DomainEvents }

export function registerOrderRoutes(app: HttpApp, { db, guards, events, ...terms }: Deps) {
  const sendOrderList = createOrderListSender()

  app.route({
    ...placeOrder,
    onRequest: guards.signedIn,
    handler: async ({ body, headers, ip, user }, reply) => {
      const context = { requestKey: headers['idempotency-key'], network: widestClientNetwork(ip) }
      const { order, isNew } = await orders.place(db, user, body, terms, context)
      if (isNew) events.orderChanged()
      return reply.code(201).send(order)
    },
  })

  app.route({
    ...listBuyerOrders,
    onRequest: guards.signedIn,
    handler: async (request, reply) => {
      const { query, user } = request
      if (query.buyerEmail !== user.email && user.role !== 'admin') throw new HttpError(403, "These are another buyer's orders")
      await sendOrderList(request, reply, 'ofBuyer', user.id, (page) => orders.listByBuyer(db, query.buyerEmail, page))
    },
  })

  app.route({ ...showOrder, onRequest: guards.signedIn, handler: ({ params, user }) => orders.findOrder(db, user, params.id) })

  app.route({
    ...listAllOrders,
    onRequest: guards.admin,
    handler: (request, reply) => sendOrderList(request, reply, 'all', request.user.id, (page) => orders.listAll(db, page)),
  })

  app.route({
    ...acknowledgeProblems,
    onRequest: guards.admin,
    handler: ({ params, user }) => orders.acknowledgeProblems(db, user, params.id),
  })

  app.route({ ...showOrderHistory, onRequest: guards.signedIn, handler: ({ params, user }) => orders.listHistory(db, user, params.id) })
}
