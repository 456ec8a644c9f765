import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import { networkOf } from '#platform/limits.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Guards } from '#store/identity/guards.ts'
import { listAllOrders, listOrdersOf, noteLookedAt, placeOrder, showHistory, showOrder } from './contract.ts'
import { orderMails } from './mails.ts'
import * as orders from './rules.ts'

type House = orders.Terms & { db: Database; guards: Guards; changes: Changes; jobs: Jobs }

export function orderCalls(app: Http, { db, guards, changes, jobs, ...terms }: House) {
  app.route({
    ...placeOrder,
    onRequest: guards.signedIn,
    handler: async ({ body, headers, ip, user }, reply) => {
      const sent = { requestKey: headers['idempotency-key'], network: networkOf(ip) }
      const order = await orders.place(db, user, body, terms, sent)
      jobs.wake(orderMails)
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

  app.route({
    ...noteLookedAt,
    onRequest: guards.admin,
    handler: ({ params, user }) => orders.noteLookedAt(db, user, params.id),
  })

  app.route({ ...showHistory, onRequest: guards.signedIn, handler: ({ params, user }) => orders.history(db, user, params.id) })
}
