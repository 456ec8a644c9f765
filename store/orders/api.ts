import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Guards } from '#store/identity/guards.ts'
import { listAllOrders, listOrdersOf, placeOrder, showOrder } from './contract.ts'
import * as orders from './rules.ts'

export function orderCalls(app: Http, { db, guards, changes }: { db: Database; guards: Guards; changes: Changes }) {
  app.route({
    ...placeOrder,
    onRequest: guards.signedIn,
    handler: async ({ body, headers, user }, reply) => {
      const order = await orders.place(db, user, body, headers['idempotency-key'])
      changes.tell('tools')
      return reply.code(201).send(order)
    },
  })

  app.route({
    ...listOrdersOf,
    onRequest: guards.signedIn,
    handler: ({ query: { buyerEmail }, user }) => {
      if (buyerEmail !== user.email && user.role !== 'admin') throw new Refusal(403, "These are another buyer's orders")
      return orders.listOf(db, buyerEmail)
    },
  })

  app.route({ ...showOrder, onRequest: guards.signedIn, handler: ({ params, user }) => orders.show(db, user, params.id) })

  app.route({ ...listAllOrders, onRequest: guards.admin, handler: () => orders.listAll(db) })
}
