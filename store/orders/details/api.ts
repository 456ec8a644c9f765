import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import { showOrderDetails } from './contract.ts'
import { findOrderDetails } from './rules.ts'

export function registerOrderDetailsRoutes(app: HttpApp, { db, guards }: { db: Database; guards: OrderGuards }) {
  app.route({
    ...showOrderDetails,
    onRequest: guards.buyer,
    handler: async ({ params, viewer }) => ({ details: await findOrderDetails(db, viewer, params.id) }),
  })
}
